package weigh

import (
	"math"
	"math/rand/v2"

	"bnlab/internal/rows"
)

// Moves are the pairs of cells of one distribution between which probability moves, with the inequalities that limit
// each.
type moves struct {
	i, j  []int32 // cells
	from  []int32 // by pair, where its inequalities begin; and the end
	which []int32 // inequality
	delta []float64
}

// manyStates is the number of states above which only neighbouring cells, and each with the first, exchange
// probability; below it all pairs do.
const manyStates = 6

// newMoves lists the pairs of the distributions for which use says so.
func (p *Problem) newMoves(inequalities []rows.Row, use func(row int) bool) *moves {
	type part struct {
		which int32
		coef  float64
	}
	of := make([][]part, p.cells())
	for q, row := range inequalities {
		for k, cell := range row.Index {
			of[cell] = append(of[cell], part{int32(q), row.Factor(k)})
		}
	}
	m := &moves{from: []int32{0}}
	add := func(i, j int) {
		m.i, m.j = append(m.i, int32(i)), append(m.j, int32(j))
		for _, a := range of[i] {
			delta := a.coef
			for _, b := range of[j] {
				if b.which == a.which {
					delta -= b.coef
				}
			}
			if delta != 0 {
				m.which, m.delta = append(m.which, a.which), append(m.delta, delta)
			}
		}
		for _, b := range of[j] {
			both := false
			for _, a := range of[i] {
				both = both || a.which == b.which
			}
			if !both {
				m.which, m.delta = append(m.which, b.which), append(m.delta, -b.coef)
			}
		}
		m.from = append(m.from, int32(len(m.which)))
	}
	for r := range len(p.First) - 1 {
		if !use(r) {
			continue
		}
		lo, hi := p.First[r], p.First[r+1]
		for j := lo + 1; j < hi; j++ {
			for i := lo; i < j; i++ {
				if hi-lo <= manyStates || i == j-1 || i == lo {
					add(i, j)
				}
			}
		}
	}
	return m
}

// A chain is a point that moves inside the inequalities.
type chain struct {
	x, slack []float64
	a        []float64 // exponents
	rng      *rand.Rand
	sweeps   int
	far      bool // in the burn-in, from a point that may be far from where the density is
}

// newChain starts at x, which is copied.
func newChain(x, a []float64, inequalities []rows.Row, rng *rand.Rand) *chain {
	c := &chain{x: append([]float64(nil), x...), a: a, slack: make([]float64, len(inequalities)), rng: rng,
		far: true}
	c.measure(inequalities)
	return c
}

// measure finds the slack afresh.
func (c *chain) measure(inequalities []rows.Row) {
	for q, row := range inequalities {
		c.slack[q] = max(0, row.Value-row.Dot(c.x))
	}
}

// sweep draws each pair of cells once, given all others: the first of a pair has a beta density over their sum,
// between the limits of the inequalities.
func (c *chain) sweep(m *moves, inequalities []rows.Row) {
	const often = 256
	if c.sweeps++; c.sweeps%often == 0 {
		c.measure(inequalities)
	}
	for k := range m.i {
		i, j := m.i[k], m.j[k]
		x := c.x[i]
		sum := x + c.x[j]
		lo, hi := 0.0, sum
		from, to := m.from[k], m.from[k+1]
		for q := from; q < to; q++ {
			if d := m.delta[q]; d > 0 {
				hi = min(hi, x+c.slack[m.which[q]]/d)
			} else {
				lo = max(lo, x+c.slack[m.which[q]]/d)
			}
		}
		if !(hi-lo > 1e-15*sum) {
			continue
		}
		y := c.draw(c.a[i], c.a[j], x, sum, lo, hi)
		if rest := sum - y; !(y > 0) || !(rest > 0) {
			continue
		} else {
			c.x[i], c.x[j] = y, rest
		}
		for q := from; q < to; q++ {
			c.slack[m.which[q]] = max(0, c.slack[m.which[q]]-(y-x)*m.delta[q])
		}
	}
}

// draw returns a point of the density y^(a−1) (sum−y)^(b−1) between lo and hi: by its inverse where it is flat,
// otherwise a step of the slice sampler from x (R. Neal, Slice sampling, Annals of Statistics 31, 2003, §4), whose
// bracket, when the density is narrow beside the limits, is as wide as twelve standard deviations.
func (c *chain) draw(a, b, x, sum, lo, hi float64) float64 {
	if a == 1 && b == 1 {
		return lo + (hi-lo)*c.rng.Float64()
	}
	if all := a + b; all > 30 && !c.far {
		width := 12 * sum * math.Sqrt(a*b/(all*all*(all+1)))
		if width < hi-lo {
			low := x - width*c.rng.Float64()
			lo, hi = max(lo, low), min(hi, low+width)
		}
	}
	level := (a-1)*math.Log(x) + (b-1)*math.Log(sum-x) - c.rng.ExpFloat64()
	for hi-lo > 1e-15*sum {
		y := lo + (hi-lo)*c.rng.Float64()
		if (a-1)*math.Log(y)+(b-1)*math.Log(sum-y) >= level {
			return y
		}
		if y < x {
			lo = y
		} else {
			hi = y
		}
	}
	return x
}
