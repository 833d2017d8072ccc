package bnkit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/internal/say"
)

// Encode maps the columns of a frame to the variables that a knowledge file declares, each with its
// states by name; a continuous variable keeps its numbers. Hidden variables get no column, and
// unused columns are dropped. Missing cells stay missing. The notes list states that no row has:
// perhaps the file and the data spell a value differently.
//
//	k, err := knowledge.Read("breast.yaml")
//	net, err := k.Network()
//	cases, notes, err := bnkit.Encode(df, k)
//
// [Fit] and other verbs encode frames themselves, since the network of the file knows its columns;
// use Encode to inspect the cases, and for verbs that take no network, such as [Search].
//
// It returns an error for a column that the frame does not have, a [*data.ValueError]
// with row, column and value for a cell that no declared state stands for, a variable that is
// declared twice, and a state named NaN, which a frame cannot hold.
func Encode(df dataframe.DataFrame, k *knowledge.File) (cases dataframe.DataFrame, notes []string, err error) {
	if k == nil {
		return cases, nil, errors.New("bnkit: no knowledge file; read one with knowledge.Read")
	}
	var shown []knowledge.Variable
	var columns []string
	declared := make(map[string]bool)
	for _, v := range k.Variables {
		if err := v.Validate(); err != nil {
			return cases, nil, say.Errorf("bnkit: %w", err)
		}
		if declared[v.Name] {
			return cases, nil, say.Errorf("bnkit: %w: the variable %q is declared twice; keep one", bn.ErrDuplicate,
				v.Name)
		}
		declared[v.Name] = true
		if !v.Hidden {
			shown, columns = append(shown, v), append(columns, v.DataColumn())
		}
	}
	if len(shown) == 0 {
		return cases, nil, errors.New("bnkit: the knowledge file declares no variable that has a column; add some to " +
			"its variables")
	}
	slices.Sort(columns)
	columns = slices.Compact(columns) // two variables may be read from one
	f := openFrame(df)
	cells := make([][]string, len(columns))
	for i, name := range columns {
		if cells[i], err = f.texts(name); err != nil {
			return cases, nil, err
		}
	}
	var list []series.Series
	for _, v := range shown {
		at, _ := slices.BinarySearch(columns, v.DataColumn())
		s, missed, err := encode(v, cells[at])
		if err != nil {
			return cases, nil, say.Errorf("bnkit: %w", err)
		}
		list, notes = append(list, s), append(notes, missed...)
	}
	cases = dataframe.New(list...)
	if err := cases.Error(); err != nil {
		return cases, nil, say.Errorf("bnkit: %w", err)
	}
	return cases, notes, nil
}

// missing is how gota writes a missing cell.
const missing = "NaN"

// encode makes the column of a variable from that of the data.
func encode(v knowledge.Variable, column []string) (series.Series, []string, error) {
	wrong := func(row int, err error) error {
		return &data.ValueError{Row: row + 1, Name: v.DataColumn(), Value: column[row], Err: err}
	}
	if v.Continuous {
		values := make([]float64, len(column))
		for row, cell := range column {
			x, err := numberOf(strings.TrimSpace(cell))
			if err != nil {
				return series.Series{}, nil, wrong(row, err)
			}
			values[row] = x
		}
		return series.New(values, series.Float, v.Name), nil, nil
	}
	if slices.Contains(v.States, missing) {
		return series.Series{}, nil, say.Errorf("a state of %q is named %s, which a frame reads as missing; give it "+
			"another name", v.Name, missing)
	}
	states := make([]string, len(column))
	known := make(map[string]bn.State) // by cell, since few differ
	seen := make([]bool, len(v.States))
	for row, cell := range column {
		cell = strings.TrimSpace(cell)
		state, ok := known[cell]
		if !ok {
			var err error
			if state, err = v.State(cell); err != nil {
				return series.Series{}, nil, wrong(row, err)
			}
			known[cell] = state
		}
		if states[row] = missing; state != bn.Missing {
			states[row], seen[state] = v.States[state], true
		}
	}
	var notes []string
	for i, state := range v.States {
		if !seen[i] {
			notes = append(notes, fmt.Sprintf("no row has the state %q of %q, column %q", state, v.Name,
				v.DataColumn()))
		}
	}
	return series.New(states, series.String, v.Name), notes, nil
}

// numberOf is a cell of a continuous column, NaN when missing.
func numberOf(cell string) (float64, error) {
	if cell == "" || slices.Contains(data.DefaultMissing(), cell) {
		return math.NaN(), nil
	}
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%w, in a column of numbers; correct the cell, or empty it if it is missing",
			data.ErrNumber)
	}
	return x, nil
}
