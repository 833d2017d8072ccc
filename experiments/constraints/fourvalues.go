package constraints

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// FourValues is the example of N06 §4.1 with made-up numbers: X has four values, of which
// 1 and 2, and 3 and 4, are equally likely when Y = 0, and 1, 3 and 4 when Y = 1.
func FourValues() (*bn.Network, error) {
	return world("[Y][X|Y]", []bn.Variable{bn.Discrete("Y", "0", "1"), bn.Discrete("X", "1", "2", "3", "4")},
		map[string]string{
			"X": `Y | 1    2    3    4
		      0 | 0.35 0.35 0.15 0.15
		      1 | 0.20 0.40 0.20 0.20`,
		})
}

// FourValuesKnowledge is what the expert of N06 §4.1 states.
func FourValuesKnowledge() []constraint.Constraint {
	return []constraint.Constraint{
		constraint.ShareStates{Var: "X", Given: bn.Given{"Y": "0"}, Groups: [][]string{{"1", "2"}, {"3", "4"}}},
		constraint.ShareStates{Var: "X", Given: bn.Given{"Y": "1"}, Groups: [][]string{{"1", "3", "4"}}},
	}
}

// newVariables is the structure that N06 §4.1 tries in place of statements: variables for
// the groups, X12 = [X in {1, 2}] and X134 = [X in {1, 3, 4}], as parents of X.
const newVariables = "[Y][X12|Y][X134|X12:Y][X|X12:X134:Y]"

// NewVariables fits the example of N06 §4.1 by maximum likelihood in three ways: to the
// cases alone, with variables for the groups as parents of X, and under statements. The
// result has P(X | Y) of the truth and of each, and how many parameters each network has
// to choose freely.
func NewVariables(cases dataframe.DataFrame) (dataframe.DataFrame, error) {
	truth, err := FourValues()
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	t, err := bnkit.Table(cases, data.StatesOf(truth.Variables()...))
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	f, err := fitFourValues(context.Background(), t)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	names := []string{"the truth", "unconstrained", "new variables", "constrained"}
	free := []int{truth.FreeParameters() - f.bound, truth.FreeParameters(), f.parameters, truth.FreeParameters() -
		f.bound}
	columns := []series.Series{series.New(names, series.String, "estimate"),
		series.New(free, series.Int, "free parameters")}
	for cell, p := range truth.CPT(1).P {
		config, state := cell/4, cell%4
		columns = append(columns, series.New([]float64{p, f.alone[cell], f.expanded[cell], f.stated[cell]},
			series.Float,
			fmt.Sprintf("P(%d|Y=%d)", state+1, config)))
	}
	return dataframe.New(columns...), nil
}

// fourValuesFit holds three estimates of P(X | Y), by the entries of its table.
type fourValuesFit struct {
	alone, expanded, stated []float64
	parameters              int     // that the expanded network chooses freely
	bound                   int     // that the statements take away
	violation               float64 // of the statements, by the expanded network
}

func fitFourValues(ctx context.Context, cases *data.Table) (*fourValuesFit, error) {
	truth, err := FourValues()
	if err != nil {
		return nil, err
	}
	alone, err := learn.Fit(ctx, truth, cases, learn.ML{}, nil)
	if err != nil {
		return nil, err
	}
	stated, err := learn.Fit(ctx, truth, cases, learn.ML{Constraints: FourValuesKnowledge()}, nil)
	if err != nil {
		return nil, err
	}
	x12, x134 := bn.Discrete("X12", "0", "1"), bn.Discrete("X134", "0", "1")
	net, err := bn.New(newVariables, truth.Variable(0), x12, x134, truth.Variable(1))
	if err != nil {
		return nil, err
	}
	x := cases.Columns()[1].States
	member := func(v bn.Variable, states ...bn.State) data.Column {
		c := data.Column{Var: v, States: make([]bn.State, len(x))}
		for i, state := range x {
			if slices.Contains(states, state) {
				c.States[i] = 1
			}
		}
		return c
	}
	wide, err := data.New(append(cases.Columns(), member(x12, 0, 1), member(x134, 0, 2, 3))...)
	if err != nil {
		return nil, err
	}
	fit, err := learn.Fit(ctx, net, wide, learn.ML{}, nil)
	if err != nil {
		return nil, err
	}
	f := &fourValuesFit{alone: alone.Net.CPT(1).P, stated: stated.Net.CPT(1).P, parameters: net.FreeParameters()}
	f.expanded = make([]float64, len(f.alone))
	for y := range 2 {
		for a := range 2 { // X12
			for b := range 2 { // X134
				p := fit.Net.CPT(1).Row(y)[a] * fit.Net.CPT(2).Row(2*a + y)[b]
				for state, q := range fit.Net.CPT(3).Row(4*a + 2*b + y) {
					f.expanded[4*y+state] += p * q
				}
			}
		}
	}
	problem, err := constraint.Compile(truth, FourValuesKnowledge()...)
	if err != nil {
		return nil, err
	}
	theta := append(slices.Clone(fit.Net.CPT(0).P), f.expanded...)
	f.violation = problem.Violation(theta)
	f.bound = problem.Binding(append(slices.Clone(stated.Net.CPT(0).P), f.stated...))
	return f, nil
}
