package learn_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// Held-out cases are judged by the regressions of the moment.
func TestHeldOutOfContinuous(t *testing.T) {
	net, err := bn.New("[H][Y|H]", bn.Discrete("H", "0", "1"), bn.Continuous("Y"))
	if err != nil {
		t.Fatal(err)
	}
	draw := func(n int, seed uint64) *data.Table {
		rng := rand.New(rand.NewPCG(seed, 0))
		y := make([]float64, n)
		for i := range y {
			y[i] = rng.NormFloat64() + 10*float64(i%2)
		}
		table, err := data.New(data.Column{Var: bn.Continuous("Y"), Values: y})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	table, other := draw(26, 1), draw(14, 2)
	heldOut, err := infer.NewPlan(net, other, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []learn.Method{learn.EM{VarianceFloor: .1}, learn.APN{}} {
		r, err := learn.Fit(t.Context(), net, table, m, &learn.Settings{Starts: 1, Seed: 1,
			HeldOut:       heldOut,
			MaxIterations: 30})
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for _, step := range r.Trace {
			best = max(best, step.HeldOut)
		}
		got, err := logLikelihood(r.Net, other)
		if err != nil {
			t.Fatal(err)
		}
		if r.Trace[r.Kept].HeldOut != best {
			t.Errorf("%v: iteration %d is said to be kept, the best step has %v", m, r.Kept, best)
		}
		if math.Abs(got-best) > 1e-8 || best == r.Trace[0].HeldOut {
			t.Errorf("%v: the fit gives the held-out cases %v, the best step %v, the start %v", m, got, best,
				r.Trace[0].HeldOut)
		}
	}
}

// Two cases say B=0 wherever A=0; a held-out case says otherwise. The start, which holds
// everything possible, is kept.
func TestHeldOutImpossible(t *testing.T) {
	net, err := bn.New("[A][B|A]", bn.Discrete("A", "0", "1"), bn.Discrete("B", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	cases := func(a, b []bn.State) *data.Table {
		table, err := data.New(data.Column{Var: net.Variable(0), States: a},
			data.Column{Var: net.Variable(1), States: b})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	other := cases([]bn.State{0}, []bn.State{1})
	heldOut, err := infer.NewPlan(net, other, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := learn.Fit(t.Context(), net, cases([]bn.State{0, 1, 1, bn.Missing}, []bn.State{0, 0, 1, 0}), learn.EM{},
		&learn.Settings{HeldOut: heldOut})
	if err != nil {
		t.Fatal(err)
	}
	if last := r.Trace[len(r.Trace)-1].HeldOut; last != -math.MaxFloat64 {
		t.Errorf("an impossible held-out case scores %v", last)
	}
	if got, err := logLikelihood(r.Net, other); err != nil || math.Abs(got-r.Trace[0].HeldOut) > 1e-12 {
		t.Errorf("the fit gives the held-out case %v (%v), the start %v", got, err, r.Trace[0].HeldOut)
	}
}

// A start that ends in an error leaves the others their chance, and is told.
func TestFailedStart(t *testing.T) {
	net, table := symptoms(t, 50, 1)
	from := net.Clone()
	if err := from.SetTable("X", "H | 0 1\n0 | 1 0\n1 | 1 0"); err != nil {
		t.Fatal(err)
	}
	r, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{From: from, Starts: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Failed) != 1 || !strings.Contains(r.Failed[0], "From in Settings") ||
		!strings.Contains(r.Failed[0], "X=1") {
		t.Errorf("failed starts: %q", r.Failed)
	}
	if _, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{From: from}); err == nil ||
		!strings.Contains(err.Error(), "learn: the start at From in Settings") {
		t.Errorf("no other start: %v", err)
	}
}

// Starts and Agreed are what the last step of each start says.
func TestStartsAgree(t *testing.T) {
	net, err := bn.New("[H][A|H][B|H][C|H]", bn.Discrete("H", "0", "1", "2"), bn.Discrete("A", "0", "1"),
		bn.Discrete("B", "0", "1"), bn.Discrete("C", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 0))
	cols := make([]data.Column, 3)
	for i, name := range []string{"A", "B", "C"} {
		cols[i] = data.Column{Var: bn.Discrete(name, "0", "1"), States: make([]bn.State, 40)}
		for row := range cols[i].States {
			cols[i].States[row] = bn.State(rng.IntN(2))
		}
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{8, 400} {
		ends := make([]float64, 12)
		r, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{Starts: len(ends), Seed: 1,
			MaxIterations: limit, Progress: func(p learn.Progress) { ends[p.Start-1] = p.Step.Objective }})
		if err != nil {
			t.Fatal(err)
		}
		best, agreed := slices.Max(ends), 0
		for _, end := range ends {
			if best-end <= 0.1 {
				agreed++
			}
		}
		if r.Starts != len(ends) || r.Agreed != agreed || agreed == 0 || agreed == len(ends) ||
			r.Kept != r.Trace[len(r.Trace)-1].Iteration {
			t.Errorf("%d starts, %d agree, iteration %d of %d; they ended at %v", r.Starts, r.Agreed, r.Kept,
				len(r.Trace)-1, ends)
		}
	}
}

// Each start's end is in the result and the report says which start won, and how many iterations all made.
func TestEnds(t *testing.T) {
	net, table := symptoms(t, 100, 5)
	var last [4]learn.Progress
	set := &learn.Settings{Starts: 4, Seed: 1, MaxIterations: 60, Progress: func(p learn.Progress) {
		p.Theta = nil
		last[p.Start-1] = p
	}}
	r, err := learn.Fit(t.Context(), net, table, learn.EM{}, set)
	if err != nil {
		t.Fatal(err)
	}
	all, best := 0, 0
	for i, e := range r.Ends {
		if e.Step != last[i].Step || e.Iterations != last[i].Step.Iteration || e.Failed != "" {
			t.Errorf("start %d ended %+v; its last step is %+v", i+1, e, last[i].Step)
		}
		if e.Status != learn.Converged && (e.Status != learn.IterationLimit || e.Iterations != 60) {
			t.Errorf("start %d ended %+v", i+1, e)
		}
		if all += e.Iterations; e.Step.Objective > r.Ends[best].Step.Objective+1e-9 {
			best = i
		}
	}
	if len(r.Ends) != 4 || r.Planned != 4 || r.Best != best+1 ||
		r.Ends[best].Iterations != r.Trace[len(r.Trace)-1].Iteration {
		t.Errorf("start %d of %d won, want %d; ends %+v", r.Best, len(r.Ends), best+1, r.Ends)
	}
	if want := fmt.Sprintf("; start %d, the best of 4 starts, of which %d came within 0.1 nats of it; %d iterations "+
		"in all", r.Best, r.Agreed, all); !strings.Contains(r.String(), want) {
		t.Errorf("it prints\n%v\nwithout %q", r, want)
	}
	// Interrupted in the second start: two have ends, and the report says so.
	ctx, cancel := context.WithCancel(t.Context())
	set.Seed = 1
	var seen []learn.Progress
	set.Progress = func(p learn.Progress) {
		p.Theta = nil
		if seen = append(seen, p); p.Start == 2 && p.Step.Iteration == 3 {
			cancel()
		}
	}
	if r, err = learn.Fit(ctx, net, table, learn.EM{}, set); err != nil {
		t.Fatal(err)
	}
	if len(r.Ends) != 2 || r.Planned != 4 || r.Ends[1].Status != learn.Interrupted || r.Ends[1].Iterations != 3 ||
		r.Status != learn.Interrupted {
		t.Errorf("interrupted: %v, %+v", r.Status, r.Ends)
	}
	if !strings.Contains(r.String(), "interrupted at start 2 of 4; the tables: ") {
		t.Errorf("it prints\n%v", r)
	}
	end, before := seen[len(seen)-1], seen[len(seen)-2]
	if before.Interrupted = true; end.Start != 2 || end.Step != before.Step || !end.Interrupted {
		t.Errorf("the last call of Progress is %+v after %+v", end, before)
	}
}

// A start that gives a probability to what a statement rules out is moved to where it has none.
func TestFromOfImpossibleStates(t *testing.T) {
	net, table := incomplete(t, 1, 40)
	never := []constraint.Constraint{constraint.Fixed{Var: "H3", P: map[string]float64{"0": 0}}}
	for _, m := range []learn.Method{learn.EM{Constraints: never}, learn.APN{Constraints: never}} {
		r, err := learn.Fit(t.Context(), net, table, m, &learn.Settings{From: random(t, lawsModel, 7),
			MaxIterations: 5})
		if err != nil {
			t.Errorf("%v: %v", m, err)
		} else if p := r.Net.CPT(1).P; p[0] != 0 || p[3] != 0 {
			t.Errorf("%v: P(H3) = %v", m, p)
		}
	}
}

// Of starts that end equally well the order of the rows does not choose: any table of a hidden variable
// goes with the frequencies of its one child.
func TestOrderOfRowsChoosesNoStart(t *testing.T) {
	net, err := bn.New("[A][H|A][B|A:H]", bn.Discrete("A", "0", "1"), bn.Discrete("H", "0", "1"),
		bn.Discrete("B", "0", "1", "2"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := data.Sample(random(t, "[A2][B3|A2]", 1), 40, rand.NewPCG(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, all.Rows())
	for i := range weights {
		weights[i] = .1 * float64(1+i%7)
	}
	cols := all.Columns()
	cols[0].Var, cols[1].Var = net.Variable(0), net.Variable(2)
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.WithWeights(weights); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 0))
	var first *bn.Network
	for range 20 {
		r, err := learn.Fit(t.Context(), net, table.Select(rng.Perm(table.Rows())), learn.EM{},
			&learn.Settings{Seed: 4})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r.Net
		}
		equalTables(t, r.Net, first, 1e-9)
	}
}
