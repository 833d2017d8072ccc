package identify

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Linked is a set of table entries that terms and equations link with each other and with
// no others.
type Linked struct {
	of        *Terms
	cells     []int // that are not fixed
	terms     []Sparse
	equations []Sparse
}

// Parts cuts the entries into linked sets, in the order of their first entries.
func (s *Terms) Parts(equations []Sparse) []*Linked {
	root := make([]int, len(s.theta))
	for cell := range root {
		root[cell] = cell
	}
	find := func(cell int) int {
		for root[cell] != cell {
			root[cell] = root[root[cell]]
			cell = root[cell]
		}
		return cell
	}
	for _, list := range [][]Sparse{s.list, equations} {
		for _, row := range list {
			for _, cell := range row.Cells[1:] {
				a, b := find(row.Cells[0]), find(cell)
				root[max(a, b)] = min(a, b)
			}
		}
	}
	var parts []*Linked
	of := make(map[int]*Linked)
	for cell := range s.theta {
		r := find(cell)
		p := of[r]
		if p == nil {
			p = &Linked{of: s}
			of[r] = p
			parts = append(parts, p)
		}
		if s.place[cell] = -1; !s.fixed[cell] {
			s.place[cell] = len(p.cells)
			p.cells = append(p.cells, cell)
		}
	}
	for _, t := range s.list {
		p := of[find(t.Cells[0])]
		p.terms = append(p.terms, t)
	}
	for _, e := range equations {
		p := of[find(e.Cells[0])]
		p.equations = append(p.equations, e)
	}
	return parts
}

// Len is the number of its entries that can move.
func (p *Linked) Len() int { return len(p.cells) }

// Work is the number of products that rank takes.
func (p *Linked) Work() float64 {
	k := float64(len(p.cells))
	return float64(len(p.terms)+len(p.equations))*k*k/2 + k*k*k
}

// Rank returns the dimension of what the equations leave, how much of it the terms tell, and
// the entries that have a part in what they do not.
func (p *Linked) Rank() (free, rank int, null []int) {
	if len(p.cells) == 0 {
		return 0, 0, nil
	}
	k := len(p.cells)
	gram := mat.NewSymDense(k, nil)
	eps := float64(len(p.terms)+len(p.equations)+k) * 0x1p-52
	p.square(gram, p.equations, func(cell int) float64 { return math.Sqrt(p.of.theta[cell]) / p.of.scale[cell] }, true)
	var factor mat.PivotedCholesky
	factor.Factorize(gram, eps*largest(gram))
	held := factor.Rank()
	p.square(gram, p.terms, func(cell int) float64 { return 1 / p.of.scale[cell] }, false)
	factor.Factorize(gram, eps*largest(gram))
	all := factor.Rank()
	return k - held, all - held, p.null(&factor, math.Sqrt(eps))
}

// chunk is how many rows are squared at once.
const chunk = 256

// square adds X'X to gram, with the columns of X scaled, and if asked its rows to length 1.
// Fixed entries are left out.
func (p *Linked) square(gram *mat.SymDense, rows []Sparse, scale func(cell int) float64, unit bool) {
	k := len(p.cells)
	by := make([]float64, k)
	for i, cell := range p.cells {
		by[i] = scale(cell)
	}
	for list := range slices.Chunk(rows, chunk) {
		x := mat.NewDense(k, len(list), nil) // transposed
		for j, row := range list {
			norm := 0.0
			for i, cell := range row.Cells {
				if at := p.of.place[cell]; at >= 0 {
					y := row.X[i] * by[at]
					x.Set(at, j, y)
					norm += y * y
				}
			}
			if unit && norm > 0 {
				for i := range k {
					x.Set(i, j, x.At(i, j)/math.Sqrt(norm))
				}
			}
		}
		gram.SymRankK(gram, 1, x)
	}
}

// largest is the largest entry of the diagonal.
func largest(a *mat.SymDense) float64 {
	x := 0.0
	for i := range a.SymmetricDim() {
		x = max(x, a.At(i, i))
	}
	return x
}

// null returns the entries that are not zero, beyond the tolerance, in the null space of the
// factored matrix. With U = [U_1 U_2] of full rank that space is spanned by [−U_1⁻¹U_2; 1].
func (p *Linked) null(factor *mat.PivotedCholesky, tol float64) []int {
	k, rank := len(p.cells), factor.Rank()
	if rank == k {
		return nil
	}
	order := factor.ColumnPivots(nil)
	var cells []int
	for _, at := range order[rank:] {
		cells = append(cells, p.cells[at])
	}
	if rank == 0 {
		return cells
	}
	var u mat.TriDense
	factor.UTo(&u)
	right := mat.NewDense(rank, k-rank, nil)
	for i := range rank {
		for j := rank; j < k; j++ {
			right.Set(i, j-rank, u.At(i, j))
		}
	}
	var basis mat.Dense
	_ = basis.Solve(u.SliceTri(0, rank), right) // it says no more than that U_1 is ill-conditioned
	longest := make([]float64, k-rank)
	for j := range longest {
		longest[j] = 1
		for i := range rank {
			longest[j] = max(longest[j], math.Abs(basis.At(i, j)))
		}
	}
	for i := range rank {
		for j := range longest {
			if math.Abs(basis.At(i, j)) > tol*longest[j] {
				cells = append(cells, p.cells[order[i]])
				break
			}
		}
	}
	return cells
}
