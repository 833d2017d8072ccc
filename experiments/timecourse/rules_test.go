package timecourse

import (
	"context"
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// bundles are courses at the iterations that every course has a point for, from 0 to 30.
func bundles(of func(set, iteration int) float64) bundle {
	c := bundle{sets: make([][]float64, 6)}
	for i := range 31 {
		if !followed(i) {
			continue
		}
		c.iterations = append(c.iterations, i)
		for set := range c.sets {
			c.sets[set] = append(c.sets[set], of(set, i))
		}
	}
	return c
}

// noise differs by set and has the mean 0.
func noise(set int) float64 { return float64(set) - 2.5 }

// TestCourseRules: for each rule about courses, data for which it says yes, no, and that it cannot be told.
func TestCourseRules(t *testing.T) {
	flat := func(level, spread float64) bundle {
		return bundles(func(set, _ int) float64 { return level + spread*noise(set) })
	}
	valley := func(bottom int, rise, spread float64) bundle { // falls to a bottom, then rises
		return bundles(func(set, i int) float64 {
			if i < bottom {
				return 10 - float64(i)
			}
			return 10 - float64(bottom) + (rise+spread*noise(set))*float64(i-bottom)
		})
	}
	above := func(d, spread float64) func(set, i int) float64 { // above 5 at first, below later
		return func(set, i int) float64 {
			if i < 5 {
				return 5 + d + spread*noise(set)
			}
			return 5 - d - spread*noise(set)
		}
	}
	half := bundles(func(set, i int) float64 { // the best iteration is 7 in half of the sets
		if i == 7 && set%2 == 0 || i == 20 && set%2 == 1 {
			return 0
		}
		return 1
	})
	bumps := bundles(func(set, i int) float64 { // where the others are best, each is worst
		switch {
		case i == set+1:
			return 5
		case i > 0 && i <= 6:
			return -1
		}
		return 0
	})
	inMost := func(c bundle) []float64 {
		halves, _ := c.mostly(5, 10)
		return halves
	}
	still := func(of func(set int) float64) []float64 { // violations after renaming, the limit being 1
		s := &study{maximum: 100}
		for set := range 6 {
			s.aligned = append(s.aligned, []float64{of(set), of(set + 1)})
		}
		_, most := s.renamed()
		return most
	}
	one := func(d []float64) []run.Comparison { return []run.Comparison{{Differences: d}} }
	for _, tt := range []struct {
		name            string
		yes, no, untold []run.Comparison
	}{
		{"not for all", one(still(func(int) float64 { return 2 })), one(still(func(int) float64 { return .5 })),
			one(still(func(set int) float64 { return float64(set / 2 % 2 * 2) }))},
		{"eliminated", one(flat(1, .1).eliminated(2, few)), one(flat(3, .1).eliminated(2, few)),
			one(flat(2.1, 5).eliminated(2, few))},
		{"crossing", bundles(above(1, .1)).crossing(flat(5, 0), 10), bundles(above(-1, .1)).crossing(flat(5, 0), 10),
			bundles(above(.1, 5)).crossing(flat(5, 0), 10)},
		{"between the 5th and the 10th", one(inMost(valley(7, 1, 0))), one(inMost(valley(3, 1, 0))), one(inMost(half))},
		{"loses less", one(less(valley(7, 1, .1).rises(), valley(7, .5, .1).rises())),
			one(less(valley(7, .5, .01).rises(), valley(7, 1, .1).rises())),
			one(less(valley(7, .5, .1).rises(), valley(7, .5, -.1).rises()))},
		{"overfitting", one(valley(7, 1, .1).later()), one(bumps.later()), one(valley(7, .01, 5).later())},
	} {
		_, claims := runtest.Execute(t, runtest.With(Experiment{}, struct{}{}, func(_ context.Context, job *run.Job,
			_ struct{}) error {
			for _, parts := range [][]run.Comparison{tt.yes, tt.no, tt.untold} {
				job.CompareAll(run.Statement{Claim: "c", Source: "s", Data: run.Simulated,
					Prediction: run.PredictUnknown}, "", parts...)
			}
			return nil
		}), 1)
		for i, want := range []run.Verdict{run.Yes, run.No, run.NotJudged} {
			if claims[i].Holds != want {
				t.Errorf("%s: %s (%s), want %s", tt.name, claims[i].Holds, claims[i].Ours, want)
			}
		}
	}
}
