package product

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"bnlab/internal/linprog"
	"bnlab/internal/rows"
)

// compare puts relations in an order in which equal ones are neighbours. The context of one
// without a margin does not matter.
func (r within) compare(s within) int {
	context := 0
	if r.margin > 0 {
		context = r.context - s.context
	}
	return cmp.Or(r.set-s.set, slices.Compare(r.less, s.less), slices.Compare(r.more, s.more),
		cmp.Compare(r.margin, s.margin), context)
}

// cancel removes common terms from two sorted lists.
func cancel(a, b []int) (restA, restB []int) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			i, j = i+1, j+1
		case a[i] < b[j]:
			restA, i = append(restA, a[i]), i+1
		default:
			restB, j = append(restB, b[j]), j+1
		}
	}
	return append(restA, a[i:]...), append(restB, b[j:]...)
}

// join makes classes of what the orders of a set make equal, in circles or as sums.
func (d *reduction) join() (changed bool, err error) {
	for i := range d.Sizes {
		g := simple.NewDirectedGraph()
		sums := false
		for _, r := range d.relations {
			if r.set != i {
				continue
			}
			if len(r.less) == 1 && len(r.more) == 1 {
				g.SetEdge(simple.Edge{F: simple.Node(r.less[0]), T: simple.Node(r.more[0])})
			} else {
				sums = true
			}
		}
		for _, circle := range topo.TarjanSCC(g) {
			for _, x := range circle[1:] {
				d.equate(i, int(x.ID()), int(circle[0].ID()))
				changed = true
			}
		}
		if sums && !changed {
			if changed, err = d.balance(i); err != nil {
				return false, err
			}
		}
	}
	return changed, nil
}

// equate joins two configurations of a set.
func (d *reduction) equate(set, x, y int) {
	x, y = d.class[set][x], d.class[set][y]
	for k, z := range d.class[set] {
		if z == max(x, y) {
			d.class[set][k] = min(x, y)
		}
	}
}

// balance finds what sums of a set make equal, and a point inside: by linear programming, unless one
// of two points that follow the orders is.
func (d *reduction) balance(set int) (changed bool, err error) {
	for _, g := range [...]func(depth, most int) float64{
		func(depth, _ int) float64 { return math.Pow(0.9, float64(depth)) }, // sub-synergies
		func(depth, most int) float64 { // synergies
			part := float64(depth) / float64(most+1)
			return 1 - part*part
		},
	} {
		d.interior[set] = d.descend(set, g)
		if d.strictly(set, d.interior[set]) {
			return false, nil
		}
	}
	p := rows.Set{Len: d.Sizes[set]}
	var orders []within
	for _, r := range d.relations {
		if r.set != set {
			continue
		}
		coef := make([]float64, p.Len)
		for _, x := range r.less {
			coef[x]++
		}
		for _, x := range r.more {
			coef[x]--
		}
		row := rows.Row{}
		for x, c := range coef {
			if c != 0 {
				row.Index, row.Coef = append(row.Index, x), append(row.Coef, c)
			}
		}
		p.AtMost, orders = append(p.AtMost, row), append(orders, r)
	}
	for x := range p.Len {
		p.AtMost = append(p.AtMost, rows.Row{Index: []int{x}, Value: 1})
	}
	g, zero, tight, err := linprog.Interior(p)
	if err != nil {
		return false, err
	}
	if slices.Contains(zero, true) {
		return false, ErrUnsupported
	}
	for k, r := range orders {
		switch {
		case !tight[k]:
		case len(r.less) == 1 && len(r.more) == 1:
			d.equate(set, r.less[0], r.more[0])
			changed = true
		default:
			return false, fmt.Errorf("%w when sums within a set can only be equal, as in a synergy and a sub-synergy "+
				"of the same parents", ErrUnsupported)
		}
	}
	d.interior[set] = g
	return changed, nil
}

// implied is an error unless the orders within two sets make a crossing hold.
func (d *reduction) implied(c crossing) error {
	up1, down1 := d.below(c.first, c.p, c.q), d.below(c.first, c.q, c.p)
	up2, down2 := d.below(c.second, c.r, c.s), d.below(c.second, c.s, c.r)
	switch {
	case up1 && down2 || down1 && up2:
		return nil
	case up1 && up2 || down1 && down2:
		return fmt.Errorf("%w: factors that fall together make F(0,0) + F(1,1) − F(0,1) − F(1,0) positive",
			ErrInfeasible)
	}
	return fmt.Errorf("%w over two sets that do not follow from those within each", ErrUnsupported)
}

// below reports whether orders say g(x) ≤ g(y).
func (d *reduction) below(set, x, y int) bool {
	x, y = d.class[set][x], d.class[set][y]
	seen := make([]bool, d.Sizes[set])
	open := []int{x}
	for len(open) > 0 {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		if at == y {
			return true
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		for _, r := range d.relations {
			if r.set == set && len(r.less) == 1 && len(r.more) == 1 && r.less[0] == at {
				open = append(open, r.more[0])
			}
		}
	}
	return false
}
