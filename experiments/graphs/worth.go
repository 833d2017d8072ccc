package graphs

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/experiments/run"
)

// A Worth is what the learners make of one network, or of simulated ones.
type Worth struct {
	Network string
	Missing error // why there is no network, and nothing below
	// Of are the errors by learner, size and draw.
	Of map[string][][]Errors
}

// Measures of errors, by which Worth.values picks.
const (
	skeleton   = "skeleton errors"
	arrowheads = "arrowhead errors"
	held       = "held-out log score"
)

func (e Errors) of(measure string) float64 {
	switch measure {
	case skeleton:
		return e.Skeleton
	case arrowheads:
		return e.Arrowheads
	}
	return e.HeldOut
}

// values are a measure by draw.
func (w *Worth) values(learner, measure string, size int) []float64 {
	var list []float64
	for _, e := range w.Of[learner][size] {
		list = append(list, e.of(measure))
	}
	return list
}

// at is the mean of a measure.
func (w *Worth) at(learner, measure string, size int) float64 {
	return stat.Mean(w.values(learner, measure, size), nil)
}

// computeWorth learns each network, and simulated ones, from nested sets of cases.
func computeWorth(ctx context.Context, job *run.Job, c Config) ([]*Worth, error) {
	names := append(append([]string(nil), c.Networks...), simulated, simulatedCauses)
	var list []*Worth
	for k, name := range names {
		w := &Worth{Network: name}
		list = append(list, w)
		draw := drawNetwork
		switch name {
		case simulated:
		case simulatedCauses:
			draw = drawCauses
		default:
			net, missing, err := openNetwork(ctx, name)
			if err != nil {
				return nil, err
			}
			if w.Missing = missing; missing != nil {
				job.LacksData(missing)
				continue
			}
			draw = func(*rand.Rand) (*bn.Network, error) { return net, nil }
		}
		draws := make([]map[string][]Errors, c.Draws)
		err := job.Replicates(ctx, name, c.Draws, func(replicate int, _ *rand.PCG) error {
			src := job.Source(networkStream+uint32(k), replicate)
			other := rand.New(job.Source(falseStream+uint32(k), replicate))
			var err error
			draws[replicate], err = oneDraw(ctx, name, draw, c, src, other)
			return err
		})
		if err != nil {
			return nil, err
		}
		w.Of = make(map[string][][]Errors)
		for _, l := range learners(name) {
			if draws[0][l] == nil {
				continue
			}
			w.Of[l] = make([][]Errors, len(c.Sizes))
			for i := range c.Sizes {
				for _, d := range draws {
					w.Of[l][i] = append(w.Of[l][i], d[l][i])
				}
			}
		}
	}
	return list, nil
}

// oneDraw draws a network and cases of it, and learns from the first of them. A learner of a published network that has
// nothing to believe is left out.
func oneDraw(ctx context.Context, name string, draw func(*rand.Rand) (*bn.Network, error), c Config, src *rand.PCG,
	other *rand.Rand) (map[string][]Errors, error) {
	rng := rand.New(src)
	net, err := draw(rng)
	if err != nil {
		return nil, err
	}
	s, err := newStudy(net, c.Orders, rng, other)
	if err != nil {
		return nil, err
	}
	cases, err := data.Sample(net, c.Sizes[len(c.Sizes)-1], src)
	if err != nil {
		return nil, err
	}
	test, err := data.Sample(net, c.Test, src)
	if err != nil {
		return nil, err
	}
	of := make(map[string][]Errors)
	for _, l := range learners(name) {
		if name != simulatedCauses && !s.believes(l) {
			continue
		}
		for _, n := range c.Sizes {
			e, err := s.judge(ctx, l, cases.Head(n), test)
			if err != nil {
				return nil, err
			}
			of[l] = append(of[l], e)
		}
	}
	return of, nil
}

// between is what lies on a line through values at two sizes, over the logarithm of the number of cases.
func between(n, n1, n2, y1, y2 float64) float64 {
	return y1 + (y2-y1)*math.Log(n/n1)/math.Log(n2/n1)
}

// equivalent is the number of cases at which the mean curve of errors first comes down to an error, and whether it
// does within the sizes. Between sizes the curve is straight over the logarithm of the number of cases.
func equivalent(sizes []int, curve []float64, e float64) (n float64, found bool) {
	for i, y := range curve {
		if y > e {
			continue
		}
		if i == 0 {
			return float64(sizes[0]), false
		}
		n1, n2 := float64(sizes[i-1]), float64(sizes[i])
		return n1 * math.Exp(math.Log(n2/n1)*(curve[i-1]-e)/(curve[i-1]-y)), true
	}
	return float64(sizes[len(sizes)-1]), false
}

// knowing are the learners whose knowledge is true; what it is worth in cases is told of these.
var knowing = []string{tiers, signs, both, sharing, noisyOR, several, grouped}

// A Price is what knowledge is worth at a size: the cases that none needs for an error as small. The band is over
// draws, each by the mean curve of none and the difference to none in the same draw; it ends at the sizes themselves.
type Price struct {
	Cases, Low, High float64
	Reached          bool // within the sizes
}

// price is that of a learner's knowledge in a measure.
func (w *Worth) price(sizes []int, learner, measure string, size int) Price {
	sign := 1.0
	if measure == held {
		sign = -1
	}
	curve := make([]float64, len(sizes))
	for i := range sizes {
		curve[i] = sign * w.at(none, measure, i)
	}
	var p Price
	p.Cases, p.Reached = equivalent(sizes, curve, sign*w.at(learner, measure, size))
	var each []float64
	for _, d := range over(w.values(learner, measure, size), w.values(none, measure, size)) {
		n, _ := equivalent(sizes, curve, curve[size]+sign*d)
		each = append(each, n)
	}
	b := run.NewBand(each)
	p.Low, p.High = b.P05, b.P95
	return p
}
