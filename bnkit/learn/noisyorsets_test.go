package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// relapse has three causes in two sets, listed in another order than the parents.
func relapse(t testing.TB) (*bn.Network, constraint.NoisyOR) {
	t.Helper()
	net, err := bn.New("[age][grade][radiation][relapse|age:grade:radiation]", bn.Discrete("age", "low", "high"),
		bn.Discrete("grade", "1", "2", "3"), bn.Discrete("radiation", "no", "yes"), bn.Discrete("relapse", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	return net, constraint.NoisyOR{Child: "relapse", Sets: [][]string{{"radiation", "age"}, {"grade"}}}
}

func logOdds(p float64) float64 { return math.Log(p / (1 - p)) }

// Links of 1/2 and 4/5, with P1 = .1, .2, .3, .6 by radiation and then age and P2 = .25, .5, .75 by grade: the
// relapse of a young patient of grade 2 with radiation fails to come with (1 − .15)·(1 − .4) = .51.
func TestNoisyORSetsByHand(t *testing.T) {
	net, s := relapse(t)
	lambda := make([]float64, 9)
	for i, p := range []float64{.5, .8, .1, .2, .3, .6, .25, .5, .75} {
		lambda[i] = logOdds(p)
	}
	for _, present := range []string{"", "yes", "no"} {
		s.Present = present
		p, err := learn.NoisyORSetsCPD(s).Bind(net)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, 24)
		p.Table(got, lambda)
		for age := range 2 {
			for grade := range 3 {
				for radiation := range 2 {
					absent := 1 - .5*[]float64{.1, .2, .3, .6}[2*radiation+age]
					absent *= 1 - .8*[]float64{.25, .5, .75}[grade]
					row := []float64{absent, 1 - absent}
					if present == "no" {
						slices.Reverse(row)
					}
					at := 2 * (6*age + 2*grade + radiation)
					numtest.Close(t, got[at], row[0], 1e-15, 0)
					numtest.Close(t, got[at+1], row[1], 1e-15, 0)
				}
			}
		}
		natural := make([]float64, 9)
		if p.Natural(natural, lambda); p.Names[1] != "link of {grade}" ||
			p.Names[4] != "P(Y1=1 | radiation=yes, age=low)" || math.Abs(natural[4]-.3) > 1e-15 {
			t.Errorf("%q %v", p.Names, natural)
		}
	}
	if got := learn.NoisyORSetsCPD(s).String(); got != "noisy-OR of relapse from {radiation, age} and {grade}" {
		t.Error(got)
	}
}

// No probability is beyond 1, whatever the parameters: one was 1 + 2e-16 and ended a fit.
func TestNoisyORSetsCertain(t *testing.T) {
	net, s := relapse(t)
	p, err := learn.NoisyORSetsCPD(s).Bind(net)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	lambda, table := make([]float64, 9), make([]float64, 24)
	for range 1000 {
		for i := range lambda {
			lambda[i] = 40 * rng.NormFloat64()
		}
		if p.Table(table, lambda); slices.Min(table) < 0 || slices.Max(table) > 1 {
			t.Fatalf("at %v: %.17g", lambda, table)
		}
	}
}

// Derivatives are those of the table, and what is certain has tables and derivatives without NaN, none
// smaller than its digits allow.
func TestNoisyORSetsDerivatives(t *testing.T) {
	net, s := relapse(t)
	one := constraint.NoisyOR{Child: "relapse", Sets: [][]string{{"age", "grade", "radiation"}}, Present: "no"}
	for _, s := range []constraint.NoisyOR{s, one} {
		if err := learn.CheckGradient(net, learn.NoisyORSetsCPD(s), rand.NewPCG(1, 0)); err != nil {
			t.Error(err)
		}
	}
	p, err := learn.NoisyORSetsCPD(s).Bind(net)
	if err != nil {
		t.Fatal(err)
	}
	table, g, slopes := make([]float64, 24), make([]float64, 24), make([]float64, 9)
	for i := range g {
		g[i] = float64(i)
	}
	lambda := []float64{-1000, 1000, 1000, -1000, 0, 1000, -1000, 50, 1000}
	p.Table(table, lambda)
	p.Pullback(slopes, lambda, g)
	for _, x := range append(table, slopes...) {
		if !(math.Abs(x) < 100) {
			t.Fatalf("%v, %v", table, slopes)
		}
	}
	lambda = []float64{-40, -1000, 40, 0, 0, 0, 0, 0, 0} // a link of e^-40
	p.Table(table, lambda)
	numtest.Close(t, table[1], math.Exp(-40), 0, 1e-14)
}

func TestNoisyORSetsErrors(t *testing.T) {
	net, _ := relapse(t)
	table := rows(t, net, []int{0, 0, 0, 0, 3}, []int{1, 1, 1, 1, 3})
	for _, c := range []struct {
		s    constraint.NoisyOR
		want string
	}{
		{constraint.NoisyOR{}, "Child"}, {constraint.NoisyOR{Child: "relapse", Sets: [][]string{{"age"}, {"grade"}}},
			`"radiation"`},
		{constraint.NoisyOR{Child: "relapse", Sets: [][]string{{"age", "grade", "dose"}}}, `"dose"`},
		{constraint.NoisyOR{Child: "grade", Sets: [][]string{{"age"}}}, "states"},
		{constraint.NoisyOR{Child: "relapse", Sets: [][]string{{"age", "grade"}, {"radiation"}}, Present: "maybe"},
			"maybe"},
	} {
		_, err := learn.Fit(t.Context(), net, table, learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyORSetsCPD(c.s)}},
			nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one with %q", c.s, err, c.want)
		}
	}
}

// trueRelapse is a network whose table is a noisy-OR over the sets, and cases of it.
func trueRelapse(t testing.TB, cases int, seed uint64) (*bn.Network, constraint.NoisyOR, *data.Table) {
	t.Helper()
	net, s := relapse(t)
	p, err := learn.NoisyORSetsCPD(s).Bind(net)
	if err != nil {
		t.Fatal(err)
	}
	truth := net.Clone()
	lambda := make([]float64, 9)
	for i, q := range []float64{.8, .9, .05, .1, .2, .7, .02, .2, .8} {
		lambda[i] = logOdds(q)
	}
	p.Table(truth.CPT(3).P, lambda)
	table, err := data.Sample(truth, cases, rand.NewPCG(seed, 0))
	if err != nil {
		t.Fatal(err)
	}
	return truth, s, table
}

// With complete cases APN finds the maximum that package constraint finds for the statement.
func TestNoisyORSetsIsTheStatement(t *testing.T) {
	truth, s, table := trueRelapse(t, 300, 1)
	most := fit(t, truth, table, learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{s}})
	for _, search := range searches {
		r := trained(t, truth, table, learn.APN{Pseudocount: 1, CPDs: []learn.ParametricCPD{learn.NoisyORSetsCPD(s)},
			ConjugateGradient: search}, &exact)
		equalTables(t, r.Net, most.Net, 1e-4)
	}
}

// Grades that are missing in half of the cases, and then influences as penalties: what they cost is paid off.
func TestNoisyORSetsHidden(t *testing.T) {
	truth, s, table := trueRelapse(t, 400, 2)
	holed := holes(t, table, .3, rand.New(rand.NewPCG(3, 0)))
	m := learn.APN{Pseudocount: .1, CPDs: []learn.ParametricCPD{learn.NoisyORSetsCPD(s)}}
	r := trained(t, truth, holed, m, nil)
	if want := observedLogLikelihood(truth, holed); !(r.LogLikelihood > want) {
		t.Errorf("log-likelihood %v, of the truth %v", r.LogLikelihood, want)
	}
	m.Constraints = []constraint.Constraint{constraint.Influence{Parent: "age", Child: "relapse",
		Sign: constraint.Negative}}
	m.ViolationWeight = 1e-9
	free := trained(t, truth, holed, m, nil)
	m.ViolationWeight = 1000
	priced := trained(t, truth, holed, m, nil)
	before, after := free.Trace[len(free.Trace)-1].Violation, priced.Trace[len(priced.Trace)-1].Violation
	if !(before > .1) || !(after < before/10) {
		t.Errorf("violation %v, %v as penalties", before, after)
	}
}
