package infer

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/factor"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// A density is the distribution of a linear-Gaussian variable, with
//
//	−½·log(2π·Variance)
//
// by configuration of the discrete parents.
type density struct {
	*bn.LinearGaussian
	constant []float64
	within   *Interval // of a finding: not a density but the probability of the interval
}

func newDensity(g *bn.LinearGaussian) *density {
	d := &density{LinearGaussian: g, constant: make([]float64, len(g.Variance))}
	for config, variance := range g.Variance {
		d.constant[config] = -0.5 * (math.Log(2*math.Pi) + factor.Log(variance))
	}
	return d
}

// newDensities returns those of other parameters. It returns an error when they are not
// valid or not of the network.
func (m *model) newDensities(gaussians []*bn.LinearGaussian) ([]*density, error) {
	if len(gaussians) != len(m.cards) {
		return nil, fmt.Errorf("infer: %d linear-Gaussian nodes for a network of %d variables; give one for each, "+
			"nil for a discrete one", len(gaussians), len(m.cards))
	}
	list := make([]*density, len(gaussians))
	for v, own := range m.own.densities {
		g := gaussians[v]
		switch {
		case (g == nil) != (own == nil):
			return nil, say.Errorf("infer: %q is continuous, or has a linear-Gaussian node, but not both",
				m.net.Variable(v).Name)
		case g == nil:
			continue
		case len(g.Variance) != len(own.Variance) || len(g.Continuous) != len(own.Continuous):
			return nil, say.Errorf("infer: the linear-Gaussian node of %q has other parents than in the network",
				m.net.Variable(v).Name)
		}
		if err := g.Validate(); err != nil {
			return nil, say.Errorf("infer: %w", err)
		}
		list[v] = newDensity(g)
	}
	return list, nil
}

// logDensity is the logarithm of the density of an observed linear-Gaussian variable,
//
//	−½·log(2π·Variance) − (y − Mean)²/(2·Variance),
//
// in a configuration of its discrete parents, or that of the probability of an interval.
func (m *model) logDensity(d *density, v int, config int32, c *cases, row int32) (float64, error) {
	variance := d.Variance[config]
	if d.within != nil {
		mean := d.Intercept[config]
		for i, p := range m.families[v].linear {
			mean += d.Weights[config][i] * c.values[p][row]
		}
		return num.LogNormalBetween(d.within.Low-mean, d.within.High-mean, math.Sqrt(variance)), nil
	}
	if !(variance > 0) {
		return 0, say.Errorf("infer: %w: %q is observed; give it a variance, or fit with a VarianceFloor",
			ErrNoDensity, m.net.Variable(v).Name)
	}
	r := c.values[v][row] - d.Intercept[config]
	for i, p := range m.families[v].linear {
		r -= d.Weights[config][i] * c.values[p][row]
	}
	if x := d.constant[config] - r*(r/variance)/2; x >= -math.MaxFloat64 {
		return x, nil
	}
	return math.Inf(-1), nil
}

// fill computes the linear-Gaussian leaves: by case and state of the hidden discrete parents
// the density of what is observed, divided by the largest of the case. The logarithms of the
// divisors are added up in w.high: such leaves are different in each case, so that case and
// configuration of the root have the same number. w.wide marks those in which a leaf is wide.
func (m *model) fill(t *tree, w *workspace, blk *block, c *cases, p parameters) error {
	if t.gauss == nil {
		return nil
	}
	w.high = append(w.high[:0], make([]float64, len(blk.weight))...)
	w.wide = append(w.wide[:0], make([]bool, len(blk.weight))...)
	for _, i := range t.gauss {
		n, s := &t.nodes[i], &blk.slots[i]
		if n.mixture != nil {
			if err := m.logMixture(w.up[s.start:][:s.n*n.size], w, n, s, c, p); err != nil {
				return err
			}
		}
		for k, row := range s.rows {
			out := w.up[s.start+k*n.size:][:n.size]
			var high float64
			if n.mixture != nil {
				high = slices.Max(out)
			} else {
				var err error
				if high, err = m.logLeaf(out, n, s.base[k], row, c, p.densities); err != nil {
					return err
				}
			}
			if math.IsInf(high, -1) {
				clear(out)
				continue
			}
			for j, x := range out {
				if x < high-wide && !math.IsInf(x, -1) {
					w.wide[k] = true
				}
				out[j] = math.Exp(x - high)
			}
			w.high[k] += high
		}
	}
	return nil
}

// logLeaf writes to out the logarithms of a linear-Gaussian leaf for a case, whose first entry is
// that of the configuration base, and returns the largest.
func (m *model) logLeaf(out []float64, n *node, base, row int32, c *cases, densities []*density) (high float64,
	err error) {
	high = math.Inf(-1)
	for j, d := range n.distance {
		if out[j], err = m.logDensity(densities[n.family], n.family, base+d, c, row); err != nil {
			return 0, err
		}
		high = max(high, out[j])
	}
	return high, nil
}
