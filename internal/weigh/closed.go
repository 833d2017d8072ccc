package weigh

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"

	"bnlab/internal/rows"
)

// An event is some cells of a distribution, with the factor that an inequality gives their sum.
type event struct {
	row    int
	cells  []int
	factor float64
}

// A single is an inequality that shares its distributions with no other: Σ factor · P(event) ≤ value over one
// event or two.
type single struct {
	events []event
	value  float64
}

// closed returns the inequalities as singles, and false when they are not.
func (p *Problem) closed(inequalities []rows.Row) ([]single, bool) {
	taken := make(map[int]bool)
	var list []single
	for _, q := range inequalities {
		s, ok := p.single(q)
		if !ok {
			return nil, false
		}
		for _, e := range s.events {
			if taken[e.row] {
				return nil, false
			}
			taken[e.row] = true
		}
		list = append(list, s)
	}
	return list, true
}

// single writes an inequality with one event for each distribution: factors that are equal but for one value.
func (p *Problem) single(q rows.Row) (single, bool) {
	s := single{value: q.Value}
	coef := make(map[int]float64, len(q.Index))
	for k, cell := range q.Index {
		coef[cell] += q.Factor(k)
	}
	for r := range len(p.First) - 1 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for cell := p.First[r]; cell < p.First[r+1]; cell++ {
			lo, hi = min(lo, coef[cell]), max(hi, coef[cell])
		}
		s.value -= lo // of all cells, which sum to 1
		if lo == hi {
			continue
		}
		e := event{row: r, factor: hi - lo}
		for cell := p.First[r]; cell < p.First[r+1]; cell++ {
			switch coef[cell] {
			case hi:
				e.cells = append(e.cells, cell)
			case lo:
			default:
				return s, false
			}
		}
		s.events = append(s.events, e)
	}
	return s, len(s.events) == 1 || len(s.events) == 2
}

// sums are the Dirichlet counts of an event and of the rest of its distribution.
func (p *Problem) sums(e event, a []float64) (in, out float64) {
	for cell := p.First[e.row]; cell < p.First[e.row+1]; cell++ {
		out += a[cell]
	}
	for _, cell := range e.cells {
		in += a[cell]
	}
	return in, out - in
}

// logProbability of a single under independent Dirichlet densities with counts a.
func (p *Problem) logProbability(s single, a []float64) float64 {
	var in, out [2]float64
	for i, e := range s.events {
		in[i], out[i] = p.sums(e, a)
	}
	return p.logWithin(s, in, out)
}

// logWithin is the log probability of a single whose events have these Dirichlet counts, and the rest of their
// distributions those.
func (p *Problem) logWithin(s single, in, out [2]float64) float64 {
	if len(s.events) == 1 {
		return math.Log(below(in[0], out[0], s.value/s.events[0].factor))
	}
	key := [7]float64{in[0], in[1], out[0], out[1], s.events[0].factor, s.events[1].factor, s.value}
	if log, ok := p.Known[key]; ok {
		return log
	}
	log := logBelow(in, out, key[4], key[5], key[6])
	if p.Known != nil {
		if len(p.Known) >= mostKnown {
			clear(p.Known)
		}
		p.Known[key] = log
	}
	return log
}

// mostKnown bounds the memory of integrals that are kept.
const mostKnown = 1 << 16

// below is P(X ≤ x) of a beta variable.
func below(a, b, x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	}
	return mathext.RegIncBeta(a, b, x)
}

// logBelow is log P(c X + d Y ≤ v) for beta variables X and Y and positive c and d: the integral of P(Y ≤ (v −
// c x)/d) over the density of X, in the log odds z of x, in which it falls exponentially on both sides.
func logBelow(a, b [2]float64, c, d, v float64) float64 {
	norm := logBeta([]float64{a[0], b[0]})
	// The factor of Y is 1 where c x ≤ v − d and 0 where c x ≥ v.
	full, none := (v-d)/c, v/c
	if none <= 0 {
		return math.Inf(-1)
	}
	log := func(z float64) float64 {
		// log x and log(1 − x) without cancellation
		lx, ly := -softplus(-z), -softplus(z)
		return a[0]*lx + b[0]*ly - norm + math.Log(below(a[1], b[1], (v-c*math.Exp(lx))/d))
	}
	lo, hi := -800/math.Min(a[0], 1), 800/math.Min(b[0], 1)
	if none < 1 {
		hi = math.Min(hi, math.Log(none/(1-none)))
	}
	// The peak by golden section: the logarithm is concave but for rounding.
	peak := golden(log, lo, hi)
	top := log(peak)
	if math.IsInf(top, -1) || math.IsNaN(top) {
		return math.Inf(-1)
	}
	const negligible = 45
	lo, hi = edge(log, peak, lo, top-negligible), edge(log, peak, hi, top-negligible)
	borders := []float64{lo}
	if full > 0 && full < 1 {
		if z := math.Log(full / (1 - full)); z > lo && z < hi {
			borders = append(borders, z)
		}
	}
	borders = append(borders, hi)
	const panels, points = 24, 8
	total := 0.0
	var at, weight [points]float64
	quad.Legendre{}.FixedLocations(at[:], weight[:], 0, 1)
	for k := range len(borders) - 1 {
		width := (borders[k+1] - borders[k]) / panels
		for i := range panels {
			from := borders[k] + width*float64(i)
			for j, z := range at {
				total += width * weight[j] * math.Exp(log(from+width*z)-top)
			}
		}
	}
	return min(0, top+math.Log(total))
}

// softplus is log(1 + e^z).
func softplus(z float64) float64 {
	if z > 0 {
		return z + math.Log1p(math.Exp(-z))
	}
	return math.Log1p(math.Exp(z))
}

// golden returns where a function with one peak is largest between lo and hi.
func golden(f func(float64) float64, lo, hi float64) float64 {
	ratio := (math.Sqrt(5) - 1) / 2
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := f(a), f(b)
	for hi-lo > 1e-3 {
		// Where both are −∞, as with Y far below, smaller x is better.
		if fa >= fb {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = f(b)
		}
	}
	return lo + (hi-lo)/2
}

// edge returns where a function that falls from the peak to the end passes a level.
func edge(f func(float64) float64, peak, end, level float64) float64 {
	if f(end) > level {
		return end
	}
	for range 40 {
		if mid := peak + (end-peak)/2; f(mid) > level {
			peak = mid
		} else {
			end = mid
		}
	}
	return end
}

// mean writes to dst the posterior mean of each cell, given singles: E[θ; C] = E[θ] · P(C) with one more case in the
// cell.
func (p *Problem) mean(dst []float64, list []single, a []float64) {
	for r := range len(p.First) - 1 {
		lo, hi := p.First[r], p.First[r+1]
		all := 0.0
		for _, x := range a[lo:hi] {
			all += x
		}
		for cell := lo; cell < hi; cell++ {
			dst[cell] = a[cell] / all
		}
	}
	for _, s := range list {
		var in, out [2]float64
		for i, e := range s.events {
			in[i], out[i] = p.sums(e, a)
		}
		whole := p.logWithin(s, in, out)
		for i, e := range s.events {
			in[i]++
			mass := in[i] - 1
			up := math.Exp(p.logWithin(s, in, out)-whole) * mass / (mass + out[i]) // the mean of the event
			in[i]--
			up = math.Min(math.Max(up, 0), 1)
			isIn := make(map[int]bool, len(e.cells))
			for _, cell := range e.cells {
				isIn[cell] = true
				dst[cell] = up * a[cell] / mass
			}
			for cell := p.First[e.row]; cell < p.First[e.row+1]; cell++ {
				if !isIn[cell] {
					dst[cell] = (1 - up) * a[cell] / out[i]
				}
			}
		}
	}
}
