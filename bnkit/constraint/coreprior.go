package constraint

import (
	"bnlab/internal/presolve"
	"fmt"
	"math"
)

// single reports whether the core is one mass divided among its nodes, with inequalities:
// a Dirichlet density cut off.
func (c *core) single() bool {
	if c.relations == nil || c.relations[0].AtMost || len(c.relations[0].Index) < len(c.nodes) {
		return false
	}
	for k, r := range c.relations {
		if k > 0 && !r.AtMost {
			return false
		}
	}
	for _, k := range c.relations[0].Coef {
		if !(k > 0) {
			return false
		}
	}
	return true
}

// logRatio is the logarithm of the integral of Π x^(after−1) over that of Π x^(before−1).
func (c *core) logRatio(before, after []float64, sim *budget) (estimate, error) {
	if c.isCurved() {
		return estimate{}, fmt.Errorf("constraint: %w", errNoPrior)
	}
	a, b := gather(before, c.nodes), gather(after, c.nodes)
	if v, ok := c.method.(*interval); ok {
		if v.lo >= v.hi {
			return estimate{Value: v.logPoint(a, b)}, nil
		}
		return estimate{Value: c.logDirichlet(b) - c.logDirichlet(a) + v.logShare(b) - v.logShare(a)}, nil
	}
	if c.single() {
		out := estimate{Value: c.logDirichlet(b) - c.logDirichlet(a)}
		top, ok1, err := c.logFraction(b, sim)
		if err != nil {
			return estimate{}, err
		}
		bottom, ok0, err := c.logFraction(a, sim)
		if err != nil {
			return estimate{}, err
		}
		if ok0 && ok1 {
			out.add(top, 1)
			out.add(bottom, -1)
			return out, nil
		}
	}
	return c.bridge(a, b, sim)
}

func gather(x []float64, nodes []int) []float64 {
	out := make([]float64, len(nodes))
	for i, node := range nodes {
		out[i] = x[node]
	}
	return out
}

// logDirichlet is the logarithm of ∫ Π x^(e−1) over Σ k x = b.
func (c *core) logDirichlet(e []float64) float64 {
	sum := c.relations[0]
	out := presolve.LogBeta(e)
	for i, at := range sum.Index {
		out -= e[at] * math.Log(sum.Coef[i])
	}
	return out + (presolve.Total(e)-1)*math.Log(sum.Value)
}

// logShare is the logarithm of the part of a beta density between the limits.
func (v *interval) logShare(e []float64) float64 { return logBetween(e[0], e[1], v.lo, v.hi) }

// logPoint is the logarithm of the ratio of the densities where the limits leave one point.
func (v *interval) logPoint(before, after []float64) float64 {
	var x [2]float64
	v.solve(x[:], before)
	return xlogy(after[0]-before[0], x[0]) + xlogy(after[1]-before[1], x[1])
}

// fewHits is the number of draws inside the inequalities below which their fraction is
// not trusted.
const fewHits = 100

// logFraction estimates the logarithm of the probability that draws from the Dirichlet
// density of a single core satisfy its inequalities. It is false for too few that do.
func (c *core) logFraction(e []float64, sim *budget) (estimate, bool, error) {
	src, err := sim.source()
	if err != nil {
		return estimate{}, false, err
	}
	sum := c.relations[0]
	x := make([]float64, len(e))
	hits, draws := 0, sim.draws
	for range draws {
		presolve.Dirichlet(x, e, src)
		for i, at := range sum.Index {
			x[at] *= sum.Value / sum.Coef[i]
		}
		if c.holds(x) {
			hits++
		}
	}
	if hits < max(1, min(fewHits, draws/10)) {
		return estimate{}, false, nil
	}
	f := float64(hits) / float64(draws)
	g := (float64(hits) + 0.5) / float64(draws+1) // not 1 when all are inside
	return estimate{math.Log(f), math.Sqrt((1 - g) / g / float64(draws))}, true, nil
}

func (c *core) holds(x []float64) bool {
	for _, r := range c.relations {
		if !r.AtMost {
			continue
		}
		at := -r.Value
		for i, node := range r.Index {
			at += r.Coef[i] * x[node]
		}
		if at > 0 {
			return false
		}
	}
	return true
}

// mean gives the nodes their expectations, when there is a closed form: for a beta
// variable t between limits, E[t] = a/(a+b) · P(lo ≤ t' ≤ hi)/P(lo ≤ t ≤ hi) with t' of
// exponent a+1.
func (c *core) mean(x, e []float64) bool {
	v, ok := c.method.(*interval)
	if !ok {
		return false
	}
	a, b := e[c.nodes[0]], e[c.nodes[1]]
	t := v.lo
	if v.hi > v.lo {
		t = a / (a + b) * math.Exp(logBetween(a+1, b, v.lo, v.hi)-logBetween(a, b, v.lo, v.hi))
		t = v.within(t, a/(a+b))
	}
	x[c.nodes[0]], x[c.nodes[1]] = v.b*t/v.k0, v.b*(1-t)/v.k1
	return true
}

// within takes t, a mean or a draw, back to the limits that rounding may have left. Where t
// was lost in it the density is as narrow as its mean without limits, clipped.
func (v *interval) within(t, mean float64) float64 {
	if math.IsNaN(t) {
		t = mean
	}
	return math.Min(math.Max(t, v.lo), v.hi)
}
