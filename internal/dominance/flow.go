package dominance

import "math"

// part looks at every block at rest. A flow along the orders inside it, from nodes that gain by
// rising to nodes that gain by falling, is a set of multipliers; orders that are hard carry any
// flow, others no more than their price. Where a maximum flow meets all slopes the block is
// right. Otherwise it cuts the block into an upper part, which gains by rising, and a lower one.
// It returns the slopes that no flow meets, which bound what the objective can still rise,
// since no tail can move by more than 1, and whether a block was parted.
func (w *space) part() (gap float64, parted bool) {
	for _, a := range w.orders { // what touches is one block
		if u, v := w.low[a], w.high[a]; w.f[u] == w.f[v] {
			w.join(u, v)
		}
	}
	clear(w.flow)
	copy(w.excess, w.slope)
	w.excess[w.top()], w.excess[w.bottom()] = 0, 0
	for v := range w.first {
		w.first[v] = -1
	}
	for v := len(w.label) - 1; v >= 0; v-- {
		w.next[v], w.first[w.label[v]] = w.first[w.label[v]], v
	}
	for block, first := range w.first {
		if first < 0 {
			continue
		}
		for w.push(block) {
		}
		up, down := 0.0, 0.0
		for v := first; v >= 0; v = w.next[v] {
			up, down = up+max(w.excess[v], 0), down+max(-w.excess[v], 0)
		}
		switch block { // an end takes what presses against it
		case w.top():
			up = 0
		case w.bottom():
			down = 0
		}
		gap += up + down
		if max(up, down) > none*w.total && w.cut(block, up < down) {
			parted = true
		}
	}
	return gap, parted
}

// push sends flow inside a block along a shortest path, from a positive excess to a negative
// one. It returns false when there is none.
func (w *space) push(block int) bool {
	sink := w.search(block, false)
	if sink < 0 {
		return false
	}
	amount, v := -w.excess[sink], sink
	for w.via[v] >= 0 {
		a := w.via[v]
		amount = min(amount, w.room(a, w.other(a, v)))
		v = w.other(a, v)
	}
	amount = min(amount, w.excess[v])
	w.excess[v] -= amount
	w.excess[sink] += amount
	for v := sink; w.via[v] >= 0; {
		a, from := w.via[v], w.other(w.via[v], v)
		if w.low[a] == from {
			w.flow[a] += amount
		} else {
			w.flow[a] -= amount
		}
		v = from
	}
	return true
}

// room is what an arc can still carry from one of its nodes to the other.
func (w *space) room(a, from int) float64 {
	if w.low[a] == from {
		return w.price[a] - w.flow[a]
	}
	return w.flow[a]
}

// unreached marks nodes in via that search has not come to, and origin those that it started at.
const (
	origin    = -1
	unreached = -2
)

// search goes along arcs with room from the positive excesses of a block and returns the first
// node with a negative one, −1 when it reaches none. Backwards it starts at the negative ones, goes
// against arcs with room, and covers all that it can reach.
func (w *space) search(block int, backwards bool) int {
	queue := w.queue[:0]
	for v := w.first[block]; v >= 0; v = w.next[v] {
		w.via[v] = unreached
		if e := w.excess[v]; !backwards && e > none*w.total || backwards && e < -none*w.total {
			w.via[v] = origin
			queue = append(queue, v)
		}
	}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		if !backwards && w.excess[v] < -none*w.total {
			return v
		}
		for _, a := range w.at[w.start[v]:w.start[v+1]] {
			u := w.other(a, v)
			if w.label[u] != block || w.via[u] != unreached {
				continue
			}
			from := v
			if backwards {
				from = u
			}
			if w.room(a, from) > 0 {
				w.via[u] = a
				queue = append(queue, u)
			}
		}
	}
	return -1
}

// cut parts a block after a maximum flow: what the positive excesses left can reach rises, or
// falling, what can reach the negative ones falls. It returns false if that is all of the
// block.
func (w *space) cut(block int, falling bool) bool {
	w.search(block, falling)
	in, out := -1, -1 // a node of each side
	for v := w.first[block]; v >= 0; v = w.next[v] {
		if w.via[v] == unreached {
			out = v
		} else {
			in = v
		}
	}
	if in < 0 || out < 0 {
		return false
	}
	if w.via[block] == unreached {
		out = block
	} else {
		in = block
	}
	for v := w.first[block]; v >= 0; v = w.next[v] {
		for _, a := range w.at[w.start[v]:w.start[v+1]] {
			u := w.high[a]
			if u != v && w.label[u] == block && (w.via[u] == unreached) != (w.via[v] == unreached) {
				rises := (w.via[v] != unreached) != falling
				w.broken[a] = rises && !math.IsInf(w.price[a], 1)
			}
		}
	}
	for v := w.first[block]; v >= 0; v = w.next[v] {
		w.label[v] = out
		if w.via[v] != unreached {
			w.label[v] = in
		}
	}
	return true
}
