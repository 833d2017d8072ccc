package hierarchy

import (
	"fmt"

	"bnlab/bnkit/structure"
)

// Graph returns the prior for searches of whole graphs ([structure.Settings].GraphPrior), whose variables have
// the hierarchy's names, as they are or with slices. Only the parent-wise assumption has a v
// that is a sum of what each family breaks; for others it returns an error. (B06 §2.2: P_p.)
func (p Prior) Graph(h *Hierarchy) (structure.GraphPrior, error) {
	if h == nil || !(p.Alpha >= 0) {
		return nil, fmt.Errorf("hierarchy: a hierarchy's prior needs a hierarchy and an α of at least 0, not %v",
			p.Alpha)
	}
	rule, ok := p.assumption().(ParentWise)
	if !ok {
		return nil, fmt.Errorf("hierarchy: under the %s one family decides what another breaks, so v is no sum over "+
			"families; use Hierarchy.Learn with hierarchy.Prior", p.assumption())
	}
	return graphTerm{p, h, rule, h.slices()}, nil
}

// graphTerm is the parent-wise prior by names.
type graphTerm struct {
	Prior
	h      *Hierarchy
	rule   ParentWise
	number map[string][2]int
}

// Violations counts the parents without an h-parent among them. Variables that the hierarchy does
// not have break nothing.
func (g graphTerm) Violations(child string, parents []string) float64 {
	j, ok := g.number[child]
	if !ok {
		return 0
	}
	links := make(Links, g.h.Len())
	for _, name := range parents {
		if i, ok := g.number[name]; ok {
			links[j[0]] = append(links[j[0]], i[0])
		}
	}
	return float64(g.h.violationsOf(g.rule, links, j[0]))
}
