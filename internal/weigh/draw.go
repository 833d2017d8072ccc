package weigh

import "math/rand/v2"

// Sweeps of a chain that draws before the first draw, and from one draw to the next.
const (
	drawBurnIn = 200
	drawThin   = 5
)

// Draw returns n draws of all cells from the posterior under a subset, nil when it leaves no volume.
func (p *Problem) Draw(imposed uint64, n int, rng *rand.Rand) [][]float64 {
	inside := p.inside(imposed)
	if inside == nil {
		return nil
	}
	inequalities := p.imposed(imposed)
	m := p.newMoves(inequalities, func(int) bool { return true })
	c := newChain(inside, p.exponents(1), inequalities, rng)
	for range drawBurnIn {
		c.sweep(m, inequalities)
	}
	c.far = false
	out := make([][]float64, n)
	for i := range out {
		for range drawThin {
			c.sweep(m, inequalities)
		}
		out[i] = append([]float64(nil), c.x...)
	}
	return out
}
