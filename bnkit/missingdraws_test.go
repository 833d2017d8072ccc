package bnkit_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// withHoles returns the frame with a share of the cells of some columns missing.
func withHoles(df dataframe.DataFrame, rng *rand.Rand, share float64, names ...string) dataframe.DataFrame {
	for _, name := range names {
		cells := df.Col(name).Records()
		for i := range cells {
			if rng.Float64() < share {
				cells[i] = ""
			}
		}
		df = df.Mutate(series.New(cells, series.String, name))
	}
	return df
}

// TestMissingCoverage: over truths drawn from the prior, 90 % intervals of an answer hold the truth in 90 % of the
// cases though many cells are missing, under a statement that is true; with expected counts taken as known
// they hold it less often.
func TestMissingCoverage(t *testing.T) {
	trials := 200 // of 1,000 879 hold the truth, and 735 with expected counts as known
	if !numtest.Full() {
		trials = 50
	}
	rng := rand.New(rand.NewPCG(11, 0))
	yes := []string{"no", "yes"}
	influence := constraint.Influence{Parent: "cause", Child: "sign"}
	beta22 := func() float64 {
		x := []float64{rng.Float64(), rng.Float64(), rng.Float64()}
		slices.Sort(x)
		return x[1]
	}
	covered, known := 0, 0
	for trial := range trials {
		truth := must[*bn.Network](t)(bn.New("[cause][sign|cause][test|cause]", bn.Discrete("cause", yes...),
			bn.Discrete("sign", yes...), bn.Discrete("test", yes...)))
		set := func(row []float64, p float64) { row[0], row[1] = 1-p, p }
		set(truth.CPT(0).Row(0), beta22())
		a, b := beta22(), beta22()
		set(truth.CPT(1).Row(0), min(a, b))
		set(truth.CPT(1).Row(1), max(a, b))
		set(truth.CPT(2).Row(0), beta22())
		set(truth.CPT(2).Row(1), beta22())
		df := withHoles(must[dataframe.DataFrame](t)(bnkit.Sample(truth, 120, rand.NewPCG(uint64(trial), 1))), rng,
			0.5, "cause", "sign")
		m, err := bnkit.Fit(t.Context(), truth, df,
			learn.EM{Pseudocount: 1, Constraints: []constraint.Constraint{influence}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		evidence := infer.Evidence{"sign": "yes"}
		p := must[*infer.Posteriors](t)(infer.Posterior(truth, evidence, "cause")).P[0][1]
		for _, cases := range []*dataframe.DataFrame{&df, nil} {
			got, err := bnkit.PosteriorInterval(t.Context(), m, evidence, &bnkit.IntervalSettings{Level: 0.9,
				Draws: 400, Src: rand.NewPCG(uint64(trial), 2), Cases: cases}, "cause")
			if err != nil {
				t.Fatal(err)
			}
			note := got.Col("note").Elem(1).String()
			if cases != nil && !strings.Contains(note, "observed information") || cases == nil &&
				!strings.Contains(note, "too narrow") {
				t.Fatalf("the note is %q", note)
			}
			if got.Col("low").Elem(1).Float() <= p && p <= got.Col("high").Elem(1).Float() {
				if cases != nil {
					covered++
				} else {
					known++
				}
			}
		}
	}
	low, high := 0.815, 0.985 // four standard errors
	if trials < 200 {
		low, high = 0.73, 1
	}
	t.Logf("%d of %d hold the truth, %d with expected counts as known", covered, trials, known)
	if share := float64(covered) / float64(trials); share < low || share > high {
		t.Errorf("%v of the intervals hold the truth, want 0.9", share)
	}
	if known >= covered {
		t.Errorf("%d intervals that take expected counts as known hold the truth, of the others %d", known, covered)
	}
}

// TestMissingDraws: the frame must be that of the fit, and where the information is singular the note names the
// tables.
func TestMissingDraws(t *testing.T) {
	yes := []string{"no", "yes"}
	net := must[*bn.Network](t)(bn.New("[h][x|h]", bn.Discrete("h", yes...), bn.Discrete("x", yes...)))
	df := dataframe.New(series.New(strings.Split("yes no yes yes no yes", " "), series.String, "x"))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.EM{}, &bnkit.Settings{Seed: 1}))
	set := draws(200)
	set.Cases = &df
	got := must[dataframe.DataFrame](t)(bnkit.PosteriorInterval(t.Context(), m, nil, set, "x"))
	if note := got.Col("note").Elem(0).String(); !strings.Contains(note, "do not determine the tables of h, x") {
		t.Errorf("the note is %q", note)
	}
	other := df.Subset([]int{0, 1, 2})
	set.Cases = &other
	if _, err := bnkit.PosteriorInterval(t.Context(), m, nil, set, "x"); err == nil ||
		!strings.Contains(err.Error(), "not those of the fit") {
		t.Errorf("other cases: %v", err)
	}
}

// TestMissingShares: shares of the variance sum to 1 where missing cells link the rows, and first order agrees with
// the draws.
func TestMissingShares(t *testing.T) {
	m, df := holed(t)
	set := draws(2000)
	set.Cases = &df
	got := must[dataframe.DataFrame](t)(bnkit.VarianceShares(t.Context(), m, infer.Evidence{"sign": "yes"}, "cause", "",
		set))
	sum := 0.0
	for _, x := range got.Col("share").Float() {
		sum += x
	}
	first, drawn := got.Col("first order").Elem(0).Float(), got.Col("drawn").Elem(0).Float()
	if !(sum > 1-1e-9 && sum < 1+1e-9) || !(first > 0.95*drawn && first < 1.05*drawn) || got.Nrow() != 3 {
		t.Errorf("shares sum to %v, sd %v by first order and %v drawn:\n%v", sum, first, drawn, got)
	}
	set.Cases = nil
	narrow := must[dataframe.DataFrame](t)(bnkit.VarianceShares(t.Context(), m, infer.Evidence{"sign": "yes"}, "cause",
		"", set))
	if n := narrow.Col("drawn").Elem(0).Float(); !(n < 0.95*drawn) {
		t.Errorf("sd %v with the missing cells as known, %v by the observed information", n, drawn)
	}
}

// holed is a model of cases with missing cells, with them.
func holed(t *testing.T) (*bnkit.Model, dataframe.DataFrame) {
	t.Helper()
	yes := []string{"no", "yes"}
	truth := must[*bn.Network](t)(bn.New("[cause][sign|cause]", bn.Discrete("cause", yes...),
		bn.Discrete("sign", yes...)))
	copy(truth.CPT(0).P, []float64{0.6, 0.4})
	copy(truth.CPT(1).P, []float64{0.7, 0.3, 0.2, 0.8})
	df := withHoles(must[dataframe.DataFrame](t)(bnkit.Sample(truth, 3000, rand.NewPCG(1, 0))),
		rand.New(rand.NewPCG(2, 0)), 0.4, "cause", "sign")
	return must[*bnkit.Model](t)(bnkit.Fit(t.Context(), truth, df, learn.EM{Pseudocount: 1}, nil)), df
}
