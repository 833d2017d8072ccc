package constraint

import (
	"fmt"

	"bnlab/bnkit/bn"
)

// shared solves sharing within and across the rows of one part in closed form.
// Each group i is k_i times in every row. With n_i the counts of group i over all
// rows and N those of all cells,
//
//	θ_i = n_i / (k_i N)
//
// and the free cells of row c take what is left in proportion to their counts,
//
//	θ_cj = (1 − M) n_cj / n_c,free,   M = Σ_i n_i / N
//
// (N06, Theorem 1 for one row; N06 type 6 with equal k for several).
type shared struct {
	rows  []Row
	cells [][]int // by group, over all rows
	k     []int   // cells of the group in one row
	local [][]int // by row, cells in no group
	alpha []float64
}

var _ part = (*shared)(nil)

// newShared joins the bounds of one part: those over the same rows with groups of their
// own, and those that make whole distributions equal, since equality passes from one to
// the next. Other bounds that share only some of their rows, or a cell, have no closed
// form here.
func newShared(layout bn.Layout, bounds []Bound, members []int, of []Constraint) (*shared, error) {
	joined := make([]Bound, len(members))
	for i, m := range members {
		joined[i] = bounds[m]
	}
	if len(members) > 1 {
		if b, ok := union(layout, joined); ok {
			joined, members = []Bound{b}, members[:1]
		}
	}
	s := &shared{rows: joined[0].Links}
	used := make(map[int]Constraint)
	for i, b := range joined {
		statement := of[members[i]]
		if !sameRows(s.rows, b.Links) {
			return nil, fmt.Errorf("constraint: %w: %q and %q share some distributions but not all; state them over the same parent configurations, or as one statement", ErrOverlap, of[members[0]], statement)
		}
		for _, t := range b.Ties {
			cells := t.Cells
			for _, cell := range cells {
				if other, ok := used[cell]; ok {
					return nil, fmt.Errorf("constraint: %w: %q and %q both bind the same parameter; join their groups into one statement", ErrOverlap, other, statement)
				}
				used[cell] = statement
			}
			s.cells = append(s.cells, cells)
			s.k = append(s.k, len(cells)/len(b.Links))
			s.alpha = append(s.alpha, t.Alpha)
		}
	}
	for _, row := range s.rows {
		lo, hi := layout.Row(row.Var, row.Config)
		var local []int
		for cell := lo; cell < hi; cell++ {
			if _, ok := used[cell]; !ok {
				local = append(local, cell)
			}
		}
		s.local = append(s.local, local)
	}
	return s, nil
}

// union returns the one sharing that linked bounds amount to when each makes the whole
// distributions of its rows equal, without a prior of its own.
func union(layout bn.Layout, bounds []Bound) (Bound, bool) {
	var rows []Row
	seen := make(map[Row]bool)
	for _, b := range bounds {
		lo, hi := layout.Row(b.Links[0].Var, b.Links[0].Config)
		for _, t := range b.Ties {
			if len(t.Cells) != len(b.Links) || t.Alpha > 0 {
				return Bound{}, false
			}
		}
		if len(b.Ties) != hi-lo {
			return Bound{}, false
		}
		for _, row := range b.Links {
			if !seen[row] {
				seen[row] = true
				rows = append(rows, row)
			}
		}
	}
	groups := make([]group, len(bounds[0].Ties))
	for i := range groups {
		groups[i].states = []int{i}
	}
	return newSharing(layout, rows, groups), true
}

func sameRows(a, b []Row) bool {
	if len(a) != len(b) {
		return false
	}
	in := make(map[Row]bool, len(a))
	for _, row := range a {
		in[row] = true
	}
	for _, row := range b {
		if !in[row] {
			return false
		}
	}
	return true
}

func sum(n []float64, cells []int) float64 {
	total := 0.0
	for _, cell := range cells {
		total += n[cell]
	}
	return total
}

func (s *shared) maximize(dst, n []float64) {
	total, free := 0.0, 0.0
	for _, cells := range s.cells {
		total += sum(n, cells)
	}
	for _, local := range s.local {
		free += sum(n, local)
	}
	total += free
	if total == 0 {
		s.uniform(dst)
		return
	}
	for i, cells := range s.cells {
		theta := sum(n, cells) / (float64(s.k[i]) * total)
		for _, cell := range cells {
			dst[cell] = theta
		}
	}
	for _, local := range s.local {
		mass, seen := free/total, sum(n, local)
		for _, cell := range local {
			if seen > 0 {
				dst[cell] = mass * (n[cell] / seen)
			} else {
				dst[cell] = mass / float64(len(local))
			}
		}
	}
}

// uniform is the feasible point for no counts at all: the rows have equally many
// states, so equal probabilities satisfy every sharing.
func (s *shared) uniform(dst []float64) {
	states := len(s.local[0])
	for _, k := range s.k {
		states += k
	}
	for _, some := range [][][]int{s.cells, s.local} {
		for _, cells := range some {
			for _, cell := range cells {
				dst[cell] = 1 / float64(states)
			}
		}
	}
}

func (s *shared) addPrior(n []float64, own []bool) {
	for i, alpha := range s.alpha {
		if alpha == 0 {
			continue
		}
		// Only the sum counts. Equal parts of it are not negative unless it is.
		each := (sum(n, s.cells[i]) + alpha - 1) / float64(len(s.cells[i]))
		for _, cell := range s.cells[i] {
			own[cell] = true
			n[cell] = each
		}
	}
}

func (s *shared) flags(p *Problem, n []float64) map[Row][]Flag {
	total, free := 0.0, 0.0
	for _, cells := range s.cells {
		total += sum(n, cells)
	}
	for _, local := range s.local {
		free += sum(n, local)
	}
	out := make(map[Row][]Flag)
	for r, row := range s.rows {
		switch {
		case total+free == 0:
			out[row] = append(out[row], p.flag(row, Unidentified, "no cases for it or for any distribution it shares with; made uniform"))
		case free > 0 && sum(n, s.local[r]) == 0 && len(s.local[r]) > 1:
			out[row] = append(out[row], p.flag(row, Unidentified, "no cases for its unshared states; they take equal parts of what sharing leaves"))
		}
	}
	return out
}
