package bnkit

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/data"
)

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
