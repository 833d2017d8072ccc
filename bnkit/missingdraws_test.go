package bnkit_test

import (
	"cmp"
	"math"
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
			if cases != nil && !strings.Contains(note, "missing cells: drawn") || cases == nil &&
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

// TestMissingDraws: the frame must be that of the fit, and what the cases do not determine is drawn from the prior: of
// one hidden cause nothing is known but what its one sign says.
func TestMissingDraws(t *testing.T) {
	yes := []string{"no", "yes"}
	net := must[*bn.Network](t)(bn.New("[h][x|h]", bn.Discrete("h", yes...), bn.Discrete("x", yes...)))
	df := dataframe.New(series.New(strings.Split("yes no yes yes no yes", " "), series.String, "x"))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.EM{},
		&bnkit.Settings{Seed: 1, Hidden: []string{"h"}}))
	set := draws(8000)
	set.Cases = &df
	got := must[dataframe.DataFrame](t)(bnkit.PosteriorInterval(t.Context(), m, nil, set, "x"))
	if note := got.Col("note").Elem(0).String(); !strings.Contains(note, "missing cells: drawn") {
		t.Errorf("the note is %q", note)
	}
	// Without the statement: importance sampling from the prior, weights p^4 (1-p)^2.
	rng := rand.New(rand.NewPCG(3, 0))
	sum, all := 0.0, 0.0
	for range 200000 {
		h := rng.Float64()
		p := h*rng.Float64() + (1-h)*rng.Float64()
		w := p * p * p * p * (1 - p) * (1 - p)
		sum, all = sum+w*p, all+w
	}
	if p := got.Col("probability").Elem(1).Float(); math.Abs(p-sum/all) > 0.015 {
		t.Errorf("P(x = yes) is %v, by importance sampling %v", p, sum/all)
	}
	other := df.Subset([]int{0, 1, 2})
	set.Cases = &other
	if _, err := bnkit.PosteriorInterval(t.Context(), m, nil, set, "x"); err == nil ||
		!strings.Contains(err.Error(), "not those of the fit") {
		t.Errorf("other cases: %v", err)
	}
}

// TestOneGapUnderInequalities: the maximum has two stages at one probability, where the posterior has two; and one cell
// that is missing moves the answers as little as one case of 60 may.
func TestOneGapUnderInequalities(t *testing.T) {
	yes, stages := []string{"no", "yes"}, []string{"I", "II", "III"}
	net := must[*bn.Network](t)(bn.New("[stage][relapse|stage]", bn.Discrete("stage", stages...),
		bn.Discrete("relapse", yes...)))
	var stage, relapse []string
	for s, n := range [][2]int{{16, 4}, {9, 11}, {11, 9}} { // II and III the wrong way round
		for r, k := range n {
			for range k {
				stage, relapse = append(stage, stages[s]), append(relapse, yes[r])
			}
		}
	}
	rises := []constraint.Constraint{constraint.Influence{Parent: "stage", Child: "relapse"}}
	var answers [2][]float64
	for i := range answers {
		if i == 1 {
			relapse[0] = ""
		}
		df := dataframe.New(series.New(stage, series.String, "stage"), series.New(relapse, series.String, "relapse"))
		m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.EM{Constraints: rises}, nil))
		set := draws(8000)
		set.Cases = &df
		for _, s := range stages {
			got := must[dataframe.DataFrame](t)(bnkit.PosteriorInterval(t.Context(), m, infer.Evidence{"stage": s}, set,
				"relapse"))
			answers[i] = append(answers[i], got.Col("probability").Elem(1).Float(), got.Col("low").Elem(1).Float(),
				got.Col("high").Elem(1).Float())
		}
	}
	for k, x := range answers[0] {
		if math.Abs(answers[1][k]-x) > 0.03 {
			t.Errorf("number %d of mean, low and high is %v with one gap, %v without", k, answers[1][k], x)
		}
	}
	if !(answers[1][6]-answers[1][3] > 0.05) {
		t.Errorf("stages II and III have %v and %v: draws lie on the face of the maximum", answers[1][3], answers[1][6])
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
		t.Errorf("sd %v with the missing cells as known, %v when they are drawn", n, drawn)
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

// TestMissingByWeighing: means and intervals of tables under an influence, with most causes missing, against draws from
// the prior that are weighed by the likelihood.
func TestMissingByWeighing(t *testing.T) {
	yes := []string{"no", "yes"}
	net := must[*bn.Network](t)(bn.New("[cause][sign|cause]", bn.Discrete("cause", yes...),
		bn.Discrete("sign", yes...)))
	patterns := []struct {
		cause, sign string
		n           int
	}{{"no", "no", 3}, {"no", "yes", 1}, {"yes", "no", 1}, {"yes", "yes", 2}, {"", "no", 9}, {"", "yes", 6},
		{"yes", "", 2}}
	var cause, sign []string
	for _, p := range patterns {
		cause = append(cause, slices.Repeat([]string{p.cause}, p.n)...)
		sign = append(sign, slices.Repeat([]string{p.sign}, p.n)...)
	}
	df := dataframe.New(series.New(cause, series.String, "cause"), series.New(sign, series.String, "sign"))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df,
		learn.EM{Constraints: []constraint.Constraint{constraint.Influence{Parent: "cause", Child: "sign"}}}, nil))
	set := draws(20000)
	set.Cases = &df
	got := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), m, "sign", set))
	rng := rand.New(rand.NewPCG(4, 0))
	type draw struct{ s, w float64 }
	var list [2][]draw
	all := 0.0
	for range 200000 {
		c, a, b := rng.Float64(), rng.Float64(), rng.Float64()
		s := [2]float64{min(a, b), max(a, b)}
		no, sure := (1-c)*(1-s[0])+c*(1-s[1]), math.Pow(1-c, 4)*math.Pow(c, 5)
		w := sure * math.Pow(1-s[0], 3) * s[0] * (1 - s[1]) * s[1] * s[1] * math.Pow(no, 9) * math.Pow(1-no, 6)
		all += w
		for k := range list {
			list[k] = append(list[k], draw{s[k], w})
		}
	}
	for k, row := range []int{1, 3} {
		slices.SortFunc(list[k], func(a, b draw) int { return cmp.Compare(a.s, b.s) })
		mean, sum, want := 0.0, 0.0, map[string]float64{}
		for _, d := range list[k] {
			mean += d.s * d.w / all
			if sum += d.w / all; sum < 0.025 {
				want["low"] = d.s
			}
			if sum < 0.975 {
				want["high"] = d.s
			}
		}
		want["mean"] = mean
		for column, w := range want {
			if x := got.Col(column).Elem(row).Float(); math.Abs(x-w) > 0.012 {
				t.Errorf("cause %s: %s of the sign is %v, by weighing %v", yes[k], column, x, w)
			}
		}
	}
}
