package weigh

import (
	"context"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/experiments/run"
)

// An Opinion is the probability of a statement that the default average gives after the data, and whether it holds.
type Opinion struct {
	After float64
	Holds bool
}

// priorCauses are those of the truths that are drawn from the prior.
const priorCauses = 3

// The default prior of strengths: reliable sources, and poor ones.
const (
	likely, poor = 0.8, 0.2
	reliable     = 0.8
)

// computePrior draws, in each replicate, which of three influences a reliable or a poor source imposes, then a table
// uniformly among those in which these hold; a statement that is not imposed may hold by chance. It returns opinions by
// size.
func computePrior(ctx context.Context, job *run.Job, c Config) ([][]Opinion, error) {
	all := make([][][]Opinion, c.PriorDraws)
	err := job.Replicates(ctx, "truths from the prior", c.PriorDraws, func(replicate int, _ *rand.PCG) error {
		src := job.Source(priorStream, replicate)
		truth, holds, err := drawPrior(rand.New(src))
		if err != nil {
			return err
		}
		cases, err := data.Sample(truth, c.PriorSizes[len(c.PriorSizes)-1], src)
		if err != nil {
			return err
		}
		var statements []constraint.Constraint
		for i := range priorCauses {
			statements = append(statements, constraint.Influence{Parent: truth.Variable(i).Name, Child: "Y"})
		}
		s := &study{truth, priorCauses, statements, Config{}}
		for _, size := range c.PriorSizes {
			_, w, err := s.fit(ctx, averaged, cases.Head(size), src)
			if err != nil {
				return err
			}
			var some []Opinion
			for i, b := range w.Statements {
				some = append(some, Opinion{b.After, holds[i]})
			}
			all[replicate] = append(all[replicate], some)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	bySize := make([][]Opinion, len(c.PriorSizes))
	for _, replicate := range all {
		for i, some := range replicate {
			bySize[i] = append(bySize[i], some...)
		}
	}
	return bySize, nil
}

// drawPrior draws a truth, and says which influences hold in it.
func drawPrior(rng *rand.Rand) (*bn.Network, [priorCauses]bool, error) {
	var imposed, holds [priorCauses]bool
	strength := likely
	if rng.Float64() > reliable {
		strength = poor
	}
	for i := range imposed {
		imposed[i] = rng.Float64() < strength
	}
	net, err := causesNet(priorCauses)
	if err != nil {
		return nil, holds, err
	}
	t := net.CPT(priorCauses)
	for {
		for config := range t.Configs().Len() {
			p := rng.Float64()
			t.Row(config)[0], t.Row(config)[1] = 1-p, p
		}
		accepted := true
		for i := range imposed {
			holds[i] = isPositive(t, i)
			accepted = accepted && (holds[i] || !imposed[i])
		}
		if accepted {
			return net, holds, nil
		}
	}
}

// isPositive reports whether a binary parent raises the probability of the last state in each context.
func isPositive(t *bn.CPT, parent int) bool {
	stride := t.Configs().Stride(parent)
	for config := range t.Configs().Len() {
		if config/stride%2 == 0 && t.Row(config)[1] > t.Row(config + stride)[1] {
			return false
		}
	}
	return true
}

// A Bin are the opinions in an interval of probability.
type Bin struct {
	Low, High float64
	N         int
	Mean      float64 // of the probabilities
	Share     float64 // that hold
}

// bins of opinions.
const bins = 10

// binned sorts opinions by their probability.
func binned(list []Opinion) []Bin {
	out := make([]Bin, bins)
	for i := range out {
		out[i].Low, out[i].High = float64(i)/bins, float64(i+1)/bins
	}
	for _, o := range list {
		b := &out[min(bins-1, int(o.After*bins))]
		b.N++
		b.Mean += o.After
		if o.Holds {
			b.Share++
		}
	}
	for i := range out {
		if b := &out[i]; b.N > 0 {
			b.Mean, b.Share = b.Mean/float64(b.N), b.Share/float64(b.N)
		}
	}
	return out
}

// stderr is that of the share, if the mean of the probabilities is true.
func (b Bin) stderr() float64 { return math.Sqrt(b.Mean * (1 - b.Mean) / float64(b.N)) }
