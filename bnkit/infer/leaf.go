package infer

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/factor"
)

// leaf numbers the cases by what is observed in a family.
func (m *model) leaf(f int, c *cases, rows []int32, j *joiner) (slot, keys) {
	if m.families[f].gauss != nil {
		return slot{}, keys{identity(len(rows)), len(rows)}
	}
	base := m.bases(f, c, rows)
	if len(rows) == 1 {
		return slot{base: base}, keys{first, 1}
	}
	k, different := j.number(base)
	return slot{base: different}, k
}

// bases returns by case the place of the first entry of a family's table that agrees with
// the evidence.
func (m *model) bases(f int, c *cases, rows []int32) []int32 {
	fam := &m.families[f]
	base := make([]int32, len(rows))
	for i := range base {
		base[i] = int32(fam.lo)
	}
	for i, v := range fam.members {
		states := c.states[v]
		if states == nil || states[rows[0]] == bn.Missing { // hidden here, so hidden in all rows
			continue
		}
		stride := int32(fam.strides[i])
		for j, row := range rows {
			base[j] += int32(states[row]) * stride
		}
	}
	return base
}

// distances lists, by entry of a leaf, its distance from the first in the family's table.
func distances(shape factor.Shape, f *family) []int32 {
	list := make([]int32, 1, shape.Size())
	for i := len(shape.Vars) - 1; i >= 0; i-- {
		stride := f.strides[slices.Index(f.members, shape.Vars[i])]
		block := len(list)
		for s := 1; s < shape.Cards[i]; s++ {
			for _, d := range list[:block] {
				list = append(list, d+int32(s*stride))
			}
		}
	}
	return list
}

// densities fills the leaf of an observed linear-Gaussian variable: by case and state of
// its hidden discrete parents the density of what is observed, divided by the largest of
// the case. It returns the weighted sum of the logarithms of these divisors.
func (m *model) densities(s *slot, n *node, c *cases, rows []int32) (float64, error) {
	fam := &m.families[n.family]
	distance := distances(n.shape, fam)
	s.fixed = make([]float64, len(rows)*n.size)
	offset := 0.0
	for i, row := range rows {
		config := m.bases(n.family, c, rows[i:i+1])[0] - int32(fam.lo)
		out := s.fixed[i*n.size:][:n.size]
		high := math.Inf(-1)
		for j, d := range distance {
			x, err := m.logDensity(n.family, int(config+d), c, int(row))
			if err != nil {
				return 0, err
			}
			out[j] = x
			high = max(high, x)
		}
		if math.IsInf(high, -1) {
			clear(out)
			continue
		}
		for j, x := range out {
			out[j] = math.Exp(x - high)
		}
		offset += c.weight[row] * high
	}
	return offset, nil
}

// logDensity is the logarithm of the density of an observed linear-Gaussian variable,
//
//	−½·log(2π·Variance) − (y − Mean)²/(2·Variance),
//
// in a configuration of its discrete parents.
func (m *model) logDensity(v, config int, c *cases, row int) (float64, error) {
	f := &m.families[v]
	x := make([]float64, len(f.linear))
	for i, p := range f.linear {
		x[i] = c.values[p][row]
	}
	variance := f.gauss.Variance[config]
	if !(variance > 0) {
		return 0, fmt.Errorf("infer: %w: %q is observed", ErrNoDensity, m.net.Variable(v).Name)
	}
	d := c.values[v][row] - f.gauss.Mean(config, x)
	return -0.5 * (math.Log(2*math.Pi*variance) + d*d/variance), nil
}
