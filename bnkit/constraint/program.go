package constraint

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// A program is the estimation of one part, maximise Σ n log x under linear relations
// between its nodes and x ≥ 0, while it is being reduced. At first the nodes are the
// part's table entries; each step of the reduction replaces some nodes by fewer. Where
// nothing is left, the steps are a closed form: all those of N06 §4.3 come about so.
type program struct {
	nodes     int
	leaves    []float64 // by node, the table entries behind it
	relations []relation
	steps     []step
	scratch   *scratch
	joined    *multiples // by joinNodes; nil when there is nothing
}

// scratch is what the rules need for a moment, kept between parts.
type scratch struct {
	leaf  []int32 // by table entry
	count []int
	flat  []term
	cols  [][]term
	hash  []uint64
	order []int
	where []int
	drop  []bool
	on    []float64
	ties  multiples

	// Small slices of the program, and of the plan that outlives it.
	ints, keptInts     slab[int]
	floats, keptFloats slab[float64]
}

// zeroed returns a slice of n zeros, in the space of s if there is room.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// A relation is Σ coef · x_index = value, or ≤ value.
type relation struct {
	index  []int // ascending, each once
	coef   []float64
	value  float64
	atMost bool
	price  float64 // of each unit by which an inequality is broken; 0 where it has to hold
}

// feasibleTol is what rounding in a statement's numbers may amount to: proportions and
// known values are typed with few digits, but added up here.
const feasibleTol = 1e-9

// equalTol is what rounding in sums of coefficients amounts to.
const equalTol = 1e-12

func (p *program) newNode(leaves float64) int {
	p.nodes++
	p.leaves = append(p.leaves, leaves)
	return p.nodes - 1
}

// rules are the reductions, cheap ones first. Each reports whether it changed anything, and
// an error that wraps errInfeasible when the relations contradict each other in a way that
// shows there.
var rules = [...]func(*program) (bool, error){
	(*program).settle, (*program).tie, (*program).deduplicate, (*program).merge, (*program).alike, (*program).idle,
	(*program).detach,
}

// reduce applies the rules until none applies.
func (p *program) reduce() error {
	for next := 0; next < len(rules); {
		changed, err := rules[next](p)
		if err != nil {
			return err
		}
		if next++; changed {
			next = 0
		}
	}
	return nil
}

// rewrite changes the terms of all relations and puts them in order again.
func (p *program) rewrite(change func(r *relation, i int)) {
	for k := range p.relations {
		r := &p.relations[k]
		largest := 0.0
		for _, c := range r.coef {
			largest = max(largest, math.Abs(c))
		}
		for i := range r.index {
			change(r, i)
		}
		r.tidy(largest * 1e-14)
	}
}

// tidy sorts the terms, adds up those of the same node, and drops those not above noise.
func (r *relation) tidy(noise float64) {
	if !slices.IsSorted(r.index) {
		sort.Stable((*byNode)(r))
	}
	out := 0
	for i := 0; i < len(r.index); {
		node, c := r.index[i], 0.0
		for ; i < len(r.index) && r.index[i] == node; i++ {
			c += r.coef[i]
		}
		if math.Abs(c) > noise {
			r.index[out], r.coef[out] = node, c
			out++
		}
	}
	r.index, r.coef = r.index[:out], r.coef[:out]
}

// byNode sorts the terms of a relation.
type byNode relation

func (r *byNode) Len() int           { return len(r.index) }
func (r *byNode) Less(i, j int) bool { return r.index[i] < r.index[j] }
func (r *byNode) Swap(i, j int) {
	r.index[i], r.index[j] = r.index[j], r.index[i]
	r.coef[i], r.coef[j] = r.coef[j], r.coef[i]
}

// columns gathers, for each node, the relations it is in, until the next call.
func (p *program) columns() [][]term {
	s := p.scratch
	s.count = zeroed(s.count, p.nodes)
	total := 0
	for _, r := range p.relations {
		for _, node := range r.index {
			s.count[node]++
		}
		total += len(r.index)
	}
	s.flat, s.cols = zeroed(s.flat, total), zeroed(s.cols, p.nodes)
	flat := s.flat
	for node, c := range s.count {
		s.cols[node], flat = flat[:0:c], flat[c:]
	}
	for k, r := range p.relations {
		for i, node := range r.index {
			s.cols[node] = append(s.cols[node], term{k, r.coef[i]})
		}
	}
	return s.cols
}

type term struct {
	relation int
	coef     float64
}

// startProgram has no nodes yet, and room for some and for relations.
func startProgram(s *scratch, nodes, relations int) *program {
	return &program{scratch: s, leaves: s.floats.take(2 * nodes)[:0], relations: make([]relation, 0, relations)}
}

// addSum adds table entries that add up to 1.
func (p *program) addSum(entries int) {
	sum := relation{index: p.scratch.ints.take(entries), coef: p.scratch.floats.take(entries), value: 1}
	for i := range sum.index {
		sum.index[i], sum.coef[i] = p.newNode(1), 1
	}
	p.relations = append(p.relations, sum)
}

// addFixed adds x_node = value.
func (p *program) addFixed(node int, value float64) {
	r := relation{index: p.scratch.ints.take(1), coef: p.scratch.floats.take(1), value: value}
	r.index[0], r.coef[0] = node, 1
	p.relations = append(p.relations, r)
}

// addMultiple adds x_b = ratio · x_a as a relation.
func (p *program) addMultiple(a, b int, ratio float64) {
	r := relation{index: []int{a, b}, coef: []float64{ratio, -1}}
	r.tidy(0)
	p.relations = append(p.relations, r)
}

// addRelation adds a relation, with a copy of its coefficients; nil means 1 everywhere.
func (p *program) addRelation(r relation) {
	if r.coef == nil {
		r.coef = p.scratch.floats.take(len(r.index))
		for i := range r.coef {
			r.coef[i] = 1
		}
	} else {
		r.coef = p.scratch.floats.copyOf(r.coef)
	}
	r.tidy(0)
	p.relations = append(p.relations, r)
}

// joinNodes notes x_a = ratio · x_b, until replaceJoined makes one node of them.
func (p *program) joinNodes(a, b int, ratio float64) error {
	if p.joined == nil {
		p.joined = p.scratch.ties.reset(p.nodes)
	}
	if !p.joined.join(a, b, ratio) {
		return fmt.Errorf("%w: proportions contradict each other", errInfeasible)
	}
	return nil
}

// replaceJoined makes one node of each set that joinNodes joined, and says which.
func (p *program) replaceJoined() *tying {
	if p.joined == nil {
		return &tying{}
	}
	t := p.replaceTied(p.joined)
	p.joined = nil
	return t
}

func (p *program) clone() *program {
	c := &program{scratch: p.scratch, nodes: p.nodes, leaves: slices.Clone(p.leaves), steps: slices.Clone(p.steps),
		relations: slices.Clone(p.relations)}
	for k, r := range c.relations {
		c.relations[k].index, c.relations[k].coef = slices.Clone(r.index), slices.Clone(r.coef)
	}
	return c
}

// components gathers relations that are linked by nodes, in order of first appearance.
func (p *program) components() [][]relation {
	if len(p.relations) == 0 {
		return nil
	}
	u := p.scratch.ties.reset(p.nodes)
	for _, r := range p.relations {
		for _, node := range r.index[1:] {
			u.join(r.index[0], node, 1)
		}
	}
	place := make(map[int]int)
	var out [][]relation
	for _, r := range p.relations {
		root := u.root(r.index[0])
		at, ok := place[root]
		if !ok {
			at = len(out)
			place[root] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], r)
	}
	return out
}

// errInfeasible: no parameters satisfy all statements, or none that give what occurs in
// the data a positive probability.
var errInfeasible = errors.New("statements contradict each other")
