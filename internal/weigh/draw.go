package weigh

import (
	"context"
	"math/rand/v2"
)

// Sweeps of a chain that draws before the first draw, and from one draw to the next.
const (
	drawBurnIn = 200
	drawThin   = 5
)

// Draw returns n draws of all cells from the posterior under a subset, nil when it leaves no volume, and the error of
// a done context.
func (p *Problem) Draw(ctx context.Context, imposed uint64, n int, rng *rand.Rand) ([][]float64, error) {
	inside := p.inside(imposed)
	if inside == nil {
		return nil, nil
	}
	inequalities := p.imposed(imposed)
	m := p.newMoves(inequalities, func(int) bool { return true })
	c := newChain(inside, p.exponents(1), inequalities, rng)
	for range drawBurnIn {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.sweep(m, inequalities)
	}
	c.far = false
	out := make([][]float64, n)
	for i := range out {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for range drawThin {
			c.sweep(m, inequalities)
		}
		out[i] = append([]float64(nil), c.x...)
	}
	return out, nil
}
