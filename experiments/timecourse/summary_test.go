package timecourse

import (
	"math"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
)

// small is a study with two sets and two starts, by hand: plain EM is 4 and 2, then 6 and
// 4 above the truth, the other method 1 and 3, then 2 and 2.
func small() *study {
	s := &study{}
	for set, distances := range [][2][2]float64{{{4, 2}, {1, 3}}, {{6, 4}, {2, 2}}} {
		s.subjects = append(s.subjects, &subject{set: set + 1, base: quality{test: 10}, starts: make([]*bn.Network, 2)})
		for m := range distances {
			if len(s.outcomes) <= m {
				s.outcomes = append(s.outcomes, nil)
			}
			var starts []*outcome
			for _, d := range distances[m] {
				starts = append(starts, &outcome{quality: quality{test: 10 + d},
					course: []point{{0, 0, 20, 0}, {1, 0, 10 + d, 0}}})
			}
			s.outcomes[m] = append(s.outcomes[m], starts)
		}
	}
	return s
}

func TestCompare(t *testing.T) {
	s := small()
	if got := s.bySet(0, excessTest); !slices.Equal(got, []float64{3, 5}) {
		t.Errorf("plain EM is %v from the truth, want 3 and 5", got)
	}
	c := s.compare(1, 0, excessTest)
	if c.mean != 50 || !slices.Equal(c.wins, []float64{1, 2}) || math.Abs(c.percent[0]-100./3) > 1e-12 ||
		c.percent[1] != 60 {
		t.Errorf("%+v, want 50 %% shorter, 33.3 and 60 by set, from 1 and 2 starts", c)
	}
	if held, all := s.count(0, func(b *subject, o *outcome) bool { return excessTest(b, o) > 3 }); held != 3 ||
		all != 4 {
		t.Errorf("%d of %d are farther than 3, want 3 of 4", held, all)
	}
	if got := shorter(1, 0); got != 0 {
		t.Errorf("shorter than no distance: %v", got)
	}
	line := s.curve(1, 25, testPoint)
	if len(line.iterations) != 22 || line.bands[0].Mean != 10 || line.bands[1].Mean != 2 || line.bands[21].Mean != 2 {
		t.Errorf("%d points from %v to %v, want 22 from 10 to 2: a run that has ended stays", len(line.iterations),
			line.bands[0].Mean, line.bands[21].Mean)
	}
}

func TestSweepSettings(t *testing.T) {
	list := sweepSettings(4)
	if s := list[paperSetting]; s.method != hybridA || s.step != 1 || s.weight != 2 || s.share != 1 {
		t.Errorf("the paper's setting is %+v", s)
	}
	shares := make(map[string][]float64)
	for _, s := range list {
		if s.step <= 1 && s.weight <= violationWeight {
			shares[s.method] = append(shares[s.method], s.share)
		}
	}
	if got := shares[exactEM]; !slices.Equal(got, []float64{0, 0.25, 0.5, 0.75, 1}) {
		t.Errorf("shares of constrained variables %v", got)
	}
}
