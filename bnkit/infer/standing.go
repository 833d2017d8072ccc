package infer

import (
	"slices"
	"sync"
)

// standing is the tree of a whole network whose tables are small. It is planned once, and evidence
// enters as zeros in the table of the observed variable's own family, so that a query plans nothing and
// one that follows another computes only the messages above what changed.
type standing struct {
	tree
	block
	leaf  []int // by variable, the leaf of its family
	child []int // by variable, the distance of its states in that leaf
	warm  sync.Pool
}

// warm are the messages of the last query on a standing tree.
type warm struct {
	workspace
	of     *model
	states []int // by variable, −1 for not observed
	dirty  []bool
}

// newStanding returns the standing tree of the engine, nil when there is none. There is no use for it when some
// variable is continuous, the tables are large, or products of their entries could be too small for float64.
func (e *Engine) newStanding() *standing {
	q, err := resolve(e.m, nil)
	if err != nil {
		return nil
	}
	all := e.discrete // and so the families
	t, blk, err := e.tree(q, part{hidden: all, families: all}, new(builder))
	if err != nil {
		return nil
	}
	s := &standing{tree: *t, block: *blk, leaf: make([]int, len(all)), child: make([]int, len(all))}
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.family >= 0 {
			s.leaf[n.family], s.child[n.family] = i, n.shape.Stride(n.family)
		}
	}
	s.warm.New = func() any {
		return &warm{
			workspace: workspace{up: make([]float64, s.cells), left: make([]float64, s.cells)},
			states:    slices.Repeat([]int{unknown}, len(all)), dirty: make([]bool, len(s.nodes)),
		}
	}
	return s
}

const (
	unseen  = -1
	unknown = -2 // nothing was computed yet
)

// marginals adds the distributions of the variables with a list in found.
func (s *standing) marginals(q *question, found [][]float64) error {
	w := s.warm.Get().(*warm)
	defer s.warm.Put(w)
	clear(w.dirty)
	if w.of != q.m {
		w.of = q.m
		for v := range w.states {
			w.states[v] = unknown
		}
	}
	for v := range w.states {
		state := unseen
		if c := q.c.states[v]; c != nil {
			state = int(c[0])
		}
		if state != w.states[v] {
			w.states[v] = state
			s.fill(q.m, v, state, w)
		}
	}
	for i := range s.nodes {
		n, slot := &s.nodes[i], &s.slots[i]
		if n.family >= 0 || !w.dirty[n.a] && (n.b < 0 || !w.dirty[n.b]) {
			continue
		}
		w.dirty[i] = true
		a, b := w.operands(&s.block, n)
		n.join.Sum(w.up[slot.start:][:n.size], a, b, slot.a, slot.b)
	}
	if !(s.root(&w.workspace, &s.block, 0)[0] > 0) {
		return q.c.impossible(q.m.net, 0)
	}
	s.tree.marginals(&w.workspace, &s.block, found, w.left)
	return nil
}

// fill writes the leaf of a variable, with zeros for the states that it does not have.
func (s *standing) fill(m *model, v, state int, w *warm) {
	i := s.leaf[v]
	n, slot := &s.nodes[i], &s.slots[i]
	w.dirty[i] = true
	r, stride := m.cards[v], s.child[v]
	for j, d := range n.distance {
		x := m.own.theta[slot.base[0]+d]
		if state >= 0 && j/stride%r != state {
			x = 0
		}
		w.up[slot.start+j] = x
	}
}
