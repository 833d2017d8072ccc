package apn

import (
	"context"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/experiments/apn/baseline"
	"bnlab/experiments/run"
)

// A learner goes from cases to an error; it is one curve of a figure.
type learner struct {
	name  string
	sizes []int
	err   errorOf
	begin func() errorOf // in place of err: a function for each replicate, which may remember
}

// An errorOf learns from cases and returns the error.
type errorOf func(ctx context.Context, s *scene, cases *sample, src *rand.PCG) (float64, error)

// A Curve is the error of one learner.
type Curve struct {
	Name   string
	Sizes  []int       // training cases
	Errors [][]float64 // by size and replicate
}

// Curves are those of one figure.
type Curves []*Curve

func newCurves(learners []learner, replicates int) Curves {
	var c Curves
	for _, l := range learners {
		c = append(c, newCurve(l.name, l.sizes, replicates))
	}
	return c
}

func newCurve(name string, sizes []int, replicates int) *Curve {
	c := &Curve{Name: name, Sizes: sizes, Errors: make([][]float64, len(sizes))}
	for i := range c.Errors {
		c.Errors[i] = make([]float64, replicates)
	}
	return c
}

// learn fills in one replicate: every learner learns from the prefixes of one sample, each with
// random numbers of its own.
func (c Curves) learn(ctx context.Context, s *scene, cases *sample, learners []learner, replicate int,
	src func(learner int) *rand.PCG) error {
	for k, l := range learners {
		random, learn := src(k), l.err
		if l.begin != nil {
			learn = l.begin()
		}
		for i, size := range l.sizes {
			var err error
			if c[k].Errors[i][replicate], err = learn(ctx, s, cases.head(size), random); err != nil {
				return err
			}
		}
	}
	return nil
}

// Of returns the curve of that name, nil when there is none.
func (c Curves) Of(name string) *Curve {
	for _, one := range c {
		if one.Name == name {
			return one
		}
	}
	return nil
}

// Mean is the mean error by size.
func (c *Curve) Mean() []float64 {
	mean := make([]float64, len(c.Sizes))
	for i, errors := range c.Errors {
		mean[i] = run.NewBand(errors).Mean
	}
	return mean
}

// At is the mean error at a size; the size must be one of the curve's.
func (c *Curve) At(size int) float64 {
	for i, n := range c.Sizes {
		if n == size {
			return run.NewBand(c.Errors[i]).Mean
		}
	}
	panic("apn: no such size")
}

// Reaches is the first size at which the mean error is at most so large, 0 for none.
func (c *Curve) Reaches(most float64) int {
	for i, mean := range c.Mean() {
		if mean <= most {
			return c.Sizes[i]
		}
	}
	return 0
}

// fixed makes a learner of a predictor without random numbers.
func fixed(name string, sizes []int, train func(c *baseline.Cases) baseline.Predictor) learner {
	return learner{name: name, sizes: sizes, err: func(_ context.Context, s *scene,
		cases *sample, _ *rand.PCG) (float64, error) {
		return s.meanSquaredError(baseline.PredictAll(train(cases.rows.Cases(nil)), cases.rows.Out, s.x)), nil
	}}
}

// chosen makes a learner that chooses among candidates by cross-validation.
func chosen(name string, sizes []int, folds, candidates int, train func(c *baseline.Cases, candidate int,
	src rand.Source) (baseline.Predictor, error)) learner {
	return learner{name: name, sizes: sizes, err: func(_ context.Context, s *scene,
		cases *sample, src *rand.PCG) (float64, error) {
		parts, err := cases.table.Folds(min(folds, cases.table.Rows()), src)
		if err != nil {
			return 0, err
		}
		best, err := baseline.Choose(cases.rows, parts, candidates, func(c *baseline.Cases, k int) (baseline.Predictor,
			error) {
			return train(c, k, src)
		})
		if err != nil {
			return 0, err
		}
		p, err := train(cases.rows.Cases(nil), best, src)
		if err != nil {
			return 0, err
		}
		return s.meanSquaredError(baseline.PredictAll(p, cases.rows.Out, s.x)), nil
	}}
}

// neural is the neural network with the number of hidden nodes chosen among some.
func neural(sizes []int, folds int, hidden []int) learner {
	return chosen(neuralName, sizes, folds, len(hidden),
		func(c *baseline.Cases, k int, src rand.Source) (baseline.Predictor, error) {
			return baseline.TrainNeural(c, hidden[k], 0, src)
		})
}

// decayed is the neural network with the number of hidden nodes, at least one, and the weight decay chosen
// together.
func decayed(sizes []int, folds int, hidden []int, decays []float64) learner {
	hidden = slices.DeleteFunc(slices.Clone(hidden), func(nodes int) bool { return nodes == 0 })
	return chosen(decayedName, sizes, folds, len(hidden)*len(decays),
		func(c *baseline.Cases, k int, src rand.Source) (baseline.Predictor, error) {
			return baseline.TrainNeural(c, hidden[k/len(decays)], decays[k%len(decays)], src)
		})
}

// proportions are those of the outputs in the training cases.
func proportions(sizes []int) learner {
	return fixed(proportionsName, sizes, func(c *baseline.Cases) baseline.Predictor {
		return baseline.TrainProportions(
			c)
	})
}

// Names of curves.
const (
	neuralName      = "neural network"
	decayedName     = "neural network, weight decay, at least one hidden node"
	proportionsName = "output proportions"
)

// drawTables gives every row of every table a distribution drawn uniformly from all.
func drawTables(net *bn.Network, rng *rand.Rand) {
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			row, total := t.Row(config), 0.0
			for i := range row {
				row[i] = rng.ExpFloat64()
				total += row[i]
			}
			for i := range row {
				row[i] /= total
			}
		}
	}
}
