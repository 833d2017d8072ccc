package weigh

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/internal/pool"
)

// defaultVisits is the number of moves over subsets.
const defaultVisits = 2000

// walk visits subsets by a Metropolis walk that adds a statement, takes one away or exchanges two, from none and from
// all in turn, then the neighbours of those with weight, and returns all it has looked at. Weights are then those of
// the marginal likelihoods, not of how often a subset was visited. Standard errors do not know of what was not looked
// at.
func (p *Problem) walk(ctx context.Context, o Options, point func(uint64) []float64) []*Subset {
	k := len(p.Statements)
	rng := rand.New(rand.NewPCG(o.Seed, math.MaxUint64))
	seen := make(map[uint64]*Subset)
	look := func(imposed uint64) float64 {
		prior := o.LogPrior(imposed)
		if math.IsInf(prior, -1) {
			return prior
		}
		s, ok := seen[imposed]
		if !ok {
			s = p.open(ctx, imposed, point(imposed), o.Seed)
			s.refine(ctx, rough)
			seen[imposed] = s
		}
		return prior + s.LogMarginal
	}
	visits := o.Visits
	if visits == 0 {
		visits = defaultVisits
	}
	for _, at := range []uint64{0, 1<<k - 1} {
		now := look(at)
		for range visits / 2 {
			if ctx.Err() != nil {
				break
			}
			next := at ^ 1<<rng.IntN(k)
			if rng.IntN(3) == 0 {
				next ^= 1 << rng.IntN(k)
			}
			if log := look(next); log >= now || rng.Float64() < math.Exp(log-now) {
				at, now = next, log
			}
		}
	}
	for range neighbourRounds {
		next := p.unseen(seen, o)
		if len(next) == 0 || ctx.Err() != nil {
			break
		}
		found := make([]*Subset, len(next))
		pool.Each(len(next), pool.Workers(o.Workers), func(i int) {
			found[i] = p.open(ctx, next[i], point(next[i]), o.Seed)
			found[i].refine(ctx, rough)
		})
		for _, s := range found {
			seen[s.Imposed] = s
		}
	}
	return possible(seen)
}

// Subsets that differ by one statement from one with at least so much weight are looked at after the walk, so many
// times in a row.
const (
	neighbourWeight = 5e-4
	neighbourRounds = 4
)

// unseen lists the subsets that differ by one statement from one with weight and have not been looked at.
func (p *Problem) unseen(seen map[uint64]*Subset, o Options) []uint64 {
	list := possible(seen)
	weights, _ := Weights(list, o.LogPrior)
	in := make(map[uint64]bool)
	for j, s := range list {
		for i := range p.Statements {
			next := s.Imposed ^ 1<<i
			if _, ok := seen[next]; !ok && weights[j] >= neighbourWeight && !math.IsInf(o.LogPrior(next), -1) {
				in[next] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(in))
}

// possible lists the subsets that leave some volume, in the order of their bits.
func possible(seen map[uint64]*Subset) []*Subset {
	var list []*Subset
	for _, imposed := range slices.Sorted(maps.Keys(seen)) {
		if s := seen[imposed]; !math.IsInf(s.LogMarginal, -1) {
			list = append(list, s)
		}
	}
	return list
}
