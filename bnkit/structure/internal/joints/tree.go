package joints

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"bnlab/internal/elimination"
	"bnlab/internal/factor"
)

// A tree has the cliques of a triangulated moral graph, parents first, each with the joint distribution of its
// variables. Edge i is that from clique i to its parent, and there is none of clique 0.
type tree struct {
	*Joints
	cliques  []*factor.Factor
	parent   []int
	branches [][]int           // the cliques whose parent it is
	between  []*factor.Factor  // by edge, the joint distribution of what the two cliques share
	holding  []elimination.Set // by variable, the cliques with it
	// By variable, the edges that it is strictly below, and strictly above: no clique on the other side has it.
	below, over []elimination.Set
	depends     []atomic.Pointer[factor.Shape] // by variable and edge; nil for too many, see shared
}

// maxDepends bounds the entries of depends (32 MiB).
const maxDepends = 1 << 22

// grow makes the tree; nil when its cliques have too many entries.
func (j *Joints) grow() *tree {
	n := len(j.cards)
	order := j.order()
	if order == nil {
		return nil
	}
	t := &tree{Joints: j}
	// Neighbours at the time of each one's elimination.
	near := make([]elimination.Set, n)
	for v := range near {
		near[v] = elimination.NewSet(n)
	}
	for _, f := range j.tables {
		for _, u := range f.Vars {
			for _, v := range f.Vars {
				if u != v {
					near[u].Add(v)
				}
			}
		}
	}
	place := make([]int, n)
	for at, v := range order {
		place[v] = at
		near[v].Each(func(u int) {
			near[u].Or(near[v])
			near[u].Remove(u)
			near[u].Remove(v)
		})
	}
	vars, shared, clique := [][]int{}, [][]int{}, make([]int, n)
	for _, v := range slices.Backward(order) {
		var beyond []int
		next := -1 // the first of them to be eliminated
		near[v].Each(func(u int) {
			beyond = append(beyond, u)
			if next < 0 || place[u] < place[next] {
				next = u
			}
		})
		up := 0
		if next >= 0 {
			if up = clique[next]; len(vars[up]) == len(beyond) {
				clique[v], vars[up] = up, append(vars[up], v)
				continue
			}
		}
		clique[v] = len(vars)
		vars, shared = append(vars, append(slices.Clip(beyond), v)), append(shared, beyond)
		t.parent = append(t.parent, up)
	}
	t.branches = make([][]int, len(vars))
	for i := range vars {
		slices.Sort(vars[i])
		if i > 0 {
			t.branches[t.parent[i]] = append(t.branches[t.parent[i]], i)
		}
	}
	if n*len(vars) <= maxDepends {
		t.depends = make([]atomic.Pointer[factor.Shape], n*len(vars))
	}
	t.locate(vars, shared)
	if !t.calibrate(vars, shared, clique, place) {
		return nil
	}
	return t
}

// order returns the order of elimination with the smallest cliques found: by two rules, and with costs varied at
// random where these are large; nil when they are too large.
func (j *Joints) order() []int {
	n := len(j.cards)
	cards := make([]float64, n)
	for v, c := range j.cards {
		cards[v] = float64(c)
	}
	g := elimination.NewGraph(n, cards)
	for _, f := range j.tables {
		g.Join(f.Vars)
	}
	const (
		small = 1 << 11 // entries
		tries = 40
	)
	random := rand.New(rand.NewPCG(1, 0))
	var best []int
	least := float64(maxTree)
	for k := range tries {
		cost := elimination.Cost{Weighted: k%2 == 0}
		if k >= 2 {
			if least <= small || k*n > 100*tries {
				break
			}
			cost.Bias = make([]float64, n)
			for v := range cost.Bias {
				cost.Bias[v] = 1 + random.Float64()/2
			}
		}
		order, cells := g.Clone().MinFill(cost, least)
		if len(order) == n && cells < least {
			best, least = slices.Clone(order), cells
		}
	}
	return best
}

// locate says on which side of each edge the variables are.
func (t *tree) locate(vars, shared [][]int) {
	n, m := len(t.cards), len(vars)
	t.holding, t.below, t.over = make([]elimination.Set, n), make([]elimination.Set, n), make([]elimination.Set, n)
	for v := range n {
		t.holding[v], t.below[v], t.over[v] = elimination.NewSet(m), elimination.NewSet(m), elimination.NewSet(m)
	}
	under := make([]elimination.Set, m) // variables of clique i and those below
	for i := range m {
		under[i] = elimination.NewSet(n)
	}
	for i := m - 1; i >= 0; i-- {
		for _, v := range vars[i] {
			under[i].Add(v)
			t.holding[v].Add(i)
		}
		if i == 0 {
			break
		}
		under[t.parent[i]].Or(under[i])
		for v := range n {
			if !under[i].Has(v) {
				t.over[v].Add(i)
			} else if !slices.Contains(shared[i], v) {
				t.below[v].Add(i)
			}
		}
	}
}

// calibrate finds the joint distributions: messages are passed to the root and back. It returns false when a product
// is too large.
func (t *tree) calibrate(vars, shared [][]int, clique, place []int) bool {
	m := len(vars)
	t.cliques, t.between = make([]*factor.Factor, m), make([]*factor.Factor, m)
	for i, list := range vars {
		t.cliques[i] = &factor.Factor{Shape: t.shape(list)}
		t.cliques[i].Values = make([]float64, t.cliques[i].Size())
		for at := range t.cliques[i].Values {
			t.cliques[i].Values[at] = 1
		}
	}
	times := func(i int, f *factor.Factor) bool {
		product := t.sumProduct(vars[i], t.cliques[i], f)
		if product != nil {
			t.cliques[i] = product
		}
		return product != nil
	}
	for _, f := range t.tables {
		first := f.Vars[0]
		for _, v := range f.Vars {
			if place[v] < place[first] {
				first = v
			}
		}
		if !times(clique[first], f) {
			return false
		}
	}
	for i := m - 1; i > 0; i-- {
		t.between[i] = t.sumProduct(shared[i], t.cliques[i], one)
		if !times(t.parent[i], t.between[i]) {
			return false
		}
	}
	for i := 1; i < m; i++ {
		now := t.sumProduct(shared[i], t.cliques[t.parent[i]], one)
		ratio := &factor.Factor{Shape: now.Shape, Values: slices.Clone(now.Values)}
		divideBy(ratio, t.between[i])
		if !times(i, ratio) {
			return false
		}
		t.between[i] = now
	}
	return true
}

// divideBy divides a by a table of its last variables, 0 by 0 being 0.
func divideBy(a, by *factor.Factor) {
	for row := range slices.Chunk(a.Values, len(by.Values)) {
		for i, p := range by.Values[:len(row)] {
			if row[i] > 0 {
				row[i] /= p
			}
		}
	}
}
