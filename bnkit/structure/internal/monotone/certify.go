package monotone

import "math"

// A forest is what ties tails at the maximum: inequalities that are active, and states without cases and without
// probability. Its nodes are the tails F_r(m) of a piece, 0 < m < states, row by row, and the two ends.
type forest struct {
	edges []edge
	root  []int // of a node's tree
	ring  []bool
	ends  []bool
	nodes []node
	queue []int
}

// An edge says that the tail low is at most the tail high.
type edge struct {
	low, high  int
	inequality bool
	done       bool
}

// A node is a tail with what was cut off at it.
type node struct {
	degree   int
	slope    float64 // of the log-likelihood
	bend     float64 // Σ n/x² over the states that move
	up, down float64 // how far it may rise or fall
}

// certify counts the inequalities that hold the maximum of a piece, when it can prove that these are the only ones.
//
// At the maximum the multipliers are a flow along what ties the tails: in at tails that would gain by rising, out at
// those that would gain by falling. Where the ties have no circle the flow is unique. What bears no flow can be left
// out; and what bears λ is needed if the tails on one side, moved by t, gain
//
//	λ t − t² Σ n/x²  (ln(1+u) ≥ u − u² for u ≥ −½)
//
// more than is tolerated at some t that nothing else forbids. Tails at 0 or 1 rest there without inequalities.
func (t *Table) certify(w *space, p *piece) (held int, ok bool) {
	t.plant(w, p)
	f := &w.forest
	for _, e := range f.edges {
		if top := f.find(e.low); f.ring[top] && !f.ends[top] {
			return 0, false
		}
	}
	total := 0.0
	for _, v := range w.n[p.entries : p.entries+p.size*t.states] {
		total += v
	}
	f.queue = f.queue[:0]
	for v := range f.nodes {
		if f.ends[f.find(v)] {
			continue
		}
		switch f.nodes[v].degree {
		case 0:
			if math.Abs(f.nodes[v].slope) > restTol*total {
				return 0, false // not a maximum
			}
		case 1:
			f.queue = append(f.queue, v)
		}
	}
	for i := 0; i < len(f.queue); i++ {
		v := f.queue[i]
		leaf := f.nodes[v]
		if leaf.degree == 0 { // the root of its tree
			if math.Abs(leaf.slope) > restTol*total {
				return 0, false
			}
			continue
		}
		e := f.last(v)
		e.done = true
		u, flow, far := e.high, leaf.slope, leaf.up
		if u == v {
			u, flow, far = e.low, -leaf.slope, leaf.down
		}
		if e.inequality && flow > sureTol*w.tol {
			step := min(flow/(2*leaf.bend), far)
			if !(step*flow/2 > w.tol) {
				return 0, false
			}
			held++
		} else if flow < -restTol*total {
			return 0, false
		}
		f.nodes[v].degree = 0
		rest := &f.nodes[u]
		rest.slope += leaf.slope
		rest.bend += leaf.bend
		rest.up, rest.down = min(rest.up, leaf.up), min(rest.down, leaf.down)
		if rest.degree--; rest.degree == 1 {
			f.queue = append(f.queue, u)
		} else if rest.degree == 0 && math.Abs(rest.slope) > restTol*total {
			return 0, false
		}
	}
	return held, true
}

const (
	restTol = 1e-9 // of the cases: a slope that counts as none
	sureTol = 1e-4 // of what is tolerated: a flow that counts as none, as no tail moves by more than 1
)

// find is the root of a node's tree.
func (f *forest) find(v int) int {
	for f.root[v] != v {
		f.root[v] = f.root[f.root[v]]
		v = f.root[v]
	}
	return v
}

// last is the only edge of a leaf.
func (f *forest) last(v int) *edge {
	for i := range f.edges {
		if e := &f.edges[i]; !e.done && (e.low == v || e.high == v) {
			return e
		}
	}
	panic("monotone: a leaf without an edge")
}

// plant makes the forest of a piece.
func (t *Table) plant(w *space, p *piece) {
	k := t.states
	f := &w.forest
	tails := p.size * (k - 1)
	top, bottom := tails, tails+1
	f.edges = f.edges[:0]
	f.nodes, f.root, f.ring, f.ends = f.nodes[:0], f.root[:0], f.ring[:0], f.ends[:0]
	for v := range tails + 2 {
		f.nodes = append(f.nodes, node{up: 1, down: 1})
		f.root, f.ring, f.ends = append(f.root, v), append(f.ring, false), append(f.ends, v >= tails)
	}
	n, x := w.n[p.entries:p.entries+p.size*k], w.x[p.entries:p.entries+p.size*k]
	w.lower = grown(w.lower, len(n))
	total := 0.0
	for _, v := range n {
		total += v
	}
	for r := range p.size {
		tail := 0.0
		for state := k - 1; state >= 0; state-- {
			high, low := r*(k-1)+state-1, r*(k-1)+state
			if state == 0 {
				high = top
			}
			if state == k-1 {
				low = bottom
			}
			above, below := &f.nodes[high], &f.nodes[low] // the tails with the state and without it
			weight, prob := n[r*k+state], x[r*k+state]
			switch {
			case weight > 1e-12*total:
				slope := weight / prob
				above.slope += slope
				below.slope -= slope
				above.bend += slope / prob
				below.bend += slope / prob
				above.down, below.up = min(above.down, prob/2), min(below.up, prob/2)
			case prob <= heldTol:
				f.tie(edge{low: low, high: high})
			default:
				above.down, below.up = min(above.down, prob), min(below.up, prob)
			}
			tail += prob
			w.lower[r*k+state] = tail
		}
	}
	for _, a := range p.arcs {
		for m := 1; m < k; m++ {
			low, high := a.Low*(k-1)+m-1, a.High*(k-1)+m-1
			room := w.lower[a.High*k+m] - w.lower[a.Low*k+m]
			if room < heldTol {
				f.tie(edge{low: low, high: high, inequality: true})
				continue
			}
			f.nodes[low].up, f.nodes[high].down = min(f.nodes[low].up, room), min(f.nodes[high].down, room)
		}
	}
}

// tie adds an edge.
func (f *forest) tie(e edge) {
	f.edges = append(f.edges, e)
	f.nodes[e.low].degree++
	f.nodes[e.high].degree++
	a, b := f.find(e.low), f.find(e.high)
	if a == b {
		f.ring[a] = true
		return
	}
	f.root[a] = b
	f.ring[b] = f.ring[b] || f.ring[a]
	f.ends[b] = f.ends[b] || f.ends[a]
}
