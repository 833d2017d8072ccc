package apn

import (
	"context"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
)

// The networks of R95 Figure 2: inputs and outputs have three values, H has two.
const (
	hiddenModel = "[I1][I2][I3][H|I1:I2:I3][O1|H][O2|H][O3|H]"          // 3-1-3
	directModel = "[I1][I2][I3][O1|I1:I2:I3][O2|I1:I2:I3][O3|I1:I2:I3]" // 3-3
)

var firstInputs, firstOutputs = [...]string{"I1", "I2", "I3"}, [...]string{"O1", "O2", "O3"}

// figure2 returns a network of Figure 2.
func figure2(model string) (*bn.Network, error) {
	var vars []bn.Variable
	for _, name := range append(firstInputs[:], firstOutputs[:]...) {
		vars = append(vars, bn.Discrete(name, "1", "2", "3"))
	}
	if model == hiddenModel {
		vars = append(vars, bn.Discrete("H", "no", "yes"))
	}
	return bn.New(model, vars...)
}

// ThreeOneThree returns the network of Figure 2(a), with uniform tables.
func ThreeOneThree() (*bn.Network, error) { return figure2(hiddenModel) }

// ThreeThree returns the network of Figure 2(b), with uniform tables.
func ThreeThree() (*bn.Network, error) { return figure2(directModel) }

// Names of the curves of Figure 4.
const (
	hiddenName      = "APN 3-1-3"
	hiddenPriorName = "APN 3-1-3, one pseudocount per cell"
	directName      = "APN 3-3"
)

// fitted is a learner that fits the tables of a network.
func fitted(name string, net *bn.Network, sizes []int, starts int, method learn.Method) learner {
	return learner{name: name, sizes: sizes, err: func(ctx context.Context, s *scene,
		cases *sample, src *rand.PCG) (float64, error) {
		fit, err := learn.Fit(ctx, net, cases.table, method, settings(src, net, starts))
		if err != nil {
			return 0, err
		}
		return s.networkError(fit.Net)
	}}
}

// A start ends after so many iterations, or when the log-likelihood changes by less than
// this fraction of itself.
const (
	maxIterations = 500
	tolerance     = 1e-7
)

// settings are those of a fit of net whose random starts go on in the stream src. It draws from src what they
// draw, so that the fits of one learner to more and more cases draw one after another.
func settings(src *rand.PCG, net *bn.Network, starts int) *learn.Settings {
	seed, at := run.State(src)
	set := &learn.Settings{Workers: 1, Starts: starts, Seed: seed, Stream: at,
		MaxIterations: maxIterations, Tolerance: tolerance}
	rng := rand.New(src)
	for range starts * net.Layout().Len() {
		rng.ExpFloat64()
	}
	return set
}

// firstScene draws tables for the network of Figure 2(a).
func firstScene(rng *rand.Rand) (*scene, error) {
	truth, err := ThreeOneThree()
	if err != nil {
		return nil, err
	}
	drawTables(truth, rng)
	test, weight, err := jointStates(truth, firstInputs[:])
	if err != nil {
		return nil, err
	}
	return newScene(truth, firstInputs[:], firstOutputs[:], test, weight)
}

// first is the experiment of R95 Figure 4. A replicate is a truth and a sample from it.
func first(ctx context.Context, job *run.Job, c First) (Curves, []float64, error) {
	hidden, err := ThreeOneThree()
	if err != nil {
		return nil, nil, err
	}
	direct, err := ThreeThree()
	if err != nil {
		return nil, nil, err
	}
	learners := []learner{
		fitted(hiddenName, hidden, c.Sizes, c.Starts, ascent),
		fitted(hiddenPriorName, hidden, c.Sizes, c.Starts, ascentWithPrior),
		fitted(directName, direct, c.Sizes, 1, ascent), // all is observed: one maximum
		neural(c.Sizes, c.Folds, c.Hidden),
		proportions(c.Sizes),
		stopped(stoppedHiddenName, hidden, c.Sizes, c.Starts),
	}
	curves, spread := newCurves(learners, c.Draws), make([]float64, c.Draws)
	err = job.Replicates(ctx, "3-1-3", c.Draws, func(replicate int, src *rand.PCG) error {
		s, err := firstScene(rand.New(src))
		if err != nil {
			return err
		}
		spread[replicate] = s.spread()
		complete, err := data.Sample(s.truth, c.Sizes[len(c.Sizes)-1], src)
		if err != nil {
			return err
		}
		cases, err := s.newSample(complete)
		if err != nil {
			return err
		}
		return curves.learn(ctx, s, cases, learners, replicate,
			func(k int) *rand.PCG { return job.Source(firstStream+uint32(k), replicate) })
	})
	return curves, spread, err
}
