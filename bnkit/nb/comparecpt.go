package nb

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/internal/english"
	"bnlab/internal/say"
)

// comparedRows is how many rows CompareCPT shows.
const comparedRows = 64

// CompareCPT displays the CPTs of a variable in two models cell by cell, such as those of a fit with knowledge and of
// one without: a row for each configuration of the parents, and for each state the probability in a, that in b, and b
// less a, coloured by its size. The cases of each row stand at the end where a model was fitted. Rows are sorted, and
// saved, as [Table] says.
//
//	nb.CompareCPT(plain, informed, "recurrence")
//
// Of more than 64 rows those are shown that differ most in an entry. Models without a CPT of the variable, and those
// that give it other states or other parents, end the cell; see [Must].
func CompareCPT(a, b bn.Model, variable string) {
	g, err := compared(a, b, variable)
	NoError(err)
	show().table(g)
}

func compared(a, b bn.Model, variable string) (grid, error) {
	var tables [2]*bn.CPT
	var counts [2][]float64
	for i, m := range []bn.Model{a, b} {
		if m == nil || m.Network() == nil {
			return grid{}, fmt.Errorf("nb: model %c: there is no network", 'a'+i)
		}
		var err error
		if tables[i], err = m.Network().Table(variable); err != nil {
			if errors.Is(err, bn.ErrNotDiscrete) {
				err = say.Errorf("%w; compare bnkit.Coefficients with nb.SideBySide", err)
			}
			return grid{}, say.Errorf("nb: model %c: %w", 'a'+i, err)
		}
		if f, ok := m.(*bnkit.Model); ok {
			if counts[i], err = f.FamilyCounts(variable); err != nil {
				return grid{}, say.Errorf("nb: model %c: %w", 'a'+i, err)
			}
		}
	}
	if err := sameFamily(tables[0], tables[1]); err != nil {
		return grid{}, say.Errorf("nb: %w", err)
	}
	return compareGrid(tables, counts), nil
}

// sameFamily returns an error unless two tables have the same rows and columns.
func sameFamily(a, b *bn.CPT) error {
	families := [2][]bn.Variable{append([]bn.Variable{a.Child}, a.Parents...),
		append([]bn.Variable{b.Child}, b.Parents...)}
	if len(families[0]) != len(families[1]) {
		return say.Errorf("%q has %s in model a and %d in model b", a.Child.Name,
			english.Count(len(a.Parents), "parent"), len(b.Parents))
	}
	for i, v := range families[0] {
		switch w := families[1][i]; {
		case v.Name != w.Name:
			return say.Errorf("parent %d of %q is %q in model a and %q in model b", i, a.Child.Name, v.Name, w.Name)
		case !slices.Equal(v.States, w.States):
			return say.Errorf("%q has other states in model a than in model b", v.Name)
		}
	}
	return nil
}

// compareGrid lays out two tables of one family, and the cases of their rows where there are any.
func compareGrid(tables [2]*bn.CPT, counts [2][]float64) grid {
	a, b := tables[0], tables[1]
	largest, rows := differing(a, b)
	g := grid{exact: make([][]string, len(rows)), rows: make([][]string, len(rows)),
		shades: make([][]float64, len(rows))}
	names := make([]string, len(a.Parents))
	for i, p := range a.Parents {
		names[i] = visible(p.Name, "")
		g.header, g.numeric = append(g.header, names[i]), append(g.numeric, false)
	}
	for _, state := range a.Child.States {
		state = visible(state, "")
		g.header = append(g.header, state+": a", state+": b", state+": b − a")
		g.numeric = append(g.numeric, true, true, true)
	}
	for i, name := range []string{"cases: a", "cases: b"} {
		if counts[i] != nil {
			g.header, g.numeric = append(g.header, name), append(g.numeric, true)
		}
	}
	for i, config := range rows {
		add := func(text, exact string, shade float64) {
			g.rows[i], g.exact[i] = append(g.rows[i], text), append(g.exact[i], exact)
			g.shades[i] = append(g.shades[i], shade)
		}
		exactly := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
		for _, state := range a.ConfigNames(config) {
			add(visible(state, ""), state, 0)
		}
		for s, p := range a.Row(config) {
			q := b.Row(config)[s]
			d, sign := q-p, ""
			if d > 0 {
				sign = "+"
			}
			add(number(p), exactly(p), 0)
			add(number(q), exactly(q), 0)
			add(sign+number(d), exactly(d), d/max(largest, math.SmallestNonzeroFloat64))
		}
		for _, n := range counts {
			if n != nil {
				total := 0.0
				for _, c := range n[config*a.Child.Cardinality():][:a.Child.Cardinality()] {
					total += c
				}
				add(number(total), exactly(total), 0)
			}
		}
	}
	g.caption = "P(" + visible(a.Child.Name, "")
	if len(names) > 0 {
		g.caption += " | " + strings.Join(names, ", ")
	}
	g.caption += fmt.Sprintf("): the largest difference is %s", number(largest))
	if more := a.Configs().Len() - len(rows); more > 0 {
		g.foot = fmt.Sprintf("the %d of %d rows that differ most", len(rows), a.Configs().Len())
	}
	return g
}

// differing returns the largest difference of an entry, and the rows to show, in the order of the table.
func differing(a, b *bn.CPT) (largest float64, rows []int) {
	by := make([]float64, a.Configs().Len())
	for config := range by {
		for s, p := range a.Row(config) {
			by[config] = max(by[config], math.Abs(p-b.Row(config)[s]))
		}
		largest = max(largest, by[config])
		rows = append(rows, config)
	}
	slices.SortStableFunc(rows, func(i, k int) int { return cmp.Compare(by[k], by[i]) })
	rows = rows[:min(len(rows), comparedRows)]
	slices.Sort(rows)
	return largest, rows
}
