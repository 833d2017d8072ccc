package noisyor

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

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
	if got := s.areas(0, 0, 0, areaRules()[0], false, 2); !slices.Equal(got, []float64{1, 1}) {
		t.Errorf("by split %v, want 1, 1", got)
	}
	if got := s.areas(0, 0, 0, areaRules()[0], true, 2); !slices.Equal(got, []float64{0.75}) {
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
	s := &Sweep{Domain: d}
	job := &run.Job{Seed: 3}
	table := func(w way, few bool, l knowledge.Learner) []float64 {
		cases := d.Cases
		if few {
			cases = d.Cases.Select([]int{0, 1, 60})
		}
		out, err := s.learn(t.Context(), w, l, cases, job.Source(1, 0))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	start := table(way{iterations: 0}, false, knowledge.None)
	same := table(way{iterations: 0}, true, knowledge.Monotone)
	if slices.Max(start) == slices.Min(start) || !slices.Equal(start, same) {
		t.Errorf("the start %v is not random, or depends on cases or signs", start)
	}
	learned, exact := table(way{iterations: 1000, step: 1}, false, knowledge.None),
		table(way{exact: true, unseen: leftOut}, false, knowledge.None)
	for i, p := range exact {
		if p == leftOut {
			if learned[i] != start[i] {
				t.Errorf("row %d has no case and moved", i)
			}
		} else if math.Abs(learned[i]-p) > 0.02 {
			t.Errorf("row %d: %v, want %v", i, learned[i], p)
		}
	}
}

// TestMeanOfStarts: two starts from one source are averaged; without iterations that is the mean of two random tables.
func TestMeanOfStarts(t *testing.T) {
	d := domainsAtHand(t, "iris")[0]
	s, job := &Sweep{Domain: d}, &run.Job{Seed: 3}
	src := job.Source(1, 0)
	var want []float64
	for range 2 {
		one, err := s.learn(t.Context(), way{}, knowledge.Monotone, d.Cases, src)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = make([]float64, len(one))
		}
		for i, p := range one {
			want[i] += p / 2
		}
	}
	got, err := s.learn(t.Context(), way{starts: 2}, knowledge.Monotone, d.Cases, job.Source(1, 0))
	if err != nil || !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Errorf("%v (%v), want %v", got, err, want)
	}
}
