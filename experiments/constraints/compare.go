package constraints

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// Compare fits the network of a truth to cases twice, without and with statements, as
// [Method] does, and sets the estimates beside the truth. The frame has three rows for each
// distribution that the statements bind, with a column for each state. A variable without
// discrete parents has one distribution, and the frame a row for each of its parameters: its
// states, or the intercept, weights and variance of a linear-Gaussian node. The statements are
// about one variable.
func Compare(truth *bn.Network, cases dataframe.DataFrame, statements ...constraint.Constraint) (dataframe.DataFrame,
	error) {
	v, configs, err := bound(truth, statements)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	free, err := bnkit.Fit(context.Background(), truth, cases, Method(), nil)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	constrained, err := bnkit.Fit(context.Background(), truth, cases, Method(statements...), nil)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	nets := []*bn.Network{truth, free.Net, constrained.Net}
	if t := truth.CPT(v); t != nil && len(t.Parents) > 0 {
		return byDistribution(nets, v, configs), nil
	}
	return byParameter(nets, v), nil
}

// estimates name the networks that are compared.
var estimates = []string{"truth", Models[0], Models[1]}

// byDistribution has a row for each parent configuration and network.
func byDistribution(nets []*bn.Network, v int, configs []int) dataframe.DataFrame {
	t := nets[0].CPT(v)
	var given, estimate []string
	cells := make([][]float64, t.Child.Cardinality()) // by column
	for _, config := range configs {
		for m, net := range nets {
			given = append(given, strings.Join(t.ConfigNames(config), ", "))
			estimate = append(estimate, estimates[m])
			for state, p := range net.CPT(v).Row(config) {
				cells[state] = append(cells[state], p)
			}
		}
	}
	parents := make([]string, len(t.Parents))
	for i, p := range t.Parents {
		parents[i] = p.Name
	}
	columns := []series.Series{series.New(given, series.String, strings.Join(parents, ", ")),
		series.New(estimate, series.String, "estimate")}
	for state, name := range t.Child.States {
		columns = append(columns, series.New(cells[state], series.Float, name))
	}
	return dataframe.New(columns...)
}

// byParameter has a row for each parameter of the one distribution of v.
func byParameter(nets []*bn.Network, v int) dataframe.DataFrame {
	names := nets[0].Variable(v).States
	if g := nets[0].Gaussian(v); g != nil {
		names = []string{"intercept"}
		for _, p := range g.Continuous {
			names = append(names, p.Name)
		}
		names = append(names, "variance")
	}
	columns := []series.Series{series.New(names, series.String, nets[0].Variable(v).Name)}
	for m, net := range nets {
		var values []float64
		if g := net.Gaussian(v); g != nil {
			values = append(append(append(values, g.Intercept[0]), g.Weights[0]...), g.Variance[0])
		} else {
			values = net.CPT(v).P
		}
		columns = append(columns, series.New(values, series.Float, estimates[m]))
	}
	return dataframe.New(columns...)
}

// bound returns the variable that statements are about and its configurations that they
// bind, ascending.
func bound(net *bn.Network, statements []constraint.Constraint) (v int, configs []int, err error) {
	v = -1
	binds := make(map[int]bool)
	add := func(statement constraint.Constraint, variable, config int) {
		if v >= 0 && variable != v && err == nil {
			err = say.Errorf("constraints: %q is about another variable than the statement before", statement)
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
