package run

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var plain = Statement{Claim: "c", Source: "s", Data: Simulated, Prediction: PredictUnknown}

// judged returns the claim that a rule makes.
func judged(t *testing.T, profile Profile, judge func(*Job)) Claim {
	t.Helper()
	j := &Job{Profile: profile}
	judge(j)
	if j.err != nil || len(j.claims) != 1 {
		t.Fatalf("%d claims, %v", len(j.claims), j.err)
	}
	return j.claims[0]
}

func TestCompare(t *testing.T) {
	for _, test := range []struct {
		name  string
		c     Comparison
		holds Verdict
		note  string
	}{
		{"above zero", Comparison{Differences: []float64{1, 2, 3}}, NotJudged, "not told apart"}, // -0.48 to 4.48
		{"far above zero", Comparison{Differences: []float64{2, 2.1, 2.2}}, Yes, "3 pairs"},
		{"far below zero", Comparison{Differences: []float64{-2, -2.1, -2.2}}, No, "3 pairs"},
		{"the paper's difference could be seen", Comparison{Differences: []float64{2, 2.1, 2.2}, Published: 0.4}, Yes,
			""},
		{"it could not", Comparison{Differences: []float64{2, 2.1, 2.2}, Published: 0.2}, NotJudged,
			"the paper's difference 0.2 is below what could be seen"},
		{"always the same", Comparison{Differences: []float64{1, 1, 1}}, Yes, ""},
		{"always none", Comparison{Differences: []float64{0, 0, 0}}, NotJudged, "not told apart"},
		{"one pair", Comparison{Differences: []float64{5}}, NotJudged, "1 pairs have no standard error"},
		{"no pairs", Comparison{}, NotJudged, "0 pairs have no standard error"},
	} {
		if len(test.c.Differences) == 0 {
			test.c.Differences = nil
		}
		c := judged(t, Quick, func(j *Job) { j.Compare(plain, "better", test.c) })
		if c.Holds != test.holds || !strings.Contains(c.Note, test.note) {
			t.Errorf("%s: holds %s, note %q; want %s, %q", test.name, c.Holds, c.Note, test.holds, test.note)
		}
	}
}

// TestComparisonByHand has the differences 1, 2, 3: mean 2, standard error 1/√3, two degrees of freedom, whose
// quantiles are t₀.₉₇₅ = 4.302653 and t₀.₈₀ = 1.060660.
func TestComparisonByHand(t *testing.T) {
	c := Comparison{Differences: []float64{1, 2, 3}}
	mean, stderr := c.Mean()
	low, high := c.Interval()
	// With two degrees of freedom the upper tail at t is ½(1 − t/√(2 + t²)), here with t = 2√3.
	p := 1 - 2*math.Sqrt(3)/math.Sqrt(14)
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"mean", mean, 2}, {"standard error", stderr, 0.5773503}, {"low", low, -0.4841377}, {"high", high, 4.4841377},
		{"detectable", c.Detectable(), 3.0965099}, {"p", c.P(), p},
	} {
		if math.Abs(test.got-test.want) > 1e-6 {
			t.Errorf("%s: %.7f, want %.7f", test.name, test.got, test.want)
		}
	}
}

// TestDetectable draws 4,000 comparisons of a true difference that is just detectable: about 80 % are told apart.
func TestDetectable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const pairs = 30
	// With a known standard deviation of 1, up to the spread of its estimate.
	known := Comparison{Differences: make([]float64, pairs)}
	for i := range known.Differences {
		known.Differences[i] = math.Sqrt(float64(pairs-1)/pairs) * float64(1-2*(i%2))
	}
	size := known.Detectable()
	found := 0
	for range 4000 {
		c := Comparison{Differences: make([]float64, pairs)}
		for i := range c.Differences {
			c.Differences[i] = size + rng.NormFloat64()
		}
		if v, _ := c.judge(); v == Yes {
			found++
		}
	}
	if share := float64(found) / 4000; math.Abs(share-0.8) > 0.02 {
		t.Errorf("a detectable difference is found in %.3f of draws", share)
	}
}

func TestCompareAll(t *testing.T) {
	up := Comparison{Name: "up", Differences: []float64{2, 2.1, 2.2, 2.3}}
	down := Comparison{Name: "down", Differences: []float64{-2, -2.1, -2.2, -2.3}}
	near := Comparison{Name: "near", Differences: []float64{1, -1, 2, -2}}
	weak := Comparison{Name: "weak", Differences: []float64{1, 2, 3, 4}} // p = 0.03
	for _, test := range []struct {
		name  string
		parts []Comparison
		holds Verdict
		ours  string
	}{
		{"all", []Comparison{up, up}, Yes, "2 of 2; 2.15 to 2.15"},
		{"one below", []Comparison{up, down, near}, No, "1 of 3; -2.15 to 2.15"},
		{"one untold", []Comparison{up, near}, NotJudged, "1 of 2; 0 to 2.15"},
		{"weak alone", []Comparison{weak}, Yes, "1 of 1; 2.5 to 2.5"},
		{"weak among others", []Comparison{weak, near}, NotJudged, "0 of 2; 0 to 2.5"},
		{"none", nil, NotJudged, "0 of 0"},
	} {
		c := judged(t, Quick, func(j *Job) { j.CompareAll(plain, "all", test.parts...) })
		if c.Holds != test.holds || c.Ours != test.ours {
			t.Errorf("%s: holds %s, ours %q; want %s, %q", test.name, c.Holds, c.Ours, test.holds, test.ours)
		}
	}
}

// TestHolm has the levels 0.0125, 0.0167, 0.025, 0.05 for the p-values in order.
func TestHolm(t *testing.T) {
	for _, test := range []struct {
		p    []float64
		want string
	}{
		{[]float64{0.01, 0.04, 0.03, 0.005}, "1001"}, // 0.03 > 0.025 ends it
		{[]float64{0.01, 0.02, 0.03, 0.005}, "1111"},
		{[]float64{0.01, 0.024, 0.016, 0.005}, "1111"}, // all, as 0.024 ≤ 0.05
		{[]float64{0.013, 0.013, 0.013, 0.013}, "0000"},
		{nil, ""},
	} {
		got := ""
		for _, r := range Holm(test.p, 0.05) {
			if r {
				got += "1"
			} else {
				got += "0"
			}
		}
		if got != test.want {
			t.Errorf("Holm(%v) = %s, want %s", test.p, got, test.want)
		}
	}
}

func TestBest(t *testing.T) {
	base := []float64{0.80, 0.85, 0.90, 0.83}
	plus := func(d ...float64) []float64 {
		v := make([]float64, len(base))
		for i := range v {
			v[i] = base[i] + d[i%len(d)]
		}
		return v
	}
	for _, test := range []struct {
		name       string
		candidates []Candidate
		holds      Verdict
		note       string
	}{
		{"leads", []Candidate{{"a", plus(0.02)}, {"b", base}, {"c", plus(0.01)}}, Yes, "a lead of 0.01"},
		{"is led", []Candidate{{"b", base}, {"a", plus(0.02)}, {"c", plus(0.03)}}, No, "a lead of -0.01"},
		{"leads by less than the standard error", []Candidate{{"a", plus(0.03, -0.02)}, {"b", base}}, NotJudged,
			"not told apart"},
		{"is led by less", []Candidate{{"a", plus(-0.03, 0.02)}, {"b", base}}, NotJudged, "not told apart"},
		{"one replicate", []Candidate{{"a", []float64{2}}, {"b", []float64{1}}}, NotJudged, "not told apart"},
	} {
		c := judged(t, Quick, func(j *Job) { j.Best(plain, "a", test.candidates...) })
		if c.Holds != test.holds || !strings.Contains(c.Note, test.note) {
			t.Errorf("%s: holds %s, note %q; want %s, %q", test.name, c.Holds, c.Note, test.holds, test.note)
		}
	}
	for name, wrong := range map[string][]Candidate{
		"not one of two": {{"b", base}, {"c", base}}, "not one of two candidates": {{"a", base}},
		"has 3 values": {{"a", base}, {"b", base[:3]}},
	} {
		j := &Job{Profile: Quick}
		j.Best(plain, "a", wrong...)
		if j.err == nil || !strings.Contains(j.err.Error(), name) {
			t.Errorf("error %v, want %q", j.err, name)
		}
	}
}

func TestJoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	draws := make([][]float64, 400)
	for i := range draws {
		common := rng.NormFloat64()
		draws[i] = []float64{common + 0.1*rng.NormFloat64(), common + 0.1*rng.NormFloat64(), rng.NormFloat64()}
	}
	for _, test := range []struct {
		name      string
		profile   Profile
		published []float64
		draws     [][]float64
		holds     Verdict
	}{
		{"in the middle", Paper, []float64{0, 0, 0}, draws, Yes},
		{"far out in one number", Paper, []float64{0, 0, 5}, draws, No},
		{"at the edge of each band of its own", Paper, []float64{1.6, 1.6, 1.64}, draws, Yes},
		{"too few draws", Paper, []float64{0, 0, 0}, draws[:58], NotJudged},
		{"beyond just enough draws", Paper, []float64{0, 0, 5}, draws[:59], No},
		{"quick", Quick, []float64{0, 0, 5}, draws, NotJudged},
	} {
		c := judged(t, test.profile, func(j *Job) { j.Joint(plain, test.published, test.draws) })
		if c.Holds != test.holds {
			t.Errorf("%s: holds %s (%s), want %s", test.name, c.Holds, c.Ours, test.holds)
		}
	}
	// By the definition, a draw of the same kind is outside in about a tenth of cases.
	out := 0
	for _, d := range draws {
		c := judged(t, Paper, func(j *Job) { j.Joint(plain, d, draws) })
		if c.Holds == No {
			out++
		}
	}
	if out < 32 || out > 44 {
		t.Errorf("%d of 400 draws lie outside their own band, want about 40", out)
	}
	j := &Job{Profile: Paper}
	j.Joint(plain, []float64{1}, draws)
	if j.err == nil || !strings.Contains(j.err.Error(), "draw 0 has 3 values for 1 numbers") {
		t.Errorf("error %v", j.err)
	}
}
