package bn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
)

// ErrNoSource is returned by random methods without a source.
var ErrNoSource = errors.New("no random source; pass for example rand.NewPCG(1, 0)")

// A Sampler draws complete cases from a network by forward sampling. It copies the tables, so later
// changes to the network have no effect. A Sampler is for one goroutine at a time.
type Sampler struct {
	net    *Network
	rng    *rand.Rand
	cum    [][]float64 // by variable, cumulative rows without the last entry
	parent [][]stride
	linear [][]int // continuous parents by variable
	x      []float64
}

// stride is a discrete parent and its weight in the configuration.
type stride struct{ v, step int }

// Sampler returns a sampler that draws from src. It returns an error that wraps
// [ErrNoSource] when src is nil, and one when a distribution of the network is not
// valid.
func (n *Network) Sampler(src rand.Source) (*Sampler, error) {
	if src == nil {
		return nil, fmt.Errorf("bn: %w", ErrNoSource)
	}
	if err := n.Validate(); err != nil {
		return nil, err
	}
	s := &Sampler{
		net: n.Clone(), rng: rand.New(src),
		cum: make([][]float64, n.Len()), parent: make([][]stride, n.Len()), linear: make([][]int, n.Len()),
	}
	for v := range n.vars {
		var configs Configs
		if t := n.cpts[v]; t != nil {
			configs = t.configs
			s.cum[v] = cumulative(t)
		} else {
			configs = n.gauss[v].configs
		}
		for _, p := range n.dag.Parents(v) {
			if n.vars[p].IsDiscrete() {
				s.parent[v] = append(s.parent[v], stride{p, configs.Stride(len(s.parent[v]))})
			} else {
				s.linear[v] = append(s.linear[v], p)
			}
		}
		s.x = make([]float64, max(len(s.x), len(s.linear[v])))
	}
	return s, nil
}

// cumulative sums each row. From the last possible state on the sum is +Inf, so
// that rounding never draws a state of probability zero.
func cumulative(t *CPT) []float64 {
	r := t.Child.Cardinality()
	cum := make([]float64, len(t.P))
	for config := range t.configs.Len() {
		sum, last := 0.0, 0
		row := t.Row(config)
		for state, p := range row {
			sum += p
			cum[config*r+state] = sum
			if p > 0 {
				last = state
			}
		}
		for state := last; state < r; state++ {
			cum[config*r+state] = math.Inf(1)
		}
	}
	return cum
}

// Draw draws one case: states[v] for each discrete variable v and values[v] for each continuous
// one; other entries are unchanged. Both slices have an entry for each variable; values may be nil
// when none is continuous.
func (s *Sampler) Draw(states []State, values []float64) {
	for _, v := range s.net.dag.order {
		config := 0
		for _, p := range s.parent[v] {
			config += int(states[p.v]) * p.step
		}
		if s.cum[v] != nil {
			r := s.net.vars[v].Cardinality()
			states[v] = State(pick(s.cum[v][config*r:(config+1)*r], s.rng.Float64()))
			continue
		}
		g := s.net.gauss[v]
		x := s.x[:len(s.linear[v])]
		for i, p := range s.linear[v] {
			x[i] = values[p]
		}
		values[v] = g.Mean(config, x) + math.Sqrt(g.Variance[config])*s.rng.NormFloat64()
	}
}

// pick returns the first state whose cumulative probability passes u.
func pick(cum []float64, u float64) int {
	if len(cum) <= 16 {
		for state, c := range cum {
			if u < c {
				return state
			}
		}
	}
	return sort.Search(len(cum), func(state int) bool { return u < cum[state] })
}
