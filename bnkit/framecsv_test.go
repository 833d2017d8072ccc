package bnkit

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// A table made of a frame's cells is the one that is read from a CSV file of them, and so are the errors.
func TestTableIsThatOfCSV(t *testing.T) {
	const frames = 3000
	good, bad := 0, make(map[string]int)
	for seed := range uint64(frames) {
		c := &cellSource{rand.New(rand.NewPCG(seed, 15))}
		df := c.frame()
		opts := c.options(df)
		own := *opts
		if len(df.Names()) == 1 && strings.ContainsAny(df.Names()[0], ";\t|") {
			continue // a file would be cut there, and a frame that was is refused
		}
		got, gotErr := openFrame(df).undeclared(df.Names(), &own)
		want, wantErr := tableByCSV(df, opts)
		if diff := cmp.Diff(fmt.Sprint(wantErr), fmt.Sprint(gotErr)); diff != "" {
			t.Fatalf("seed %d: the error (-CSV +cells):\n%s\n%q\n%+v", seed, diff, df.Records(), opts)
		}
		if wantErr != nil {
			for _, is := range []error{bn.ErrUnknownState, bn.ErrUnknownVariable, bn.ErrDuplicate, data.ErrNumber,
				data.ErrEncoding, ErrEmptyFrame} {
				if errors.Is(wantErr, is) {
					bad[is.Error()]++
				}
				if errors.Is(wantErr, is) != errors.Is(gotErr, is) {
					t.Fatalf("seed %d: %v is not as %v", seed, gotErr, wantErr)
				}
			}
			continue
		}
		good++
		if diff := cmp.Diff(want.Columns(), got.Columns(), cmp.Comparer(sameBits)); diff != "" {
			t.Fatalf("seed %d: (-CSV +cells):\n%s\n%q\n%+v", seed, diff, df.Records(), opts)
		}
		if want.Hash() != got.Hash() || want.IsComplete() != got.IsComplete() {
			t.Fatalf("seed %d: two hashes, or not both complete", seed)
		}
	}
	t.Log(good, "tables; errors:", bad)
	if good < frames/3 || len(bad) < 5 {
		t.Errorf("only %d frames of %d are tables, and errors of %d kinds", good, frames, len(bad))
	}
}

func sameBits(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
}

// tableByCSV writes the columns of a frame as CSV and reads them.
func tableByCSV(df dataframe.DataFrame, opts *data.CSVOptions) (*data.Table, error) {
	f := openFrame(df)
	records := make([][]string, df.Nrow()+1)
	for _, name := range df.Names() {
		name = trimName(name)
		if _, declared := opts.States[name]; !declared && len(f.at[name]) == 1 &&
			df.Types()[f.at[name][0]] == series.Float {
			opts.Continuous = append(opts.Continuous, name)
		}
	}
	for _, name := range df.Names() {
		at, err := f.column(name)
		if err != nil {
			return nil, err
		}
		records[0] = append(records[0], trimName(name))
		for row := range df.Nrow() {
			records[row+1] = append(records[row+1], textByCSV(df.Elem(row, at)))
		}
	}
	var b bytes.Buffer
	if err := writeRecords(&b, records); err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	t, err := data.ReadCSV(bytes.NewReader(b.Bytes()), opts)
	if err == nil {
		return t, nil
	}
	var cell *data.ValueError
	if errors.As(err, &cell) {
		cell.Line = 0
	}
	return nil, fmt.Errorf("bnkit: %w", reword(err))
}

func textByCSV(e series.Element) string {
	switch {
	case e.IsNA():
		return ""
	case e.Type() == series.Float:
		x := e.Float() + 0
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return strconv.FormatFloat(x, 'f', -1, 64)
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return e.String()
}

// A cellSource draws frames.
type cellSource struct{ *rand.Rand }

func pick[T any](c *cellSource, from ...T) T { return from[c.IntN(len(from))] }

// rarely is true once in n times.
func (c *cellSource) rarely(n int) bool { return c.IntN(n) == 0 }

func (c *cellSource) frame() dataframe.DataFrame {
	rows := pick(c, 1, 2, 5, 30, 30, 90)
	cols := make([]series.Series, pick(c, 1, 2, 3, 5))
	names := make([]string, len(cols))
	for i := range cols {
		cols[i] = c.column(rows)
		names[i] = fmt.Sprint("n", i)
		if c.rarely(20) {
			names[i] = pick(c, " n1 ", "\ufeffn", "\ufeff\ufeffn", "a;b", "a\tb", "x\r\ny", "x\ry", `q"r`, "a,b", "é", "日本",
				"\xff", "n1", "")
		}
	}
	df := dataframe.New(cols...)
	if err := df.SetNames(names...); err != nil {
		panic(err)
	}
	return df
}

// column draws a column of one kind, with some cells of another.
func (c *cellSource) column(rows int) series.Series {
	number := func() string { return fmt.Sprint(c.IntN(pick(c, 3, 19, 21, 200))) }
	kinds := []func() string{
		number,
		func() string { return strconv.Itoa(c.IntN(22)) },
		func() string { return pick(c, "low", "high", "middle", "Low", " low", "low ", "\u00a0low") },
		func() string { return pick(c, "", "NA", " NA ", "?", "NaN", " ", ".", "null", "<NA>", "\u00a0", "\n") },
		func() string {
			return pick(c, "1", "01", "1.0", "+1", "-1", "1e0", "-0", "0", "1e400", "Inf", "0x1", "1_0")
		},
		func() string { return pick(c, "<5", ">5", "5", "5-9", "10-19", "stage 2", "stage 10", "≤3", "≥70") },
		func() string {
			return pick(c, "é", "日本語", "ß", "12345678", "123456789", "1234567", "a longer text", "😀")
		},
		func() string {
			return pick(c, "a,b", `"q"`, `a"b`, "a\nb", "a\r\nb", "a\r\r\nb", "a\rb", "a\r", "\r", ";", "\t", `\.`,
				"\ufeffx", "#")
		},
		func() string { return strconv.FormatFloat(c.NormFloat64()*10, 'g', pick(c, 1, 2, 17), 64) },
		func() string { return "x" + strconv.Itoa(c.IntN(60)) },
	}
	kind, other := pick(c, kinds...), pick(c, kinds...)
	if c.rarely(3) {
		number = kind
	}
	odd := pick(c, 0, 0, 0, 2, 30)
	gaps := pick(c, 0, 0, 3, 20)
	if c.rarely(15) {
		gaps = 1 // an empty column
	}
	texts, floats, ints, bools := make([]any, rows), make([]any, rows), make([]any, rows), make([]any, rows)
	spread := pick(c, 2, 19, 20, 21, 22, 1000)
	for row := range rows {
		texts[row] = kind()
		switch {
		case gaps > 0 && c.rarely(gaps):
			texts[row] = pick(c, "", "NaN", "NA")
			continue // the others are nil, which is missing
		case odd > 0 && c.rarely(odd):
			texts[row] = other()
		case c.rarely(3000):
			texts[row] = "\xff\xfe"
		}
		floats[row] = pick(c, float64(c.IntN(spread)), c.NormFloat64(), c.NormFloat64()*1e17, 0, math.Copysign(0, -1))
		if c.rarely(200) {
			floats[row] = pick(c, math.Inf(1), math.NaN(), math.Inf(-1), math.MaxFloat64, 5e-324, 1<<53, -1<<53-2)
		}
		if ints[row] = c.IntN(spread); c.rarely(200) {
			ints[row] = pick(c, math.MaxInt, math.MinInt, math.MaxInt>>10+2, -7)
		}
		bools[row] = c.rarely(2)
	}
	switch c.IntN(6) {
	case 0:
		return series.New(floats, series.Float, "")
	case 1:
		return series.New(ints, series.Int, "")
	case 2:
		return series.New(bools, series.Bool, "")
	}
	return series.New(texts, series.String, "")
}

// options declares some columns, most often as they are.
func (c *cellSource) options(df dataframe.DataFrame) *data.CSVOptions {
	opts := &data.CSVOptions{States: make(map[string][]string)}
	for i, name := range df.Names() {
		name = trimName(name)
		switch c.IntN(12) {
		case 0, 1:
			seen := make(map[string]bool)
			for row := range df.Nrow() {
				if s := textByCSV(df.Elem(row, i)); s != "" && !seen[s] && !c.rarely(100) {
					seen[s] = true
					opts.States[name] = append(opts.States[name], s)
				}
			}
			if !seen["other"] && c.rarely(2) {
				opts.States[name] = append(opts.States[name], "other")
			}
		case 2:
			opts.Discrete = append(opts.Discrete, name)
		case 3:
			if df.Types()[i] != series.Float {
				opts.Continuous = append(opts.Continuous, name)
			}
		}
	}
	return opts
}
