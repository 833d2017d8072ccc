package noisyor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/experiments/run"
)

// TestAreas takes five cases by hand: scores 0.9+, 0.5+, 0.5−, 0.1−, 0.1+ and one that is left out. Of the six pairs
// three are in order (0.9 above both negatives, 0.5 above 0.1) and two are ties.
func TestAreas(t *testing.T) {
	steps := rungs([]float64{0.5, 0.9, 0.1, leftOut, 0.5, 0.1}, []bool{true, true, false, true, false, true})
	want := []float64{
		4.0 / 6, 3.0 / 6,
		// (0,0), (0,1/3), (1/2,2/3); the last trapezoid of 1/2 × (2/3 + 1)/2 is missing.
		4.0/6 - 5.0/12,
		// Precision 1 at the first, 2/3 at the second, 3/5 at the third.
		(1 + 2.0/3 + 3.0/5) / 3,
	}
	for i, rule := range areaRules() {
		if got := rule.of(steps); !scalar.EqualWithinAbs(got, want[i], 1e-12) {
			t.Errorf("%s: %v, want %v", rule.name, got, want[i])
		}
	}
	if rungs([]float64{0.1, 0.2}, []bool{true, true}) != nil {
		t.Error("cases of one kind have an area")
	}
}

func TestSpearman(t *testing.T) {
	// Ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4, less their means −1.5, 0, 0, 1.5 and −1.5, 0.5, −0.5, 1.5: 4.5/√(4.5 × 5).
	got := spearman([]float64{1, 2, 2, 9}, []float64{0, 5, 4, 6})
	if want := 4.5 / math.Sqrt(4.5*5); !scalar.EqualWithinAbs(got, want, 1e-12) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := spearman([]float64{1, 1}, []float64{1, 2}); got != 0 {
		t.Errorf("level values: %v, want 0", got)
	}
}

// TestPooled has two folds: in each the positive case scores higher, over both one pair of four is wrong.
func TestPooled(t *testing.T) {
	s := &Sweep{}
	for _, scores := range [][]float64{{0.9, 0.6}, {0.5, 0.1}} {
		s.Splits[0] = append(s.Splits[0], &Split{Positive: []bool{true, false}, Scores: [][][]float64{{scores}}})
	}
	if got := s.areas(0, 0, 0, roc); !slices.Equal(got, []float64{1, 1}) {
		t.Errorf("by split %v, want 1, 1", got)
	}
	if got := s.pooled(0, 0, 0, roc, 2); !slices.Equal(got, []float64{0.75}) {
		t.Errorf("pooled %v, want 0.75", got)
	}
}

func TestMeanLog(t *testing.T) {
	got := meanLog([]float64{0.5, 0.8, leftOut, 1}, []bool{true, false, true, false})
	if want := (math.Log(0.5) + math.Log(0.2) + math.Log(1e-6)) / 3; !scalar.EqualWithinAbs(got, want, 1e-12) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestUntrained: no iterations leave the random start, the same for all sign learners and whatever the cases, and a
// thousand reach the shares of the cases where there is no knowledge.
func TestUntrained(t *testing.T) {
	d := domainsAtHand(t, "iris")[0]
	s := &Sweep{Domain: d, maxima: newMaxima()}
	job := &run.Job{Seed: 3}
	table := func(w way, few bool, l knowledge.Learner) []float64 {
		cases := d.Cases
		if few {
			cases = d.Cases.Select([]int{0, 1, 60})
		}
		return learned(t, s, w, l, cases, job.Source(1, 0))
	}
	start := table(way{iterations: 0}, false, knowledge.None)
	same := table(way{iterations: 0}, true, knowledge.Monotone)
	if slices.Max(start) == slices.Min(start) || !slices.Equal(start, same) {
		t.Errorf("the start %v is not random, or depends on cases or signs", start)
	}
	long, exact := table(way{iterations: 1000, step: 1}, false, knowledge.None),
		table(way{exact: true, unseen: leftOut}, false, knowledge.None)
	for i, p := range exact {
		if p == leftOut {
			if long[i] != start[i] {
				t.Errorf("row %d has no case and moved", i)
			}
		} else if math.Abs(long[i]-p) > 0.02 {
			t.Errorf("row %d: %v, want %v", i, long[i], p)
		}
	}
}

// TestMeanOfStarts: two starts from one source are averaged; without iterations that is the mean of two random tables.
func TestMeanOfStarts(t *testing.T) {
	d := domainsAtHand(t, "iris")[0]
	s, job := &Sweep{Domain: d, maxima: newMaxima()}, &run.Job{Seed: 3}
	src := job.Source(1, 0)
	var want []float64
	for range 2 {
		one := learned(t, s, way{}, knowledge.Monotone, d.Cases, src)
		if want == nil {
			want = make([]float64, len(one))
		}
		for i, p := range one {
			want[i] += p / 2
		}
	}
	got := learned(t, s, way{starts: 2}, knowledge.Monotone, d.Cases, job.Source(1, 0))
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Errorf("%v, want %v", got, want)
	}
}

// learned is a table that is learned in one way.
func learned(t *testing.T, s *Sweep, w way, l knowledge.Learner, cases *data.Table, src rand.Source) []float64 {
	t.Helper()
	counts, err := cases.Count(s.Net, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.learn(t.Context(), []way{w}, l, counts, func() rand.Source { return src })
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// TestOneAscent: what an ascent passes on its way is what ascents of fewer iterations end with, to the last bit; also
// where it ends before its iterations are over.
func TestOneAscent(t *testing.T) {
	d := domainsAtHand(t, "iris")[0]
	s, job := &Sweep{Domain: d, maxima: newMaxima()}, &run.Job{Seed: 3}
	counts, err := d.Cases.Count(d.Net, nil)
	if err != nil {
		t.Fatal(err)
	}
	ways := Config{SweepIterations: []int{0, 1, 7, 40, 2000, 3000}, SweepSteps: []float64{1, 0.1}, MeanStarts: 2,
		MeanIterations: 3}.ways()
	for _, l := range knowledge.Learners() {
		together, err := s.learn(t.Context(), ways, l, counts, func() rand.Source { return job.Source(1, 0) })
		if err != nil {
			t.Fatal(err)
		}
		different := 0
		for i, w := range ways {
			if one := learned(t, s, w, l, d.Cases, job.Source(1, 0)); !slices.Equal(one, together[i]) {
				t.Errorf("%s, %s: %v, alone %v", l, w.name, together[i], one)
			}
			if i > 0 && !slices.Equal(together[i], together[i-1]) {
				different++
			}
		}
		if different < len(ways)/2 {
			t.Errorf("%s: only %d of %d ways differ from the one before", l, different, len(ways))
		}
	}
}
