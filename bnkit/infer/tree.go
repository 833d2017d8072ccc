package infer

import (
	"math"
	"slices"
	"sync"

	"bnlab/internal/factor"
)

// A tree is the plan for one part of the network: leaves are families with the evidence
// sliced away, and every other node is the product of one or two earlier nodes, summed
// over the variables that no other factor holds. The last node is the root.
//
// It is elimination of one variable after another with products taken in pairs, so that
// each node depends on the evidence below it only and is computed once for each
// configuration of that (see block).
type tree struct {
	nodes    []node
	gauss    []int    // leaves of linear-Gaussian variables
	smallest []holder // of each variable
}

// holder is a variable with the last of the smallest nodes that hold it.
type holder struct{ v, node int }

// node is a table over hidden variables, the first eliminated varying fastest.
type node struct {
	shape factor.Shape
	size  int
	sums  bool // over a variable
	most  bool // with the greatest in the place of the sum

	family   int      // of a leaf, −1 otherwise
	distance []int32  // of a leaf: places of the entries in the family's table, from the first
	mixture  *mixture // of a leaf of several families, whose first is family; otherwise nil

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
	base  []int32 // of a leaf: place of its first entry, by configuration; of a mixture: its kind
	rows  []int32 // of a linear-Gaussian leaf: case, by configuration
}

// workspace holds the tables of one block at a time.
type workspace struct {
	up    []float64 // messages
	share []float64 // expected counts
	left  []float64 // of a standing tree, what is left of counts
	slope []factor.Pair
	// shift is, by node and configuration, the power of two that the table was multiplied
	// by to keep it from underflow; unused until scaled.
	shift   [][]int32
	scaled  bool
	deep    bool // products may have needed scaling
	blurred bool // entries that may matter have lost digits
	// high is, by configuration of the root, the logarithm of what was taken out of the
	// densities, and wide whether a leaf is; only of trees with linear-Gaussian leaves.
	high []float64
	wide []bool
	logs bool // up holds logarithms
	mix  mixing

	at   []int   // of marginals
	need []bool  // of marginals
	plan builder // of a tree that is used before the next is made
}

// spaces are workspaces that wait for their next use.
var spaces = sync.Pool{New: func() any { return new(workspace) }}

// one is the table without variables that changes nothing, and zero its logarithm.
var (
	one  = []float64{1}
	zero = []float64{0}
)

// smallest is where tables are scaled up: it leaves a message's entries a range of 1e230
// below its largest.
const smallest = 0x1p-256

// normal is the smallest number with all digits.
const normal = 0x1p-1022

// lowestEntry is that range.
const lowestEntry = normal / smallest

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
	if err := m.fill(t, w, blk, c, p); err != nil {
		return err
	}
	t.up(w, blk, p.theta, p.mild, most)
	return nil
}

// up computes the tables when the densities are there. Where theta is mild no table is too small.
func (t *tree) up(w *workspace, blk *block, theta []float64, mild, most bool) {
	w.scaled, w.deep, w.blurred, w.logs = false, false, false, false
	floor := 0 // exponent of a lower bound of everything that is not zero
	for i := range t.nodes {
		n, s := &t.nodes[i], &blk.slots[i]
		out := w.up[s.start : s.start+s.n*n.size]
		switch {
		case s.rows != nil: // densities are there already
		case n.family >= 0:
			for k, base := range s.base {
				from, row := theta[base:], out[k*n.size:][:len(n.distance)]
				for j, d := range n.distance {
					row[j] = from[uint32(d)]
				}
			}
		default:
			a, b := w.operands(blk, n)
			if most || n.most {
				n.join.Max(out, a, b, s.a, s.b)
			} else {
				n.join.Sum(out, a, b, s.a, s.b)
			}
		}
		if mild {
			continue
		}
		if n.family >= 0 {
			floor += exponent(out)
		}
		if floor < lowest {
			w.deep = true
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
	switch {
	case n.b < 0 && w.logs:
		return w.up[blk.slots[n.a].start:], zero
	case n.b < 0:
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
		// What has lost digits counts as nothing. Where it is less than that range below the largest, or may be, it may
		// matter, and the cases are computed again with logarithms.
		for j, x := range row {
			if x < normal {
				w.blurred = w.blurred || x > high*lowestEntry || x == 0 && high < lowestEntry
				row[j] = 0
			}
		}
		if high < normal {
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

// logs is Σ weight · log of the values in the root's table, which has no variables, without
// the configurations that are lost. When one of the others is not positive, k is its
// configuration, otherwise −1.
func (t *tree) logs(w *workspace, blk *block) (sum float64, lost []int32, k int) {
	root := w.up[blk.slots[len(t.nodes)-1].start:][:len(blk.weight)]
	if w.deep || slices.Contains(w.wide, true) && t.gauss != nil {
		for k := range blk.weight {
			if t.lost(w, blk, k) {
				lost = append(lost, int32(k))
				root[k] = 1 // without effect on the sum
			}
		}
	}
	for k, weight := range blk.weight {
		if !(root[k] > 0) {
			return 0, nil, k
		}
		sum += weight * math.Log(root[k])
	}
	if w.scaled || t.gauss != nil {
		next := lost
		for k, weight := range blk.weight {
			if len(next) > 0 && int(next[0]) == k {
				next = next[1:]
				continue
			}
			sum += weight * t.offset(w, k)
		}
	}
	return sum, lost, -1
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
