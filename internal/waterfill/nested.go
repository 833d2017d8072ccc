package waterfill

import (
	"fmt"
	"math"
	"slices"

	"bnlab/internal/say"
)

// A Tree says which sets lie in which. Its nodes are the parameters, which are the
// leaves, and the sets. It does not change and may be shared.
type Tree struct {
	order []int // nodes, each set directly before what is in it
	up    []int // by place in the order: the place of the parent
	size  []int // by place in the order: nodes of the subtree
}

// NewTree returns the tree in which parent[i] is the parent of node i; the root, which
// holds everything and is no leaf, has −1. It returns an error if there is not one root, or
// a node does not lie under it.
func NewTree(parent []int) (*Tree, error) {
	children := make([][]int, len(parent))
	root := -1
	for i, p := range parent {
		switch {
		case p == -1 && root == -1:
			root = i
		case p < 0 || p >= len(parent):
			return nil, fmt.Errorf("waterfill: node %d has the parent %d", i, p)
		default:
			children[p] = append(children[p], i)
		}
	}
	t := &Tree{up: make([]int, len(parent)), size: make([]int, len(parent))}
	place := make([]int, len(parent))
	for stack := []int{root}; root >= 0 && len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], children[i]...)
		place[i] = len(t.order)
		t.order = append(t.order, i)
	}
	if len(t.order) < len(parent) || len(parent) < 2 {
		return nil, fmt.Errorf("waterfill: %d of %d nodes lie under the root", len(t.order), len(parent))
	}
	for q := len(t.order) - 1; q >= 0; q-- {
		t.size[q]++
		t.up[q] = -1
		if q > 0 {
			t.up[q] = place[parent[t.order[q]]]
			t.size[t.up[q]] += t.size[q]
		}
	}
	return t, nil
}

// Nested writes to dst the maximiser of Σ n_p log x_p over the leaves p of t, subject to
// Σ k_p x_p = b over all of them, lo_p ≤ x_p ≤ hi_p and, for every other node S,
//
//	lo_S ≤ Σ_{p under S} k_p x_p ≤ hi_S
//
// where each hi may be +Inf. It returns λ of the root. A set whose limit binds has a
// larger or smaller λ_S of its own inside, hence
//
//	x_p = clip(n_p/(λ_S k_p), lo_p, hi_p),   S the smallest such set around p.
//
// Parameters without counts take what is left over in S as they do in Solve. All slices
// are by node; n and k of sets are not read, and dst of a set is its mass. Panics and
// errors are those of Solve; ErrInfeasible names the set. The cost is O(s log s) for each
// set with limits that can bind, s being the nodes in it.
func (w *Workspace) Nested(t *Tree, dst, n, k, lo, hi []float64, b float64) (lambda float64, err error) {
	s := len(t.order)
	if len(dst) != s || len(n) != s || len(k) != s || len(lo) != s || len(hi) != s {
		panic("waterfill: slices of different lengths")
	}
	if !(b >= 0) || math.IsInf(b, 1) {
		return 0, say.Errorf("waterfill: the total is %v", b)
	}
	largest := 0.0
	for q, i := range t.order {
		if t.size[q] == 1 {
			largest = max(largest, n[i])
		}
	}
	_, scale := math.Frexp(largest)
	w.items = slices.Grow(w.items[:0], s)[:s]
	w.part = slices.Grow(w.part[:0], s)[:s]
	w.prices = slices.Grow(w.prices[:0], s)[:s]
	for q := s - 1; q >= 0; q-- {
		i := t.order[q]
		if t.size[q] > 1 {
			if err := check(i, 0, 1, lo[i], hi[i]); err != nil {
				return 0, err
			}
			if err := w.set(t, q, lo[i], hi[i]); err != nil {
				return 0, err
			}
			continue
		}
		if err := check(i, n[i], k[i], lo[i], hi[i]); err != nil {
			return 0, err
		}
		w.items[q] = newItem(math.Ldexp(n[i], -scale), k[i], lo[i], hi[i])
	}
	if root := w.items[0]; root.lo > b*(1+slack) || root.hi < b*(1-slack) {
		return 0, say.Errorf("%w: the sum can be from %v to %v, not %v", ErrInfeasible, root.lo, root.hi, b)
	}
	w.gather(t, 0)
	root := w.search(t, 0, b)
	for q, i := range t.order {
		z := root
		if q > 0 {
			z = w.prices[t.up[q]]
		}
		it := w.items[q]
		if t.size[q] > 1 {
			if q > 0 {
				z = min(max(z, it.full), it.empty)
			}
			w.prices[q], dst[i] = z, 0
			continue
		}
		dst[i] = min(max(it.mass(z, z).fixed/k[i], lo[i]), hi[i])
	}
	for q := s - 1; q > 0; q-- {
		mass := dst[t.order[q]]
		if t.size[q] == 1 {
			mass *= k[t.order[q]]
		}
		dst[t.order[t.up[q]]] += mass
	}
	return math.Ldexp(max(root, 0), scale), nil
}

// set finds the limits of the set at place q that what is in it leaves, and the prices
// at which they bind.
func (w *Workspace) set(t *Tree, q int, lo, hi float64) error {
	least, most := 0.0, 0.0
	for c := q + 1; c < q+t.size[q]; c += t.size[c] {
		least += w.items[c].lo
		most += w.items[c].hi
	}
	it := item{lo: max(lo, least), hi: min(hi, most), full: math.Inf(-1), empty: math.Inf(1)}
	if it.lo > it.hi*(1+slack) {
		return say.Errorf("%w: the sum of set %d is at least %v and at most %v", ErrInfeasible, t.order[q], it.lo,
			it.hi)
	}
	if lo > least || hi < most {
		w.gather(t, q)
	}
	if hi < most {
		it.full = w.search(t, q, it.hi)
	}
	if lo > least {
		it.empty = w.search(t, q, it.lo)
	}
	w.items[q] = it
	return nil
}

// gather sorts the breakpoints of what is in the set at place q.
func (w *Workspace) gather(t *Tree, q int) {
	w.points = append(w.points[:0], 0)
	for c := q + 1; c < q+t.size[q]; c++ {
		w.points = w.items[c].appendPoints(w.points)
	}
	slices.Sort(w.points)
}

// search returns the price at which what is in the set at place q has the mass b.
func (w *Workspace) search(t *Tree, q int, b float64) float64 {
	return search(w.points, b, func(from, to float64) line {
		part := w.part[q : q+t.size[q]]
		clear(part)
		for c := q + t.size[q] - 1; c > q; c-- {
			mass, ok := w.items[c].limited(from, to)
			switch {
			case ok:
			case t.size[c] > 1:
				mass = part[c-q]
			default:
				mass = w.items[c].mass(from, to)
			}
			part[t.up[c]-q].add(mass)
		}
		return part[0]
	})
}
