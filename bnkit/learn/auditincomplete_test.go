package learn_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// hiddenCause is a hidden H with three effects, A and B alike and C against them.
func hiddenCause(t *testing.T, cases int, seed uint64) (*bn.Network, *data.Table) {
	t.Helper()
	net, err := bn.New("[H][A|H][B|H][C|H]", bn.Discrete("H", "0", "1"), bn.Discrete("A", "0", "1"),
		bn.Discrete("B", "0", "1"), bn.Discrete("C", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{.6, .4})
	copy(net.CPT(1).P, []float64{.9, .1, .2, .8})
	copy(net.CPT(2).P, []float64{.9, .1, .2, .8})
	copy(net.CPT(3).P, []float64{.4, .6, .85, .15})
	table, err := data.Sample(net, cases, rand.NewPCG(seed, 0))
	if err == nil {
		table, err = table.Keep("A", "B", "C")
	}
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

// Of two statements about the effects of a hidden cause the wrong one is found, whatever the number of workers; the
// same from distinct rows with weights.
func TestAuditOfHidden(t *testing.T) {
	net, table := hiddenCause(t, 500, 4)
	var same []learn.Verdict
	for _, workers := range []int{1, 3} {
		r := fit(t, net, table.Distinct(), learn.EM{Constraints: []constraint.Constraint{
			constraint.ShareTables{Vars: []string{"A", "B"}},
			constraint.Influence{Parent: "H", Child: "C"},
			constraint.Influence{Parent: "H", Child: "A"},
		}})
		verdicts, err := r.Audit(t.Context(), &learn.AuditSettings{Seed: 1, Simulations: 19, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if workers == 1 {
			same = verdicts
		} else if !reflect.DeepEqual(verdicts, same) {
			t.Errorf("%d workers: %+v, one: %+v", workers, verdicts, same)
		}
	}
	if v := same[0]; v.Words != "compatible with the data" && v.Words != "the data support it" || v.Degrees != 2 ||
		!v.HasBayesFactor || !strings.HasSuffix(v.Method, "Cheeseman–Stutz") {
		t.Errorf("a true statement: %+v", v)
	}
	if v := same[1]; !strings.HasPrefix(v.Words, "the data speak against it") || !(v.Cost > 5) ||
		!(v.LogBayesFactor.Value < -3) || v.Method != "EM, bootstrap of 19, Bayes factor by Cheeseman–Stutz" {
		t.Errorf("a wrong statement: %+v", v)
	}
}

// P-values of a true equality are uniform, over data drawn under it with a third of the cells missing: of a bootstrap
// of 19, below .25 there are 4 of 20.
func TestAuditOfIncompleteIsCalibrated(t *testing.T) {
	net, err := bn.New("[X][Y|X]", bn.Discrete("X", "0", "1"), bn.Discrete("Y", "0", "1", "2"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{.4, .6})
	copy(net.CPT(1).P, []float64{.2, .3, .5, .2, .3, .5})
	small, large := 0, 0
	const sets = 200
	for set := range uint64(sets) {
		table, err := data.Sample(net, 90, rand.NewPCG(set, 7))
		if err != nil {
			t.Fatal(err)
		}
		r := fit(t, net, holes(t, table, .33, rand.New(rand.NewPCG(set, 8))), learn.EM{
			Constraints: []constraint.Constraint{constraint.ShareAcross{Var: "Y"}}})
		verdicts, err := r.Audit(t.Context(), &learn.AuditSettings{Seed: set, Simulations: 19})
		if err != nil {
			t.Fatal(err)
		}
		if p := verdicts[0].PValue; p < .225 {
			small++
		} else if p > .775 {
			large++
		}
	}
	// 40 and 50 expected, standard deviations 5.7 and 6.1
	if small < 22 || small > 58 || large < 31 || large > 69 {
		t.Errorf("of %d p-values %d are below .225 and %d above .775, want about 40 and 50", sets, small, large)
	}
}

func TestAuditOfIncompleteErrors(t *testing.T) {
	net, table := hiddenCause(t, 60, 1)
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	rowless, err := learn.FitCases(t.Context(), net, plan, learn.EM{}, &learn.Settings{Starts: 1})
	if err != nil {
		t.Fatal(err)
	}
	targets := fit(t, net, table, learn.APN{Targets: []string{"A"}})
	for says, r := range map[string]*learn.Result{"needs the rows": rowless, "without Targets": targets} {
		if _, err := r.Audit(t.Context(), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	// A context that is done after the first statement leaves the others unweighed.
	r := fit(t, net, table, learn.EM{Constraints: []constraint.Constraint{
		constraint.Influence{Parent: "H", Child: "A"}, constraint.Influence{Parent: "H", Child: "C"}}})
	ctx, cancel := context.WithCancel(t.Context())
	verdicts, err := r.Audit(ctx, &learn.AuditSettings{Simulations: 5, Progress: func(int, int) { cancel() }})
	if !errors.Is(err, context.Canceled) || len(verdicts) != 2 || math.IsNaN(verdicts[0].Cost) ||
		!strings.HasPrefix(verdicts[1].Words, "not weighed") {
		t.Errorf("%v, %+v", err, verdicts)
	}
	if _, err := r.Audit(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that was done: %v", err)
	}
}

// TestOneVerdict: 60 patients, 12 with a gap, five statements of which one is false. Whatever the seed of the
// simulations, each statement has one verdict.
func TestOneVerdict(t *testing.T) {
	yes := []string{"no", "yes"}
	net, err := bn.New("[A][B][C|A:B][D|C][E|C]", bn.Discrete("A", yes...), bn.Discrete("B", yes...),
		bn.Discrete("C", yes...), bn.Discrete("D", yes...), bn.Discrete("E", yes...))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{.5, .5})
	copy(net.CPT(1).P, []float64{.5, .5})
	copy(net.CPT(2).P, []float64{.8, .2, .5, .5, .5, .5, .2, .8})
	copy(net.CPT(3).P, []float64{.4, .6, .44, .56}) // D falls with C
	copy(net.CPT(4).P, []float64{.8, .2, .3, .7})
	table, err := data.Sample(net, 60, rand.NewPCG(7, 0))
	if err != nil {
		t.Fatal(err)
	}
	var columns []data.Column
	for i, c := range table.Columns() {
		c.States = slices.Clone(c.States)
		for row := i; row < 60; row += 25 {
			c.States[row] = bn.Missing
		}
		columns = append(columns, c)
	}
	if table, err = data.New(columns...); err != nil {
		t.Fatal(err)
	}
	r := fit(t, net, table, learn.EM{Constraints: []constraint.Constraint{
		constraint.Influence{Parent: "A", Child: "C"}, constraint.Influence{Parent: "B", Child: "C"},
		constraint.Influence{Parent: "C", Child: "D"}, constraint.Influence{Parent: "C", Child: "E"},
		constraint.AtMost{Var: "A", States: []string{"yes"}, P: .6}}})
	seeds := uint64(12)
	if os.Getenv("BNLAB_FULL") == "" {
		seeds = 2
	}
	var first []string
	for seed := range seeds {
		verdicts, err := r.Audit(t.Context(), &learn.AuditSettings{Seed: seed + 1})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range verdicts {
			t.Logf("seed %d: %s: p %.5f ± %.5f, adjusted %.4f, %s, %s", seed+1, v.Statement, v.PValue, v.PError,
				v.HolmPValue, v.Method, v.Words)
			if seed == 0 {
				first = append(first, v.Words)
			}
			if v.Words != first[i] {
				t.Errorf("seed %d: %s: %q, before %q", seed+1, v.Statement, v.Words, first[i])
			}
		}
	}
}
