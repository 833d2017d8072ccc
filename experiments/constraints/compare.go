package constraints

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Compare fits the network of a truth to cases twice, without and with statements, as
// [Method] does, and sets the estimates beside the truth. The frame has three rows for each
// distribution that the statements bind, with a column for each state; or three rows for a
// linear-Gaussian node, with its intercept, weights and variance. The statements are about
// one variable.
func Compare(truth *bn.Network, cases dataframe.DataFrame, statements ...constraint.Constraint) (dataframe.DataFrame, error) {
	v, configs, err := bound(truth, statements)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	free, err := bnkit.Fit(truth, cases, Method(), nil)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	constrained, err := bnkit.Fit(truth, cases, Method(statements...), nil)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	names := []string{"truth", Models[0], Models[1]}
	nets := []*bn.Network{truth, free.Net, constrained.Net}
	var header, given, estimate []string
	var cells [][]float64 // by row
	for _, config := range configs {
		for m, net := range nets {
			estimate = append(estimate, names[m])
			if g := net.Gaussian(v); g != nil {
				header = []string{"intercept"}
				for _, p := range g.Continuous {
					header = append(header, p.Name)
				}
				header = append(header, "variance")
				cells = append(cells, append(append([]float64{g.Intercept[config]}, g.Weights[config]...), g.Variance[config]))
				continue
			}
			t := net.CPT(v)
			header = t.Child.States
			given = append(given, strings.Join(t.ConfigNames(config), ", "))
			cells = append(cells, t.Row(config))
		}
	}
	var columns []series.Series
	if t := truth.CPT(v); t != nil && len(t.Parents) > 0 {
		var parents []string
		for _, p := range t.Parents {
			parents = append(parents, p.Name)
		}
		columns = append(columns, series.New(given, series.String, strings.Join(parents, ", ")))
	}
	columns = append(columns, series.New(estimate, series.String, "estimate"))
	for k, name := range header {
		column := make([]float64, len(cells))
		for row := range cells {
			column[row] = cells[row][k]
		}
		columns = append(columns, series.New(column, series.Float, name))
	}
	return dataframe.New(columns...), nil
}

// bound returns the variable that statements are about and its configurations that they
// bind, ascending.
func bound(net *bn.Network, statements []constraint.Constraint) (v int, configs []int, err error) {
	v = -1
	binds := make(map[int]bool)
	add := func(statement constraint.Constraint, variable, config int) {
		if v >= 0 && variable != v && err == nil {
			err = fmt.Errorf("constraints: %q is about another variable than the statement before", statement)
		}
		v, binds[config] = variable, true
	}
	for _, statement := range statements {
		bounds, err := statement.Bind(net)
		if err != nil {
			return 0, nil, err
		}
		for _, b := range bounds {
			for _, row := range b.Links {
				add(statement, row.Var, row.Config)
			}
			for _, w := range b.Shares {
				for _, term := range w.Terms {
					add(statement, w.Var, term.Config)
				}
			}
		}
	}
	if v < 0 && err == nil {
		err = errors.New("constraints: the statements bind nothing")
	}
	return v, slices.Sorted(maps.Keys(binds)), err
}
