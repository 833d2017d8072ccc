package bnkit_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// TestCoverageUnderInequalities: relapse rises with stage, of 60 patients with gaps. Over truths from the prior 90 %
// intervals of the posterior hold the truth in 90 % of the cases, whatever the gaps. On the boundary, where the first
// two stages have one probability, those of no prior with a density do: with complete cases, whose draws are exact, the
// share is lower for the second stage. Gaps leave that as it is.
func TestCoverageUnderInequalities(t *testing.T) {
	trials, low, high, apart := 100, 0.78, 1.0, 0.2 // four standard errors
	if os.Getenv("BNLAB_FULL") != "" {
		trials, low, high, apart = 1000, 0.87, 0.93, 0.07
	}
	var complete []float64 // on the boundary
	stages, yes := []string{"I", "II", "III"}, []string{"no", "yes"}
	rises := []constraint.Constraint{constraint.Influence{Parent: "stage", Child: "relapse"}}
	for _, test := range []struct {
		gaps       float64
		isBoundary bool
	}{{0, false}, {0.01, false}, {0.3, false}, {0, true}, {0.01, true}, {0.3, true}} {
		rng := rand.New(rand.NewPCG(11, 0))
		covered := make([]int, len(stages))
		for trial := range trials {
			truth := must[*bn.Network](t)(bn.New("[stage][relapse|stage]", bn.Discrete("stage", stages...),
				bn.Discrete("relapse", yes...)))
			total := 0.0
			for i := range stages {
				truth.CPT(0).P[i] = rng.ExpFloat64()
				total += truth.CPT(0).P[i]
			}
			for i := range stages {
				truth.CPT(0).P[i] /= total
			}
			p := []float64{rng.Float64(), rng.Float64(), rng.Float64()}
			slices.Sort(p)
			if test.isBoundary {
				p[1] = p[0]
			}
			for i, x := range p {
				copy(truth.CPT(1).Row(i), []float64{1 - x, x})
			}
			df := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 60, rand.NewPCG(uint64(trial), 1)))
			df = withHoles(df, rng, test.gaps, "stage", "relapse")
			m, err := bnkit.Fit(t.Context(), truth, df, learn.EM{Constraints: rises}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), m, "relapse", &bnkit.IntervalSettings{
				Level: 0.9, Draws: 400, Src: rand.NewPCG(uint64(trial), 2), Cases: &df}))
			for i, x := range p {
				if got.Col("low").Elem(2*i+1).Float() <= x && x <= got.Col("high").Elem(2*i+1).Float() {
					covered[i]++
				}
			}
		}
		t.Logf("%v of cells missing, boundary %v: %v of %d hold the truth", test.gaps, test.isBoundary, covered, trials)
		for i, n := range covered {
			share := float64(n) / float64(trials)
			if test.isBoundary && test.gaps == 0 {
				complete = append(complete, share)
			}
			low, high := low, high
			if test.isBoundary {
				low, high = complete[i]-apart, complete[i]+apart
			}
			if share < low || share > high {
				t.Errorf("%v of cells missing, boundary %v: %v of the intervals of stage %s hold the truth, want %v "+
					"to %v", test.gaps, test.isBoundary, share, stages[i], low, high)
			}
		}
	}
}
