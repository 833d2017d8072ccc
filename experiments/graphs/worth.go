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
	names := append(append([]string(nil), c.Networks...), simulated)
	var list []*Worth
	for k, name := range names {
		w := &Worth{Network: name}
		list = append(list, w)
		var net *bn.Network
		if name != simulated {
			var err error
			if net, w.Missing, err = openNetwork(ctx, name); err != nil {
				return nil, err
			}
			if w.Missing != nil {
				continue
			}
		}
		draws := make([]map[string][]Errors, c.Draws)
		err := job.Replicates(ctx, name, c.Draws, func(draw int, _ *rand.PCG) error {
			src := job.Source(networkStream+uint32(k), draw)
			var err error
			draws[draw], err = oneDraw(ctx, net, learners(name), c, src)
			return err
		})
		if err != nil {
			return nil, err
		}
		w.Of = make(map[string][][]Errors)
		for _, l := range learners(name) {
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

// oneDraw draws cases of a network, of a simulated one where it is nil, and learns from the first of them.
func oneDraw(ctx context.Context, net *bn.Network, names []string, c Config, src *rand.PCG) (map[string][]Errors,
	error) {
	rng := rand.New(src)
	var err error
	if net == nil {
		if net, err = drawNetwork(rng); err != nil {
			return nil, err
		}
	}
	s, err := newStudy(net, c.Orders, rng)
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
	for _, l := range names {
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

// worthInCases is what tiers are worth at a size, in arrowhead errors: the cases that none needs for as few.
func (w *Worth) worthInCases(sizes []int, size int) (n float64, found bool) {
	curve := make([]float64, len(sizes))
	for i := range sizes {
		curve[i] = w.at(none, arrowheads, i)
	}
	return equivalent(sizes, curve, w.at(tiers, arrowheads, size))
}
