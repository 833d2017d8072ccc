package cores

import (
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/internal/hitrun"
	"bnlab/internal/linprog"
	"bnlab/internal/rows"
	"bnlab/internal/say"
)

// inside is a point inside the set of a core, for samplers to start from.
func (c *Core) inside(set rows.Set) ([]float64, error) {
	x, _, _, err := linprog.Interior(set)
	if err != nil {
		// Compile has found the statements feasible.
		return nil, say.Errorf("constraint: %w: no point inside the statements to draw from: %v", ErrNotConverged, err)
	}
	return x, nil
}

// bridge estimates logRatio by stepping stones between the two densities.
func (c *Core) bridge(before, after []float64, sim *Budget) (Estimate, error) {
	src, err := sim.walk(c, after)
	if err != nil {
		return Estimate{}, err
	}
	p := c.polytope()
	inside, err := c.inside(p)
	if err != nil {
		return Estimate{}, err
	}
	n := make([]float64, len(before))
	for i := range n {
		n[i] = math.Max(0, after[i]-before[i])
	}
	value, stderr, err := hitrun.LogRatio(p, before, n, inside, hitrun.RatioOptions{Src: src, Err: sim.Err})
	if err != nil {
		return Estimate{}, say.Errorf("constraint: %w", err)
	}
	return Estimate{value, stderr}, nil
}

// Chains is the number of hit-and-run chains, which are compared with each other.
const Chains = 4

// A Sampler draws the nodes of a core: a beta variable between limits at once, others
// by hit-and-run chains, one after the other.
type Sampler struct {
	core   *Core
	Exact  bool
	e      []float64
	rng    *rand.Rand
	chains []*hitrun.Sampler
	each   int // draws of a chain
	x      []float64
}

func NewSampler(c *Core, e []float64, sim *Budget) (*Sampler, error) {
	if c.isCurved() {
		return nil, fmt.Errorf("constraint: %w", ErrNoPrior)
	}
	s := &Sampler{core: c, e: gather(e, c.Nodes), x: make([]float64, len(c.Nodes))}
	src, err := sim.Source()
	if err != nil {
		return nil, err
	}
	s.rng = rand.New(src)
	if _, ok := c.method.(*interval); ok {
		s.Exact = true
		return s, nil
	}
	if _, err := sim.walk(c, s.e); err != nil {
		return nil, err
	}
	p := c.polytope()
	inside, err := c.inside(p)
	if err != nil {
		return nil, err
	}
	s.each = (sim.Draws + Chains - 1) / Chains
	for range Chains {
		if err := sim.ended(); err != nil {
			return nil, err
		}
		chain, err := hitrun.New(p, s.e, inside, rand.NewPCG(s.rng.Uint64(), s.rng.Uint64()))
		if err != nil {
			return nil, say.Errorf("constraint: %w", err)
		}
		s.chains = append(s.chains, chain)
	}
	return s, nil
}

// Turn goes on with other exponents; see [hitrun.Sampler.Turn].
func (s *Sampler) Turn(e []float64) {
	s.e = gather(e, s.core.Nodes)
	for _, chain := range s.chains {
		chain.Turn(s.e)
	}
}

// DrawOf writes the next draw of a chain, one of [Chains].
func (s *Sampler) DrawOf(x []float64, chain int) { s.Draw(x, chain*s.each) }

// Draw writes the i-th draw.
func (s *Sampler) Draw(x []float64, i int) {
	if v, ok := s.core.method.(*interval); ok {
		t := betaBetween(s.e[0], s.e[1], math.Max(v.lo, 0), math.Min(v.hi, 1), s.rng)
		t = v.within(t, s.e[0]/(s.e[0]+s.e[1]))
		s.x[0], s.x[1] = v.b*t/v.k0, v.b*(1-t)/v.k1
	} else {
		s.chains[i/s.each].Next(s.x)
	}
	for k, node := range s.core.Nodes {
		x[node] = s.x[k]
	}
}
