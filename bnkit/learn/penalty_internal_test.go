package learn

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/exteriorpenalty/penaltytest"
	"bnlab/internal/numtest"
)

var (
	cube   = penaltytest.Cube
	drawn  = penaltytest.Drawn
	rising = penaltytest.Rising
	pairs  = penaltytest.Pairs
)

func prepared(t testing.TB, net *bn.Network, m ExteriorPenalty) *penaltySearch {
	t.Helper()
	free, err := constraint.Compile(net)
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.prepare(net, free)
	if err != nil {
		t.Fatalf("%s: %v", m, err)
	}
	return s
}

// search is a whole fit.
func search(t testing.TB, net *bn.Network, n []float64, m ExteriorPenalty) (*Result, error) {
	t.Helper()
	p, err := compile(net, m)
	if err != nil {
		t.Fatal(err)
	}
	return prepared(t, net, m).search(t.Context(), p, &data.Counts{Layout: net.Layout(), N: n}, nil)
}

// searched is one without an error.
func searched(t testing.TB, net *bn.Network, n []float64, m ExteriorPenalty) *Result {
	t.Helper()
	r, err := search(t, net, n, m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// holds checks Y13 Eqs. 1 and 5 for a child of two states, entry by entry.
func holds(table []float64, configs bn.Configs, synergy [2]int) bool {
	f := func(config int) float64 { return table[2*config] }
	for config := range configs.Len() {
		x := configs.States(nil, config)
		up := func(p int) int { return config + configs.Stride(p) }
		for p := range x {
			if x[p]+1 < configs.Card(p) && f(up(p)) > f(config) {
				return false
			}
		}
		a, b := synergy[0], synergy[1]
		if a != b && x[a]+1 < configs.Card(a) && x[b]+1 < configs.Card(b) &&
			f(config)+f(up(a)+configs.Stride(b)) > f(up(a))+f(up(b)) {
			return false
		}
	}
	return true
}

// With a margin the end is inside, and says so; with one that no table can meet it is not. Two binary
// parents leave at most 1/2 for influences.
func TestPenaltyEndsInside(t *testing.T) {
	net := cube(t, 2, 2, 3, 2)
	said := append(rising(net), constraint.Synergy{Parents: []string{"x1", "x2"}, Child: "y"})
	for seed := range uint64(10) {
		n := drawn(net, 60, seed)
		r := searched(t, net, n, ExteriorPenalty{Constraints: said, Margin: .01})
		if !holds(r.Net.CPT(0).P, net.CPT(0).Configs(), [2]int{0, 1}) ||
			!strings.Contains(r.Method, "; every statement holds") {
			t.Errorf("%s: %v", r.Method, r.Net.CPT(0))
		}
		if last := r.Trace[len(r.Trace)-1]; last.Violation != 0 {
			t.Errorf("inside with a violation: %+v", last)
		}
		// Without a margin it is outside, by a tenth from round to round.
		r = searched(t, net, n, ExteriorPenalty{Pseudocount: .5, Constraints: said, Rounds: 3})
		if len(r.Trace) != 3 { // the best tables are inside
			continue
		}
		if v := r.Trace; !(v[1].Violation < v[0].Violation/5) || !(v[2].Violation < v[1].Violation/5) ||
			!strings.Contains(r.Method, "broken by up to") {
			t.Errorf("%s: %+v", r.Method, v)
		}
	}
	small := cube(t, 2, 2, 2)
	for _, c := range []struct {
		margin float64
		inside bool
	}{{.45, true}, {.55, false}} {
		list := rising(small)
		for i := range list {
			s := list[i].(constraint.Influence)
			s.Margin = c.margin
			list[i] = s
		}
		r := searched(t, small, drawn(small, 100, 1), ExteriorPenalty{Constraints: list, Margin: .01})
		if inside := strings.Contains(r.Method, "every statement holds"); inside != c.inside {
			t.Errorf("margin %v: %s", c.margin, r.Method)
		}
	}
}

// What a statement does not speak of has its closed form; and where statements hold by themselves
// the climb finds it too.
func TestPenaltyWithoutNeed(t *testing.T) {
	net := cube(t, 3, 2)
	n := []float64{30, 20, 10, 10, 20, 30, 40, 60}
	for _, pseudo := range []float64{0, 2} {
		r := searched(t, net, n, ExteriorPenalty{Pseudocount: pseudo, Constraints: rising(net)})
		free := searched(t, net, n, ExteriorPenalty{Pseudocount: pseudo})
		for row, cases := range []float64{60, 60} {
			for y := range 3 {
				want := (n[3*row+y] + pseudo) / (cases + 3*pseudo)
				numtest.Close(t, r.Net.CPT(0).Row(row)[y], want, 1e-4, 0)
				numtest.Close(t, free.Net.CPT(0).Row(row)[y], want, 1e-15, 0)
			}
		}
		numtest.Close(t, r.Net.CPT(1).P[1], (60+pseudo)/(100+2*pseudo), 1e-15, 0)
		if last := r.Trace[0]; len(r.Trace) != 1 || r.Status != Converged ||
			math.Abs(last.LogLikelihood-r.LogLikelihood) > 1e-9 {
			t.Errorf("%v, %+v", r.Status, r.Trace)
		}
		prior := 0.
		for v := range net.Len() {
			for _, p := range r.Net.CPT(v).P {
				prior += pseudo * math.Log(p)
			}
		}
		numtest.Close(t, r.Trace[0].Objective, r.LogLikelihood+prior, 1e-9, 0)
	}
}

// No end that is inside is better than the exact maximum under the same statements, and without a margin
// the end comes close to it.
func TestPenaltyBelowMaximum(t *testing.T) {
	three := cube(t, 3, 2, 3)
	two := cube(t, 2, 2, 3, 2)
	for seed := range uint64(6) {
		for _, c := range []struct {
			net  *bn.Network
			said []constraint.Constraint
		}{
			{two, rising(two)}, {three, rising(three)},
			{two, append(rising(two), constraint.Synergy{Parents: []string{"x1", "x3"}, Child: "y", Sub: true})},
			{two, []constraint.Constraint{pairs}}, {two, append(rising(two), pairs)},
		} {
			n := drawn(c.net, 80, seed)
			exact, err := FitCounts(c.net, &data.Counts{Layout: c.net.Layout(), N: n},
				MAP{Pseudocount: .5, Constraints: c.said})
			if err != nil {
				t.Fatal(err)
			}
			posterior := func(r *Result) float64 {
				j := r.LogLikelihood
				for v := range r.Net.Len() {
					for _, p := range r.Net.CPT(v).P {
						j += .5 * math.Log(p)
					}
				}
				return j
			}
			inside := searched(t, c.net, n, ExteriorPenalty{Pseudocount: .5, Constraints: c.said, Margin: .01})
			if strings.Contains(inside.Method, "holds") && !(posterior(inside) <= posterior(exact)+1e-6) {
				t.Errorf("seed %d, %s: %v, exact %v", seed, inside.Method, posterior(inside), posterior(exact))
			}
			close := searched(t, c.net, n, ExteriorPenalty{Pseudocount: .5, Constraints: c.said})
			numtest.Close(t, posterior(close), posterior(exact), .01, 0)
			if close.Status != Converged {
				t.Errorf("seed %d, %s: %v", seed, close.Method, close.Status)
			}
		}
	}
}

// A table that is a noisy-OR over sets comes out, with links and causes that make it.
func TestPenaltyNoisyORByHand(t *testing.T) {
	net := cube(t, 2, 2, 2, 2)
	s := constraint.NoisyOR{Child: "y", Sets: [][]string{{"x1", "x2"}, {"x3"}}}
	n := []float64{}
	want := []float64{}
	for _, cause := range []float64{.1, .2, .4, .8} { // q1·P1 by x1, x2
		for _, other := range []float64{.05, .5} { // q2·P2 by x3
			p := 1 - (1-cause)*(1-other)
			want = append(want, 1-p, p)
			n = append(n, 1000*(1-p), 1000*p)
		}
	}
	n = append(n, 4000, 4000, 4000, 4000, 4000, 4000)
	r := searched(t, net, n, ExteriorPenalty{Constraints: append(rising(net), s)})
	for i, p := range want {
		numtest.Close(t, r.Net.CPT(0).P[i], p, 1e-3, 0)
	}
	f := r.CPDs[0]
	if f.Names[0] != "link of {x1, x2}" || f.Names[4] != "P(Y1=1 | x1=1, x2=0)" || f.Names[7] != "P(Y2=1 | x3=1)" {
		t.Errorf("%q", f.Names)
	}
	v := f.Values
	numtest.Close(t, 1-(1-v[0]*v[4])*(1-v[1]*v[7]), r.Net.CPT(0).P[11], 1e-12, 0)
}

// What is compiled once serves many fits at a time, a random start included, and Fit finds the same tables.
func TestPenaltyPrepared(t *testing.T) {
	net := cube(t, 2, 2, 3, 2)
	n := drawn(net, 100, 1)
	m := ExteriorPenalty{Constraints: append(rising(net), pairs), Margin: .01, Src: rand.NewPCG(1, 1)}
	s := prepared(t, net, m)
	fits := make([]*penaltyFit, 8)
	var wait sync.WaitGroup
	for i := range fits {
		wait.Go(func() { fits[i], _ = s.run(n) })
	}
	wait.Wait()
	other := drawn(net, 100, 2)
	first, err := s.run(other) // by a workspace that has been used
	if err != nil {
		t.Fatal(err)
	}
	m.Src = rand.NewPCG(1, 1)
	again, err := prepared(t, net, m).run(other)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(first.solution.Theta, again.solution.Theta) {
		t.Error("a fit depends on the one before")
	}
	m.Src = rand.NewPCG(1, 2)
	if again, err = prepared(t, net, m).run(other); err != nil ||
		slices.Equal(first.families[0].Values, again.families[0].Values) {
		t.Error("another start with the same end", err)
	}
	m.Src = rand.NewPCG(1, 1)
	r, err := FitCounts(net, &data.Counts{Layout: net.Layout(), N: n}, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fits {
		if !slices.Equal(f.solution.Theta[:24], r.Net.CPT(0).P) {
			t.Errorf("%v and %v", f.solution.Theta[:24], r.Net.CPT(0).P)
		}
	}
}

// Rows without cases are flagged, under a noisy-OR those for which a set has none.
func TestPenaltyFlags(t *testing.T) {
	net := cube(t, 2, 2, 2)
	n := []float64{5, 5, 0, 0, 3, 4, 0, 0, 10, 7, 17, 0} // x2 is never 1
	r := searched(t, net, n, ExteriorPenalty{Constraints: rising(net)})
	if len(r.Flags) != 3 || r.Flags[1].Given != "x1=1, x2=1" || r.Flags[2].Var != "x2" {
		t.Errorf("%v", r.Flags)
	}
	n[3] = 1 // x1=1, x2=1 is seen together nowhere, but each is
	both := constraint.NoisyOR{Child: "y", Sets: [][]string{{"x1"}, {"x2"}}}
	if r = searched(t, net, n, ExteriorPenalty{Constraints: []constraint.Constraint{both}}); len(r.Flags) != 1 ||
		r.Flags[0].Var != "x2" {
		t.Errorf("%v", r.Flags)
	}
}

// A sub-synergy across sets follows from a noisy-OR whose influences have one sign, so that only the pair in one set
// has a penalty.
func TestPenaltyAcrossSets(t *testing.T) {
	net := cube(t, 2, 2, 3, 2)
	three := constraint.Synergy{Parents: []string{"x1", "x2", "x3"}, Child: "y", Sub: true}
	one := constraint.Synergy{Parents: []string{"x1", "x3"}, Child: "y", Sub: true}
	n := drawn(net, 100, 1)
	got := searched(t, net, n, ExteriorPenalty{Constraints: append(rising(net), pairs, three), Margin: .01})
	want := searched(t, net, n, ExteriorPenalty{Constraints: append(rising(net), pairs, one), Margin: .01})
	if !slices.Equal(got.Net.CPT(0).P, want.Net.CPT(0).P) {
		t.Errorf("%v, want %v", got.Net.CPT(0), want.Net.CPT(0))
	}
}

func TestPenaltyErrors(t *testing.T) {
	net := cube(t, 2, 2, 2, 2)
	sets := constraint.NoisyOR{Child: "y", Sets: [][]string{{"x1", "x2"}, {"x3"}}}
	inf := math.Inf(1)
	for _, c := range []struct {
		m    ExteriorPenalty
		want string
	}{
		{ExteriorPenalty{Pseudocount: -1}, "Pseudocount"}, {ExteriorPenalty{Margin: math.NaN()}, "Margin"},
		{ExteriorPenalty{Margin: 2}, "at most 1"},
		{ExteriorPenalty{Weight: inf}, "Weight"}, {ExteriorPenalty{Weight: 1e200}, "at most"},
		{ExteriorPenalty{Growth: 1}, "above 1"}, {ExteriorPenalty{StepCPT: -1}, "StepCPT"},
		{ExteriorPenalty{StepLink: -1}, "StepLink"}, {ExteriorPenalty{MaxIterations: -1}, "MaxIterations"},
		{ExteriorPenalty{Rounds: -1}, "Rounds"},
		{ExteriorPenalty{Constraints: []constraint.Constraint{constraint.AtMost{Var: "y", States: []string{"1"},
			P: .5}}}, "use MAP"},
		{ExteriorPenalty{Constraints: []constraint.Constraint{sets, sets}}, "one table"},
		{ExteriorPenalty{Constraints: []constraint.Constraint{sets, constraint.Synergy{Parents: []string{"x1", "x3"},
			Child: "y"}}}, "different sets"},
		{ExteriorPenalty{Constraints: []constraint.Constraint{sets, constraint.Synergy{Parents: []string{"x1", "x3"},
			Child: "y", Sub: true}}}, "state the influence"},
		{ExteriorPenalty{Constraints: []constraint.Constraint{sets, constraint.Influence{Parent: "x1", Child: "y",
			Given: bn.Given{"x3": "1"}}}}, "different sets"},
		{ExteriorPenalty{Constraints: []constraint.Constraint{constraint.Influence{Parent: "x9", Child: "y"}}}, "x9"},
	} {
		_, err := FitCounts(net, &data.Counts{Layout: net.Layout(), N: make([]float64, net.Layout().Len())}, c.m)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.m, err, c.want)
		}
	}
}

// Numbers as they come: whatever the size of counts, weights and steps, there is an error or a fit of numbers.
func TestPenaltyExtremes(t *testing.T) {
	net := cube(t, 2, 2, 3, 2)
	for _, c := range []ExteriorPenalty{
		{}, {Pseudocount: 1e308}, {Pseudocount: 1e-300}, {Weight: 1e100}, {Weight: 1e-300}, {Growth: 1e308},
		{StepCPT: 1e308, StepLink: 1e308}, {StepCPT: 1e-300},
	} {
		for _, cases := range []float64{0, 1e-300, 1, 1e90, 1e308} {
			n := drawn(net, 100, 1)
			floats.Scale(cases/100, n)
			for _, said := range [][]constraint.Constraint{rising(net), append(rising(net), pairs)} {
				c.Constraints = said
				r, err := search(t, net, n, c)
				if large := cases > 1e100 || c.Pseudocount > 1e100; large != (err != nil) {
					t.Errorf("%v cases, %+v: error %v", cases, c, err)
				}
				if err != nil {
					continue
				}
				for _, x := range append(r.Net.CPT(0).P, r.LogLikelihood, r.Trace[len(r.Trace)-1].Objective) {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						t.Fatalf("%v cases, %+v: %v, %+v", cases, c, r.Net.CPT(0).P, r.Trace)
					}
				}
			}
		}
	}
}

// A fit to 300 cases with five binary parents.
func BenchmarkExteriorPenalty(b *testing.B) {
	net := cube(b, 2, 2, 2, 2, 2, 2)
	n := drawn(net, 300, 1)
	synergies := []constraint.Constraint{
		constraint.Synergy{Parents: []string{"x1", "x2"}, Child: "y"},
		constraint.Synergy{Parents: []string{"x3", "x4"}, Child: "y"},
	}
	b.Run("whole fit", func(b *testing.B) {
		s := prepared(b, net, ExteriorPenalty{Constraints: append(rising(net), synergies...), Margin: .01,
			Pseudocount: .5})
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.run(n); err != nil {
				b.Fatal(err)
			}
		}
	})
}
