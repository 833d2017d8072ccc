package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
)

// withGaps is a table of X and Y with states 0 and 1: so many rows of each pair of states, x first; 2 is missing.
func withGaps(t *testing.T, rows map[[2]int]float64) (*bn.Network, *data.Table) {
	t.Helper()
	net, err := bn.New("[X][Y|X]", bn.Discrete("X", "0", "1"), bn.Discrete("Y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	cols := []data.Column{{Var: net.Variable(0)}, {Var: net.Variable(1)}}
	var weights []float64
	for x := range 3 {
		for y := range 3 {
			if w := rows[[2]int{x, y}]; w > 0 {
				for c, state := range []int{x, y} {
					if cols[c].States = append(cols[c].States, bn.State(state)); state == 2 {
						cols[c].States[len(weights)] = bn.Missing
					}
				}
				weights = append(weights, w)
			}
		}
	}
	table, err := data.New(cols...)
	if err == nil {
		table, err = table.WithWeights(weights)
	}
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

func byEM(t *testing.T, net *bn.Network, table *data.Table, set *AuditSettings,
	statements ...constraint.Constraint) *incompleteAudit {
	t.Helper()
	r, err := Fit(t.Context(), net, table, EM{Constraints: statements}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.rows = &fittedRows{table: table, method: EM{}}
	a, err := newIncompleteAudit(t.Context(), r, set)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Where nothing is missing EM gives the costs, degrees and Bayes factors of closed forms.
func TestIncompleteAuditOfCompleteCases(t *testing.T) {
	net, err := bn.New("[Z][X|Z][Y|X:Z]", bn.Discrete("Z", "0", "1"), bn.Discrete("X", "0", "1", "2"),
		bn.Discrete("Y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.Sample(net, 120, rand.NewPCG(3, 0))
	if err != nil {
		t.Fatal(err)
	}
	statements := []constraint.Constraint{
		constraint.Influence{Parent: "X", Child: "Y"},
		constraint.ShareAcross{Var: "X"},
		constraint.AtMost{Var: "Z", States: []string{"1"}, P: .4},
	}
	a := byEM(t, net, table, &AuditSettings{Seed: 1, Simulations: 19}, statements...)
	whole, err := Fit(t.Context(), net, table, ML{Constraints: statements}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := whole.Audit(t.Context(), &AuditSettings{Seed: 1, Simulations: 19})
	if err != nil {
		t.Fatal(err)
	}
	for i := range statements {
		v, _, err := a.weigh(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		off := 1e-6 + 5*(v.LogBayesFactor.StdErr+want[i].LogBayesFactor.StdErr)
		if !(math.Abs(v.Cost-want[i].Cost) < 1e-6) || v.Degrees != want[i].Degrees ||
			v.HasInequalities != want[i].HasInequalities ||
			!(math.Abs(v.LogBayesFactor.Value-want[i].LogBayesFactor.Value) < off) || want[i].Cost == 0 {
			t.Errorf("%v: %+v, want %+v", statements[i], v, want[i])
		}
	}
}

// X is missing in some rows. The saturated model has P(y) from all rows and P(x|y) from the complete ones, and so has
// independence P(y) and P(x): what it costs is Σ n log (n N / n_x n_y) over the complete rows.
func TestIncompleteAuditByHand(t *testing.T) {
	rows := map[[2]int]float64{{0, 0}: 14, {0, 1}: 6, {1, 0}: 9, {1, 1}: 11, {2, 0}: 5, {2, 1}: 10}
	net, table := withGaps(t, rows)
	a := byEM(t, net, table, &AuditSettings{Seed: 1}, constraint.ShareAcross{Var: "Y"})
	v, _, err := a.weigh(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := 14*math.Log(14*40./(20*23)) + 6*math.Log(6*40./(20*17)) + 9*math.Log(9*40./(20*23)) +
		11*math.Log(11*40./(20*17))
	if !(math.Abs(v.Cost-want) < 1e-6) || v.Degrees != 1 || v.HasInequalities {
		t.Errorf("cost %v with %d degrees, want %v with 1", v.Cost, v.Degrees, want)
	}
	// chi-square with one degree: .110
	if !(v.PValue > .05 && v.PValue < .2) || v.Method != "EM, bootstrap of 99, Bayes factor by Cheeseman–Stutz" {
		t.Errorf("p = %v by %s", v.PValue, v.Method)
	}
}

// The marginal likelihood is a sum over what the missing cells may be, each summand a product of Dirichlet
// integrals. Cheeseman and Stutz are below it, by less than a tenth of a nat a missing cell, and so is the error of the
// Bayes factor.
func TestCheesemanStutz(t *testing.T) {
	rows := map[[2]int]float64{{0, 0}: 5, {0, 1}: 2, {1, 0}: 1, {1, 1}: 4, {2, 0}: 2, {2, 1}: 2}
	net, table := withGaps(t, rows)
	a := byEM(t, net, table, &AuditSettings{Seed: 1}, constraint.ShareAcross{Var: "Y"})
	exact := make([]float64, 2) // of the free model and of the statement
	for fill := range 16 {
		n := [2][2]float64{{5, 2}, {1, 4}}
		for cell, y := range []int{0, 0, 1, 1} {
			n[fill>>cell&1][y]++
		}
		p := beta(n[0][0]+n[0][1], n[1][0]+n[1][1])
		exact[0] += p * beta(n[0][0], n[0][1]) * beta(n[1][0], n[1][1])
		exact[1] += p * beta(n[0][0]+n[1][0], n[0][1]+n[1][1])
	}
	for under, want := range exact {
		e, err := a.bound(t.Context(), under)
		if err != nil {
			t.Fatal(err)
		}
		if gap := math.Log(want) - e.Value; !(gap > 0 && gap < .4) {
			t.Errorf("%d: log marginal likelihood %v, exactly %v", under, e.Value, math.Log(want))
		}
	}
}

// beta is ∫ p^a (1−p)^b dp.
func beta(a, b float64) float64 {
	return math.Exp(num.Lgamma(a+1) + num.Lgamma(b+1) - num.Lgamma(a+b+2))
}
