package infer

import (
	"math"
	"slices"
)

// heaviest is the exponent of a weight above which counts are computed of a fraction of all
// weights, so that none overflows where it is divided by a small probability.
const heaviest = 100

// down computes expected counts, Σ over the cases of their posterior, from the root to the
// wanted nodes, in w.share; the tables of up are lost. The root must be without variables and not zero where there is
// weight, but in configurations that are lost, which are left out. wanted is nil for all nodes.
//
// A node with counts q and table m gives each of the products x·y that m is the sum of the
// count x·y·q/m. So zeros stay zeros, and nothing is divided by a parameter. (W00 Eq. 17.)
func (t *tree) down(w *workspace, blk *block, wanted []bool, lost []int32) {
	if len(w.share) < blk.cells {
		w.share = make([]float64, blk.cells)
	} else {
		clear(w.share[:blk.cells])
	}
	share := w.share[:blk.cells]
	root := share[blk.slots[len(t.nodes)-1].start:]
	copy(root, blk.weight)
	for _, k := range lost {
		root[k] = 0
	}
	_, heavy := math.Frexp(slices.Max(blk.weight))
	if heavy > heaviest {
		for k := range blk.weight {
			root[k] = math.Ldexp(root[k], -heavy)
		}
	}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n, s := &t.nodes[i], &blk.slots[i]
		if n.family >= 0 || wanted != nil && !wanted[i] {
			continue
		}
		var shareA, shareB []float64
		if wanted == nil || wanted[n.a] {
			shareA = share[blk.slots[n.a].start:]
		}
		if n.b >= 0 && (wanted == nil || wanted[n.b]) {
			shareB = share[blk.slots[n.b].start:]
		}
		q := share[s.start:][:s.n*n.size]
		if !n.sums {
			n.join.Spread(shareA, shareB, q, s.a, s.b)
			continue
		}
		a, b := w.operands(blk, n)
		if w.logs {
			n.join.ShareLogs(shareA, shareB, q, w.up[s.start:], a, b, s.a, s.b)
			continue
		}
		n.join.Share(shareA, shareB, t.ratio(w.up[s.start:], w, blk, i, q), a, b, s.a, s.b)
	}
	if heavy > heaviest {
		for i, x := range share {
			share[i] = math.Ldexp(x, heavy)
		}
	}
}

// ratio writes q/m to the ratio, 0 where m is, where m is the table of a node as it was before it was
// scaled. It may take the place of m when nothing above needs that any more.
func (t *tree) ratio(ratio []float64, w *workspace, blk *block, i int, q []float64) []float64 {
	ratio = ratio[:len(q)]
	for j, m := range w.up[blk.slots[i].start:][:len(q)] {
		if m > 0 {
			ratio[j] = q[j] / m
		} else {
			ratio[j] = 0
		}
	}
	if w.scaled {
		size := t.nodes[i].size
		for k := range blk.slots[i].n {
			if own := t.ownShift(w, blk, i, k); own != 0 {
				for j := k * size; j < (k+1)*size; j++ {
					ratio[j] = min(math.Ldexp(ratio[j], own), math.MaxFloat64)
				}
			}
		}
	}
	return ratio
}

// ownShift is the power of two that a node's table itself was multiplied by, beyond those
// of its operands.
func (t *tree) ownShift(w *workspace, blk *block, i, k int) int {
	n, s := &t.nodes[i], &blk.slots[i]
	own := w.shift[i][k] - w.shift[n.a][s.a[k]]
	if n.b >= 0 {
		own -= w.shift[n.b][s.b[k]]
	}
	return int(own)
}

// addCounts adds the expected counts of the leaves to n, which is numbered as theta.
func (t *tree) addCounts(w *workspace, blk *block, counts []float64) {
	for i := range t.nodes {
		n, s := &t.nodes[i], &blk.slots[i]
		if n.family < 0 || s.rows != nil {
			continue
		}
		q := w.share[s.start:]
		for k, base := range s.base {
			row := q[k*n.size:][:n.size]
			for j, d := range n.distance {
				counts[base+d] += row[j]
			}
		}
	}
}
