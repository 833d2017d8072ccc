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

// A reduction rewrites relations in terms of single sets, where factors that both sides share
// are left out, and joins what they make equal.
type reduction struct {
	Problem
	configs   int
	strides   []int
	class     [][]int // by set and local configuration, the first that is equal to it
	relations []within
	across    []crossing
	interior  [][]float64 // by set, g at a point inside; nil where orders alone give one
	vars      int
}

// A within is a relation of local configurations of one set. One with a margin is about the
// configurations that have the others of context.
type within struct {
	set        int
	less, more []int
	margin     float64
	context    int
}

// A crossing is a relation over two sets, (A(p) − A(q))·(B(r) − B(s)) ≤ 0. (Such is the synergy of Y13 Eq. 5
// for parents in two sets.)
type crossing struct{ first, p, q, second, r, s int }

func newReduction(p Problem) *reduction {
	d := &reduction{Problem: p, configs: 1, strides: make([]int, len(p.Sizes)), class: make([][]int, len(p.Sizes)),
		interior: make([][]float64, len(p.Sizes))}
	for i := len(p.Sizes) - 1; i >= 0; i-- {
		d.strides[i] = d.configs
		d.configs *= p.Sizes[i]
		d.class[i] = make([]int, p.Sizes[i])
		for x := range d.class[i] {
			d.class[i][x] = x
		}
	}
	return d
}

// local is the configuration of one set in x.
func (d *reduction) local(x, set int) int { return x / d.strides[set] % d.Sizes[set] }

func (d *reduction) locals(list []int, set int) []int {
	out := make([]int, len(list))
	for i, x := range list {
		out[i] = d.local(x, set)
	}
	return out
}

func (d *reduction) reduce() error {
	for _, r := range d.Relations {
		if err := d.read(r); err != nil {
			return err
		}
	}
	for changed := true; changed; {
		if err := d.tidy(); err != nil {
			return err
		}
		var err error
		if changed, err = d.join(); err != nil {
			return err
		}
	}
	for _, c := range d.across {
		if err := d.implied(c); err != nil {
			return err
		}
	}
	d.prune()
	return nil
}

// read finds the set in which the configurations of a relation differ, or the two.
func (d *reduction) read(r Relation) error {
	all := slices.Concat(r.Less, r.More)
	var sets []int
	for i := range d.Sizes {
		if slices.ContainsFunc(all, func(x int) bool { return d.local(x, i) != d.local(all[0], i) }) {
			sets = append(sets, i)
		}
	}
	switch {
	case len(all) == 0 || len(sets) == 0:
		sets = []int{0}
		fallthrough
	case len(sets) == 1:
		i := sets[0]
		d.relations = append(d.relations, within{i, d.locals(r.Less, i), d.locals(r.More, i), r.Margin, all[0]})
		return nil
	case len(sets) == 2 && len(r.Less) == 2 && len(r.More) == 2 && r.Margin == 0:
		a, b := d.locals(r.Less, sets[0]), d.locals(r.Less, sets[1])
		c := crossing{sets[0], a[0], a[1], sets[1], b[0], b[1]}
		x := r.Less[0] + (c.q-c.p)*d.strides[c.first]
		y := r.Less[0] + (c.s-c.r)*d.strides[c.second]
		if slices.Contains(r.More, x) && slices.Contains(r.More, y) && x != y {
			d.across = append(d.across, c)
			return nil
		}
	}
	return ErrUnsupported
}

// tidy puts classes in the place of configurations, cancels what stands on both sides, and
// drops what says nothing or appears twice.
func (d *reduction) tidy() error {
	kept := d.relations[:0]
	for _, r := range d.relations {
		for _, side := range [...][]int{r.less, r.more} {
			for k, x := range side {
				side[k] = d.class[r.set][x]
			}
			slices.Sort(side)
		}
		r.less, r.more = cancel(r.less, r.more)
		switch {
		case len(r.more) == 0 && len(r.less) == 0 && r.margin > 0:
			return fmt.Errorf("%w: what has to differ by a margin of %v has to be equal", ErrInfeasible, r.margin)
		case len(r.less) == 0 && r.margin == 0:
			continue
		case len(r.more) == 0 || len(r.less) == 0:
			return ErrUnsupported
		}
		kept = append(kept, r)
	}
	slices.SortStableFunc(kept, within.compare)
	d.relations = slices.CompactFunc(kept, func(a, b within) bool { return a.compare(b) == 0 })
	return nil
}

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

// entries numbers the classes of all sets.
func (d *reduction) entries() [][]int {
	entry := make([][]int, len(d.Sizes))
	for i := range d.Sizes {
		entry[i] = make([]int, d.Sizes[i])
		for x, class := range d.class[i] {
			if class < x {
				entry[i][x] = entry[i][class]
				continue
			}
			entry[i][x] = d.vars
			d.vars++
		}
	}
	return entry
}

// start is a u inside all orders without their margins, with F below 0.6.
func (d *reduction) start(entry [][]int) []float64 {
	u := make([]float64, d.vars+2)
	u[d.vars+1] = -0.5
	for i, class := range d.class {
		g := d.interior[i]
		if g == nil {
			g = d.descend(i, func(depth, _ int) float64 { return math.Pow(0.9, float64(depth)) })
		}
		largest := 0.0
		for _, x := range class {
			largest = max(largest, g[x])
		}
		for x := range class {
			u[entry[i][x]] = math.Log(g[class[x]] / largest)
		}
	}
	return u
}

// descend is a g of the number of steps by which the orders of a set, which have no circles, put a
// configuration below others, and of the largest such number.
func (d *reduction) descend(set int, g func(depth, most int) float64) []float64 {
	depth := make([]int, d.Sizes[set])
	for changed := true; changed; {
		changed = false
		for _, r := range d.relations {
			if r.set == set && len(r.less) == 1 && len(r.more) == 1 && depth[r.less[0]] <= depth[r.more[0]] {
				depth[r.less[0]], changed = depth[r.more[0]]+1, true
			}
		}
	}
	out := make([]float64, len(depth))
	for x := range out {
		out[x] = g(depth[x], slices.Max(depth))
	}
	return out
}

// strictly reports whether g satisfies the relations of a set with something to spare.
func (d *reduction) strictly(set int, g []float64) bool {
	return !slices.ContainsFunc(d.relations, func(r within) bool {
		if r.set != set {
			return false
		}
		spare := 0.0
		for _, x := range r.more {
			spare += g[x]
		}
		for _, x := range r.less {
			spare -= g[x]
		}
		return !(spare > 1e-9)
	})
}
