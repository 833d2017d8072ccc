package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// TestElicitGaps: a bound on one distribution, whose prior weighs completions by what they say of it. The probability
// that it holds and the gain are those of a sum over all 2^9 completions, for a fit by EM and for one by Averaged.
func TestElicitGaps(t *testing.T) {
	vars := []bn.Variable{bn.Discrete("X", "a", "b"), bn.Discrete("Y", "no", "yes"), bn.Discrete("W", "no", "yes")}
	net, err := bn.New("[X][Y|X][W|Y]", vars...)
	if err != nil {
		t.Fatal(err)
	}
	const m, at = bn.Missing, 0.25
	table, err := data.New(
		data.Column{Var: vars[0], States: []bn.State{0, 0, 0, 0, 1, 1, 1, 0, m, 1}},
		data.Column{Var: vars[1], States: []bn.State{0, m, m, m, m, 1, m, m, 1, m}},
		data.Column{Var: vars[2], States: []bn.State{0, 0, 0, 1, 1, 0, 1, 0, 1, 1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	cells := net.Layout().Len()
	mean, held, holds, total := make([]float64, cells), make([]float64, cells), 0.0, 0.0
	completions(net, table, func(n []float64) {
		// P(yes | X = a) is beta (n3 + 1, n2 + 1); the candidate is that it is at most .25, before the cases .25.
		below := func(no, yes float64) float64 { return mathext.RegIncBeta(yes+1, no+1, at) }
		c := below(n[2], n[3])
		free := math.Exp(logMarginal(n))
		with, reverse, neither := free/3*c/at, free/3*(1-c)/(1-at), free/3
		total += with + reverse + neither
		h := with + neither*c
		holds += h
		for cell := range cells {
			row := cell / 2 * 2
			x := (n[cell] + 1) / (n[row] + n[row+1] + 2)
			if cell != 2 && cell != 3 {
				held[cell] += x * h
				mean[cell] += x * (with + reverse + neither)
				continue
			}
			more := slices.Clone(n)
			more[cell]++
			inside := x * below(more[2], more[3]) // E[x; it holds]
			held[cell] += inside * (with/c + neither)
			mean[cell] += inside*(with/c+neither) + (x-inside)*(reverse/(1-c)+neither)
		}
	})
	const right = 0.9
	h := holds / total
	yes := right*h + (1-right)*(1-h)
	for _, method := range []learn.Method{learn.EM{}, learn.Averaged{}} {
		r, err := learn.Fit(t.Context(), net, table, method, nil)
		if err != nil {
			t.Fatal(err)
		}
		// The next case has the parents' probabilities of the fit.
		x := r.Net.CPT(0).P[1]
		y := (1-x)*r.Net.CPT(1).P[1] + x*r.Net.CPT(1).P[3]
		visits := []float64{1, 1 - x, x, 1 - y, y}
		gain := 0.0
		for cell := range cells {
			p, q := mean[cell]/total, held[cell]/total
			ifYes := (right*q + (1-right)*(p-q)) / yes
			ifNo := ((1-right)*q + right*(p-q)) / (1 - yes)
			gain += visits[cell/2] * (yes*ifYes*math.Log(ifYes/p) + (1-yes)*ifNo*math.Log(ifNo/p))
		}
		s := constraint.AtMost{Var: "Y", States: []string{"yes"}, P: at, Given: bn.Given{"X": "a"}}
		list, err := r.Elicit(t.Context(), []constraint.Constraint{s}, &learn.ElicitSettings{Seed: 2})
		if err != nil {
			t.Fatal(err)
		}
		q := list[0]
		if math.Abs(q.Holds-h) > 0.035 { // an error of .016 is aimed at
			t.Errorf("%v: holds with %v, want %v", method, q.Holds, h)
		}
		if math.Abs(q.Gain-gain) > 4*q.StdErr || q.StdErr > gain/5 {
			t.Errorf("%v: gain %v ± %v, want %v", method, q.Gain, q.StdErr, gain)
		}
	}
}

// TestElicitGapsOfWeighed: of statements that the fit weighs, of one source that may be poor and about two tables, an
// elicitation says what the fit says.
func TestElicitGapsOfWeighed(t *testing.T) {
	net, err := bn.New("[X][Y|X][W|Y]", bn.Discrete("X", "a", "b"), bn.Discrete("Y", "no", "yes"),
		bn.Discrete("W", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := data.Sample(net, 25, rand.NewPCG(4, 1)) // of uniform tables
	if err != nil {
		t.Fatal(err)
	}
	table := holes(t, all, .2, rand.New(rand.NewPCG(5, 1)))
	weighed := []constraint.Constraint{rises, constraint.Influence{Parent: "Y", Child: "W", Sign: constraint.Negative}}
	r, err := learn.Fit(t.Context(), net, table, learn.Averaged{Constraints: weighed, Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range r.Weighing.Statements {
		list, err := r.Elicit(t.Context(), weighed[i:i+1], nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(list[0].Holds-b.After) > 0.035 { // an error of .016 is aimed at
			t.Errorf("%v: holds with %v, the fit says %v", b.Statement, list[0].Holds, b.After)
		}
	}
}
