package structure

import "bnlab/bnkit/constraint"

// sharedRows are rows of a table that statements make equal, where they say no more. (N06 §4.3.)
type sharedRows struct {
	of      []int // by row, its distribution
	classes int
}

// newSharedRows reads bounds whose ties join states of the same place in rows of a table, all states of the same rows.
// It returns nil for others.
func newSharedRows(bounds [][]constraint.Bound, first, rows, states int) *sharedRows {
	root := make([]int, rows*states) // of cells
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, list := range bounds {
		for _, b := range list {
			if len(b.Fixed)+len(b.Equal)+len(b.AtMost)+len(b.Ratios)+len(b.Smooth)+len(b.Shares) > 0 {
				return nil
			}
			for _, tie := range b.Ties {
				if tie.Scale != nil || tie.Alpha != 0 {
					return nil
				}
				for _, cell := range tie.Cells[1:] {
					x, y := tie.Cells[0]-first, cell-first
					if x < 0 || y < 0 || x%states != y%states {
						return nil
					}
					x, y = find(x), find(y)
					root[max(x, y)] = min(x, y)
				}
			}
		}
	}
	out := &sharedRows{of: make([]int, rows)}
	for r := range rows {
		top := find(r*states) / states
		for state := 1; state < states; state++ {
			if find(r*states+state) != top*states+state {
				return nil
			}
		}
		if top == r {
			out.of[r] = out.classes
			out.classes++
		} else {
			out.of[r] = out.of[top]
		}
	}
	return out
}

// penalised is the log-likelihood of the sums of equal rows less a penalty for each free parameter.
func (s *sharedRows) penalised(c *Counts, penalty float64) float64 {
	sums := Counts{N: make([]float64, s.classes*c.R), R: c.R, Q: s.classes, logs: c.logs}
	for r, class := range s.of {
		for state, n := range c.N[r*c.R : (r+1)*c.R] {
			sums.N[class*c.R+state] += n
		}
	}
	return c.Scale*sums.logLikelihood() - penalty*sums.free()
}
