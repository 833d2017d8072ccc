package clg

import (
	"math"
	"slices"

	"bnlab/internal/elimination"
)

// A Family is a linear-Gaussian variable with its continuous parents.
type Family struct {
	Child   int
	Parents []int
}

// A Plan says how the hidden variables of some families are summed out. Variables that have no family
// among them must be observed. It may be used by several goroutines at once.
type Plan struct {
	families []Family // parents before children
	from     []int    // by family: its place in the list that the plan was made of
	nodes    []node   // by family
	observed []int    // families with an observed child
	steps    []step   // by hidden variable, in the order of elimination
	weights  int      // of all nodes
	pairs    []pair   // covariances, each after those that it is made of
	index    map[[2]int]int
	family   map[int]int // by variable
}

// A node is a variable on its way: its regression on hidden variables that are not yet eliminated.
type node struct {
	hidden   bool
	load     []place // continuous parents
	at       map[int]int
	children []int // ascending
}

// A place says where the weight of a parent stands: among the weights of all nodes, −1 for an observed
// parent, which goes into the constant.
type place struct{ at, parent int }

// A step eliminates a hidden variable.
type step struct {
	x         int // family
	exchanges []exchange
	parents   []place // of its last regression, by family
}

// An exchange turns the arc from x to y.
type exchange struct {
	y      int
	weight int   // of x in y
	self   int   // of y in x, −1 when y is observed
	add    []arc // from x to y
	take   []arc // from y to x
}

// An arc are places of weights of the same parent in two nodes.
type arc struct{ from, to int }

// A pair is the covariance of two hidden variables, of which the first is eliminated before the second or is
// the second.
type pair struct {
	i, j  int
	terms []term
}

// A term is the weight of a parent of the first times the covariance of the parent with the second.
type term struct{ weight, pair int }

// NewPlan plans the elimination of the variables of families that are not observed, of those in last after the
// others. Covariances will be known of the pairs of hidden variables that a family has in common, and of those
// wanted.
func NewPlan(families []Family, observed func(v int) bool, last []int, wanted ...[2]int) *Plan {
	p := &Plan{family: make(map[int]int, len(families)), index: make(map[[2]int]int)}
	p.sort(families)
	p.nodes = make([]node, len(p.families))
	g := elimination.NewGraph(len(p.families), slices.Repeat([]float64{2}, len(p.families)))
	var members []int
	for f, fam := range p.families {
		n := &p.nodes[f]
		n.hidden, n.at = !observed(fam.Child), make(map[int]int)
		if !n.hidden {
			g.Gone[f] = true
			p.observed = append(p.observed, f)
		}
		members = members[:0]
		if n.hidden {
			members = append(members, f)
		}
		n.load = make([]place, 0, len(fam.Parents))
		for _, u := range fam.Parents {
			at := -1
			if !observed(u) {
				at = p.place(f, p.family[u])
				members = append(members, p.family[u])
			}
			n.load = append(n.load, place{at, u})
		}
		g.Join(members)
	}
	for _, v := range last {
		g.Gone[p.family[v]] = true
	}
	rank := make([]int, len(p.families))
	order, _ := g.MinFill(elimination.Cost{}, math.Inf(1))
	for _, v := range last {
		order = append(order, p.family[v])
	}
	for i, x := range order {
		rank[x] = i
		p.steps = append(p.steps, p.eliminate(x))
	}
	for f, fam := range p.families {
		members = members[:0]
		if p.nodes[f].hidden {
			members = append(members, f)
		}
		for _, u := range fam.Parents {
			if !observed(u) {
				members = append(members, p.family[u])
			}
		}
		for i, x := range members {
			for _, y := range members[i:] {
				p.pair(x, y, rank)
			}
		}
	}
	for _, w := range wanted {
		p.pair(p.family[w[0]], p.family[w[1]], rank)
	}
	return p
}

// sort puts parents before children.
func (p *Plan) sort(families []Family) {
	at := make(map[int]int, len(families))
	for i, f := range families {
		at[f.Child] = i
	}
	var visit func(i int)
	visit = func(i int) {
		if _, done := p.family[families[i].Child]; done {
			return
		}
		for _, u := range families[i].Parents {
			if j, ok := at[u]; ok {
				visit(j)
			}
		}
		p.family[families[i].Child] = len(p.families)
		p.families, p.from = append(p.families, families[i]), append(p.from, i)
	}
	for i := range families {
		visit(i)
	}
}

// place returns the place of the weight of parent u in node f, a new one if need be.
func (p *Plan) place(f, u int) int {
	at, ok := p.nodes[f].at[u]
	if !ok {
		at = p.weights
		p.nodes[f].at[u] = at
		near := p.nodes[u].children
		i, _ := slices.BinarySearch(near, f)
		p.nodes[u].children = slices.Insert(near, i, f)
		p.weights++
	}
	return at
}

// eliminate exchanges all arcs from x to its children, parents before children so that no cycle comes about.
func (p *Plan) eliminate(x int) step {
	s := step{x: x}
	children := p.nodes[x].children
	p.nodes[x].children = nil
	for _, y := range children {
		e := exchange{y: y, weight: p.nodes[y].at[x], self: -1}
		for _, u := range p.parents(x) {
			e.add = append(e.add, arc{p.nodes[x].at[u], p.place(y, u)})
		}
		delete(p.nodes[y].at, x)
		for _, u := range p.parents(y) {
			e.take = append(e.take, arc{p.nodes[y].at[u], p.place(x, u)})
		}
		if p.nodes[y].hidden {
			e.self = p.place(x, y)
		}
		s.exchanges = append(s.exchanges, e)
	}
	for _, u := range p.parents(x) {
		s.parents = append(s.parents, place{p.nodes[x].at[u], u})
		near := p.nodes[u].children
		i, _ := slices.BinarySearch(near, x)
		p.nodes[u].children = slices.Delete(near, i, i+1)
	}
	p.nodes[x].at = nil
	return s
}

// parents lists the hidden parents of a node, ascending.
func (p *Plan) parents(f int) []int {
	list := make([]int, 0, len(p.nodes[f].at))
	for u := range p.nodes[f].at {
		list = append(list, u)
	}
	slices.Sort(list)
	return list
}

// pair plans the covariance of two hidden variables.
func (p *Plan) pair(i, j int, rank []int) int {
	if rank[i] > rank[j] {
		i, j = j, i
	}
	if at, ok := p.index[[2]int{i, j}]; ok {
		return at
	}
	// The parents of i are eliminated after it, so this comes to an end.
	var terms []term
	for _, u := range p.steps[rank[i]].parents {
		terms = append(terms, term{u.at, p.pair(u.parent, j, rank)})
	}
	at := len(p.pairs)
	p.pairs = append(p.pairs, pair{i, j, terms})
	p.index[[2]int{i, j}], p.index[[2]int{j, i}] = at, at
	return at
}

// Numbers is how many numbers a Space holds beyond those of each case.
func (p *Plan) Numbers() int { return p.weights + len(p.pairs) + 2*len(p.nodes) }
