package bnkit

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// Discretize fits discretisers on a frame, the training cases, and returns the frame
// with the states they make, and the fitted discretisation. Give the latter to [Fit] in
// Settings together with the frame as it was: the model keeps it, and [Score] and
// [Predict] apply it to new rows.
//
//	_, cuts, err := bnkit.Discretize(train, data.Quantiles{Column: "age", Bins: 3})
//	model, err := bnkit.Fit(net, train, method, &bnkit.Settings{Discretization: cuts})
func Discretize(train dataframe.DataFrame, rules ...data.Discretizer) (dataframe.DataFrame, *data.Discretization, error) {
	for i, rule := range rules {
		if rule == nil {
			return dataframe.DataFrame{}, nil, fmt.Errorf("bnkit: rule %d to discretise by is nil", i+1)
		}
	}
	t, err := Table(train, nil)
	if err != nil {
		return dataframe.DataFrame{}, nil, err
	}
	d, err := data.Steps(rules).Fit(t)
	if err != nil {
		return dataframe.DataFrame{}, nil, fmt.Errorf("bnkit: %w", err)
	}
	if t, err = d.Apply(t); err != nil {
		return dataframe.DataFrame{}, nil, fmt.Errorf("bnkit: %w", err)
	}
	return Frame(t), d, nil
}

// cases turns the columns of the network's variables into a table, discretised where d
// says so. The column named open may be absent.
func cases(net *bn.Network, df dataframe.DataFrame, d *data.Discretization, open string) (*data.Table, error) {
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	var names []string
	opts := &data.CSVOptions{States: make(map[string][]string)}
	there := places(df)
	made := discretized(d)
	for _, v := range net.Variables() {
		if v.Name == open && len(there[open]) == 0 {
			continue
		}
		names = append(names, v.Name)
		switch {
		case !v.IsDiscrete():
			opts.Continuous = append(opts.Continuous, v.Name)
		case !slices.Contains(made, v.Name):
			opts.States[v.Name] = v.States
		}
	}
	if len(names) == 0 { // a network of one variable, which is to be predicted
		return allMissing(net.Variable(0), df.Nrow())
	}
	t, err := table(df, names, opts)
	if err != nil || d == nil {
		return t, err
	}
	apply := &data.Discretization{}
	for _, b := range d.Columns {
		if slices.Contains(names, b.Column) {
			apply.Columns = append(apply.Columns, b)
		}
	}
	if t, err = apply.Apply(t); err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return t, nil
}

// allMissing returns a table of one column in which nothing is known.
func allMissing(v bn.Variable, rows int) (*data.Table, error) {
	c := data.Column{Var: v}
	for range rows {
		if v.IsDiscrete() {
			c.States = append(c.States, bn.Missing)
		} else {
			c.Values = append(c.Values, math.NaN())
		}
	}
	return data.New(c)
}

// discretized names the columns that d makes.
func discretized(d *data.Discretization) []string {
	if d == nil {
		return nil
	}
	var names []string
	for _, v := range d.Variables() {
		names = append(names, v.Name)
	}
	return names
}
