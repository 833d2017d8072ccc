package timecourse

import (
	"context"
	"math"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// A setting is a variation of what W00 kept fixed (its Table 1 proposes it): the step
// size, the weight of the violation, and the share of the constrained variables, those that
// are the child of an influence, about which the learner is told.
type setting struct {
	method       string
	step, weight float64 // 0 where the method has none
	share        float64
	of           func([]constraint.Constraint) learn.Method
	flat         bool // from nearly uniform tables in place of random ones
}

// paperSetting is the place of hybridA as in the paper in [sweepSettings].
const paperSetting = 0

// sweepSettings lists the variations for a structure with that many constrained variables,
// one thing changed at a time.
func sweepSettings(constrained int) []setting {
	var list []setting
	a := func(step, weight, share float64) {
		list = append(list, setting{hybridA, step, weight, share, hybrid(false, weight, step),
			false})
	}
	a(1, violationWeight, 1)
	for _, step := range []float64{0.25, 0.5, 2, 4} {
		a(step, violationWeight, 1)
	}
	for _, weight := range []float64{0.5, 8} {
		a(1, weight, 1)
	}
	for _, weight := range []float64{0.5, 1, 2, 8} {
		list = append(list, setting{hybridB, 1, weight, 1, hybrid(true, weight, 1), false})
	}
	for _, weight := range []float64{0.5, 2, 8, 32, 128} {
		list = append(list, setting{softEM, 0, weight, 1, soft(weight), false})
	}
	for told := range constrained + 1 {
		share := float64(told) / float64(constrained)
		if told < constrained {
			a(1, violationWeight, share)
		}
		list = append(list, setting{exactEM, 0, 0, share, exact, false})
	}
	return append(list, setting{flatEM, 0, 0, 1, exact, true})
}

// A sweepOutcome is the average over the starts of a set.
type sweepOutcome struct {
	train, test, violation float64
	// shift is the largest difference between a table entry and the same one at
	// [paperSetting].
	shift float64
}

// vary learns under every setting. Where only a share of the variables is told about, it
// depends on the set which: neighbours in the order of the influences, the first of them
// moving on from set to set.
func (b *subject) vary(ctx context.Context, c Config) ([]sweepOutcome, error) {
	children := b.children()
	settings := sweepSettings(len(children))
	out := make([]sweepOutcome, len(settings))
	for start := range c.SweepStarts {
		var paper []float64
		for i, s := range settings {
			told := int(math.Round(s.share * float64(len(children))))
			var statements []constraint.Constraint
			for k := range told {
				statements = append(statements, b.statements(children[(b.set+k)%len(children)])...)
			}
			begin := b.from
			if s.flat {
				begin = b.flat
			}
			o, err := b.run(ctx, s.of(statements), begin(start, c.Iterations), likelihood,
				func(int) bool { return false })
			if err != nil {
				return nil, err
			}
			if i == paperSetting {
				paper = o.theta
			}
			for cell, x := range o.theta {
				out[i].shift = max(out[i].shift, math.Abs(x-paper[cell]))
			}
			out[i].train += o.train / float64(c.SweepStarts)
			out[i].test += o.test / float64(c.SweepStarts)
			out[i].violation += o.violation / float64(c.SweepStarts)
		}
	}
	return out, nil
}
