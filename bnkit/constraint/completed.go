package constraint

import (
	"context"
	"math/rand/v2"
	"slices"

	"bnlab/internal/cores"
	"bnlab/internal/presolve"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// DrawCompleted draws all tables from the posterior given cases with hidden cells, under the statements, by data
// augmentation (Tanner and Wong 1987): a sweep draws the hidden cells given the tables, then the tables given the
// completed cases. Complete does the first: it sets n to the counts of the cases completed under theta. Tables that
// statements leave without independent draws take one draw of hit-and-run in a sweep, which leaves their density as it
// is. Align, when not nil, renames the states of hidden variables in what is kept.
//
// There are four chains, of which the first third is burn-in; they begin with draws given the counts n, such as the
// expected ones, and are compared as those of [Problem.Draw]. The draws have the tables of all variables, in their
// order. Errors are those of Draw and of complete.
func (p *Problem) DrawCompleted(ctx context.Context, n, pseudocounts []float64, set *Sampling,
	complete func(n, theta []float64, rng *rand.Rand) error, align func(theta []float64)) (*Draws, error) {
	p.check(n, pseudocounts)
	sim, err := set.simulation(largestDraw)
	if err != nil {
		return nil, err
	}
	src, err := sim.source()
	if err != nil {
		return nil, err
	}
	count, width := sim.budget.Draws, p.layout.Len()
	if width > 0 && count > mostDrawn/width {
		return nil, say.Errorf("constraint: %w: %d draws of %d entries; at most %d draws of so many", bn.ErrTooLarge,
			count, width, mostDrawn/width)
	}
	sweeps, err := p.newSweeps(n, pseudocounts, sim, rand.New(src))
	if err != nil {
		return nil, err
	}
	out := &Draws{Planned: count}
	each := (count + cores.Chains - 1) / cores.Chains
	burn := (each + 1) / 2
	sim.total = count + cores.Chains*burn
	theta, completed := make([]float64, width), make([]float64, width)
	for chain := range cores.Chains {
		if sim.ended {
			break
		}
		if err := sweeps.draw(theta, n, chain); err != nil {
			return nil, err
		}
		for i := range min(burn+each, burn+count-chain*each) {
			if !sim.step(ctx) {
				break
			}
			if err := complete(completed, theta, sweeps.rng); err != nil {
				return nil, err
			}
			if err := sweeps.draw(theta, completed, chain); err != nil {
				return nil, err
			}
			if i >= burn {
				kept := slices.Clone(theta)
				if align != nil {
					align(kept)
				}
				out.Theta = append(out.Theta, kept)
			}
		}
	}
	if len(out.Theta) == 0 {
		return nil, say.Errorf("constraint: before the first draw: %w", ctx.Err())
	}
	out.EffectiveDraws = float64(len(out.Theta))
	out.diagnose(ctx)
	if sim.ended {
		return out, ctx.Err()
	}
	return out, nil
}

// sweeps draw tables again and again, of other counts each time.
type sweeps struct {
	p      *Problem
	pseudo []float64
	rng    *rand.Rand
	parts  [][]*cores.Sampler
	e, x   [][]float64 // by part
}

func (p *Problem) newSweeps(n, pseudo []float64, sim *simulation, rng *rand.Rand) (*sweeps, error) {
	_, posterior, err := p.exponents(n, pseudo)
	if err != nil {
		return nil, err
	}
	s := &sweeps{p: p, pseudo: pseudo, rng: rng, parts: make([][]*cores.Sampler, len(p.parts))}
	for k, part := range p.parts {
		e := make([]float64, part.nodes)
		if _, err := p.pushExponents(part, e, posterior); err != nil {
			return nil, p.named(part, err)
		}
		s.e, s.x = append(s.e, e), append(s.x, make([]float64, part.nodes))
		for _, c := range part.cores {
			sampler, err := cores.NewSampler(c, e, &sim.budget)
			if err != nil {
				return nil, p.named(part, p.simulated(part, err))
			}
			s.parts[k] = append(s.parts[k], sampler)
		}
	}
	return s, nil
}

// draw draws the tables theta of the posterior with the counts n, those of hit-and-run in the steps of a chain.
func (s *sweeps) draw(theta, n []float64, chain int) error {
	p := s.p
	_, posterior, err := p.exponents(n, s.pseudo)
	if err != nil {
		return err
	}
	for row := range p.freeRows {
		lo, hi := p.layout.Row(row.Var, row.Config)
		for cell := lo; cell < hi; cell++ {
			if !(posterior[cell] > 0) {
				return p.improper(cell)
			}
		}
		presolve.Dirichlet(theta[lo:hi], posterior[lo:hi], s.rng)
	}
	for k, part := range p.parts {
		if _, err := p.pushExponents(part, s.e[k], posterior); err != nil {
			return p.named(part, err)
		}
		for _, sampler := range s.parts[k] {
			sampler.Turn(s.e[k])
			sampler.DrawOf(s.x[k], chain)
		}
		for i := len(part.steps) - 1; i >= 0; i-- {
			part.steps[i].Draw(s.x[k], s.e[k], s.rng)
		}
		for leaf, cell := range part.cells {
			theta[cell] = s.x[k][leaf]
		}
	}
	return nil
}
