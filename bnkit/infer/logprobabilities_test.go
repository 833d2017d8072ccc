package infer_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// logProbabilities asks a new engine.
func logProbabilities(t testing.TB, net *bn.Network, table *data.Table) []float64 {
	t.Helper()
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.LogProbabilities(table)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestLogProbabilities compares with the sum over all joint states. Cells are drawn at
// random, so that rows of networks with zeros are often impossible.
func TestLogProbabilities(t *testing.T) {
	impossible := 0
	for seed := range some(100) {
		rng := rand.New(rand.NewPCG(uint64(seed), 21))
		net := infertest.Random(rng, 1+rng.IntN(8), 0.2)
		rows := make([]infer.Evidence, 1+rng.IntN(20))
		for row := range rows {
			rows[row] = infertest.Evidence(rng, net, 0.5)
		}
		var cols []data.Column
		for _, v := range net.Variables() {
			c := data.Column{Var: v, States: make([]bn.State, len(rows))}
			for row := range rows {
				c.States[row] = bn.Missing
				if state, ok := rows[row][v.Name]; ok {
					c.States[row] = bn.State(slices.Index(v.States, state.(string)))
				}
			}
			if len(cols) == 0 || slices.ContainsFunc(c.States, func(s bn.State) bool { return s != bn.Missing }) {
				cols = append(cols, c) // the others have no column
			}
		}
		table, err := data.New(cols...)
		if err != nil {
			t.Fatal(err)
		}
		weights := make([]float64, len(rows)) // rows of weight 0, sometimes all of them
		for row := range weights {
			weights[row] = float64(rng.IntN(2))
		}
		if table, err = table.WithWeights(weights); err != nil {
			t.Fatal(err)
		}
		got := logProbabilities(t, net, table)
		for row, evidence := range rows {
			p, _ := infertest.Enumerate(net, evidence)
			if p == 0 {
				impossible++
			}
			if !numtest.Close(t, got[row], math.Log(p), rounding, 0) {
				t.Fatalf("network %d: %v, row %d: %v", seed, net, row, evidence)
			}
		}
	}
	if impossible == 0 {
		t.Error("no row is impossible")
	}
}

// TestLogProbabilitiesContinuous compares with the sum over the joint states of discrete
// variables, the others being observed or barren.
func TestLogProbabilitiesContinuous(t *testing.T) {
	for seed := range some(40) {
		rng := rand.New(rand.NewPCG(uint64(seed), 22))
		net := randomMixed(t, rng)
		table := withGaps(t, rng, net, 1+rng.IntN(20))
		got := logProbabilities(t, net, table)
		for row := range got {
			alone, err := table.Select([]int{row}).WithWeights([]float64{1})
			if err != nil {
				t.Fatal(err)
			}
			_, _, _, want := moments(net, alone)
			if !numtest.Close(t, got[row], want, rounding, rounding) {
				t.Fatalf("network %d: %v, row %d\n%v", seed, net, row, table)
			}
		}
	}
}

// TestLogProbabilitiesSum: the weighted sum is the log-likelihood of a plan, and the number
// of goroutines does not change a bit.
func TestLogProbabilitiesSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 0))
	net := infertest.Random(rng, 12, 0)
	table := sample(t, rng, net, 2000, 0.3)
	want := logProbabilities(t, net, table)
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	loglik, err := plan.LogLikelihood(theta(net))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for row, w := range table.Weights() {
		sum += w * want[row]
	}
	numtest.Close(t, sum, loglik, 0, 1e-12)
	for _, workers := range []int{1, 2, 5} {
		e, err := infer.New(net, &infer.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.LogProbabilities(table)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d workers: another result, %v", workers, err)
		}
	}
}

// TestLogProbabilitiesExtremes: probabilities that float64 cannot hold, or only with few
// digits, and a value so far out that its density has no logarithm.
func TestLogProbabilitiesExtremes(t *testing.T) {
	net, table, _, want := manyChildren(t)
	numtest.Close(t, logProbabilities(t, net, table)[0], want, 0, 1e-12)

	net, err := bn.New("[Y][X|Y]", bn.Discrete("Y", "0", "1"), bn.Discrete("X", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{0.5, 0.5})
	copy(net.CPT(1).P, []float64{1e-310, 1, 0, 1})
	states := func(v int, s ...bn.State) data.Column { return data.Column{Var: net.Variable(v), States: s} }
	if table, err = data.New(states(0, 0, 0, 1, bn.Missing, bn.Missing),
		states(1, 0, bn.Missing, 0, 0, bn.Missing)); err != nil {
		t.Fatal(err)
	}
	got := logProbabilities(t, net, table)
	tiny := -310*math.Ln10 - math.Ln2
	for row, want := range []float64{tiny, -math.Ln2, math.Inf(-1), tiny, 0} {
		numtest.Close(t, got[row], want, 0, 1e-9) // 1e-310 has ten digits
	}

	// All other ways to the same logarithms.
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	given := infer.Evidence{"Y": "0", "X": "0"}
	query, err := e.LogProbability(given)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, query, tiny, 0, 1e-9)
	_, most, err := e.MostProbable(given)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, most, tiny, 0, 1e-9)
	sampled, err := infer.LikelihoodWeighting(net, given, 10, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, sampled.LogProbability, tiny, 0, 1e-9)
	plan, err := infer.NewPlan(net, table.Select([]int{0}), nil)
	if err != nil {
		t.Fatal(err)
	}
	loglik, err := plan.LogLikelihood(theta(net))
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, loglik, tiny, 0, 1e-9)
	if err := plan.EachCase(theta(net), func(_ int, _, loglik float64, _ []float64) error {
		numtest.Close(t, loglik, tiny, 0, 1e-9)
		return nil
	}); err != nil {
		t.Fatal(err)
	}

	net = mixed(t)
	class := data.Column{Var: net.Variable(0), States: []bn.State{0, bn.Missing, 0}}
	dose := data.Column{Var: net.Variable(1), Values: []float64{1e200, 1e200, 2}}
	if table, err = data.New(class, dose); err != nil {
		t.Fatal(err)
	}
	got = logProbabilities(t, net, table)
	for row, want := range []float64{math.Inf(-1), math.Inf(-1), math.Log(0.7 * normal(2, 0, 1))} {
		numtest.Close(t, got[row], want, 1e-14, 0)
	}
	narrow, err := bn.New("[D]", bn.Continuous("D"))
	if err != nil {
		t.Fatal(err)
	}
	narrow.Gaussian(0).Variance[0] = 1e-310
	if table, err = data.New(data.Column{Var: narrow.Variable(0),
		Values: []float64{narrow.Gaussian(0).Intercept[0]}}); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, logProbabilities(t, narrow, table)[0], (310*math.Ln10-math.Log(2*math.Pi))/2, 0, 1e-9)
}

func TestLogProbabilitiesErrors(t *testing.T) {
	net := mixed(t)
	flat := net.Clone()
	flat.Gaussian(1).Variance[0] = 0
	class := data.Column{Var: net.Variable(0), States: []bn.State{0}}
	dose := data.Column{Var: net.Variable(1), Values: []float64{1}}
	corner := grid(t, 18)
	for _, c := range []struct {
		name string
		net  *bn.Network
		cols []data.Column
		want error
	}{
		{"a column of another variable", net,
			[]data.Column{class, {Var: bn.Discrete("clas", "a"), States: []bn.State{0}}}, bn.ErrUnknownVariable},
		{"a state that is unknown", net, []data.Column{{Var: bn.Discrete("class", "z"), States: []bn.State{0}}},
			bn.ErrUnknownState},
		{"no density", flat, []data.Column{class, dose}, infer.ErrNoDensity},
		{"no rows", net, []data.Column{{Var: net.Variable(0)}}, data.ErrNoRows},
		{"too wide", corner, []data.Column{{Var: corner.Variable(corner.Len() - 1), States: []bn.State{1}}},
			infer.ErrTooWide},
	} {
		e, err := infer.New(c.net, &infer.Options{MaxCells: 1 << 16})
		if err != nil {
			t.Fatal(err)
		}
		table, err := data.New(c.cols...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.LogProbabilities(table); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
}

// BenchmarkLogProbabilities is the log-probability of each row of a table.
func BenchmarkLogProbabilities(b *testing.B) {
	for _, c := range learning[1:] {
		b.Run(c.name, func(b *testing.B) {
			net, table := insurance(b, c.rows, c.kind)
			e, err := infer.New(net, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.LogProbabilities(table); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
