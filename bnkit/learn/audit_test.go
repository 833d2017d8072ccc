package learn_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// audited fits one variable with states a, b, c … to counts and audits it.
func audited(t testing.TB, n []float64, set *learn.AuditSettings, statements ...constraint.Constraint) []learn.Verdict {
	t.Helper()
	net, err := bn.New("[X]", bn.Discrete("X", strings.Split("abcdefgh", "")[:len(n)]...))
	if err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, x := range n {
		total += x
	}
	r, err := learn.FitCounts(net, &data.Counts{Layout: net.Layout(), N: n, Rows: total, Skipped: []float64{0}},
		learn.ML{Constraints: statements})
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.Audit(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAuditByHand(t *testing.T) {
	n := []float64{40, 20, 40}
	same := constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}}
	v := audited(t, n, nil, same)[0]
	// 40 log .4 + 20 log .2 against 60 log .3
	cost := 40*math.Log(.4) + 20*math.Log(.2) - 60*math.Log(.3)
	if math.Abs(v.Cost-cost) > 1e-12 || v.Degrees != 1 {
		t.Errorf("cost %v with %d degrees, want %v with 1", v.Cost, v.Degrees, cost)
	}
	if want := (distuv.ChiSquared{K: 1}).Survival(2 * cost); math.Abs(v.PValue-want) > 1e-12 || !v.HasPValue {
		t.Errorf("p = %v, want %v", v.PValue, want)
	}
	// Uniform priors: with sharing the first 60 cases have (½)^60 inside, and the share of
	// {a, b}, as two cells of one parameter with count 1 in all, has density 1; without, the
	// density of the three is 2.
	with := -60*math.Log(2) + mathext.Lbeta(61, 41)
	without := lgammas(41, 21, 41) - lgammas(103) + math.Log(2)
	if want := with - without; math.Abs(v.LogBayesFactor.Value-want) > 1e-10 || v.LogBayesFactor.StdErr != 0 ||
		!v.HasBayesFactor {
		t.Errorf("log Bayes factor %+v, want %v", v.LogBayesFactor, want)
	}
	if v.Words != "doubtful" { // p = 0.009
		t.Errorf("verdict %q", v.Words)
	}
}

func lgammas(x ...float64) float64 {
	total := 0.0
	for _, v := range x {
		l, _ := math.Lgamma(v)
		total += l
	}
	return total
}

// An inequality between two sums: the mixture is half a point at zero, half a chi-square
// with one degree.
func TestAuditInequality(t *testing.T) {
	order := constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}}}
	v := audited(t, []float64{60, 40, 100}, &learn.AuditSettings{Seed: 1, Simulations: 4000}, order)[0]
	half := .5 * (distuv.ChiSquared{K: 1}).Survival(2*v.Cost)
	if !v.HasInequalities || !v.HasPValue || math.Abs(v.PValue-half) > .05*half {
		t.Errorf("p = %v, want about %v", v.PValue, half)
	}
	// Under the uniform prior P(a ≤ b) is ½ before and I_½(61, 41) after the data.
	if want := math.Log(mathext.RegIncBeta(61, 41, .5) / .5); math.Abs(v.LogBayesFactor.Value-want) > 1e-10 {
		t.Errorf("log Bayes factor %v, want %v", v.LogBayesFactor.Value, want)
	}
	v = audited(t, []float64{40, 60, 100}, nil, order)[0]
	if v.Cost != 0 || v.PValue != 1 || v.Words != "holds in the data already" {
		t.Errorf("an order that holds: %+v", v)
	}
	v = audited(t, []float64{60, 40, 100}, nil, order)[0]
	for _, set := range []*learn.AuditSettings{{Simulations: 500}, {Seed: 1}, {Stream: 1}} {
		u := audited(t, []float64{60, 40, 100}, set, order)[0]
		if !u.HasPValue || !u.HasBayesFactor || (u.PValue == v.PValue) != (set.Seed == 0 && set.Stream == 0) {
			t.Errorf("seed %d, stream %d: %+v, without settings %+v", set.Seed, set.Stream, u, v)
		}
	}
}

// An order that holds with equality costs nothing in half of all data sets, and otherwise
// twice the cost is a chi-square with one degree, however many cases there are.
func TestAuditInequalityOfManyCases(t *testing.T) {
	order := constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}}}
	for _, cases := range []float64{1e3, 1e8, 1e10} {
		rng := rand.New(rand.NewPCG(8, 0))
		const sets = 400
		free, small := 0, 0
		for range sets {
			// P(a) = P(b) = 1/4
			ab := distuv.Binomial{N: cases, P: .5, Src: rng}.Rand()
			a := distuv.Binomial{N: ab, P: .5, Src: rng}.Rand()
			v := audited(t, []float64{a, ab - a, cases - ab}, &learn.AuditSettings{Simulations: 1}, order)[0]
			if v.PValue == 1 {
				free++
			} else if (distuv.ChiSquared{K: 1}).Survival(2*v.Cost) < .1 { // p < 0.05
				small++
			}
		}
		// 200 expected, standard deviation 10; 20 expected, standard deviation 4.4
		if free < 160 || free > 240 || small < 6 || small > 34 {
			t.Errorf("%v cases: of %d data sets %d cost nothing and %d have p < 0.05, want about 200 and 20", cases,
				sets, free, small)
		}
	}
	v := audited(t, []float64{25e6 + 5000, 25e6 - 5000, 50e6}, &learn.AuditSettings{Seed: 1,
		Simulations: 4000}, order)[0]
	if half := .5 * (distuv.ChiSquared{K: 1}).Survival(2*v.Cost); math.Abs(v.PValue-half) > .05*half {
		t.Errorf("p = %v, want about %v", v.PValue, half)
	}
}

// One wrong statement among true ones is the one that is called wrong.
func TestAuditFindsTheWrongOne(t *testing.T) {
	net, err := bn.New("[Y][X|Y]", bn.Discrete("Y", "0", "1"), bn.Discrete("X", "a", "b", "c", "d"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(1).Row(0), []float64{.1, .1, .3, .5})
	copy(net.CPT(1).Row(1), []float64{.3, .3, .1, .3})
	table, err := data.Sample(net, 800, rand.NewPCG(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	r := fit(t, net, table, learn.ML{Constraints: []constraint.Constraint{
		constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}},
		constraint.AtMost{Var: "X", Given: bn.Given{"Y": "0"}, States: []string{"a"}, P: .9},
		constraint.OrderSums{Var: "X", Given: bn.Given{"Y": "1"}, Groups: [][]string{{"a", "b"}, {"c", "d"}}},
		constraint.ShareStates{Var: "X", Given: bn.Given{"Y": "1"}, Groups: [][]string{{"a", "b"}}},
	}})
	verdicts, err := r.Audit(t.Context(), &learn.AuditSettings{Seed: 3, Simulations: 300})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, v := range verdicts {
		words = append(words, v.Words)
	}
	want := []string{"compatible with the data", "holds in the data already", "the data contradict it",
		"cannot matter: it follows from the other statements"}
	// The first may as well be called supported.
	if words[0] == "the data support it" {
		words[0] = want[0]
	}
	if words[1] == "cannot matter: it follows from the other statements" { // a ≤ ½ follows from a = b
		words[1] = want[1]
	}
	if !slices.Equal(words, want) {
		t.Errorf("verdicts %q, want %q", words, want)
	}
	for _, v := range verdicts {
		if math.IsNaN(v.PValue) || math.IsNaN(v.Cost) || math.IsNaN(v.LogBayesFactor.Value) {
			t.Errorf("%v: %+v", v.Statement, v)
		}
	}
}

// P-values of a true equality are uniform, over data drawn under it.
func TestAuditIsCalibrated(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	same := constraint.ShareSums{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}}
	const draws = 400
	small := 0.0
	for range draws {
		n := make([]float64, 5)
		for range 300 {
			u := rng.Float64()
			for i, p := range []float64{.1, .25, .2, .15, .3} {
				if u -= p; u < 0 || i == 4 {
					n[i]++
					break
				}
			}
		}
		if audited(t, n, nil, same)[0].PValue < .1 {
			small++
		}
	}
	// 40 expected, standard deviation 6
	if small < 22 || small > 58 {
		t.Errorf("%v of %d p-values below 0.1, want about 40", small, draws)
	}
}

// Rows in order, linked into 59 dimensions: the audit goes on without Bayes factors.
func TestAuditWithoutBayesFactors(t *testing.T) {
	const rows = 60
	states := make([]string, rows)
	for i := range states {
		states[i] = strconv.Itoa(i)
	}
	net, err := bn.New("[Y][X|Y]", bn.Discrete("Y", states...), bn.Discrete("X", "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, 3*rows)
	for i := range rows {
		n[i], n[rows+2*i], n[rows+2*i+1] = 20, float64(i%7), float64(20-i%7)
	}
	s := []constraint.Constraint{constraint.Fixed{Var: "Y", P: map[string]float64{"0": 1. / rows}}, monotone{rows}}
	r, err := learn.FitCounts(net, &data.Counts{Layout: net.Layout(), N: n, Rows: 20 * rows,
		Skipped: make([]float64, 2)}, learn.ML{Constraints: s})
	if err != nil {
		t.Fatal(err)
	}
	verdicts, err := r.Audit(t.Context(), &learn.AuditSettings{Seed: 1, Simulations: 20})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range verdicts { // the first is linked with nothing
		if v.HasBayesFactor != (i == 0) || !v.HasPValue {
			t.Errorf("%+v", v)
		}
	}
}

// monotone says that P(X=a) does not fall along Y, which links all rows.
type monotone struct{ rows int }

func (m monotone) String() string { return "P(X=a) does not fall" }

func (m monotone) Bind(net *bn.Network) ([]constraint.Bound, error) {
	var b constraint.Bound
	layout := net.Layout()
	for i := range m.rows {
		b.Links = append(b.Links, constraint.Row{Var: 1, Config: i})
		if i > 0 {
			b.AtMost = append(b.AtMost, constraint.Linear{Cells: []int{layout.Cell(1, i-1, 0), layout.Cell(1, i, 0)},
				Coef: []float64{1, -1}})
		}
	}
	return []constraint.Bound{b}, nil
}

// Thousands of equal rows are audited in no time.
func TestAuditOfMany(t *testing.T) {
	const rows = 2000
	states := make([]string, rows)
	for i := range states {
		states[i] = strconv.Itoa(i)
	}
	net, err := bn.New("[Y][X|Y]", bn.Discrete("Y", states...), bn.Discrete("X", "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, 4*rows)
	for i := range n {
		n[i] = float64(3 + i%5)
	}
	r, err := learn.FitCounts(net, &data.Counts{Layout: net.Layout(), N: n, Rows: 5 * rows,
		Skipped: make([]float64, 2)}, learn.ML{Constraints: []constraint.Constraint{constraint.ShareAcross{Var: "X"}}})
	if err != nil {
		t.Fatal(err)
	}
	verdicts, err := r.Audit(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if v := verdicts[0]; v.Degrees != 2*(rows-1) || !v.HasPValue || !v.HasBayesFactor {
		t.Errorf("%+v", v)
	}
}

func TestAuditErrors(t *testing.T) {
	net, table := eightCases(t)
	complete := fit(t, net, table, learn.ML{})
	for says, set := range map[string]*learn.AuditSettings{
		"Simulations is -2":         {Simulations: -2},
		"Simulations is 1000000000": {Simulations: 1e9},
		"Pseudocount is -2":         {Pseudocount: -2},
		"Pseudocount is NaN":        {Pseudocount: math.NaN()},
	} {
		if _, err := complete.Audit(t.Context(), set); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v", says, err)
		}
	}
	for _, r := range []*learn.Result{nil, {}} {
		if _, err := r.Audit(t.Context(), nil); err == nil {
			t.Error("nothing fitted: no error")
		}
	}
}

// A watched context calls back whenever it is asked whether it is done.
type watched struct {
	context.Context
	asked func()
}

func (w watched) Err() error {
	w.asked()
	return w.Context.Err()
}

// An audit ends between two statements and between two simulations, and says how far it is.
func TestAuditIsInterrupted(t *testing.T) {
	net, err := bn.New("[X]", bn.Discrete("X", "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := learn.FitCounts(net, &data.Counts{Layout: net.Layout(), N: []float64{10, 20, 40}, Rows: 70,
		Skipped: []float64{0}},
		learn.ML{Constraints: []constraint.Constraint{constraint.AtMost{Var: "X", States: []string{"c"}, P: 0.4},
			constraint.AtMost{Var: "X", States: []string{"b"}, P: 0.2}}})
	if err != nil {
		t.Fatal(err)
	}
	var steps [][2]int
	if _, err := r.Audit(t.Context(), &learn.AuditSettings{Progress: func(done,
		total int) {
		steps = append(steps, [2]int{done, total})
	}}); err != nil || !slices.Equal(steps, [][2]int{{1, 2}, {2, 2}}) {
		t.Errorf("%v, %v; want a step for each statement", steps, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	steps = nil
	some, err := r.Audit(ctx, &learn.AuditSettings{Progress: func(done,
		total int) {
		steps = append(steps, [2]int{done, total})
		cancel()
	}})
	if !errors.Is(err, context.Canceled) || !slices.Equal(steps, [][2]int{{1, 2}, {1, 1}}) ||
		!strings.Contains(err.Error(), "P(X=b)") {
		t.Errorf("steps %v, %v; want one, the last word, and the error of the second", steps, err)
	}
	whole, err := r.Audit(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(some) != 2 || some[0].Cost != whole[0].Cost || !math.IsNaN(some[1].Cost) || some[1].HasPValue ||
		some[1].Words != "not weighed: interrupted after 1 of 2 statements" {
		t.Errorf("verdicts %+v", some)
	}
	// A context that is done in the midst of the first simulation ends it: each simulated data set asks.
	ctx, cancel = context.WithCancel(context.Background())
	asked := 0
	watch := watched{ctx, func() {
		if asked++; asked == 10 {
			cancel()
		}
	}}
	if _, err := r.Audit(watch, &learn.AuditSettings{Seed: 1, Simulations: 100000}); !errors.Is(err,
		context.Canceled) {
		t.Fatal(err)
	}
	if asked != 10 {
		t.Errorf("the audit asked %d times whether the context was done, which it was from the tenth on", asked)
	}
}

// Weights that sum to a small part of a case contradict nothing, and counts beyond what binomial draws
// are good for give the verdict of many.
func TestAuditOfOddCounts(t *testing.T) {
	most := constraint.AtMost{Var: "X", States: []string{"a"}, P: .3}
	src := func() *learn.AuditSettings { return &learn.AuditSettings{Seed: 1, Simulations: 100} }
	v := audited(t, []float64{.04, .01, .02}, src(), most)[0]
	if !(v.Cost > 0) || !v.HasPValue || !(v.PValue > .05) || v.Words != "compatible with the data" {
		t.Errorf("7 hundredths of a case: %+v", v)
	}
	v = audited(t, []float64{4e30, 1e10, 2e30}, src(), most)[0]
	if !(v.Cost > 1e19) || v.PValue != 0 || v.Words != "the data contradict it" {
		t.Errorf("6e30 cases: %+v", v)
	}
}

// An influence in eight contexts whose rows are all equal is true, on the boundary of eight inequalities. Its Bayes
// factor is below 1/20 now and then, and the p-value decides.
func TestAuditOnTheBoundary(t *testing.T) {
	net, err := bn.New("[A][B][C][X][Y|A:B:C:X]", bn.Discrete("A", "0", "1"), bn.Discrete("B", "0", "1"),
		bn.Discrete("C", "0", "1"), bn.Discrete("X", "0", "1"), bn.Discrete("Y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	const sets = 15
	low, against := 0, 0
	for set := range sets {
		table, err := data.Sample(net, 800, rand.NewPCG(uint64(set), 1))
		if err != nil {
			t.Fatal(err)
		}
		r := fit(t, net, table, learn.ML{Constraints: []constraint.Constraint{
			constraint.Influence{Parent: "X", Child: "Y"}}})
		verdicts, err := r.Audit(t.Context(), &learn.AuditSettings{Simulations: 100, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		v := verdicts[0]
		if v.LogBayesFactor.Value < -3 {
			low++
		}
		if v.Words == "the data speak against it" {
			against++
			if v.PValue >= 0.05 {
				t.Errorf("p = %v, log Bayes factor %v: %s", v.PValue, v.LogBayesFactor.Value, v.Words)
			}
		}
	}
	// Less than one is expected at the level 0.05; more than three come once in 130 such tests.
	if t.Logf("of %d: Bayes factor below 1/20 in %d, spoken against in %d", sets, low, against); low <= against ||
		against > 3 {
		t.Errorf("of %d data sets %d have a low Bayes factor, and %d are spoken against", sets, low, against)
	}
}
