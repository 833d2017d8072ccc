package constraint

import "slices"

// Groups returns the distributions that statements link, in the order of the network: those of one group have a
// joint posterior, those of different groups are independent given counts, and so are distributions in none.
func (p *Problem) Groups() [][]Row {
	var groups [][]Row
	for _, part := range p.parts {
		groups = append(groups, slices.Clone(part.rows))
	}
	return groups
}
