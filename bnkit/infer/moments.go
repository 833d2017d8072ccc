package infer

import (
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// linear is what a plan knows of a linear-Gaussian variable.
type linear struct {
	v        int
	observed []data.Factor // rows with known discrete parents, by configuration of these
	rows     []int32       // cases of these rows
	configs  []int32       // and their configurations
	skipped  float64       // weight of the cases that neither observe it nor anything that depends on it
}

// linears gathers the linear-Gaussian variables.
func (m *model) linears(c *cases) ([]linear, error) {
	var list []linear
	barren := m.barren(c)
	for v, d := range m.own.densities {
		if d == nil {
			continue
		}
		l := linear{v: v, observed: make([]data.Factor, len(d.Variance)), rows: m.complete(v, c)}
		if len(l.rows) > 0 {
			l.configs = m.bases(v, c, l.rows)
		}
		var z []float64
		for i, row := range l.rows {
			z = m.regression(z[:0], v, c, row)
			l.observed[l.configs[i]].Add(c.weight[row], z)
		}
		if err := m.finite(v, l.observed); err != nil {
			return nil, err
		}
		l.skipped = barren[v]
		list = append(list, l)
	}
	return list, nil
}

// finite returns an error when the factors of a variable are not.
func (m *model) finite(v int, factors []data.Factor) error {
	for _, f := range factors {
		if !f.IsFinite() {
			return say.Errorf("infer: the squares of the values of %q or of a parent sum to no finite number; "+
				"measure in a larger unit", m.net.Variable(v).Name)
		}
	}
	return nil
}

// regression appends the row [1, x_1 … x_p, y] of a linear-Gaussian variable in a case.
func (m *model) regression(z []float64, v int, c *cases, row int32) []float64 {
	z = append(z, 1)
	for _, p := range m.families[v].linear {
		z = append(z, c.values[p][row])
	}
	return append(z, c.values[v][row])
}

// ExpectMoments is Expect with other parameters of the linear-Gaussian variables: gaussians
// lists them by variable, nil for a discrete one. Besides the counts it adds to m, by
// configuration of the discrete parents of such a variable, the factor of the rows z = [1,
// continuous parents, variable] with expected weights,
//
//	R'R = Σ over cases  weight · P(configuration | case) · z'z,
//
// the statistics that Regress of package constraint takes in an M-step. What is hidden among z has its
// expected squares and products. Cases that observe neither the variable nor anything that depends on it
// are left out of that; their weight is added to m.Skipped. [data.NewMoments] makes an empty m of the
// network's shape. n or m or both may be nil when they are not wanted; without both, it is the
// log-likelihood.
//
// Errors are those of Expect, for parameters that are not valid or not of the network,
// [ErrNoDensity] for a variance of 0, and for values whose squares sum to no finite number.
func (p *Plan) ExpectMoments(n []float64, m *data.Moments, theta []float64,
	gaussians []*bn.LinearGaussian) (loglik float64, err error) {
	size := len(p.m.own.theta)
	theta = theta[:size]
	densities, err := p.m.newDensities(gaussians)
	if err != nil {
		return 0, err
	}
	known, err := p.m.logKnown(p.known, p.c, theta)
	if err != nil {
		return 0, err
	}
	observed, err := p.logObserved(densities)
	if err != nil {
		return 0, err
	}
	if n != nil {
		n = n[:size]
		p.AddObserved(n)
	}
	var shares []float64
	if m != nil {
		shares = make([]float64, p.shares)
	}
	hidden, err := p.each(parameters{theta: theta, densities: densities}, n, shares)
	if err != nil {
		return 0, err
	}
	if m != nil {
		if err := p.addMoments(m, shares, gaussians); err != nil {
			return 0, err
		}
	}
	return known + observed + hidden, nil
}

// logObserved is the log-density of the rows of linear-Gaussian variables whose discrete
// parents are known. With b = [−Intercept, −Weights, 1] that is by configuration
//
//	N·(−½·log(2π·Variance)) − |R·b|²/(2·Variance).
func (p *Plan) logObserved(densities []*density) (float64, error) {
	total := 0.0
	for _, l := range p.gauss {
		d := densities[l.v]
		sum := 0.0
		for config, f := range l.observed {
			if f.R == nil {
				continue
			}
			variance := d.Variance[config]
			if !(variance > 0) {
				return 0, say.Errorf("infer: %w: %q is observed; give it a variance, or fit with a VarianceFloor",
					ErrNoDensity, p.m.net.Variable(l.v).Name)
			}
			k := len(d.Weights[config]) + 2
			squares := 0.0 // divided by the variance
			for i := range k {
				row := f.R[i*k : (i+1)*k]
				r := row[k-1] - row[0]*d.Intercept[config]
				for j, w := range d.Weights[config] {
					r -= row[j+1] * w
				}
				squares += r * (r / variance)
			}
			sum += f.N*d.constant[config] - squares/2
		}
		if !(sum >= -math.MaxFloat64) {
			return 0, p.farthest(l, d)
		}
		total += sum
	}
	return total, nil
}

// farthest is the error for the row with the least density.
func (p *Plan) farthest(l linear, d *density) error {
	at, least := l.rows[0], math.Inf(1)
	for i, row := range l.rows {
		x, err := p.m.logDensity(d, l.v, l.configs[i], p.c, row)
		if err != nil {
			return err
		}
		if x < least {
			at, least = row, x
		}
	}
	return p.c.impossible(p.m.net, int(at))
}

// shares is the number of entries of the linear-Gaussian leaves.
func (t *tree) shares(blk *block) int {
	n := 0
	for _, i := range t.gauss {
		n += blk.slots[i].n * t.nodes[i].size
	}
	return n
}

// copyShares copies the expected counts of the linear-Gaussian leaves.
func (t *tree) copyShares(w *workspace, blk *block, to []float64) {
	for _, i := range t.gauss {
		s := &blk.slots[i]
		size := s.n * t.nodes[i].size
		copy(to[:size], w.share[s.start:])
		to = to[size:]
	}
}

// addMoments adds the rows of the linear-Gaussian variables with their expected weights: in
// the order of the tasks, so that the number of workers does not show.
func (p *Plan) addMoments(m *data.Moments, shares []float64, gaussians []*bn.LinearGaussian) error {
	for _, l := range p.gauss {
		m.Skipped[l.v] += l.skipped
	}
	var z []float64
	for _, t := range p.tasks {
		rest := shares[t.place:]
		for _, i := range t.gauss {
			n, s := &t.nodes[i], &t.slots[i]
			if n.mixture != nil {
				p.addMixture(m, n, s, rest, gaussians)
				rest = rest[len(s.rows)*n.size:]
				continue
			}
			factors := m.Factors[n.family]
			for k, row := range s.rows {
				z = p.m.regression(z[:0], n.family, p.c, row)
				for j, d := range n.distance {
					if weight := rest[k*n.size+j]; weight > 0 {
						factors[s.base[k]+d].Add(weight, z)
					}
				}
			}
			rest = rest[len(s.rows)*n.size:]
		}
	}
	for _, l := range p.gauss {
		factors := m.Factors[l.v]
		for config, f := range l.observed {
			f.R = append([]float64(nil), f.R...) // Merge may return it
			factors[config] = factors[config].Merge(f)
		}
		if err := p.m.finite(l.v, factors); err != nil {
			return err
		}
	}
	m.Rows += p.Weight()
	return nil
}
