package exteriorpenalty

import (
	"bnlab/bnkit/learn/internal/orsets"
	"bnlab/bnkit/learn/internal/softmax"
	"bnlab/internal/num"
)

// A climb is that of one child, with all it writes to.
type climb struct {
	*Child
	weight    float64      // ω
	n         []float64    // counts of the child with pseudocounts
	cases     float64      // their sum, 1 without them
	theta     [][]float64  // by table, in its own layout
	slopes    [][]float64  // the same
	rows      []softRows   // by table
	deltas    [][]float64  // by table, δ of its inequalities
	paid      []float64    // by table, its penalty without the weight
	now       *orsets.Sets // nil without a noisy-OR
	entries   []float64    // of now with cases, by configuration: child absent, present
	seen      []int        // configurations with cases
	asked     []int        // the entries with cases
	logs      []float64    // of these
	sloped    bool         // now has the slopes of the point that was valued last
	x, trial  []float64
	gradient  []float64
	objective float64 // J at x
	total     int     // iterations in all rounds
	after     func(iterations int)
	links     coordinates
	cpts      coordinates
}

func newClimb(c *Child) *climb {
	p := &climb{Child: c, n: make([]float64, c.Hi-c.Lo)}
	for _, t := range c.tables {
		p.theta, p.slopes = append(p.theta, make([]float64, t.size)), append(p.slopes, make([]float64, t.size))
		p.rows = append(p.rows, newSoftRows(t.hi-t.lo, t.states))
		p.deltas, p.paid = append(p.deltas, make([]float64, t.penalty.Inequalities())), append(p.paid, 0)
	}
	links := 0
	if c.Sets != nil {
		p.now, links, p.entries = c.Sets.Clone(), c.Sets.Len(), make([]float64, c.Hi-c.Lo)
		p.logs = make([]float64, c.Hi-c.Lo)
	}
	for _, list := range []*[]float64{&p.x, &p.trial, &p.gradient} {
		*list = make([]float64, len(c.start))
	}
	p.links, p.cpts = newCoordinates(0, links), newCoordinates(links, len(p.x))
	return p
}

// value is J at x, and leaves the tables there for the rest. What an earlier point left of a row with the same
// coordinates stays: an exponential and a logarithm each.
func (p *climb) value(x []float64) float64 {
	p.sloped = false
	moved := false
	j := 0.0
	if p.now == nil {
		t := p.tables[0]
		j, moved = p.rows[0].logLikelihood(p.theta[0][t.lo:t.hi], x, p.n)
	} else {
		j, moved = p.mixed(x)
	}
	for i, t := range p.tables {
		if moved {
			p.paid[i] = t.penalty.Deltas(p.deltas[i], p.theta[i])
		}
		j -= p.weight * p.paid[i]
	}
	return j
}

// mixed is the log-likelihood of a child under a noisy-OR. It reports whether its tables moved.
func (p *climb) mixed(x []float64) (loglik float64, moved bool) {
	b := p.now
	b.Link(x[:b.Len()])
	for i, t := range p.tables {
		if !p.rows[i].write(p.theta[i][t.lo:t.hi], x[t.mu:t.mu+t.hi-t.lo]) {
			continue
		}
		moved = true
		for config := range b.First[i+1] - b.First[i] {
			row := p.theta[i][t.lo+2*config:]
			b.P[b.First[i]+config], b.NoP[b.First[i]+config] = row[b.Present], row[1-b.Present]
		}
	}
	b.Mix()
	b.EntriesOf(p.entries, p.seen)
	logs := p.logs[:len(p.asked)]
	for i, at := range p.asked {
		logs[i] = p.entries[at]
	}
	num.Logs(logs, logs)
	for i, at := range p.asked {
		loglik += p.n[p.cell(at)] * logs[i]
	}
	return loglik, moved
}

// cell is where the counts of an entry of a noisy-OR stand.
func (p *climb) cell(entry int) int {
	if p.now.Present == 0 {
		return entry ^ 1
	}
	return entry
}

// see lists what has cases.
func (p *climb) see() {
	p.seen, p.asked = p.seen[:0], p.asked[:0]
	for config := range len(p.entries) / 2 {
		asked := len(p.asked)
		for entry := 2 * config; entry < 2*config+2; entry++ {
			if p.n[p.cell(entry)] > 0 {
				p.asked = append(p.asked, entry)
			}
		}
		if len(p.asked) > asked {
			p.seen = append(p.seen, config)
		}
	}
}

// differentiate writes the derivatives of J at the point that was valued last.
func (p *climb) differentiate() {
	p.differentiateLinks()
	p.differentiateTables()
}

// differentiateLinks writes those by the logits of the links.
func (p *climb) differentiateLinks() {
	if p.now != nil {
		p.differentiateMixed()
		p.now.LinkSlopes(p.gradient[:p.now.Len()])
	}
}

// differentiateTables writes those by μ.
func (p *climb) differentiateTables() {
	for i, t := range p.tables {
		slopes, theta := p.slopes[i][t.lo:t.hi], p.theta[i][t.lo:t.hi]
		clear(slopes)
		t.penalty.AddGradientOf(p.slopes[i], p.deltas[i], -p.weight)
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
		for i, t := range p.tables {
			b := p.now
			for config := range b.First[i+1] - b.First[i] {
				place := b.First[i] + config
				p.slopes[i][t.lo+2*config+b.Present] += b.P[place] * b.CauseSlope(i, place)
			}
		}
	}
	for i, t := range p.tables {
		softmax.Pull(p.gradient[t.mu:t.mu+t.hi-t.lo], p.theta[i][t.lo:t.hi], p.slopes[i][t.lo:t.hi], t.states)
	}
}

// differentiateMixed writes the slopes of the log-likelihood of a noisy-OR: of n0 cases without the child and n1
// with it, n0/P(absent) − n1/P(present) by P(absent). Configurations without cases have none. (Y13 Eqs. 10 to 13,
// summed over the examples of a configuration.)
func (p *climb) differentiateMixed() {
	if p.sloped {
		return
	}
	p.sloped = true
	b := p.now
	clear(b.Slope)
	for _, config := range p.seen {
		n0, n1 := p.n[2*config+1-b.Present], p.n[2*config+b.Present]
		derivative := 0.0
		if n0 > 0 {
			derivative += n0 / p.entries[2*config]
		}
		if n1 > 0 {
			derivative -= n1 / p.entries[2*config+1]
		}
		b.Pull(config, derivative)
	}
}
