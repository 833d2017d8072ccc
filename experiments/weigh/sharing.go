package weigh

import (
	"context"
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/learn/sharing"
	"bnlab/bnkit/metric"
	"bnlab/experiments/run"
	n06 "bnlab/experiments/sharing"
)

// picked is sharing by the Bayes factor.
const picked = "picked"

// Sharing is the divergence of estimates from truths of one kind, in nats, by learner, size and replicate.
type Sharing struct {
	Truth string
	KL    map[string][][]float64
}

// The truths of sharing.
const (
	n06Truth = "N06, 50 states"
	eight    = "no sharing, 8 states"
	fifty    = "no sharing, 50 states"
)

// shares are the learners of sharing.
var shares = []string{none, picked, averaged}

// computeSharing estimates one distribution, of which some states may be equally probable, on truths of three kinds:
// N06's, and distributions that are drawn uniformly.
func computeSharing(ctx context.Context, job *run.Job, c Config) ([]*Sharing, error) {
	var list []*Sharing
	for kind, truth := range []string{n06Truth, eight, fifty} {
		s := &Sharing{Truth: truth, KL: make(map[string][][]float64)}
		for _, l := range shares {
			for range c.SharingSizes {
				s.KL[l] = append(s.KL[l], make([]float64, c.SharingReplicates))
			}
		}
		list = append(list, s)
		err := job.Replicates(ctx, "sharing: "+truth, c.SharingReplicates, func(replicate int, _ *rand.PCG) error {
			src := job.Source(sharingStream, kind*c.SharingReplicates+replicate)
			net, err := shareTruth(truth, rand.New(src))
			if err != nil {
				return err
			}
			sample, err := data.Sample(net, c.SharingSizes[len(c.SharingSizes)-1], src)
			if err != nil {
				return err
			}
			for i, size := range c.SharingSizes {
				counts, err := sample.Head(size).Count(net, &data.CountOptions{Workers: 1})
				if err != nil {
					return err
				}
				for _, l := range shares {
					if s.KL[l][i][replicate], err = divergence(ctx, l, net, counts, src); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// shareTruth draws a distribution.
func shareTruth(kind string, rng *rand.Rand) (*bn.Network, error) {
	m := 50
	switch kind {
	case n06Truth:
		net, _, err := n06.DrawTruth(n06.Paper(), rng)
		return net, err
	case eight:
		m = 8
	}
	var states []string
	for i := range m {
		states = append(states, fmt.Sprint(i+1))
	}
	net, err := bn.New("[X]", bn.Discrete("X", states...))
	if err != nil {
		return nil, err
	}
	row, sum := net.CPT(0).Row(0), 0.0
	for i := range row {
		row[i] = rng.ExpFloat64()
		sum += row[i]
	}
	for i := range row {
		row[i] /= sum
	}
	return net, nil
}

// divergence of the estimate of a learner, all with a Dirichlet count of one for each state.
func divergence(ctx context.Context, learner string, truth *bn.Network, counts *data.Counts, src *rand.PCG) (float64,
	error) {
	seed, _ := run.State(src)
	var m learn.Method = learn.PosteriorMean{}
	switch learner {
	case picked:
		found, err := sharing.GroupStates(ctx, truth, counts, "X", nil, nil)
		if err != nil {
			return 0, err
		}
		m = learn.MAP{Pseudocount: 1, Constraints: found.Statements} // the mean, if a group counts as its states
	case averaged:
		m = learn.AveragedSharing{States: true, Seed: seed}
	}
	compiled, err := learn.Compile(truth, m)
	if err != nil {
		return 0, err
	}
	fit, err := compiled.Fit(counts, nil)
	if err != nil {
		return 0, err
	}
	return metric.NetworkKL(truth, fit.Net)
}
