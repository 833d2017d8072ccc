package verdict

import (
	"cmp"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// told is the part of the cost from which on a context is named.
const told = 0.1

// Contexts are those of a statement from which its cost comes, the dearest first: the configurations that it speaks of
// one by one, or, where it links everything, the distributions. cost is by table entry; what comes of a context is the
// sum over the entries of its distributions. several reports whether the statement speaks of more than one context, and
// open whether it has several inequalities, so that its opposite need not hold when it does not.
func Contexts(net *bn.Network, s constraint.Constraint, cost []float64) (names []string, several, open bool) {
	bounds, err := s.Bind(net)
	if err != nil {
		return nil, false, false
	}
	inequalities := 0
	var parts [][]constraint.Row
	for _, b := range bounds {
		inequalities += len(b.AtMost)
		if len(b.Links) > 0 {
			parts = append(parts, b.Links)
		}
	}
	open = inequalities > 1
	if len(parts) == 1 && len(parts[0]) > 2 {
		parts = slices.Collect(slices.Chunk(parts[0], 1))
	}
	if len(parts) < 2 {
		return nil, false, open
	}
	layout := net.Layout()
	type context struct {
		name string
		cost float64
	}
	var list []context
	total := 0.0
	for _, rows := range parts {
		c := context{name: name(net, rows)}
		for _, row := range rows {
			if net.CPT(row.Var) == nil {
				return nil, true, open // weights of linear-Gaussian nodes
			}
			lo, hi := layout.Row(row.Var, row.Config)
			for _, x := range cost[lo:hi] {
				c.cost += x
			}
		}
		total += max(0, c.cost)
		if at := slices.IndexFunc(list, func(o context) bool { return o.name == c.name }); at >= 0 {
			list[at].cost += c.cost
		} else {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b context) int { return cmp.Compare(b.cost, a.cost) })
	for _, c := range list {
		if c.name != "" && c.cost > 0 && c.cost >= told*total {
			names = append(names, c.name)
		}
	}
	return names, len(list) > 1, open
}

// name is what some rows of tables have in common, as in "sex=f, age=old"; of several variables their names too.
func name(net *bn.Network, rows []constraint.Row) string {
	var common, of []string
	for i, row := range rows {
		t := net.CPT(row.Var)
		if t == nil {
			return ""
		}
		if !slices.Contains(of, t.Child.Name) {
			of = append(of, t.Child.Name)
		}
		var says []string
		for p, state := range t.ConfigNames(row.Config) {
			says = append(says, t.Parents[p].Name+"="+state)
		}
		if i == 0 {
			common = says
		} else {
			common = slices.DeleteFunc(common, func(x string) bool { return !slices.Contains(says, x) })
		}
	}
	if len(common) == 0 {
		return strings.Join(of, ", ")
	}
	return strings.Join(common, ", ")
}
