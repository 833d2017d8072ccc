package learn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// eightCases is [Y][X|Y] with Y: 5×0, 3×1; X given Y=0: a a a b c, given Y=1: b b c.
func eightCases(t testing.TB) (*bn.Network, *data.Table) {
	t.Helper()
	y, x := bn.Discrete("Y", "0", "1"), bn.Discrete("X", "a", "b", "c")
	net, err := bn.New("[Y][X|Y]", y, x)
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(
		data.Column{Var: y, States: []bn.State{0, 0, 0, 0, 0, 1, 1, 1}},
		data.Column{Var: x, States: []bn.State{0, 0, 0, 1, 2, 1, 1, 2}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

func fit(t testing.TB, net *bn.Network, table *data.Table, m learn.Method) *learn.Result {
	t.Helper()
	r, err := learn.Fit(t.Context(), net, table, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFitByHand(t *testing.T) {
	net, table := eightCases(t)
	across := constraint.ShareAcross{Var: "X", Groups: [][]string{{"c"}}}
	tests := []struct {
		name   string
		method learn.Method
		x      []float64
		loglik float64
	}{
		{"ML", learn.ML{}, []float64{.6, .2, .2, 0, 2. / 3, 1. / 3},
			5*math.Log(5./8) + 3*math.Log(3./8) + 3*math.Log(.6) + 2*math.Log(.2) + 2*math.Log(2./3) + math.Log(1./3)},
		{"one virtual case a cell", learn.MAP{Pseudocount: 1}, []float64{4. / 8, 2. / 8, 2. / 8, 1. / 6, 3. / 6,
			2. / 6},
			5*math.Log(6./10) + 3*math.Log(4./10) + 3*math.Log(.5) + 2*math.Log(.25) + 2*math.Log(.5) + math.Log(1./3)},
		// c: 2 of 8 in both; the rest 3:1 and 0:2
		{"c shared", learn.ML{Constraints: []constraint.Constraint{across}},
			[]float64{.75 * 3 / 4, .75 / 4, .25, 0, .75, .25},
			5*math.Log(5./8) + 3*math.Log(3./8) + 3*math.Log(.75*3/4) + math.Log(.75/4) + 2*math.Log(.75) +
				2*math.Log(.25)},
		// α−1 added: row Y=0 gets 1, 0, 0, row Y=1 gets 0, 0, 3; Y the pseudocount 0
		{"counts by cell", learn.MAP{Alpha: map[string][]float64{"X": {2, 1, 1, 1, 1, 4}}},
			[]float64{4. / 6, 1. / 6, 1. / 6, 0, 2. / 6, 4. / 6},
			5*math.Log(5./8) + 3*math.Log(3./8) + 3*math.Log(4./6) + 2*math.Log(1./6) + 2*math.Log(2./6) +
				math.Log(4./6)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := fit(t, net, table, test.method)
			for i, p := range r.Net.CPT(1).P {
				if math.Abs(p-test.x[i]) > 1e-15 {
					t.Errorf("P(X|Y) = %v, want %v", r.Net.CPT(1).P, test.x)
					break
				}
			}
			if math.Abs(r.LogLikelihood-test.loglik) > 1e-13 {
				t.Errorf("log-likelihood %v, want %v", r.LogLikelihood, test.loglik)
			}
			if r.Cases != 8 {
				t.Errorf("%v cases, want 8", r.Cases)
			}
		})
	}
	for _, p := range net.CPT(1).P {
		if p != 1./3 {
			t.Fatal("Fit changed the network it was given")
		}
	}
}

func TestMissingCells(t *testing.T) {
	net, table := eightCases(t)
	cols := table.Columns()
	x := append([]bn.State(nil), cols[1].States...)
	x[3] = bn.Missing
	holed, err := data.New(cols[0], data.Column{Var: cols[1].Var, States: x})
	if err != nil {
		t.Fatal(err)
	}
	wrong := learn.ML{Constraints: []constraint.Constraint{constraint.ShareAcross{Var: "W"}}}
	if _, err := learn.Fit(t.Context(), net, holed, wrong, nil); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("a wrong statement and a missing cell: %v, want the statement first", err)
	}
	var where *data.ValueError
	if _, err := learn.Fit(t.Context(), net, holed, learn.ML{}, nil); !errors.As(err, &where) || where.Row != 4 ||
		where.Name != "X" {
		t.Errorf("a missing cell: %v, want an error that names row 4 and column X", err)
	}
	r, err := learn.Fit(t.Context(), net, holed, learn.ML{}, &learn.Settings{SkipMissing: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Net.CPT(1).Row(0); got[0] != .75 || got[1] != 0 || got[2] != .25 {
		t.Errorf("P(X|Y=0) without the row = %v, want .75 0 .25", got)
	}
	if r.Net.CPT(0).P[0] != 5./8 {
		t.Errorf("P(Y) lost the row: %v", r.Net.CPT(0).P)
	}
	if r.Skipped[0] != 0 || r.Skipped[1] != 1 {
		t.Errorf("skipped %v, want 0 and 1", r.Skipped)
	}
}

func TestFitErrors(t *testing.T) {
	net, table := eightCases(t)
	continuous, err := bn.New("[Z][Y][X|Y]", bn.Continuous("Z"), net.Variable(0), net.Variable(1))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		net  *bn.Network
		t    *data.Table
		m    learn.Method
		says string
	}{
		{"no method", net, table, nil, "no method"},
		{"no rows", net, table.Head(0), learn.ML{}, "no cases"},
		{"continuous", continuous, table, learn.ML{}, `no column "Z"`},
		{"negative effective count", net, table, learn.MAP{Pseudocount: -0.5}, "P(X=a | Y=1)"},
		{"pseudocount NaN", net, table, learn.MAP{Pseudocount: math.NaN()}, "NaN"},
		{"counts for a stranger", net, table, learn.MAP{Alpha: map[string][]float64{"W": {1}}}, `"W"`},
		{"counts of another length", net, table, learn.MAP{Alpha: map[string][]float64{"X": {1}}}, "6 entries"},
		{"count not positive", net, table, learn.MAP{Alpha: map[string][]float64{"Y": {1, 0}}}, "P(Y=1)"},
		{"a statement about a stranger", net, table,
			learn.ML{Constraints: []constraint.Constraint{constraint.ShareAcross{Var: "W"}}}, `"W"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := learn.Fit(t.Context(), test.net, test.t, test.m, nil)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want one that says %q", err, test.says)
			}
		})
	}
}

// Laws on random data: rows are distributions, no statement raises the likelihood,
// weights count as repeated rows, and MAP tends to the uniform distribution.
func TestLaws(t *testing.T) {
	truth, err := bn.New("[A][B|A][C|A:B]", bn.Discrete("A", "0", "1"), bn.Discrete("B", "0", "1", "2"),
		bn.Discrete("C", "0", "1", "2", "3"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.Sample(truth, 200, rand.NewPCG(5, 0))
	if err != nil {
		t.Fatal(err)
	}
	free := fit(t, truth, table, learn.ML{})
	for _, s := range []constraint.Constraint{
		constraint.ShareStates{Var: "C", Groups: [][]string{{"0", "3"}}},
		constraint.ShareAcross{Var: "C", Given: []bn.Given{{"A": "0"}}},
		constraint.ShareAcross{Var: "B"},
	} {
		r := fit(t, truth, table, learn.ML{Constraints: []constraint.Constraint{s}})
		if err := r.Net.Validate(); err != nil {
			t.Errorf("%s: %v", s, err)
		}
		if r.LogLikelihood > free.LogLikelihood {
			t.Errorf("%s raises the log-likelihood from %v to %v", s, free.LogLikelihood, r.LogLikelihood)
		}
	}
	var rows []int
	weights := make([]float64, table.Rows())
	for row := range weights {
		weights[row] = float64(row % 3)
		for range row % 3 {
			rows = append(rows, row)
		}
	}
	weighted, err := table.WithWeights(weights)
	if err != nil {
		t.Fatal(err)
	}
	repeated, again := fit(t, truth, table.Select(rows), learn.ML{}), fit(t, truth, weighted, learn.ML{})
	for v := range truth.Len() {
		for i, p := range repeated.Net.CPT(v).P {
			if math.Abs(p-again.Net.CPT(v).P[i]) > 1e-14 {
				t.Fatalf("weights give %v, repeated rows %v", again.Net.CPT(v).P, repeated.Net.CPT(v).P)
			}
		}
	}
	heavy := fit(t, truth, table, learn.MAP{Pseudocount: 1e9})
	for _, p := range heavy.Net.CPT(2).P {
		if math.Abs(p-.25) > 1e-6 {
			t.Errorf("a prior of 1e9 a cell leaves %v, want .25", p)
		}
	}
}
