package infer

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/factor"
)

// leaf numbers the cases by what is observed in a family; those of a linear-Gaussian one all
// differ. It writes to base, which has a place for each case.
func (m *model) leaf(f int, c *cases, rows []int32, j *joiner, base []int32) (slot, keys) {
	m.setBases(base, f, c, rows)
	if m.families[f].gauss {
		return slot{base: base, rows: rows}, keys{identity(len(rows)), len(rows)}
	}
	if len(rows) == 1 {
		return slot{base: base}, keys{first, 1}
	}
	k, different := j.number(base)
	return slot{base: different}, k
}

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

// distances writes to list, by entry of a leaf, its distance from the first in the family's table.
func distances(list []int32, shape factor.Shape, f *family) {
	list[0] = 0
	block := 1
	for i := len(shape.Vars) - 1; i >= 0; i-- {
		stride := int32(0) // of a variable that the family does not have
		if at := slices.Index(f.members, shape.Vars[i]); at >= 0 {
			stride = int32(f.strides[at])
		}
		for at := block; at < block*shape.Cards[i]; at++ {
			list[at] = list[at-block] + stride
		}
		block *= shape.Cards[i]
	}
}
