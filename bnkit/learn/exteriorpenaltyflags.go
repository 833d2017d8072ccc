package learn

import (
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// flags are those of the free tables, and of the others the rows that no case bears on.
func (s *penaltySearch) flags(free []constraint.Flag, counts []float64) []constraint.Flag {
	of := make(map[string]*penalised)
	for _, c := range s.children {
		of[s.net.Variable(c.v).Name] = c
	}
	var list []constraint.Flag
	for v := range s.net.Len() {
		name := s.net.Variable(v).Name
		if c := of[name]; c != nil {
			list = append(list, c.open(s.net.CPT(v), counts[c.lo:c.hi], s.Pseudocount)...)
			continue
		}
		for _, flag := range free {
			if flag.Var == name {
				list = append(list, flag)
			}
		}
	}
	return list
}

// open lists the rows of a table without cases; under a noisy-OR those for which a set has none.
func (c *penalised) open(t *bn.CPT, counts []float64, pseudocount float64) []constraint.Flag {
	if pseudocount > 0 {
		return nil
	}
	of, places, width := c.at(t)
	cases := make([]float64, places)
	for config := range t.Configs().Len() {
		for _, place := range of[config*width : (config+1)*width] {
			for state := range t.Child.Cardinality() {
				cases[place] += counts[config*t.Child.Cardinality()+state]
			}
		}
	}
	var list []constraint.Flag
	for config := range t.Configs().Len() {
		for _, place := range of[config*width : (config+1)*width] {
			if cases[place] > 0 {
				continue
			}
			given := strings.TrimPrefix(cellName(t, config, 0), t.Child.Name+"="+t.Child.States[0]+" | ")
			list = append(list, constraint.Flag{
				Kind: constraint.Unidentified, Var: t.Child.Name, Given: given,
				Text: "no cases to go by; the start of the search and the penalty made it",
			})
			break
		}
	}
	return list
}

// at is, for each row of the table, what cases of it bear on: the row itself, or the places of the sets.
func (c *penalised) at(t *bn.CPT) (of []int, places, width int) {
	if c.sets != nil {
		return c.sets.at, c.sets.places(), c.sets.sets()
	}
	for config := range t.Configs().Len() {
		of = append(of, config)
	}
	return of, len(of), 1
}
