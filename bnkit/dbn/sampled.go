package dbn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// Sampled are series whose expected counts are estimated by likelihood weighting, as R95 §7
// does it: for each series N samples of all slices are drawn forward, observed cells keep
// their values and give the sample its weight w, and the counts are
//
//	n(cell) = Σ over series  Σ w·(slices of the sample in the state of the cell) / Σ w,
//
// with the log-likelihood Σ over series log(Σ w / N). Both are consistent, not unbiased.
//
// The same samples, in the sense of the same random numbers, serve every call until
// [Sampled.SetSamples], so that objectives at two points of a line search can be compared. Few
// samples do while gradients are large, and more are needed as they shrink:
//
//	set.Progress = func(p learn.Progress) { c.SetSamples(…) }
//
// [learn.APN] then evaluates where it is again, and begins its search anew from there, so that
// drawing at each iteration makes of it a gradient ascent without memory. The objective may fall
// from one version of the samples to the next, ends of several starts are compared as each was
// estimated, and LogLikelihood of the Result is on the last samples, which are not those of the
// last step of the trace.
//
// Samples do not look ahead at what is observed later, so that their weights spread out
// exponentially with the length of the series: on long ones a single sample has all the weight,
// and the estimates are worth nothing. [Cases] are exact, and faster unless slices are wide.
type Sampled struct {
	*observed
	samples int
	rng     *rand.Rand
	seed    uint64
	version uint64
}

var _ learn.Cases = (*Sampled)(nil)

// Sampled returns series that are sampled with the given number of samples each. Of the network the
// structure is used, and the parameters of linear-Gaussian nodes, which need not be observed. It
// returns an error when samples is not positive, for a nil src ([bn.ErrNoSource]), a node that
// is not valid or has no density where it is observed ([infer.ErrNoDensity]), and the errors of
// [Network.Cases] about columns.
func (n *Network) Sampled(s *Series, samples int, src rand.Source) (*Sampled, error) {
	if src == nil {
		return nil, fmt.Errorf("dbn: %w", bn.ErrNoSource)
	}
	if err := s.plain(); err != nil {
		return nil, err
	}
	o, err := n.observe(s)
	if err != nil {
		return nil, err
	}
	if err := n.two.Validate(); err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	o.net = n.Clone()
	for v := range o.net.vars {
		for slice := range o.net.table {
			g := o.net.two.Gaussian(o.net.table[slice][v])
			if g != nil && o.values[v] != nil && slices.Min(g.Variance) == 0 {
				return nil, say.Errorf("dbn: %w: %q is observed; give it a variance, or fit with a VarianceFloor",
					infer.ErrNoDensity, g.Child.Name)
			}
		}
	}
	c := &Sampled{observed: o, rng: rand.New(src)}
	return c, c.SetSamples(samples)
}

// SetSamples sets the number of samples for each series and draws them anew. It returns an
// error when that is not positive.
func (c *Sampled) SetSamples(samples int) error {
	if samples < 1 {
		return fmt.Errorf("dbn: %d samples for each series; there must be at least one", samples)
	}
	c.samples, c.seed = samples, c.rng.Uint64()
	c.version++
	return nil
}

// Version counts the calls of SetSamples.
func (c *Sampled) Version() uint64 { return c.version }

// Samples is the number of samples for each series.
func (c *Sampled) Samples() int { return c.samples }

// Expect adds to n the estimated counts under theta and returns the estimated log-likelihood. It
// returns an error that wraps [infer.ErrNoSample] and names the series of which no sample has
// any weight: it is impossible, or too rare for so few samples.
func (c *Sampled) Expect(n, theta []float64) (loglik float64, err error) {
	if err := c.fits(len(n)); err != nil {
		return 0, err
	}
	return c.run(n, theta)
}

// LogLikelihood returns the log-likelihood that Expect does.
func (c *Sampled) LogLikelihood(theta []float64) (float64, error) { return c.run(nil, theta) }

func (c *Sampled) run(n, theta []float64) (float64, error) {
	if err := c.fits(len(theta)); err != nil {
		return 0, err
	}
	longest := 0
	for i := range c.series.Len() {
		longest = max(longest, c.series.Length(i))
	}
	w := c.net.walk(longest, theta, nil)
	weighted := make([]float64, len(n))
	loglik := 0.0
	for i := range c.series.Len() {
		w.rng = rand.New(rand.NewPCG(c.seed, uint64(i)))
		clear(weighted)
		high, sum := math.Inf(-1), 0.0 // weights are multiples of exp(high)
		for range c.samples {
			logWeight := c.sample(w, i)
			if math.IsInf(logWeight, -1) {
				continue
			}
			if logWeight > high {
				scale := math.Exp(high - logWeight)
				sum *= scale
				for cell := range weighted {
					weighted[cell] *= scale
				}
				high = logWeight
			}
			weight := math.Exp(logWeight - high)
			sum += weight
			if n != nil {
				c.count(weighted, weight, w, c.series.Length(i))
			}
		}
		if !(sum > 0) {
			return 0, say.Errorf("dbn: series %q: %w (%d samples)", c.series.names[i], infer.ErrNoSample, c.samples)
		}
		loglik += high + math.Log(sum/float64(c.samples))
		for cell, x := range weighted {
			n[cell] += x / sum
		}
	}
	return loglik, nil
}

// sample draws a series and returns the logarithm of its weight.
func (c *Sampled) sample(w *walk, i int) float64 {
	e := &evidence{c.observed, c.series.start[i]}
	logWeight := 0.0
	for t := range c.series.Length(i) {
		logWeight += w.draw(t, e)
		if math.IsInf(logWeight, -1) {
			break
		}
	}
	return logWeight
}

// count adds a weight for the families of a sample.
func (c *Sampled) count(n []float64, weight float64, w *walk, length int) {
	for t := range length {
		for v := range c.net.vars {
			if f := &c.net.families[min(t, 1)][v]; f.card > 0 {
				n[f.lo+f.config(w.states, t)*f.card+int(w.states[v][t])] += weight
			}
		}
	}
}
