package exteriorpenalty

import (
	"math"

	"bnlab/bnkit/learn/internal/orsets"
	"bnlab/bnkit/learn/internal/softmax"
)

// A climb is that of one child, with all it writes to.
type climb struct {
	*Child
	weight    float64      // ω
	n         []float64    // counts of the child with pseudocounts
	cases     float64      // their sum, 1 without them
	theta     [][]float64  // by table, in its own layout
	slopes    [][]float64  // the same
	now       *orsets.Sets // nil without a noisy-OR
	x, trial  []float64
	gradient  []float64
	objective float64 // J at x
	links     coordinates
	cpts      coordinates
}

func newClimb(c *Child) *climb {
	p := &climb{Child: c, n: make([]float64, c.Hi-c.Lo)}
	for _, t := range c.tables {
		p.theta, p.slopes = append(p.theta, make([]float64, t.size)), append(p.slopes, make([]float64, t.size))
	}
	links := 0
	if c.Sets != nil {
		p.now, links = c.Sets.Clone(), c.Sets.Len()
	}
	for _, list := range []*[]float64{&p.x, &p.trial, &p.gradient} {
		*list = make([]float64, len(c.start))
	}
	p.links, p.cpts = newCoordinates(0, links), newCoordinates(links, len(p.x))
	return p
}

// value is J at x, and leaves the tables there for the rest.
func (p *climb) value(x []float64) float64 {
	j := 0.0
	if p.now == nil {
		t := p.tables[0]
		j = softmaxLogLikelihood(p.theta[0][t.lo:t.hi], x, p.n, t.states)
	} else {
		j = p.mixed(x)
	}
	for i, t := range p.tables {
		j -= p.weight * t.penalty.Value(p.theta[i])
	}
	return j
}

// softmaxLogLikelihood writes w = exp μ / Σ exp μ, row by row, and returns Σ n log w, with one logarithm a row.
func softmaxLogLikelihood(w, mu, n []float64, states int) float64 {
	loglik := 0.0
	for lo := 0; lo < len(mu); lo += states {
		row, out, counts := mu[lo:lo+states], w[lo:lo+states], n[lo:lo+states]
		most := row[0]
		for _, m := range row {
			most = max(most, m)
		}
		total, cases := 0.0, 0.0
		for s, m := range row {
			e := 1.0
			if m != most {
				e = math.Exp(m - most)
			}
			out[s] = e
			total += e
			loglik += counts[s] * (m - most)
			cases += counts[s]
		}
		for s := range out {
			out[s] /= total
		}
		if cases > 0 {
			loglik -= cases * math.Log(total)
		}
	}
	return loglik
}

// mixed is the log-likelihood of a child under a noisy-OR.
func (p *climb) mixed(x []float64) float64 {
	b := p.now
	b.Link(x[:b.Len()])
	for i, t := range p.tables {
		softmax.Rows(p.theta[i][t.lo:t.hi], x[t.mu:t.mu+t.hi-t.lo], t.states)
		for config := range b.First[i+1] - b.First[i] {
			row := p.theta[i][t.lo+2*config:]
			b.P[b.First[i]+config], b.NoP[b.First[i]+config] = row[b.Present], row[1-b.Present]
		}
	}
	b.Mix()
	total := 0.0
	for config := range len(p.n) / 2 {
		absent, present := b.Entries(config)
		if n := p.n[2*config+1-b.Present]; n > 0 {
			total += n * math.Log(absent)
		}
		if n := p.n[2*config+b.Present]; n > 0 {
			total += n * math.Log(present)
		}
	}
	return total
}

// differentiate writes the derivatives of J at the point that was valued last.
func (p *climb) differentiate() {
	for i, t := range p.tables {
		slopes, theta := p.slopes[i][t.lo:t.hi], p.theta[i][t.lo:t.hi]
		clear(slopes)
		t.penalty.AddGradient(p.slopes[i], p.theta[i], -p.weight)
		for cell, w := range theta {
			slopes[cell] *= w
		}
	}
	if p.now == nil {
		slopes := p.slopes[0][p.tables[0].lo:]
		for i, n := range p.n {
			slopes[i] += n
		}
	} else {
		p.differentiateMixed()
	}
	for i, t := range p.tables {
		softmax.Pull(p.gradient[t.mu:t.mu+t.hi-t.lo], p.theta[i][t.lo:t.hi], p.slopes[i][t.lo:t.hi], t.states)
	}
}

// differentiateMixed adds what the log-likelihood of a noisy-OR has: of n0 cases without the child and n1
// with it, n0/P(absent) − n1/P(present) by P(absent). (Y13 Eqs. 10 to 13, summed over the examples
// of a configuration.)
func (p *climb) differentiateMixed() {
	b := p.now
	clear(b.Slope)
	for config := range len(p.n) / 2 {
		absent, present := b.Entries(config)
		derivative := 0.0
		if n := p.n[2*config+1-b.Present]; n > 0 {
			derivative += n / absent
		}
		if n := p.n[2*config+b.Present]; n > 0 {
			derivative -= n / present
		}
		b.Pull(config, derivative)
	}
	b.LinkSlopes(p.gradient[:b.Len()])
	for i, t := range p.tables {
		for config := range b.First[i+1] - b.First[i] {
			place := b.First[i] + config
			p.slopes[i][t.lo+2*config+b.Present] += b.P[place] * b.CauseSlope(i, place)
		}
	}
}
