package presolve

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// A Program is the estimation of one part, maximise Σ n log x under linear relations
// between its nodes and x ≥ 0, while it is being reduced. At first the nodes are the
// part's table entries; each step of the reduction replaces some nodes by fewer. Where
// nothing is left, the steps are a closed form: all those of N06 §4.3 come about so.
type Program struct {
	Nodes     int
	Leaves    []float64 // by node, the table entries behind it
	Relations []Relation
	Steps     []Step
	scratch   *Scratch
	joined    *Multiples // by Join; nil when there is nothing
}

// Scratch is what the rules need for a moment, kept between parts.
type Scratch struct {
	Leaf  []int32 // by table entry
	count []int
	flat  []term
	cols  [][]term
	hash  []uint64
	order []int
	where []int
	drop  []bool
	on    []float64
	ties  Multiples

	// Small slices of the program, and of the plan that outlives it.
	Ints, KeptInts     slab[int]
	floats, keptFloats slab[float64]
}

// zeroed returns a slice of n zeros, in the space of s if there is room.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// A Relation is Σ coef · x_index = value, or ≤ value.
type Relation struct {
	Index  []int // ascending, each once
	Coef   []float64
	Value  float64
	AtMost bool
	Price  float64 // of each unit by which an inequality is broken; 0 where it has to hold
}

// FeasibleTol is what rounding in a statement's numbers may amount to: proportions and
// known values are typed with few digits, but added up here.
const FeasibleTol = 1e-9

// EqualTol is what rounding in sums of coefficients amounts to.
const EqualTol = 1e-12

func (p *Program) newNode(leaves float64) int {
	p.Nodes++
	p.Leaves = append(p.Leaves, leaves)
	return p.Nodes - 1
}

// rules are the reductions, cheap ones first. Each reports whether it changed anything, and
// an error that wraps ErrInfeasible when the relations contradict each other in a way that
// shows there.
var rules = [...]func(*Program) (bool, error){
	(*Program).settle, (*Program).tie, (*Program).deduplicate, (*Program).merge, (*Program).alike, (*Program).idle,
	(*Program).detach,
}

// Reduce applies the rules until none applies.
func (p *Program) Reduce() error {
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
func (p *Program) rewrite(change func(r *Relation, i int)) {
	for k := range p.Relations {
		r := &p.Relations[k]
		largest := 0.0
		for _, c := range r.Coef {
			largest = max(largest, math.Abs(c))
		}
		for i := range r.Index {
			change(r, i)
		}
		r.Tidy(largest * 1e-14)
	}
}

// Tidy sorts the terms, adds up those of the same node, and drops those not above noise.
func (r *Relation) Tidy(noise float64) {
	if !slices.IsSorted(r.Index) {
		sort.Stable((*byNode)(r))
	}
	out := 0
	for i := 0; i < len(r.Index); {
		node, c := r.Index[i], 0.0
		for ; i < len(r.Index) && r.Index[i] == node; i++ {
			c += r.Coef[i]
		}
		if math.Abs(c) > noise {
			r.Index[out], r.Coef[out] = node, c
			out++
		}
	}
	r.Index, r.Coef = r.Index[:out], r.Coef[:out]
}

// byNode sorts the terms of a relation.
type byNode Relation

func (r *byNode) Len() int           { return len(r.Index) }
func (r *byNode) Less(i, j int) bool { return r.Index[i] < r.Index[j] }
func (r *byNode) Swap(i, j int) {
	r.Index[i], r.Index[j] = r.Index[j], r.Index[i]
	r.Coef[i], r.Coef[j] = r.Coef[j], r.Coef[i]
}

// columns gathers, for each node, the relations it is in, until the next call.
func (p *Program) columns() [][]term {
	s := p.scratch
	s.count = zeroed(s.count, p.Nodes)
	total := 0
	for _, r := range p.Relations {
		for _, node := range r.Index {
			s.count[node]++
		}
		total += len(r.Index)
	}
	s.flat, s.cols = zeroed(s.flat, total), zeroed(s.cols, p.Nodes)
	flat := s.flat
	for node, c := range s.count {
		s.cols[node], flat = flat[:0:c], flat[c:]
	}
	for k, r := range p.Relations {
		for i, node := range r.Index {
			s.cols[node] = append(s.cols[node], term{k, r.Coef[i]})
		}
	}
	return s.cols
}

type term struct {
	relation int
	coef     float64
}

// NewProgram has no nodes yet, and room for some and for relations.
func NewProgram(s *Scratch, nodes, relations int) *Program {
	return &Program{scratch: s, Leaves: s.floats.Take(2 * nodes)[:0], Relations: make([]Relation, 0, relations)}
}

// AddSum adds table entries that add up to 1.
func (p *Program) AddSum(entries int) {
	sum := Relation{Index: p.scratch.Ints.Take(entries), Coef: p.scratch.floats.Take(entries), Value: 1}
	for i := range sum.Index {
		sum.Index[i], sum.Coef[i] = p.newNode(1), 1
	}
	p.Relations = append(p.Relations, sum)
}

// AddFixed adds x_node = value.
func (p *Program) AddFixed(node int, value float64) {
	r := Relation{Index: p.scratch.Ints.Take(1), Coef: p.scratch.floats.Take(1), Value: value}
	r.Index[0], r.Coef[0] = node, 1
	p.Relations = append(p.Relations, r)
}

// AddMultiple adds x_b = ratio · x_a as a relation.
func (p *Program) AddMultiple(a, b int, ratio float64) {
	r := Relation{Index: []int{a, b}, Coef: []float64{ratio, -1}}
	r.Tidy(0)
	p.Relations = append(p.Relations, r)
}

// AddRelation adds a relation, with a copy of its coefficients; nil means 1 everywhere.
func (p *Program) AddRelation(r Relation) {
	if r.Coef == nil {
		r.Coef = p.scratch.floats.Take(len(r.Index))
		for i := range r.Coef {
			r.Coef[i] = 1
		}
	} else {
		r.Coef = p.scratch.floats.copyOf(r.Coef)
	}
	r.Tidy(0)
	p.Relations = append(p.Relations, r)
}

// Join notes x_a = ratio · x_b, until replaceJoined makes one node of them.
func (p *Program) Join(a, b int, ratio float64) error {
	if p.joined == nil {
		p.joined = p.scratch.ties.Reset(p.Nodes)
	}
	if !p.joined.Join(a, b, ratio) {
		return fmt.Errorf("%w: proportions contradict each other", ErrInfeasible)
	}
	return nil
}

// ReplaceJoined makes one node of each set that Join joined, and says which.
func (p *Program) ReplaceJoined() *Tying {
	if p.joined == nil {
		return &Tying{}
	}
	t := p.replaceTied(p.joined)
	p.joined = nil
	return t
}

func (p *Program) Clone() *Program {
	c := &Program{scratch: p.scratch, Nodes: p.Nodes, Leaves: slices.Clone(p.Leaves), Steps: slices.Clone(p.Steps),
		Relations: slices.Clone(p.Relations)}
	for k, r := range c.Relations {
		c.Relations[k].Index, c.Relations[k].Coef = slices.Clone(r.Index), slices.Clone(r.Coef)
	}
	return c
}

// Components gathers relations that are linked by nodes, in order of first appearance.
func (p *Program) Components() [][]Relation {
	if len(p.Relations) == 0 {
		return nil
	}
	u := p.scratch.ties.Reset(p.Nodes)
	for _, r := range p.Relations {
		for _, node := range r.Index[1:] {
			u.Join(r.Index[0], node, 1)
		}
	}
	place := make(map[int]int)
	var out [][]Relation
	for _, r := range p.Relations {
		root := u.Root(r.Index[0])
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

// ErrInfeasible: no parameters satisfy all statements, or none that give what occurs in
// the data a positive probability.
var ErrInfeasible = errors.New("statements contradict each other")
