package learn

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/diff/fd"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
)

// A sparse is a row of a matrix with a column for each table entry.
type sparse struct {
	cells []int
	x     []float64
}

func (s *sparse) add(cell int, x float64) {
	s.cells, s.x = append(s.cells, cell), append(s.x, x)
}

// terms are the terms of the log-likelihood by their first derivatives.
type terms struct {
	theta []float64
	row   []int // by entry, the first of its distribution
	end   []int // by entry, the end of its distribution
	list  []sparse
	scale []float64 // of columns
	count []float64 // of entries, in all terms
	fixed []bool    // entries that stay as they are
	place []int     // of the others in their linked set

	own, all []float64 // of one term: counts of entries, and of distributions by their first; 0 between calls
}

// newTerms differentiates the terms at theta. The error wraps constraint.ErrTooLarge when the
// derivatives of a part, or their products, are more than the limits.
func newTerms(p *problem, c Cases, t *data.Table, theta []float64, limit float64) (*terms, error) {
	all, err := newCompletions(p.net, t)
	if err != nil {
		return nil, err
	}
	entries := 0.0
	for _, part := range all.parts {
		cases, each := float64(len(part.configs)), float64(part.derivatives())
		if entries += cases * each; entries > mostEntries || cases*each*each/2 > limit {
			return nil, fmt.Errorf("learn: %w: what hidden variables link has %.0f derivatives in %.0f different cases",
				constraint.ErrTooLarge, each, cases)
		}
	}
	layout := p.tables.Layout()
	size := len(theta)
	s := &terms{
		theta: theta, row: make([]int, size), end: make([]int, size),
		scale: make([]float64, size), count: make([]float64, size), own: make([]float64, size),
		all: make([]float64, size),
	}
	for v := range p.net.Len() {
		for config := range p.net.CPT(v).Configs().Len() {
			lo, hi := layout.Row(v, config)
			for cell := lo; cell < hi; cell++ {
				s.row[cell], s.end[cell] = lo, hi
			}
		}
	}
	n := make([]float64, len(theta))
	c.AddObserved(n)
	for cell, x := range n {
		if x > 0 {
			s.add([]int{cell}, []float64{1})
		}
	}
	for _, part := range all.parts {
		for _, e := range part.configs {
			if err := part.sum(theta, e.base); err != nil {
				return nil, err
			}
			s.add(part.expect(e.base))
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
func (s *terms) add(cells []int, n []float64) {
	var rows []int
	for i, cell := range cells {
		s.own[cell] += n[i]
		s.all[s.row[cell]] += n[i]
		rows = append(rows, s.row[cell])
	}
	slices.Sort(rows)
	var t sparse
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

// derivatives is how many a term of the part has at most.
func (p *hiddenPart) derivatives() int {
	total := 0
	for _, f := range p.families {
		total += f.possible
	}
	return total
}

// expect returns the expected counts of the part's families in one case, with the tables that
// sum has made for it: the posterior of each step's variables, from the last to the first.
func (p *hiddenPart) expect(base []int) (cells []int, n []float64) {
	posterior := make([][]float64, len(p.steps)) // of what remains after a step
	for i := len(p.steps) - 1; i >= 0; i-- {
		e := &p.steps[i]
		q := make([]float64, len(e.table))
		for j, x := range e.table {
			if x > 0 {
				outer := 1.0 // nothing remains
				if posterior[i] != nil {
					outer = posterior[i][j/e.card]
				}
				q[j] = outer * x / e.message[j/e.card]
			}
		}
		for _, o := range e.product {
			if o.family < 0 {
				posterior[o.from] = make([]float64, len(p.steps[o.from].message))
			}
			for j, at := range o.at {
				if o.family < 0 {
					posterior[o.from][at] += q[j]
				} else if q[j] > 0 {
					cells, n = append(cells, base[o.family]+int(at)), append(n, q[j])
				}
			}
		}
	}
	return cells, n
}

// equations returns the slopes, by table entry, of what the statements and the sums of
// distributions hold equal.
func (p *problem) equations(theta []float64) ([]sparse, error) {
	var list []sparse
	for v := range p.net.Len() {
		for config := range p.net.CPT(v).Configs().Len() {
			lo, hi := p.tables.Layout().Row(v, config)
			var sum sparse
			for cell := lo; cell < hi; cell++ {
				sum.add(cell, 1)
			}
			list = append(list, sum)
		}
	}
	for _, s := range p.tables.Statements() {
		bounds, err := s.Bind(p.net)
		if err != nil {
			return nil, err
		}
		for _, b := range bounds {
			list = append(list, slopes(b, theta)...)
		}
	}
	return list, nil
}

// slopes differentiates the equalities of a bound at theta.
func slopes(b constraint.Bound, theta []float64) []sparse {
	var list []sparse
	for _, f := range b.Fixed {
		list = append(list, sparse{[]int{f.Cell}, []float64{1}})
	}
	for _, t := range b.Ties { // θ_i/s_i = θ_0/s_0
		for i := 1; i < len(t.Cells); i++ {
			x := []float64{1, -1}
			if t.Scale != nil {
				x = []float64{t.Scale[0], -t.Scale[i]}
			}
			list = append(list, sparse{[]int{t.Cells[i], t.Cells[0]}, x})
		}
	}
	for _, l := range b.Equal {
		x := l.Coef
		if x == nil {
			x = slices.Repeat([]float64{1}, len(l.Cells))
		}
		list = append(list, sparse{l.Cells, x})
	}
	for _, r := range b.Ratios { // θ_gi·m_0 = θ_0i·m_g
		first, mass := r.Blocks[0], 0.0
		for _, cell := range first {
			mass += theta[cell]
		}
		for _, block := range r.Blocks[1:] {
			own := 0.0
			for _, cell := range block {
				own += theta[cell]
			}
			for i := range block {
				var row sparse
				for k := range block {
					a, b := theta[block[i]], -theta[first[i]]
					if k == i {
						a, b = a-own, b+mass
					}
					row.add(first[k], a)
					row.add(block[k], b)
				}
				list = append(list, row)
			}
		}
	}
	for _, f := range b.Smooth {
		at := make([]float64, len(f.Cells))
		for i, cell := range f.Cells {
			at[i] = theta[cell]
		}
		for _, g := range f.Equal {
			x := make([]float64, len(at))
			if g.Gradient != nil {
				g.Gradient(x, at)
			} else {
				fd.Gradient(x, g.Value, at, nil)
			}
			list = append(list, sparse{f.Cells, x})
		}
	}
	return list
}
