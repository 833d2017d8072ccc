package infer_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// TestSplit: pieces of tasks give the same counts, moments and cases as the whole, down to
// single cases.
func TestSplit(t *testing.T) {
	for seed := range some(40) {
		rng := rand.New(rand.NewPCG(uint64(seed), 13))
		var net *bn.Network
		var table *data.Table
		if seed%2 == 0 {
			net = infertest.Random(rng, 3+rng.IntN(6), 0)
			table = sample(t, rng, net, 40, 0.1)
		} else {
			net = randomMixed(t, rng)
			table = withGaps(t, rng, net, 40)
		}
		plan, err := infer.NewPlan(net, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		type answer struct {
			n      []float64
			m      *data.Moments
			loglik float64
			cases  []float64
		}
		ask := func() answer {
			a := answer{n: make([]float64, net.Layout().Len()), m: data.NewMoments(net)}
			if a.loglik, err = plan.ExpectMoments(a.n, a.m, theta(net), gaussians(net)); err != nil {
				t.Fatal(err)
			}
			err := plan.EachCase(theta(net), func(_ int, _, loglik float64, n []float64) error {
				a.cases = append(append(a.cases, loglik), n...)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		want := ask()
		for _, pieces := range []int{2, 3, 1000} {
			plan.Split(pieces)
			got := ask()
			numtest.Close(t, got.loglik, want.loglik, rounding, rounding)
			for i, x := range want.n {
				numtest.Close(t, got.n[i], x, rounding, 0)
			}
			for i, x := range want.cases {
				numtest.Close(t, got.cases[i], x, rounding, 0)
			}
			for v, factors := range want.m.Factors {
				for config, f := range factors {
					p := products(got.m.Factors[v][config])
					for i, x := range products(f) {
						numtest.Close(t, p[i], x, rounding, rounding)
					}
				}
			}
			if t.Failed() {
				t.Fatalf("network %d in %d pieces: %v", seed, pieces, net)
			}
		}
	}
}

// long is a hidden chain of four states in twelve steps with a measurement in each, and cases
// that all differ: one hidden part that is worth splitting.
func long(t testing.TB, rows int) (*bn.Network, *data.Table) {
	t.Helper()
	var model strings.Builder
	var vars []bn.Variable
	var seen []string
	states := []string{"a", "b", "c", "d"}
	for i := range 12 {
		x, y := fmt.Sprint("x", i), fmt.Sprint("y", i)
		if i == 0 {
			fmt.Fprintf(&model, "[%s][%s|%s]", x, y, x)
		} else {
			fmt.Fprintf(&model, "[%s|x%d][%s|%s]", x, i-1, y, x)
		}
		vars, seen = append(vars, bn.Discrete(x, states...), bn.Discrete(y, states...)), append(seen, y)
	}
	net, err := bn.New(model.String(), vars...)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(14, 0))
	for v := range net.Len() {
		infertest.Fill(rng, net.CPT(v), 0)
	}
	table, err := data.Sample(net, rows, rng)
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.Keep(seen...); err != nil {
		t.Fatal(err)
	}
	return net, table
}

// TestSplitWorkers: one large part is split, and the number of goroutines does not change a bit.
func TestSplitWorkers(t *testing.T) {
	net, table := long(t, 5000)
	var want []float64
	for _, workers := range []int{1, 2, 5} {
		plan, err := infer.NewPlan(net, table, &infer.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Tasks() < 2 {
			t.Fatal("not split")
		}
		n := make([]float64, net.Layout().Len()+1)
		if n[net.Layout().Len()], err = plan.Expect(n, theta(net)); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = n
		}
		if !slices.Equal(n, want) {
			t.Errorf("%d workers: other counts", workers)
		}
	}
}

// BenchmarkLong is an E-step of one large part.
func BenchmarkLong(b *testing.B) {
	net, table := long(b, 5000)
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		b.Fatal(err)
	}
	n, p := make([]float64, net.Layout().Len()), theta(net)
	b.ReportAllocs()
	for b.Loop() {
		clear(n)
		if _, err := plan.Expect(n, p); err != nil {
			b.Fatal(err)
		}
	}
}
