package dominance

import "math"

// A network has a node for each tail F_r(m) with 0 < m < states, row by row, and one for each
// end, top for F(0) = 1 and bottom for F(states) = 0. Its arcs lead upwards: first those of the
// problem's arcs, level by level, then one for each state of each row, from the tail
// without it to the tail with it.
type network struct {
	rows, states, nodes int // nodes without the ends
	low, high           []int
	price               []float64 // of the first arcs
	start, at           []int     // the arcs at node v are at[start[v]:start[v+1]]
}

func newNetwork(p Problem) network {
	net := network{rows: p.Rows, states: p.States, nodes: p.Rows * (p.States - 1)}
	for _, a := range p.Arcs {
		for m := 1; m < p.States; m++ {
			net.low, net.high, net.price = append(net.low, net.node(a.Low, m)), append(net.high, net.node(a.High, m)),
				append(net.price, a.Price)
		}
	}
	for r := range p.Rows {
		for k := range p.States {
			net.low, net.high = append(net.low, net.node(r, k+1)), append(net.high, net.node(r, k))
		}
	}
	net.start = make([]int, net.nodes+3)
	for a := range net.low {
		net.start[net.low[a]+1]++
		net.start[net.high[a]+1]++
	}
	for v := range net.nodes + 2 {
		net.start[v+1] += net.start[v]
	}
	net.at = make([]int, 2*len(net.low))
	next := append([]int(nil), net.start...)
	for a := range net.low {
		for _, v := range [...]int{net.low[a], net.high[a]} {
			net.at[next[v]] = a
			next[v]++
		}
	}
	return net
}

func (net *network) top() int    { return net.nodes }
func (net *network) bottom() int { return net.nodes + 1 }

// node is the place of F_r(m).
func (net *network) node(r, m int) int {
	switch m {
	case 0:
		return net.top()
	case net.states:
		return net.bottom()
	}
	return r*(net.states-1) + m - 1
}

// cell is the arc of entry i of the tables.
func (net *network) cell(i int) int { return len(net.price) + i }

// other is the end of an arc that is not v.
func (net *network) other(arc, v int) int {
	if net.low[arc] == v {
		return net.high[arc]
	}
	return net.low[arc]
}

// A space is what one call of Solve works with.
type space struct {
	*network
	s              *Solver
	n              []float64 // weights, over the largest; faint ones are 0
	inRow          []float64 // their sums
	total, scale   float64   // of all, and the largest weight
	open           bool      // some tail has no weight on either side
	enough, gained float64   // to stop after so large a gain, unless 0; what was gained then, over the largest weight
	weighted       []int     // the entries with weight
	orders         []int     // the arcs that are inequalities: all but those of entries with weight

	x      []float64 // by entry
	f      []float64 // by node
	label  []int     // by node, its block; blocks are named by one of their nodes
	broken []bool    // by arc: it pays its price
	price  []float64 // by arc, over the largest weight; 0 for a state with weight, which is no inequality

	// For Newton's method.
	variable []int     // by node: the number of its block, −1 at the ends
	slope    []float64 // by node: the derivative of the objective
	slopes   []float64 // by variable
	newton   cholesky
	d        []float64 // by node: the step
	dx       []float64 // by entry, likewise
	pays     []int     // arcs that are broken
	met      []meeting

	// For flows.
	flow, excess []float64
	via, queue   []int
	next, first  []int // members of blocks, linked
	level        isotonicLevel
}

type isotonicLevel struct{ y, w, f []float64 }

func newSpace(s *Solver) *space {
	net := &s.net
	float := func(n int) []float64 { return make([]float64, n) }
	nodes, arcs, cells := net.nodes+2, len(net.low), s.rows*s.states
	most := net.nodes // variables
	if s.isIsotonic() {
		most = 0
	}
	return &space{network: net, s: s, n: float(cells), inRow: float(s.rows), x: float(cells), f: float(nodes),
		d:     float(nodes),
		label: make([]int, nodes), broken: make([]bool, arcs), price: float(arcs), variable: make([]int, nodes),
		slope:  float(nodes),
		newton: newCholesky(most), flow: float(arcs), excess: float(nodes), via: make([]int, nodes),
		queue:  make([]int, 0, nodes),
		slopes: float(nodes), met: make([]meeting, 0, arcs), pays: make([]int, 0, arcs), dx: float(cells),
		weighted: make([]int, 0, cells), orders: make([]int, 0, arcs), next: make([]int, nodes),
		first: make([]int, nodes),
		level: isotonicLevel{float(s.rows), float(s.rows), float(s.rows)}}
}

// weigh takes the weights, and reports whether there are any. Inequalities that are left out are like states with
// weight: they bear nothing.
func (w *space) weigh(n []float64, left []bool) bool {
	w.scale, w.total, w.enough, w.gained = 0, 0, 0, 0
	for _, v := range n {
		w.scale = max(w.scale, v)
	}
	if w.scale == 0 {
		return false
	}
	for i, v := range n {
		w.n[i] = v / w.scale
		w.total += w.n[i]
	}
	for a, price := range w.network.price {
		w.price[a] = price
		if !math.IsInf(price, 1) {
			w.price[a] = min(price/w.scale, 1e100)
		}
	}
	w.weighted, w.orders = w.weighted[:0], w.orders[:0]
	for a := range w.network.price {
		if left != nil && left[a] {
			w.price[a] = 0
			continue
		}
		w.orders = append(w.orders, a)
	}
	for r := range w.rows {
		w.inRow[r] = 0
		for i := r * w.states; i < (r+1)*w.states; i++ {
			w.price[w.cell(i)] = 0
			if !(w.n[i] > faint*w.total) {
				w.n[i], w.price[w.cell(i)] = 0, math.Inf(1)
				w.orders = append(w.orders, w.cell(i))
			} else {
				w.weighted = append(w.weighted, i)
			}
			w.inRow[r] += w.n[i]
		}
	}
	w.open = false
	for v := range w.nodes {
		w.open = w.open || !w.weighed(v)
	}
	w.f[w.top()], w.f[w.bottom()] = 1, 0
	return true
}

// weighed reports whether a tail has weight on either side.
func (w *space) weighed(v int) bool {
	i := v/(w.states-1)*w.states + v%(w.states-1)
	return w.n[i] > 0 || w.n[i+1] > 0
}
