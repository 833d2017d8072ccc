// Package identify holds the linear algebra behind learn.Result.Identify: the terms of the log-likelihood of cases with
// hidden cells by their first derivatives, the equations that hold among the parameters, and the null space of both.
package identify

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/completion"
)

// mostEntries bounds the derivatives that are kept, half a gigabyte.
const mostEntries = 1 << 25

// A Sparse is a row of a matrix with a column for each table entry.
type Sparse struct {
	Cells []int
	X     []float64
}

func (s *Sparse) add(cell int, x float64) {
	s.Cells, s.X = append(s.Cells, cell), append(s.X, x)
}

// Terms are the terms of the log-likelihood by their first derivatives.
type Terms struct {
	theta []float64
	Row   []int // by entry, the first of its distribution
	end   []int // by entry, the end of its distribution
	list  []Sparse
	scale []float64 // of columns
	count []float64 // of entries, in all terms
	fixed []bool    // entries that stay as they are
	place []int     // of the others in their linked set

	own, all []float64 // of one term: counts of entries, and of distributions by their first; 0 between calls
}

// New differentiates the terms of the cases of t at theta; observed are the counts of what is observed outright. The
// error wraps bn.ErrTooLarge when the derivatives of a part, or their products, are more than the limits. (R95
// Eq. 4.)
func New(net *bn.Network, t *data.Table, observed, theta []float64, limit float64) (*Terms, error) {
	all, err := completion.New(net, t)
	if err != nil {
		return nil, err
	}
	entries := 0.0
	for _, part := range all.Parts {
		cases, each := float64(part.Len()), float64(part.Derivatives())
		if entries += cases * each; entries > mostEntries || cases*each*each/2 > limit {
			return nil, fmt.Errorf("learn: %w: what hidden variables link has %.0f derivatives in %.0f different cases",
				bn.ErrTooLarge, each, cases)
		}
	}
	layout := net.Layout()
	size := len(theta)
	s := &Terms{
		theta: theta, Row: make([]int, size), end: make([]int, size),
		scale: make([]float64, size), count: make([]float64, size), own: make([]float64, size),
		all: make([]float64, size),
	}
	for v := range net.Len() {
		for config := range net.CPT(v).Configs().Len() {
			lo, hi := layout.Row(v, config)
			for cell := lo; cell < hi; cell++ {
				s.Row[cell], s.end[cell] = lo, hi
			}
		}
	}
	for cell, x := range observed {
		if x > 0 {
			s.add([]int{cell}, []float64{1})
		}
	}
	for _, part := range all.Parts {
		if err := part.Expect(theta, s.add); err != nil {
			return nil, err
		}
	}
	s.fixed, s.place = make([]bool, len(theta)), make([]int, len(theta))
	for cell, x := range s.scale {
		s.fixed[cell] = theta[cell] == 0 || x > 0 && s.count[cell] == 0
		if s.scale[cell] = math.Sqrt(x); x == 0 {
			s.scale[cell] = 1
		}
	}
	return s, nil
}

// add adds a term with the expected counts n of some entries, which may stand more than once.
func (s *Terms) add(cells []int, n []float64) {
	var rows []int
	for i, cell := range cells {
		s.own[cell] += n[i]
		s.all[s.Row[cell]] += n[i]
		rows = append(rows, s.Row[cell])
	}
	slices.Sort(rows)
	var t Sparse
	for _, lo := range slices.Compact(rows) {
		for cell := lo; cell < s.end[lo]; cell++ {
			if theta := s.theta[cell]; theta > 0 {
				own, all := s.own[cell], theta*s.all[lo]
				t.add(cell, (own-all)/math.Sqrt(theta))
				s.scale[cell] += (own*own + all*all) / theta
				s.count[cell] += own
			}
			s.own[cell] = 0
		}
		s.all[lo] = 0
	}
	s.list = append(s.list, t)
}
