package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// A fit says how it ended, claims no certificate, and counts the parameters of a noisy-OR once: those of three roots
// and of 4 + 3 entries g_i, less one that can pass from set to set.
func TestExteriorPenaltyResult(t *testing.T) {
	truth, s, table := trueRelapse(t, 200, 1)
	said := []constraint.Constraint{s}
	r := fit(t, truth, table, learn.ExteriorPenalty{Pseudocount: 1, Constraints: said})
	if k, err := r.FreeParameters(); err != nil || k != 4+6 {
		t.Errorf("%d free parameters, %v", k, err)
	}
	if r.Solution != nil || len(r.Pseudocounts) != len(r.Counts) ||
		r.CPDs[0].Names[0] != "link of {radiation, age}" {
		t.Errorf("%+v", r)
	}
	said = append(said, constraint.Influence{Parent: "age", Child: "relapse", Sign: constraint.Negative})
	r = fit(t, truth, table, learn.ExteriorPenalty{Pseudocount: 1, Constraints: said, Rounds: 2})
	for _, want := range []string{"exterior penalty, pseudocount 1, under 2 statements; statements are broken by up to",
		"iterations", "noisy-OR of relapse from {radiation, age} and {grade}: link"} {
		if text := r.String(); !strings.Contains(text, want) || strings.Contains(text, "closed form") {
			t.Errorf("%s\nwithout %q, or with a closed form", text, want)
		}
	}
	if last := r.Trace[1]; len(r.Trace) != 2 || !(last.Violation > 0) || !(last.Violation < r.Trace[0].Violation) ||
		!(last.Iteration > r.Trace[0].Iteration) {
		t.Errorf("%+v", r.Trace)
	}
	m := learn.ExteriorPenalty{Pseudocount: 1, Constraints: said, Src: rand.NewPCG(1, 0)}
	compiled, err := learn.Compile(truth, m)
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float64, len(r.Counts))
	for range 2 { // the start is drawn once
		if r, err = compiled.Fit(&data.Counts{N: r.Counts, Rows: 200}, nil); err != nil {
			t.Fatal(err)
		}
		if err := compiled.Tables(theta, r.Counts); err != nil {
			t.Fatal(err)
		}
		for i, p := range r.Net.CPT(3).P {
			if lo, _ := r.Net.Layout().Family(3); theta[lo+i] != p {
				t.Fatalf("%v by Tables, %v by Fit", theta[lo+i], p)
			}
		}
	}
}

// Weights that sum to little are fitted as others are.
func TestExteriorPenaltyOfSmallWeights(t *testing.T) {
	net, err := bn.New("[Y][X|Y]", bn.Discrete("Y", "0", "1", "2"), bn.Discrete("X", "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	up := learn.ExteriorPenalty{Constraints: []constraint.Constraint{constraint.Influence{Parent: "Y", Child: "X",
		Sign: constraint.Positive}}}
	for _, unit := range []float64{1, 1e-3, 1e-6, 1e-90} {
		n := []float64{30, 20, 10, 20, 10, 15, 5, 1, 9}
		for i := range n {
			n[i] *= unit
		}
		r, err := learn.FitCounts(net, counts(net, n...), up)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []float64{.7, .3, .7, .3, .1, .9} { // the first two rows pooled
			if p := r.Net.CPT(1).P[i]; math.Abs(p-want) > 1e-4 {
				t.Errorf("cases times %v: P(X | Y) = %v", unit, r.Net.CPT(1).P)
				break
			}
		}
	}
}

func ExampleExteriorPenalty() {
	net, err := bn.New("[dose][cured|dose]", bn.Discrete("dose", "low", "high"), bn.Discrete("cured", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := &data.Counts{N: []float64{20, 20, 10, 10, 11, 9}, Rows: 40} // 10 of 20, then 9 of 20 cured
	m := learn.ExteriorPenalty{Margin: 0.01,
		Constraints: []constraint.Constraint{constraint.Influence{Parent: "dose", Child: "cured"}}}
	fit, err := learn.FitCounts(net, counts, m)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fit.Method)
	for _, step := range fit.Trace {
		fmt.Printf("log-likelihood %.3f, outside by %.4f\n", step.LogLikelihood, step.Violation)
	}
	fmt.Printf("%.3f %.3f\n", fit.Net.CPT(1).Row(0)[1], fit.Net.CPT(1).Row(1)[1])
	// Output:
	// exterior penalty, margin 0.01, under 1 statement; every statement holds, with the weight 400
	// log-likelihood -55.384, outside by 0.0100
	// log-likelihood -55.417, outside by 0.0000
	// 0.471 0.479
}

// What Watch sees on the way are the tables that fits of fewer iterations end with after one round, to the last bit. So
// they are in the first of several rounds; the numbers then run on, and the last table is the fit's.
func TestExteriorPenaltyWatched(t *testing.T) {
	truth, s, table := trueRelapse(t, 200, 1)
	m := learn.ExteriorPenalty{Pseudocount: 1, MaxIterations: 20, Constraints: []constraint.Constraint{s,
		constraint.Influence{Parent: "age", Child: "relapse", Sign: constraint.Negative}}}
	var seen [][]float64
	m.Watch = func(child string, iterations int, table []float64) {
		if child != "relapse" || iterations != len(seen) {
			t.Errorf("table %d is of %s after %d iterations", len(seen), child, iterations)
		}
		seen = append(seen, slices.Clone(table))
	}
	several := fit(t, truth, table, m).Net.CPT(3).P
	all := seen
	seen, m.Rounds = nil, 1
	fit(t, truth, table, m)
	m.Watch = nil
	for _, n := range []int{1, 2, 7, 20} {
		m.MaxIterations = n
		if want := fit(t, truth, table, m).Net.CPT(3).P; !slices.Equal(seen[n], want) {
			t.Errorf("%d iterations: %v, alone %v", n, seen[n], want)
		}
	}
	if len(all) <= 21 || !slices.EqualFunc(all[:21], seen, slices.Equal) || !slices.Equal(all[len(all)-1], several) {
		t.Errorf("%d tables in several rounds: %v, the first round by itself %v; the fit's is %v", len(all), all, seen,
			several)
	}
	// A link of ½ and a cause that is there in half of the cases leave ¾ for each of two sets.
	if len(seen) != 21 || slices.Max(seen[0]) != 9./16 || slices.Min(seen[0]) != 7./16 {
		t.Errorf("%d tables; the first is %v", len(seen), seen[0])
	}
}

// TestExteriorPenaltyWatchedAtStart has a weight so small that no round leaves the even tables that it starts with.
func TestExteriorPenaltyWatchedAtStart(t *testing.T) {
	net, err := bn.New("[a][b|a]", bn.Discrete("a", "0", "1"), bn.Discrete("b", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	even, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{0, 0, 1, 1}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, 1, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	var seen []int
	m := learn.ExteriorPenalty{Weight: 1e-200, Constraints: []constraint.Constraint{
		constraint.Influence{Parent: "a", Child: "b", Sign: constraint.Positive, Margin: 0.1}},
		Watch: func(_ string, iterations int, _ []float64) { seen = append(seen, iterations) }}
	if fit(t, net, even, m); !slices.Equal(seen, []int{0}) {
		t.Errorf("Watch saw the iterations %d, want 0 once", seen)
	}
}
