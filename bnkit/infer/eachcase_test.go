package infer_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// TestEachCase compares each case with a plan for the case alone, and their weighted sum with
// Expect.
func TestEachCase(t *testing.T) {
	for seed := range some(40) {
		rng := rand.New(rand.NewPCG(uint64(seed), 12))
		var net *bn.Network
		var table *data.Table
		if seed%2 == 0 {
			net = infertest.Random(rng, 1+rng.IntN(7), 0.2)
			table = sample(t, rng, net, 1+rng.IntN(30), 0.3)
		} else {
			net = randomMixed(t, rng)
			table = withGaps(t, rng, net, 1+rng.IntN(30))
		}
		plan, err := infer.NewPlan(net, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float64, net.Layout().Len())
		wantLog, err := plan.Expect(want, theta(net))
		if err != nil {
			t.Fatal(err)
		}
		var rows []int
		for row, w := range table.Weights() {
			if w > 0 {
				rows = append(rows, row)
			}
		}
		distinct := table.Select(rows).Distinct()
		got := make([]float64, len(want))
		gotLog := 0.0
		calls := 0
		err = plan.EachCase(theta(net), func(c int, weight, loglik float64, n []float64) error {
			if c != calls {
				t.Fatalf("case %d in call %d", c, calls)
			}
			calls++
			numtest.Close(t, weight, distinct.Weights()[c], 1e-12, 0)
			row, err := distinct.Select([]int{c}).WithWeights(nil)
			if err != nil {
				return err
			}
			alone, err := infer.NewPlan(net, row, nil)
			if err != nil {
				return err
			}
			own := make([]float64, len(n))
			log, err := alone.Expect(own, theta(net))
			if err != nil {
				return err
			}
			numtest.Close(t, loglik, log, rounding, rounding)
			for cell, x := range n {
				numtest.Close(t, x, own[cell], rounding, 0)
				got[cell] += weight * x
			}
			gotLog += weight * loglik
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if calls != distinct.Rows() {
			t.Errorf("%d calls for %d cases", calls, distinct.Rows())
		}
		numtest.Close(t, gotLog, wantLog, 1e-9, rounding)
		for cell, x := range want {
			numtest.Close(t, got[cell], x, 1e-9, 0)
		}
		if t.Failed() {
			t.Fatalf("network %d: %v\n%v", seed, net, table)
		}
	}
}

// TestEachCaseUnderflow: tables that are scaled are scaled back.
func TestEachCaseUnderflow(t *testing.T) {
	net, table, want, wantLog := manyChildren(t)
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = plan.EachCase(theta(net), func(_ int, _, loglik float64, n []float64) error {
		numtest.Close(t, loglik, wantLog, 0, 1e-12)
		numtest.Close(t, n[0], want, 1e-12, 0)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEachCaseStops(t *testing.T) {
	net := infertest.Asia()
	column := func(name string, states ...bn.State) data.Column {
		return data.Column{Var: bn.Discrete(name, "no", "yes"), States: states}
	}
	// Row 2 has lung cancer without either; in row 3 a cell is missing there.
	table, err := data.New(column("lung", 0, 1, 1), column("either", 0, 0, 0), column("tub", 0, 0, bn.Missing))
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	for _, c := range []struct {
		rows  []int
		at    int // rows of the impossible case, 0 for none
		calls int
	}{{[]int{0, 1, 2}, 2, 1}, {[]int{0, 2}, 2, 1}, {[]int{0}, 0, 1}} {
		plan, err := infer.NewPlan(net, table.Select(c.rows), nil)
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		err = plan.EachCase(theta(net), func(int, float64, float64, []float64) error {
			calls++
			if c.at == 0 {
				return stop
			}
			return nil
		})
		var impossible *infer.ImpossibleError
		switch {
		case calls != c.calls:
			t.Errorf("%d calls", calls)
		case c.at == 0 && err != stop:
			t.Errorf("error %v", err)
		case c.at > 0 && (!errors.As(err, &impossible) || impossible.Case != c.at ||
			impossible.Evidence["lung"] != "yes"):
			t.Errorf("error %v", err)
		}
	}
}

// BenchmarkEachCase is a gradient for each case.
func BenchmarkEachCase(b *testing.B) {
	net, table := insurance(b, 1000, "12 hidden")
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		b.Fatal(err)
	}
	p := theta(net)
	b.ReportAllocs()
	for b.Loop() {
		sum := 0.0
		err := plan.EachCase(p, func(_ int, weight, loglik float64, _ []float64) error {
			sum += weight * loglik
			return nil
		})
		if err != nil || math.IsNaN(sum) {
			b.Fatal(err)
		}
	}
}
