package weigh

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// defaultVisits is the number of moves over subsets.
const defaultVisits = 2000

// walk visits subsets by a Metropolis walk that adds a statement, takes one away or exchanges two, from none and from
// all in turn, and returns those it has looked at. Weights are then those of the marginal likelihoods, not of how often
// a subset was visited.
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
			s = p.open(imposed, point(imposed), o.Seed)
			s.refine(rough)
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
	var list []*Subset
	for _, imposed := range slices.Sorted(maps.Keys(seen)) {
		if s := seen[imposed]; !math.IsInf(s.LogMarginal, -1) {
			list = append(list, s)
		}
	}
	return list
}
