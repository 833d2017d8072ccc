package cores

import (
	"fmt"
	"math"

	"bnlab/internal/num"
	"bnlab/internal/presolve"
)

// single reports whether the core is one mass divided among its nodes, with inequalities:
// a Dirichlet density cut off.
func (c *Core) single() bool {
	if c.relations == nil || c.relations[0].AtMost || len(c.relations[0].Index) < len(c.Nodes) {
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

// LogRatio is the logarithm of the integral of Π x^(after−1) over that of Π x^(before−1).
func (c *Core) LogRatio(before, after []float64, sim *Budget) (Estimate, error) {
	if c.isCurved() {
		return Estimate{}, fmt.Errorf("constraint: %w", ErrNoPrior)
	}
	a, b := gather(before, c.Nodes), gather(after, c.Nodes)
	if v, ok := c.method.(*interval); ok {
		if v.lo >= v.hi {
			return Estimate{Value: v.logPoint(a, b)}, nil
		}
		return Estimate{Value: c.logDirichlet(b) - c.logDirichlet(a) + v.logShare(b) - v.logShare(a)}, nil
	}
	if c.single() {
		out := Estimate{Value: c.logDirichlet(b) - c.logDirichlet(a)}
		top, ok1, err := c.logFraction(b, sim)
		if err != nil {
			return Estimate{}, err
		}
		bottom, ok0, err := c.logFraction(a, sim)
		if err != nil {
			return Estimate{}, err
		}
		if ok0 && ok1 {
			out.Add(top, 1)
			out.Add(bottom, -1)
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

// logDirichlet is the logarithm of ∫ Π x^(e−1) over Σ k x = b. (N06 §4.1.2: Z_n.)
func (c *Core) logDirichlet(e []float64) float64 {
	sum := c.relations[0]
	out := presolve.LogBeta(e)
	for i, at := range sum.Index {
		out -= e[at] * math.Log(sum.Coef[i])
	}
	return out + (num.Sum(e)-1)*math.Log(sum.Value)
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
func (c *Core) logFraction(e []float64, sim *Budget) (Estimate, bool, error) {
	src, err := sim.Source()
	if err != nil {
		return Estimate{}, false, err
	}
	sum := c.relations[0]
	x := make([]float64, len(e))
	hits, draws := 0, sim.Draws
	for i := range draws {
		if i%64 == 0 {
			if err := sim.ended(); err != nil {
				return Estimate{}, false, err
			}
		}
		presolve.Dirichlet(x, e, src)
		for k, at := range sum.Index {
			x[at] *= sum.Value / sum.Coef[k]
		}
		if c.holds(x) {
			hits++
		}
	}
	if hits < max(1, min(fewHits, draws/10)) {
		return Estimate{}, false, nil
	}
	f := float64(hits) / float64(draws)
	g := (float64(hits) + 0.5) / float64(draws+1) // not 1 when all are inside
	return Estimate{math.Log(f), math.Sqrt((1 - g) / g / float64(draws))}, true, nil
}

func (c *Core) holds(x []float64) bool {
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

// Mean gives the nodes their expectations, when there is a closed form: for a beta
// variable t between limits, E[t] = a/(a+b) · P(lo ≤ t' ≤ hi)/P(lo ≤ t ≤ hi) with t' of
// exponent a+1.
func (c *Core) Mean(x, e []float64) bool {
	v, ok := c.method.(*interval)
	if !ok {
		return false
	}
	a, b := e[c.Nodes[0]], e[c.Nodes[1]]
	t := v.lo
	if v.hi > v.lo {
		t = a / (a + b) * math.Exp(logBetween(a+1, b, v.lo, v.hi)-logBetween(a, b, v.lo, v.hi))
		t = v.within(t, a/(a+b))
	}
	x[c.Nodes[0]], x[c.Nodes[1]] = v.b*t/v.k0, v.b*(1-t)/v.k1
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
