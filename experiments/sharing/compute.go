package sharing

import (
	"context"
	"math"
	"math/rand/v2"
	"sort"

	"bnlab/bnkit/bn"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Curves are the results of all replicates.
type Curves struct {
	Config Config
	// STBN and PDKBN are KL(T, model) in nats by replicate and training set;
	// entry n−1 is for n examples.
	STBN, PDKBN [][]float64
	// Equivalent is, by replicate, the first size at which STBN's KL reaches
	// PDKBN's at n examples (entry n−1); +Inf where Config.Search examples are not
	// enough.
	Equivalent [][]float64
}

// Compute draws the replicates. Only the job's seed and workers matter; the
// result does not depend on the workers.
func Compute(ctx context.Context, job *run.Job, c Config) (*Curves, error) {
	if c.Search < c.Examples || c.Shared > c.States || c.MaxPlaces < 2 || c.Replicates < 1 || c.Every < 1 {
		return nil, say.Errorf("sharing: the configuration %+v makes no sense", c)
	}
	r := &Curves{Config: c, STBN: make([][]float64, c.Replicates), PDKBN: make([][]float64, c.Replicates),
		Equivalent: make([][]float64, c.Replicates)}
	err := job.Replicates(ctx, "draw and learn", c.Replicates, func(replicate int, src *rand.PCG) error {
		stbn, pdkbn, err := replicateCurves(c, src)
		if err != nil {
			return err
		}
		r.STBN[replicate], r.PDKBN[replicate] = append([]float64(nil), stbn[:c.Examples]...), pdkbn
		r.Equivalent[replicate] = equivalents(stbn, pdkbn)
		return nil
	})
	return r, err
}

// replicateCurves draws one T and one sample from it, and learns from each prefix:
// STBN up to Search examples, PDKBN up to Examples.
func replicateCurves(c Config, src rand.Source) (stbn, pdkbn []float64, err error) {
	t := drawTruth(c, rand.New(src))
	net, err := t.network()
	if err != nil {
		return nil, nil, err
	}
	sampler, err := net.Sampler(src)
	if err != nil {
		return nil, nil, err
	}
	free, err := newModel(net)
	if err != nil {
		return nil, nil, err
	}
	tied, err := newModel(net, t.statement())
	if err != nil {
		return nil, nil, err
	}
	stbn, pdkbn = make([]float64, c.Search), make([]float64, c.Examples)
	example := make([]bn.State, 1)
	for i := range stbn {
		sampler.Draw(example, nil)
		free.add(example[0])
		if stbn[i], err = free.divergence(t.p); err != nil {
			return nil, nil, err
		}
		if i >= c.Examples {
			continue
		}
		tied.add(example[0])
		if pdkbn[i], err = tied.divergence(t.p); err != nil {
			return nil, nil, err
		}
		for _, r := range table1 {
			if r.examples == i+1 {
				if err := free.check(); err != nil {
					return nil, nil, err
				}
				if err := tied.check(); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	return stbn, pdkbn, nil
}

// equivalents returns, for each entry of pdkbn, the first size at which stbn is
// as low; +Inf where it never is.
func equivalents(stbn, pdkbn []float64) []float64 {
	lowest := make([]float64, len(stbn)) // of the first n sizes
	low := math.Inf(1)
	for i, kl := range stbn {
		low = min(low, kl)
		lowest[i] = low
	}
	sizes := make([]float64, len(pdkbn))
	for i, kl := range pdkbn {
		at := sort.Search(len(lowest), func(n int) bool { return lowest[n] <= kl })
		sizes[i] = float64(at + 1)
		if at == len(lowest) {
			sizes[i] = math.Inf(1)
		}
	}
	return sizes
}
