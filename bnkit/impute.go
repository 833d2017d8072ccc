package bnkit

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// ImputeSettings govern Impute. Nil means the most probable completion of each row.
type ImputeSettings struct {
	// Draws is the number of completed copies of the frame, for multiple imputation. Each missing cell is drawn
	// from its distribution given the row, jointly with the others. 0 means one copy with the most probable values.
	Draws int
	// Src drives the draws, as in rand.NewPCG(1, 0).
	Src rand.Source
	// Mark adds a column of bools, "<name> filled", for each column in which a cell was filled.
	Mark bool
	// Hidden adds a column for each variable that has none.
	Hidden bool
}

// Impute returns the frame with the missing cells of the network's variables filled; all other cells, columns and
// the order of rows stay. By default a row gets its most probable joint completion given what is observed in it:
// the discrete states that are most probable together ([infer.Engine.MostProbable], also over variables
// without a column), and the means of continuous variables given these. With Draws the frame is repeated as often,
// with exact independent draws and a last column
//
//	imputation  the number of the copy, from 1
//
// Rows with the same evidence share the work. A most probable completion shows less variation than the data have;
// draw several copies to estimate anything from them, each by a fit of its own ([Fit] refuses them as one frame), or
// fit by learn.EM and impute nothing.
//
// Cells are filled with names of states. It returns an error for a column that holds other values, which a knowledge
// file or a discretization maps to states ([Encode] and [Apply] make columns of states), for a row that is impossible
// by the model ([infer.ErrImpossibleEvidence]), for a variable without a column where one of no variable may be its
// own, by its name or its cells ([bn.ErrUnknownVariable]), for Draws without a source ([bn.ErrNoSource]), and those of
// [LogScore].
// A cell with a state that training never saw is one too; [AsMissing] empties such cells, to be filled.
func Impute(m bn.Model, df dataframe.DataFrame, set *ImputeSettings) (dataframe.DataFrame, error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if set == nil {
		set = &ImputeSettings{}
	}
	switch {
	case set.Draws < 0:
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: impute: %d draws", set.Draws)
	case set.Draws > 0 && set.Src == nil:
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: impute: %w as Src", bn.ErrNoSource)
	case set.Draws == 0 && set.Src != nil:
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: impute: a Src without Draws; give the number of copies")
	}
	out, err := newImputation(model, df, set)
	if err == nil {
		err = out.fill(model.Net)
	}
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return out.frame()
}

// An imputation is a frame that is being filled.
type imputation struct {
	set    *ImputeSettings
	f      *frame
	rows   int
	copies int
	table  *data.Table
	filled []filledColumn // of the table's columns, then of hidden variables
}

// A filledColumn holds what is filled in for one variable.
type filledColumn struct {
	v       bn.Variable
	at      int    // in the frame, -1 for a new column
	missing []bool // by row
	states  []string
	values  []float64 // by copy and row, as states are
}

func newImputation(m *Model, df dataframe.DataFrame, set *ImputeSettings) (*imputation, error) {
	f := openFrame(df)
	if f.err != nil {
		return nil, f.err
	}
	excused := m.Hidden
	if set.Hidden {
		for _, v := range m.Net.Variables() {
			excused = append(excused[:len(excused):len(excused)], v.Name)
		}
	}
	open, err := f.unnoticed(m.Net.Variables(), m.Discretization, excused,
		"set ImputeSettings.Hidden to fill the variable in too")
	if err != nil {
		return nil, err
	}
	t, err := m.cases(f, open...)
	if err != nil {
		return nil, err
	}
	p := &imputation{set: set, f: f, rows: df.Nrow(), copies: max(1, set.Draws), table: t}
	shown := make(map[string]string)
	for _, v := range m.Net.Variables() {
		w := filledColumn{v: v, at: -1, missing: make([]bool, p.rows)}
		if slices.Contains(open, v.Name) {
			if !set.Hidden {
				continue
			}
			for row := range w.missing {
				w.missing[row] = true
			}
		} else {
			c, err := t.Column(v.Name)
			if err != nil {
				return nil, say.Errorf("bnkit: impute: %w", err)
			}
			for row := range w.missing {
				w.missing[row] = c.IsMissing(row)
			}
			if !slices.Contains(w.missing, true) {
				continue
			}
			name := f.shownBy(v)
			if w.at, err = f.column(name); err != nil {
				return nil, err
			}
			if other, ok := shown[name]; ok {
				return nil, say.Errorf("bnkit: impute: %w: %q and %q are both read from the column %q; make columns "+
					"of states with Encode", bn.ErrAmbiguous, other, v.Name, name)
			}
			shown[name] = v.Name
			if err := f.holdsStates(name, c); err != nil {
				return nil, err
			}
		}
		if v.IsDiscrete() {
			w.states = make([]string, p.copies*p.rows)
		} else {
			w.values = make([]float64, p.copies*p.rows)
		}
		p.filled = append(p.filled, w)
	}
	return p, nil
}

// fill finds what is missing, for rows with the same evidence at once.
func (p *imputation) fill(net *bn.Network) error {
	if len(p.filled) == 0 {
		return nil
	}
	engine, err := infer.New(net, nil)
	if err != nil {
		return say.Errorf("bnkit: impute: %w", err)
	}
	cols := p.table.Columns()
	rows := make(map[string][]int)
	var keys []string
	var key []byte
	for row := range p.rows {
		if !slices.ContainsFunc(p.filled, func(w filledColumn) bool { return w.missing[row] }) {
			continue
		}
		key = key[:0]
		for _, c := range cols {
			if !c.IsMissing(row) {
				key = append(key, c.Text(row)...)
			}
			key = append(key, 0)
			if c.IsMissing(row) {
				key = append(key, 1)
			}
		}
		if rows[string(key)] == nil {
			keys = append(keys, string(key))
		}
		rows[string(key)] = append(rows[string(key)], row)
	}
	for _, key := range keys {
		same := rows[key]
		evidence := make(infer.Evidence)
		for _, c := range cols {
			switch {
			case c.IsMissing(same[0]):
			case c.Var.IsDiscrete():
				evidence[c.Var.Name] = c.Text(same[0])
			default:
				evidence[c.Var.Name] = c.Values[same[0]]
			}
		}
		var err error
		if p.set.Draws > 0 {
			err = p.draw(engine, evidence, same)
		} else {
			err = p.complete(engine, evidence, same)
		}
		if err != nil {
			return say.Errorf("bnkit: impute: row %d: %w", same[0]+1, err)
		}
	}
	return nil
}

// draw fills rows that have the same evidence with draws.
func (p *imputation) draw(engine *infer.Engine, evidence infer.Evidence, rows []int) error {
	t, err := engine.Sample(evidence, p.copies*len(rows), p.set.Src)
	if err != nil {
		return err
	}
	for _, w := range p.filled {
		if !w.missing[rows[0]] {
			continue
		}
		c, err := t.Column(w.v.Name)
		if err != nil {
			return err
		}
		for k := range p.copies {
			for i, row := range rows {
				if w.v.IsDiscrete() {
					w.states[k*p.rows+row] = c.Text(k*len(rows) + i)
				} else {
					w.values[k*p.rows+row] = c.Values[k*len(rows)+i]
				}
			}
		}
	}
	return nil
}

// complete fills rows that have the same evidence with their most probable completion.
func (p *imputation) complete(engine *infer.Engine, evidence infer.Evidence, rows []int) error {
	states, _, err := engine.MostProbable(evidence)
	if err != nil {
		return err
	}
	for name, state := range states {
		if _, observed := evidence[name]; !observed {
			evidence[name] = state
		}
	}
	var numbers []string
	for _, w := range p.filled {
		if !w.missing[rows[0]] {
			continue
		}
		if !w.v.IsDiscrete() {
			numbers = append(numbers, w.v.Name)
			continue
		}
		for _, row := range rows {
			w.states[row] = states[w.v.Name]
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	x, err := engine.Expectation(evidence, numbers...)
	if err != nil {
		return err
	}
	for _, w := range p.filled {
		if i := slices.Index(numbers, w.v.Name); i >= 0 {
			for _, row := range rows {
				w.values[row] = x.Mean[i]
			}
		}
	}
	return nil
}
