package infer

import (
	"math"

	"bnlab/bnkit/factor"
)

// A tree is the plan for one part of the network: leaves are families with the evidence
// sliced away, and every other node is the product of one or two earlier nodes, summed
// over the variables that no other factor holds. The last node is the root.
//
// It is elimination of one variable after another with products taken in pairs, so that
// each node depends on the evidence below it only and is computed once for each
// configuration of that (see block).
type tree struct {
	nodes []node
	gauss []int // leaves of linear-Gaussian variables
}

// node is a table over hidden variables, the first eliminated varying fastest.
type node struct {
	shape factor.Shape
	size  int
	sums  bool // over a variable

	family   int     // of a leaf, −1 otherwise
	distance []int32 // of a leaf: places of the entries in the family's table, from the first

	a, b int // operands; b is −1 when there is only one
	join *factor.Contraction
}

// block is a tree's evidence: for each node the configurations that occur.
type block struct {
	slots  []slot
	cells  int       // entries of all tables
	weight []float64 // by configuration of the root
	first  []int32   // by configuration of the root: a case that has it
	rows   []int32   // cases
	of     []int32   // and the configuration of the root in each
}

// slot is the evidence of one node.
type slot struct {
	n     int     // configurations
	start int     // first entry in a workspace
	a, b  []int32 // configuration of each operand, by configuration
	base  []int32 // of a leaf: place of its first entry, by configuration
	rows  []int32 // of a linear-Gaussian leaf: case, by configuration
}

// workspace holds the tables of one block at a time.
type workspace struct {
	up    []float64 // messages
	share []float64 // expected counts
	// shift is, by node and configuration, the power of two that the table was multiplied
	// by to keep it from underflow; unused until scaled.
	shift  [][]int32
	scaled bool
	// high is, by configuration of the root, the logarithm of what was taken out of the
	// densities; only of trees with linear-Gaussian leaves.
	high []float64
}

// one is the table without variables.
var one = []float64{1}

// smallest is where tables are scaled up: it leaves a message's entries a range of 1e230
// below its largest.
const smallest = 0x1p-256

// lowest is the exponent above which a product of leaves needs no scaling.
const lowest = -900

// largestShift keeps counts finite that are multiplied by a power of two.
const largestShift = 900

// up computes all tables from the leaves to the root, with sums or, for the most probable
// explanation, with maxima.
func (m *model) up(t *tree, w *workspace, blk *block, c *cases, p parameters, most bool) error {
	if len(w.up) < blk.cells {
		w.up = make([]float64, blk.cells)
	}
	if err := m.fill(t, w, blk, c, p.densities); err != nil {
		return err
	}
	t.up(w, blk, p.theta, most)
	return nil
}

// up computes the tables when the densities are there.
func (t *tree) up(w *workspace, blk *block, theta []float64, most bool) {
	w.scaled = false
	floor := 0 // exponent of a lower bound of everything that is not zero
	for i := range t.nodes {
		n, s := &t.nodes[i], &blk.slots[i]
		out := w.up[s.start : s.start+s.n*n.size]
		switch {
		case s.rows != nil: // densities are there already
		case n.family >= 0:
			for k, base := range s.base {
				row := out[k*n.size:][:n.size]
				for j, d := range n.distance {
					row[j] = theta[base+d]
				}
			}
		default:
			a, b := w.operands(blk, n)
			if most {
				n.join.Max(out, a, b, s.a, s.b)
			} else {
				n.join.Sum(out, a, b, s.a, s.b)
			}
		}
		if n.family >= 0 {
			floor += exponent(out)
		}
		if floor < lowest {
			t.scale(w, blk, i)
		}
	}
}

// exponent is the binary exponent of the smallest positive number.
func exponent(table []float64) int {
	least := 1.0
	for _, x := range table {
		if x > 0 && x < least {
			least = x
		}
	}
	_, e := math.Frexp(least)
	return e - 1
}

// operands returns the tables of a node's operands.
func (w *workspace) operands(blk *block, n *node) (a, b []float64) {
	if n.b < 0 {
		return w.up[blk.slots[n.a].start:], one
	}
	return w.up[blk.slots[n.a].start:], w.up[blk.slots[n.b].start:]
}

// scale multiplies tables whose entries have all become small by a power of two, which is
// exact.
func (t *tree) scale(w *workspace, blk *block, i int) {
	n, s := &t.nodes[i], &blk.slots[i]
	if w.scaled && n.family < 0 {
		for k := range s.n {
			shift := w.shift[n.a][s.a[k]]
			if n.b >= 0 {
				shift += w.shift[n.b][s.b[k]]
			}
			w.shift[i][k] = shift
		}
	}
	out := w.up[s.start : s.start+s.n*n.size]
	for k := range s.n {
		row := out[k*n.size:][:n.size]
		high := 0.0
		for _, x := range row {
			if high = max(high, x); high >= smallest {
				break
			}
		}
		if high >= smallest || high == 0 {
			continue
		}
		if !w.scaled {
			w.scaled = true
			w.shift = w.shift[:0]
			for j := range blk.slots {
				w.shift = append(w.shift, make([]int32, blk.slots[j].n))
			}
		}
		_, e := math.Frexp(high)
		e = max(e, -largestShift)
		for j := range row {
			row[j] = math.Ldexp(row[j], -e)
		}
		w.shift[i][k] -= int32(e)
	}
}

// root returns the table of the root for one of its configurations.
func (t *tree) root(w *workspace, blk *block, k int) []float64 {
	last := len(t.nodes) - 1
	return w.up[blk.slots[last].start+k*t.nodes[last].size:][:t.nodes[last].size]
}

// logs is Σ weight · log of the values in the root's table, which has no variables. When one
// of them is not positive, k is its configuration, otherwise −1.
func (t *tree) logs(w *workspace, blk *block) (sum float64, k int) {
	root := w.up[blk.slots[len(t.nodes)-1].start:][:len(blk.weight)]
	for k, weight := range blk.weight {
		if !(root[k] > 0) {
			return 0, k
		}
		sum += weight * math.Log(root[k])
	}
	if w.scaled || t.gauss != nil {
		for k, weight := range blk.weight {
			sum += weight * t.offset(w, k)
		}
	}
	return sum, -1
}

// offset is the logarithm of what was taken out of a value in the root's table.
func (t *tree) offset(w *workspace, k int) float64 {
	x := 0.0
	if w.scaled {
		x -= float64(w.shift[len(t.nodes)-1][k]) * math.Ln2
	}
	if t.gauss != nil {
		x += w.high[k]
	}
	return x
}

// log is the natural logarithm of a value in the root's table.
func (t *tree) log(w *workspace, k int, value float64) float64 {
	return math.Log(value) + t.offset(w, k)
}

// down computes expected counts, Σ over the cases of their posterior, from the root to the
// wanted nodes, in w.share; the tables of up are lost. The root must be without variables and not zero where there is
// weight. wanted is nil for all nodes.
//
// A node with counts q and table m gives each of the products x·y that m is the sum of the
// count x·y·q/m. So zeros stay zeros, and nothing is divided by a parameter.
func (t *tree) down(w *workspace, blk *block, wanted []bool) {
	if len(w.share) < blk.cells {
		w.share = make([]float64, blk.cells)
	} else {
		clear(w.share[:blk.cells])
	}
	share := w.share[:blk.cells]
	copy(share[blk.slots[len(t.nodes)-1].start:], blk.weight)
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
		n.join.Share(shareA, shareB, t.ratio(w, blk, i, q), a, b, s.a, s.b)
	}
}

// ratio turns the table m of a node into q/m, 0 where m is, with m as it was before it was
// scaled; nothing above needs m any more.
func (t *tree) ratio(w *workspace, blk *block, i int, q []float64) []float64 {
	ratio := w.up[blk.slots[i].start:][:len(q)]
	for j, m := range ratio {
		if m > 0 {
			ratio[j] = q[j] / m
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
