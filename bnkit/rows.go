package bnkit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// DropMissing returns the rows in which none of the named columns is missing. Name only the columns
// you use; otherwise rows are lost because of irrelevant empty cells:
//
//	whole, err := bnkit.DropMissing(df, net.Names()...)
//
// Missing means the same as in [Table]: NaN, an empty cell and the strings of
// [data.DefaultMissing].
func DropMissing(df dataframe.DataFrame, names ...string) (dataframe.DataFrame, error) {
	f := openFrame(df)
	if f.err != nil {
		return dataframe.DataFrame{}, f.err
	}
	if len(names) == 0 {
		return dataframe.DataFrame{}, say.Errorf("bnkit: name the columns to look at, such as DropMissing(df, %q): "+
			"net.Names()... are those of a network, df.Names()... all", f.names[0])
	}
	missing := map[string]bool{"": true}
	for _, sign := range data.DefaultMissing() {
		missing[sign] = true
	}
	incomplete := make([]bool, df.Nrow())
	for _, name := range names {
		cells, err := f.trimmed(name)
		if err != nil {
			return dataframe.DataFrame{}, err
		}
		for row, cell := range cells {
			incomplete[row] = incomplete[row] || missing[cell]
		}
	}
	var keep []int
	for row, gap := range incomplete {
		if !gap {
			keep = append(keep, row)
		}
	}
	if len(keep) == 0 {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w: each of the %d rows misses a cell in %s; name fewer "+
			"columns", errEmptyFrame, df.Nrow(), say.List(names))
	}
	return subset(df, keep)
}

// Split splits the frame at random: train gets n rows, rest the others. See [data.Table.Split] for a
// stratified split. It returns [bn.ErrNoSource] when src is nil.
func Split(df dataframe.DataFrame, n int, src rand.Source) (train, rest dataframe.DataFrame, err error) {
	switch {
	case src == nil:
		return train, rest, fmt.Errorf("bnkit: %w", bn.ErrNoSource)
	case df.Error() != nil:
		return train, rest, say.Errorf("bnkit: the frame carries an error: %w", df.Error())
	case n < 1 || n >= df.Nrow():
		return train, rest, fmt.Errorf("bnkit: cannot take %d of %d rows; at least one row "+
			"must be in either part", n, df.Nrow())
	}
	rows := rand.New(src).Perm(df.Nrow())
	if train, err = subset(df, rows[:n]); err != nil {
		return train, rest, err
	}
	rest, err = subset(df, rows[n:])
	return train, rest, err
}

func subset(df dataframe.DataFrame, rows []int) (dataframe.DataFrame, error) {
	part := df.Subset(rows)
	if err := part.Error(); err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	return part, nil
}

// Summary summarizes a frame: for each column its type, the number of missing cells, and its states
// with their counts or its range.
func Summary(df dataframe.DataFrame) (dataframe.DataFrame, error) {
	t, err := Table(df, nil)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	var names, kinds, contents []string
	var missing []int
	for _, c := range t.Columns() {
		names = append(names, c.Var.Name)
		gone := 0
		for row := range t.Rows() {
			if c.IsMissing(row) {
				gone++
			}
		}
		missing = append(missing, gone)
		if c.Var.IsDiscrete() {
			kinds, contents = append(kinds, "discrete"), append(contents, stateCounts(c))
		} else {
			kinds, contents = append(kinds, "continuous"), append(contents, span(c.Values))
		}
	}
	return dataframe.New(
		series.New(names, series.String, "column"),
		series.New(kinds, series.String, "kind"),
		series.New(missing, series.Int, "missing"),
		series.New(contents, series.String, "values"),
	), nil
}

// stateCounts prints "no 201, yes 85", at most eight states.
func stateCounts(c data.Column) string {
	counts := make([]int, c.Var.Cardinality())
	for row, s := range c.States {
		if !c.IsMissing(row) {
			counts[s]++
		}
	}
	var parts []string
	for s, n := range counts {
		if s == 8 {
			parts = append(parts, fmt.Sprintf("… %d more states", len(counts)-s))
			break
		}
		parts = append(parts, fmt.Sprintf("%s %d", c.Var.States[s], n))
	}
	return strings.Join(parts, ", ")
}

// span prints "0.5 to 17.2, mean 4.3".
func span(values []float64) string {
	lo, hi, sum, n := math.Inf(1), math.Inf(-1), 0.0, 0
	for _, x := range values {
		if !math.IsNaN(x) {
			lo, hi, sum, n = min(lo, x), max(hi, x), sum+x, n+1
		}
	}
	if n == 0 {
		return "no value is known"
	}
	return fmt.Sprintf("%.4g to %.4g, mean %.4g", lo, hi, sum/float64(n))
}
