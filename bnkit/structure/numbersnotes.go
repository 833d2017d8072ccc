package structure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bnlab/internal/english"
	"bnlab/internal/say"
)

// States with at most so many rows are named, in a search with no more than there are columns of numbers: they are too
// few for a regression on the others. A replicate of the cases may hold one of five.
const (
	rareInSearch    = 3
	rareInBootstrap = 5
)

// uneven is how many times the largest standard deviation of a column is that of another before [BGe]'s prior, which
// expects the same of all, is noted.
const uneven = 10

// numbersNotes says what of columns of numbers keeps arcs out of every graph, or weighs columns by their units: a state
// of a variable with rare rows or fewer, or in which a column has one value, makes families impossible that have the
// variable as a parent (a regression needs more rows than coefficients, and some spread), however much the other states
// tell. No row is pooled and no variance has a floor, as scores would then depend on a number that nobody gave and
// differ from those of other tools. Joint states of several variables are not looked at.
func (s *Scorer) numbersNotes(ctx context.Context, rare float64) ([]string, error) {
	m := s.numbers
	if m == nil {
		return nil, nil
	}
	if _, ok := s.score.(BGe); ok {
		return s.unitNotes(), nil
	}
	var notes []string
	for v, of := range s.vars {
		if !of.IsDiscrete() {
			continue
		}
		from, err := m.by(ctx, []int{v}, m.numbers)
		if err != nil {
			return nil, err
		}
		few, flatIn := make(map[int][]string), make(map[int][]string) // columns by state
		rows := make([]float64, of.Cardinality())
		for _, child := range m.numbers {
			for _, c := range m.gather(from, child, []int{child}) {
				name := fmt.Sprintf("%q", m.vars[child].Name)
				rows[c.config] = max(rows[c.config], c.n)
				switch {
				case c.n <= rare:
					few[c.config] = append(few[c.config], name)
				case !(c.s[0] > 0), math.Sqrt(c.s[0]/c.n) <= flat*math.Abs(c.mean[0]):
					flatIn[c.config] = append(flatIn[c.config], name)
				}
			}
		}
		for state, label := range of.States {
			n := english.Count(int(math.Round(rows[state])), "row")
			if columns := few[state]; columns != nil {
				notes = append(notes, fmt.Sprintf("state %q of column %q has only %s: arcs from %q to %s may be lost, "+
					"as a regression has too few rows there; merge the state with another, or leave its rows out",
					label, of.Name, n, of.Name, say.List(columns)))
			}
			if columns := flatIn[state]; columns != nil {
				notes = append(notes, fmt.Sprintf("in the %s of state %q of column %q %s has one value: no arc from "+
					"%q to it is possible, and others may stand in for it; merge the state with another, leave its "+
					"rows out, or discretise the column", n, label, of.Name, say.List(columns), of.Name))
			}
		}
	}
	return notes, nil
}

// unitNotes says whether the prior of BGe weighs columns by their units.
func (s *Scorer) unitNotes() []string {
	m := s.numbers
	low, high := slices.Min(m.spread), slices.Max(m.spread)
	if !(high > uneven*low) {
		return nil
	}
	name := func(sd float64) string { return m.vars[m.numbers[slices.Index(m.spread, sd)]].Name }
	return []string{fmt.Sprintf("the standard deviation of column %q is %.2g, of %q %.2g: BGe's prior expects the "+
		"same of all, so that the result depends on their units; divide each column by its standard deviation",
		name(low), low, name(high), high)}
}
