package learn

import "math"

// penaltyClimb is the climb of one child, with all it writes to.
type penaltyClimb struct {
	*penalised
	weight    float64     // ω
	n         []float64   // counts of the child with pseudocounts
	cases     float64     // their sum, at least 1
	theta     [][]float64 // by table, in its own layout
	slopes    [][]float64 // the same
	now       *orSets     // nil without a noisy-OR
	x, trial  []float64
	gradient  []float64
	objective float64 // J at x
	links     coordinates
	cpts      coordinates
}

// coordinates are those of x that a step moves together.
type coordinates struct {
	lo, hi int
	length float64 // of the next step
	steps  int     // in this round
	moved  []float64
	before []float64 // the gradient that the last step followed
}

func newPenaltyClimb(c *penalised) *penaltyClimb {
	p := &penaltyClimb{penalised: c, n: make([]float64, c.hi-c.lo)}
	for _, t := range c.tables {
		p.theta, p.slopes = append(p.theta, make([]float64, t.size)), append(p.slopes, make([]float64, t.size))
	}
	links := 0
	if c.sets != nil {
		p.now, links = c.sets.clone(), c.sets.sets()
	}
	for _, list := range []*[]float64{&p.x, &p.trial, &p.gradient} {
		*list = make([]float64, len(c.start))
	}
	p.links, p.cpts = newCoordinates(0, links), newCoordinates(links, len(p.x))
	return p
}

func newCoordinates(lo, hi int) coordinates {
	return coordinates{lo: lo, hi: hi, moved: make([]float64, hi-lo), before: make([]float64, hi-lo)}
}

// value is J at x, and leaves the tables there for the rest.
func (p *penaltyClimb) value(x []float64) float64 {
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
func (p *penaltyClimb) mixed(x []float64) float64 {
	b := p.now
	b.link(x[:b.sets()])
	for i, t := range p.tables {
		softmaxRows(p.theta[i][t.lo:t.hi], x[t.mu:t.mu+t.hi-t.lo], t.states)
		for config := range b.first[i+1] - b.first[i] {
			row := p.theta[i][t.lo+2*config:]
			b.p[b.first[i]+config], b.nop[b.first[i]+config] = row[b.present], row[1-b.present]
		}
	}
	b.mix()
	total := 0.0
	for config := range len(p.n) / 2 {
		absent, present := b.entries(config)
		if n := p.n[2*config+1-b.present]; n > 0 {
			total += n * math.Log(absent)
		}
		if n := p.n[2*config+b.present]; n > 0 {
			total += n * math.Log(present)
		}
	}
	return total
}

// differentiate writes the derivatives of J at the point that was valued last.
func (p *penaltyClimb) differentiate() {
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
		softmaxPull(p.gradient[t.mu:t.mu+t.hi-t.lo], p.theta[i][t.lo:t.hi], p.slopes[i][t.lo:t.hi], t.states)
	}
}

// differentiateMixed adds what the log-likelihood of a noisy-OR has: of n0 cases without the child and n1
// with it, n0/P(absent) − n1/P(present) by P(absent). (Y13 Eqs. 10 to 13, summed over the examples
// of a configuration.)
func (p *penaltyClimb) differentiateMixed() {
	b := p.now
	clear(b.slope)
	for config := range len(p.n) / 2 {
		absent, present := b.entries(config)
		derivative := 0.0
		if n := p.n[2*config+1-b.present]; n > 0 {
			derivative += n / absent
		}
		if n := p.n[2*config+b.present]; n > 0 {
			derivative -= n / present
		}
		b.pull(config, derivative)
	}
	b.linkSlopes(p.gradient[:b.sets()])
	for i, t := range p.tables {
		for config := range b.first[i+1] - b.first[i] {
			place := b.first[i] + config
			p.slopes[i][t.lo+2*config+b.present] += b.p[place] * b.causeSlope(i, place)
		}
	}
}

const (
	flat      = 1e-9 // squared gradient over cases, relative to J, at which coordinates stand still
	halvings  = 60
	enough    = 1e-4 // of what the slope promises, to accept a step
	spread    = 1e8  // of steps, to either side of one over the number of cases
	lengthens = 4    // where J is convex along the last step
)

// round climbs for a fixed ω. It returns the iterations and whether it ended where all stands still.
func (p *penaltyClimb) round(stepLink, stepCPT float64, most int) (iterations int, converged bool) {
	p.links.length, p.links.steps = stepLink/p.cases, 0
	p.cpts.length, p.cpts.steps = stepCPT/p.cases, 0
	p.objective = p.value(p.x)
	for iterations < most {
		linked, tabled := p.step(&p.links), p.step(&p.cpts)
		if !linked && !tabled {
			return iterations, p.isStill(&p.links) && p.isStill(&p.cpts)
		}
		iterations++
	}
	return iterations, false
}

// step moves coordinates up their gradient. It reports false where there is no way up, none at least
// that rounding lets J show.
func (p *penaltyClimb) step(c *coordinates) bool {
	if p.differentiate(); p.isStill(c) {
		return false
	}
	g, x := p.gradient[c.lo:c.hi], p.x[c.lo:c.hi]
	slope := 0.0
	for _, d := range g {
		slope += d * d
	}
	c.adapt(g, p.cases)
	copy(p.trial, p.x)
	trial := p.trial[c.lo:c.hi]
	for range halvings {
		for i, d := range g {
			trial[i] = x[i] + c.length*d
		}
		if j := p.value(p.trial); j > p.objective && j >= p.objective+enough*c.length*slope {
			for i, d := range g {
				c.moved[i], c.before[i] = c.length*d, d
			}
			c.steps++
			copy(x, trial)
			p.objective = j
			return true
		}
		c.length /= 2
	}
	p.value(p.x)
	return false
}

// isStill compares the sum of squares of derivatives with J. Each is taken over the probability that it raises:
// near 0 the derivative by a logit or by μ vanishes, whether the probability is right or not.
func (p *penaltyClimb) isStill(c *coordinates) bool {
	pull := 0.0
	add := func(derivative, probability float64) {
		if derivative > 0 {
			d := derivative / probability
			pull += d * d
		}
	}
	if c == &p.links {
		for i, d := range p.gradient[:c.hi] {
			add(d, p.now.q[i])
			add(-d, p.now.noq[i])
		}
	} else {
		for i, t := range p.tables {
			for k, d := range p.gradient[t.mu : t.mu+t.hi-t.lo] {
				add(d, p.theta[i][t.lo+k])
			}
		}
	}
	return pull <= flat*p.cases*(1+math.Abs(p.objective))
}

// adapt chooses the length of a step by how the gradient changed along the last one, in turn the
// longer and the shorter length of Barzilai and Borwein.
func (c *coordinates) adapt(g []float64, cases float64) {
	if c.steps == 0 {
		return
	}
	moved, both, changed := 0.0, 0.0, 0.0
	for i, d := range c.moved {
		fall := c.before[i] - g[i]
		moved += d * d
		both += d * fall
		changed += fall * fall
	}
	switch {
	case !(both > 0):
		c.length *= lengthens
	case c.steps%2 == 0:
		c.length = both / changed
	default:
		c.length = moved / both
	}
	c.length = min(max(c.length, 1/(spread*cases)), spread/cases)
}
