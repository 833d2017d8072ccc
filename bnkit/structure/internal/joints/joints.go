// Package joints finds the joint distributions of many small sets of variables of one network.
package joints

import (
	"slices"
	"sync"

	"bnlab/bnkit/structure/internal/ancestors"
	"bnlab/internal/elimination"
	"bnlab/internal/factor"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// Joints finds the joint distributions of sets of variables, and keeps them. The sets of a climb differ in one
// variable, and what they have in common is found once: a tree of cliques is calibrated, and the distribution of a set
// is a sum of products of messages, each of a part of the set across one edge (see joint). Each is a
// function of its own edge and variables, so that a distribution does not depend on what was asked for before.
// It is safe for several goroutines.
type Joints struct {
	cards             []int
	parents, children [][]int
	tables            []*factor.Factor // by variable: parents, then the variable
	above             *ancestors.Set
	grown             func() *tree

	sync.RWMutex
	kept map[string]*factor.Factor
	room int       // entries that may still be kept
	pool sync.Pool // of workspaces
}

const (
	// keptEntries bounds what is kept (64 MiB).
	keptEntries = 1 << 23
	// maxCells bounds a table (32 MiB) and maxTree the entries of all cliques; of denser networks each distribution is
	// found by itself.
	maxCells = 1 << 22
	maxTree  = 1 << 20
	// mostDivided is the most members of a set that the tree divides: their bits in a word. More have a joint
	// distribution of a sensible size only where nearly all have one state.
	mostDivided = 64
)

// New prepares a network: the cardinality and the parents of each variable, and its table, the first parent varying
// slowest and the variable fastest. Rows are divided by their sums.
func New(cards []int, parents [][]int, tables [][]float64) *Joints {
	j := &Joints{cards: cards, parents: parents, children: make([][]int, len(cards)), above: ancestors.New(len(cards)),
		kept: make(map[string]*factor.Factor, min(4*len(cards)*len(cards), 1<<13)), room: keptEntries}
	j.pool.New = func() any { return new(workspace) }
	j.above.Rebuild(parents)
	for v, table := range tables {
		for _, p := range parents[v] {
			j.children[p] = append(j.children[p], v)
		}
		t := &factor.Factor{Values: slices.Clone(table)}
		t.Shape = j.shape(append(slices.Clip(parents[v]), v))
		num.DivideRows(t.Values, cards[v])
		j.tables = append(j.tables, t)
	}
	j.grown = sync.OnceValue(func() *tree { return j.grow() })
	return j
}

func (j *Joints) shape(vars []int) factor.Shape {
	s := factor.Shape{Vars: vars, Cards: make([]int, len(vars))}
	for i, v := range vars {
		s.Cards[i] = j.cards[v]
	}
	return s
}

// Of returns the joint distribution of some variables, which ascend, in any order.
func (j *Joints) Of(members []int) (*factor.Factor, error) {
	var buffer [64]byte
	key := keyOf(buffer[:0], ofSet, 0, members)
	if known := j.known(key); known != nil {
		return known, nil
	}
	var out *factor.Factor
	if t := j.grown(); t != nil && len(members) <= mostDivided {
		out, _ = t.of(members) // nil when it takes too large a table
	}
	if out == nil {
		var err error
		if out, err = j.eliminated(members); err != nil {
			return nil, err
		}
	}
	return j.keep(key, out), nil
}

// What is kept: joint distributions of sets, marginals of a clique, and messages across an edge, down or up.
const (
	ofSet byte = iota
	ofClique
	messageDown
	messageUp
	givenDown
	givenUp
)

func keyOf(dst []byte, kind byte, at int, vars []int) []byte {
	dst = append(dst, kind, byte(at), byte(at>>8), byte(at>>16))
	for _, v := range vars {
		dst = append(dst, byte(v), byte(v>>8), byte(v>>16))
	}
	return dst
}

func (j *Joints) known(key []byte) *factor.Factor {
	j.RLock()
	defer j.RUnlock()
	return j.kept[string(key)]
}

// keep keeps a distribution and returns it; nil is none.
func (j *Joints) keep(key []byte, f *factor.Factor) *factor.Factor {
	if f == nil {
		return nil
	}
	j.Lock()
	defer j.Unlock()
	if size := len(f.Values); size <= j.room && j.kept[string(key)] == nil {
		j.room -= size
		j.kept[string(key)] = f
	}
	return f
}

// sumProduct returns Σ a·b over the variables that are not in out, which is copied; nil when the product is too large.
func (j *Joints) sumProduct(out []int, a, b *factor.Factor) *factor.Factor {
	cells := float64(len(a.Values))
	for i, v := range b.Vars {
		if !slices.Contains(a.Vars, v) {
			cells *= float64(b.Cards[i])
		}
	}
	if cells > maxCells {
		return nil
	}
	work := j.pool.Get().(*workspace)
	f := work.table(j, out)
	work.Reset()
	work.NewContraction(&f.Shape, &a.Shape, &b.Shape).Sum(f.Values, a.Values, b.Values, first, first)
	j.pool.Put(work)
	return f
}

// sumOut returns Σ a over a variable; the others are in out, in their order.
func (j *Joints) sumOut(out []int, a *factor.Factor, v int) *factor.Factor {
	if a == nil {
		return nil
	}
	work := j.pool.Get().(*workspace)
	f := work.table(j, out)
	j.pool.Put(work)
	step := a.Stride(v)
	to := f.Values
	for block := range slices.Chunk(a.Values, step*j.cards[v]) {
		copy(to, block[:step])
		for row := range slices.Chunk(block[step:], step) {
			for i, p := range row {
				to[i] += p
			}
		}
		to = to[step:]
	}
	return f
}

var (
	first = []int32{0}
	one   = &factor.Factor{Values: []float64{1}}
)

// eliminated finds the joint distribution of some variables by itself: their other ancestors are summed out, next
// always the variable with the smallest product of its tables.
func (j *Joints) eliminated(members []int) (*factor.Factor, error) {
	var tables []*factor.Factor
	for v, t := range j.tables {
		if slices.Contains(members, v) || slices.ContainsFunc(members, func(m int) bool { return j.above.Has(m, v) }) {
			tables = append(tables, t)
		}
	}
	family := 1.0
	for _, v := range members {
		family *= float64(j.cards[v])
	}
	joint, err := elimination.SumProduct(tables, members, elimination.Plain, max(maxCells, family))
	if err != nil {
		return nil, say.Errorf("the prior network is too densely connected for the joint distribution of this "+
			"family: %w", err)
	}
	return factor.Permute(nil, joint, members...), nil
}
