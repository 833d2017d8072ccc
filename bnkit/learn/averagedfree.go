package learn

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/rows"
	"bnlab/internal/weigh"
)

// A freedom is what certain equalities leave of the distributions of a group: shares, which have a Dirichlet density
// where each cell is known or a multiple of one share, and rows that have a share in common have all in common. Without
// equalities each cell is a share. Then the equalities hold in whatever subset is weighed, and the subsets are weighed
// inside what they leave.
type freedom struct {
	first  []int     // of the shares, as weigh.Problem has it
	share  []int     // by cell of the group; −1 for a known one
	factor []float64 // of the share
	known  []float64 // probability of a known cell
	alpha  []float64 // by share, its Dirichlet count where a tie gives it, 0 elsewhere
}

// newFreedom returns nil where what is left has no independent Dirichlet densities.
func newFreedom(layout bn.Layout, g *group) *freedom {
	f := &freedom{first: []int{0}, share: make([]int, len(g.cells)), factor: make([]float64, len(g.cells)),
		known: make([]float64, len(g.cells))}
	if g.equal == nil {
		for i := range f.share {
			f.share[i], f.factor[i] = i, 1
		}
		f.alpha = make([]float64, len(f.share))
		for _, r := range g.rows {
			lo, hi := layout.Row(r.Var, r.Config)
			f.first = append(f.first, f.first[len(f.first)-1]+hi-lo)
		}
		return f
	}
	local := make(map[int]int, len(g.cells))
	for i, cell := range g.cells {
		local[cell] = i
	}
	// Classes of cells that are multiples of each other, by the first of them.
	class, scale, fixed := make([]int, len(g.cells)), make([]float64, len(g.cells)), make([]bool, len(g.cells))
	alpha := make(map[int]float64)
	for i := range class {
		class[i], scale[i] = i, 1
	}
	for _, b := range g.equal {
		if len(b.Equal)+len(b.Ratios)+len(b.Smooth)+len(b.Shares) > 0 {
			return nil
		}
		g.always = append(g.always, b.AtMost...)
		for _, t := range b.Ties {
			root := local[t.Cells[0]]
			for k, cell := range t.Cells {
				i := local[cell]
				from, ratio := class[i], 1.0
				if t.Scale != nil {
					ratio = t.Scale[k] / t.Scale[0]
				}
				ratio *= scale[root] / scale[i] // of the class of i in that of root
				if from == class[root] {
					if math.Abs(ratio-1) > 1e-12 {
						return nil
					}
					continue
				}
				for j := range class {
					if class[j] == from {
						class[j], scale[j] = class[root], scale[j]*ratio
					}
				}
			}
			if t.Alpha > 0 {
				alpha[class[root]] = t.Alpha
			}
		}
	}
	for _, b := range g.equal {
		for _, v := range b.Fixed {
			i := local[v.Cell]
			for j := range class {
				if class[j] == class[i] {
					fixed[j], f.known[j] = true, v.P*scale[j]/scale[i]
				}
			}
		}
	}
	// A row is its shares with their masses; rows with the same are one distribution.
	seen := make(map[int]int) // by class, its share
	at := 0
	for _, r := range g.rows {
		lo, hi := layout.Row(r.Var, r.Config)
		rest, sums := 1.0, make(map[int]float64)
		var classes []int
		for i := at; i < at+hi-lo; i++ {
			if fixed[i] {
				f.share[i] = -1
				rest -= f.known[i]
				continue
			}
			if _, ok := sums[class[i]]; !ok {
				classes = append(classes, class[i])
			}
			sums[class[i]] += scale[i]
		}
		if len(classes) > 0 && !(rest > 1e-9) {
			return nil
		}
		old := 0
		for _, c := range classes {
			if _, ok := seen[c]; ok {
				old++
			}
		}
		switch {
		case old == 0 && len(classes) > 0:
			for _, c := range classes {
				seen[c] = len(f.alpha)
				f.alpha = append(f.alpha, alpha[c])
			}
			f.first = append(f.first, len(f.alpha))
		case old < len(classes):
			return nil
		case old > 0 && !f.isRow(classes, seen):
			return nil
		}
		for i := at; i < at+hi-lo; i++ {
			if !fixed[i] {
				f.share[i], f.factor[i] = seen[class[i]], scale[i]*rest/sums[class[i]]
			}
		}
		// A share that stands in several rows has one mass in all of them.
		for i := range at {
			for j := at; j < at+hi-lo; j++ {
				if !fixed[i] && !fixed[j] && class[i] == class[j] &&
					math.Abs(f.factor[i]*scale[j]-f.factor[j]*scale[i]) > 1e-9 {
					return nil
				}
			}
		}
		at += hi - lo
	}
	if len(f.alpha) == 0 {
		return nil
	}
	return f
}

// isRow reports whether these are all classes of one distribution.
func (f *freedom) isRow(classes []int, seen map[int]int) bool {
	r := 0
	for f.first[r+1] <= seen[classes[0]] {
		r++
	}
	for _, c := range classes {
		if s := seen[c]; s < f.first[r] || s >= f.first[r+1] {
			return false
		}
	}
	return len(classes) == f.first[r+1]-f.first[r]
}

// problem is the group for package weigh, over its shares.
func (g *group) problem(n, pseudo []float64) *weigh.Problem {
	f := g.free
	p := &weigh.Problem{First: f.first, Prior: make([]float64, len(f.alpha)), Counts: make([]float64, len(f.alpha))}
	for s := range p.Prior {
		p.Prior[s] = 1
	}
	local := make(map[int]int, len(g.cells))
	for i, cell := range g.cells {
		local[cell] = i
		if s := f.share[i]; s >= 0 {
			p.Prior[s] += pseudo[cell]
			p.Counts[s] += n[cell]
		}
	}
	for s, a := range f.alpha {
		if a > 0 {
			p.Prior[s] = a
		}
	}
	turn := func(list []constraint.Linear) []rows.Row {
		var out []rows.Row
		for _, l := range list {
			row := rows.Row{Value: l.Value}
			for k, cell := range l.Cells {
				i, coef := local[cell], 1.0
				if l.Coef != nil {
					coef = l.Coef[k]
				}
				row.Value -= coef * f.known[i]
				if f.share[i] < 0 {
					continue
				}
				if at := slices.Index(row.Index, f.share[i]); at >= 0 {
					row.Coef[at] += coef * f.factor[i]
				} else {
					row.Index, row.Coef = append(row.Index, f.share[i]), append(row.Coef, coef*f.factor[i])
				}
			}
			if g.equal == nil {
				row.Coef = l.Coef
			} else if row = without0(row); len(row.Index) == 0 && row.Value >= -1e-12 {
				continue // it holds of all tables
			}
			if g.equal == nil || !slices.ContainsFunc(out, func(other rows.Row) bool { return sameRow(row, other) }) {
				out = append(out, row)
			}
		}
		return out
	}
	for _, b := range g.bounds {
		p.Statements = append(p.Statements, turn(b))
	}
	p.Always = turn(g.always)
	return p
}

// without0 leaves out what cancels.
func without0(r rows.Row) rows.Row {
	out := rows.Row{Value: r.Value}
	for k, s := range r.Index {
		if math.Abs(r.Coef[k]) > 1e-12 {
			out.Index, out.Coef = append(out.Index, s), append(out.Coef, r.Coef[k])
		}
	}
	return out
}

// sameRow reports whether two inequalities of shares are one.
func sameRow(a, b rows.Row) bool {
	if len(a.Index) != len(b.Index) || math.Abs(a.Value-b.Value) > 1e-12 {
		return false
	}
	for k, s := range a.Index {
		at := slices.Index(b.Index, s)
		if at < 0 || math.Abs(a.Coef[k]-b.Coef[at]) > 1e-12 {
			return false
		}
	}
	return true
}

// spread writes what shares say of the cells of the group; whole is the measure of what they are a mean over, 1 for
// all.
func (g *group) spread(shares []float64, whole float64) []float64 {
	out := make([]float64, len(g.cells))
	for i := range out {
		if out[i] = whole * g.free.known[i]; g.free.share[i] >= 0 {
			out[i] = g.free.factor[i] * shares[g.free.share[i]]
		}
	}
	return out
}
