package infer

import "bnlab/bnkit/bn"

// bases returns by case the place of the first entry of a family's table that agrees with
// the evidence or, for a linear-Gaussian one, the configuration.
func (m *model) bases(f int, c *cases, rows []int32) []int32 {
	base := make([]int32, len(rows))
	m.setBases(base, f, c, rows)
	return base
}

// setBases writes to base what bases returns.
func (m *model) setBases(base []int32, f int, c *cases, rows []int32) {
	fam := &m.families[f]
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
}
