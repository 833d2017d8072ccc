package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// TestPosteriorIntervalOfTable: an answer that is an entry of a table has the interval of the entry, draw by
// draw.
func TestPosteriorIntervalOfTable(t *testing.T) {
	m := letters(t, learn.MAP{Pseudocount: 1})
	want := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), m, "X", draws(500)))
	got := must[dataframe.DataFrame](t)(bnkit.PosteriorInterval(t.Context(), m, nil, draws(500), "X"))
	for i := range 3 {
		for _, col := range []string{"low", "high"} {
			if math.Abs(got.Col(col).Elem(i).Float()-want.Col(col).Elem(i).Float()) > 1e-14 {
				t.Errorf("%s of state %d is %v, that of the table %v", col, i, got.Col(col).Elem(i),
					want.Col(col).Elem(i))
			}
		}
	}
}

// TestPosteriorIntervalCoverage: over truths drawn from the prior, 90 % intervals of an answer hold the true
// answer in 90 % of the cases, under a statement that is true.
func TestPosteriorIntervalCoverage(t *testing.T) {
	trials := 1000
	if !numtest.Full() {
		trials = 200
	}
	rng := rand.New(rand.NewPCG(7, 0))
	yes := []string{"no", "yes"}
	influence := constraint.Influence{Parent: "cause", Child: "sign"}
	beta22 := func() float64 { // the density of one virtual case a cell: the median of three
		x := []float64{rng.Float64(), rng.Float64(), rng.Float64()}
		slices.Sort(x)
		return x[1]
	}
	covered := 0
	for trial := range trials {
		truth := must[*bn.Network](t)(bn.New("[cause][sign|cause]", bn.Discrete("cause", yes...),
			bn.Discrete("sign", yes...)))
		set := func(row []float64, p float64) { row[0], row[1] = 1-p, p }
		set(truth.CPT(0).Row(0), beta22())
		a, b := beta22(), beta22()
		set(truth.CPT(1).Row(0), min(a, b)) // the prior density, cut to what the statement allows
		set(truth.CPT(1).Row(1), max(a, b))
		df := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 30, rand.NewPCG(uint64(trial), 1)))
		m, err := bnkit.Fit(t.Context(), truth, df,
			learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{influence}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		evidence := infer.Evidence{"sign": "yes"}
		post := must[*infer.Posteriors](t)(infer.Posterior(truth, evidence, "cause"))
		got, err := bnkit.PosteriorInterval(t.Context(), m, evidence, &bnkit.IntervalSettings{Level: 0.9, Draws: 400,
			Src: rand.NewPCG(uint64(trial), 2)}, "cause")
		if err != nil {
			t.Fatal(err)
		}
		p := post.P[0][1]
		if got.Col("low").Elem(1).Float() <= p && p <= got.Col("high").Elem(1).Float() {
			covered++
		}
	}
	low, high := 0.87, 0.93
	if trials < 1000 {
		low, high = 0.82, 0.97 // four standard errors
	}
	if share := float64(covered) / float64(trials); share < low || share > high {
		t.Errorf("%v of the intervals hold the truth, want 0.9", share)
	}
}

func TestPosteriorIntervalRefused(t *testing.T) {
	m := letters(t, learn.ML{})
	if _, err := bnkit.PosteriorInterval(t.Context(), m, nil, nil, "X"); !errors.Is(err, bn.ErrNoSource) {
		t.Errorf("no settings: %v", err)
	}
	given := bnkit.ModelOf(m.Net)
	if _, err := bnkit.PosteriorInterval(t.Context(), given, nil, draws(200), "X"); err == nil {
		t.Error("a network without cases had error bars")
	}
	done, stop := context.WithCancel(t.Context())
	stop()
	if _, err := bnkit.PosteriorInterval(done, m, nil, draws(200), "X"); !errors.Is(err, context.Canceled) {
		t.Errorf("a done context: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	set := draws(1000)
	set.Progress = func(int, int) { cancel() }
	df, err := bnkit.PosteriorInterval(ctx, m, nil, set, "X")
	if err != nil {
		t.Fatal(err)
	}
	if note := df.Col("note").Elem(0).String(); note != "interrupted: 200 of 1000 draws" {
		t.Errorf("the note of draws that were ended is %q", note)
	}
}

// How sure is the answer? Ten patients do not say much.
func ExamplePosteriorInterval() {
	model, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.PosteriorInterval(context.Background(), model, infer.Evidence{"cough": "yes"},
		&bnkit.IntervalSettings{Draws: 4000, Src: rand.NewPCG(1, 0)}, "smoker")
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range df.Nrow() {
		fmt.Printf("smoker=%s: %.2f, between %.1f and %.1f\n", df.Col("state").Elem(i),
			df.Col("probability").Elem(i).Float(), df.Col("low").Elem(i).Float(), df.Col("high").Elem(i).Float())
	}
	// Output:
	// smoker=no: 0.39, between 0.1 and 0.8
	// smoker=yes: 0.61, between 0.2 and 0.9
}
