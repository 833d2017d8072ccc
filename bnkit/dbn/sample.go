package dbn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/factor"
	"bnlab/internal/say"
)

// Sample draws complete series of the given lengths by forward sampling. They are called 1,
// 2, …, and their times begin at 0. The same source gives the same series, and the first of
// more series are the same. [Series.Keep] hides variables. It returns an error for a length
// below 1, no series, more than 1e8 cells, a nil src ([bn.ErrNoSource]) and a distribution that
// is not valid.
func (n *Network) Sample(lengths []int, src rand.Source) (*Series, error) {
	if n == nil || n.structure == nil {
		return nil, errNoNetwork
	}
	if src == nil {
		return nil, fmt.Errorf("dbn: sample: %w", bn.ErrNoSource)
	}
	if err := n.two.Validate(); err != nil {
		return nil, say.Errorf("dbn: sample: %w", err)
	}
	if len(lengths) == 0 {
		return nil, errors.New("dbn: no lengths: give one for each series")
	}
	total, longest := 0, 0
	for i, length := range lengths {
		if length < 1 || length > maxCells/(len(n.vars)+2)-total {
			return nil, fmt.Errorf("dbn: a sample with series %d of length %d; lengths are at least 1, and a sample "+
				"has at most %d cells", i+1, length, maxCells)
		}
		total, longest = total+length, max(longest, length)
	}
	cols := []data.Column{{Var: bn.Continuous("series")}, {Var: bn.Continuous("time")}}
	for _, v := range n.vars {
		cols = append(cols, data.Column{Var: v})
	}
	w := n.walk(longest, tables(n.two), rand.New(src))
	for i, length := range lengths {
		for t := range length {
			w.draw(t, nil)
			cols[0].Values, cols[1].Values = append(cols[0].Values, float64(i+1)), append(cols[1].Values, float64(t))
			for v, variable := range n.vars {
				if c := &cols[2+v]; variable.IsDiscrete() {
					c.States = append(c.States, w.states[v][t])
				} else {
					c.Values = append(c.Values, w.values[v][t])
				}
			}
		}
	}
	t, err := data.New(cols...)
	if err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	s, err := NewSeries(t, nil)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// A walk draws the slices of a series one after another. Cells are by variable and slice.
type walk struct {
	net    *Network
	theta  []float64
	gauss  [2][]*bn.LinearGaussian // by slice, first or later, and variable
	rng    *rand.Rand
	states [][]bn.State
	values [][]float64
	x      []float64
}

func (n *Network) walk(length int, theta []float64, rng *rand.Rand) *walk {
	w := &walk{net: n, theta: theta, rng: rng, states: make([][]bn.State, len(n.vars)),
		values: make([][]float64, len(n.vars))}
	for slice := range w.gauss {
		for v := range n.vars {
			w.gauss[slice] = append(w.gauss[slice], n.two.Gaussian(n.table[slice][v]))
		}
	}
	for v, variable := range n.vars {
		if variable.IsDiscrete() {
			w.states[v] = make([]bn.State, length)
		} else {
			w.values[v] = make([]float64, length)
		}
	}
	return w
}

// evidence are the observed cells of a series that begins at a slice of o.
type evidence struct {
	*observed
	start int
}

// draw draws slice t given the one before. What e has seen keeps its value, and the logarithm
// of its probability, or density, is returned: the weight of the slice.
func (w *walk) draw(t int, e *evidence) (logWeight float64) {
	slice := min(t, 1)
	for _, v := range w.net.order[slice] {
		f := &w.net.families[slice][v]
		seen := e != nil && e.seen(v, e.start+t)
		config := f.config(w.states, t)
		if f.card == 0 {
			logWeight += w.drawValue(f, w.gauss[slice][v], v, t, config, seen, e)
			continue
		}
		row := w.theta[f.lo+config*f.card:][:f.card]
		if seen {
			state := e.states[v][e.start+t]
			w.states[v][t] = state
			logWeight += factor.Log(row[state])
		} else {
			w.states[v][t] = pick(row, w.rng.Float64())
		}
	}
	return logWeight
}

// drawValue is draw for a continuous variable.
func (w *walk) drawValue(f *node, g *bn.LinearGaussian, v, t, config int, seen bool, e *evidence) float64 {
	w.x = w.x[:0]
	for _, p := range f.linear {
		w.x = append(w.x, w.values[p.v][t-p.lag])
	}
	mean, sd := g.Mean(config, w.x), math.Sqrt(g.Variance[config])
	if !seen {
		w.values[v][t] = mean + sd*w.rng.NormFloat64()
		return 0
	}
	w.values[v][t] = e.values[v][e.start+t]
	return logNormal(w.values[v][t], mean, sd)
}

// logNormal is the logarithm of a normal density, −∞ where the distance is beyond numbers.
func logNormal(x, mean, sd float64) float64 {
	z := (x - mean) / sd
	if l := -z*z/2 - math.Log(sd) - math.Log(2*math.Pi)/2; l >= -math.MaxFloat64 {
		return l
	}
	return math.Inf(-1)
}

// pick returns the first state with positive probability whose cumulative one passes u, the
// last such state when rounding leaves none.
func pick(p []float64, u float64) bn.State {
	last := bn.State(0)
	for state, x := range p {
		if x > 0 {
			last = bn.State(state)
			if u -= x; u < 0 {
				return last
			}
		}
	}
	return last
}
