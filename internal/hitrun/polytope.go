package hitrun

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A polytope is the set around an interior point: x = interior + basis·z, for z with
// x ≥ 0 and the free rows at most their values.
type polytope struct {
	interior []float64
	basis    *mat.Dense // orthonormal columns of the null space; nil when the set is a point
	equal    []Row      // what holds with equality everywhere
	moving   []int      // variables that are not the same everywhere
	free     []Row      // inequalities that are not tight everywhere
	columns  [][]entry  // by variable, where it stands in free
}

type entry struct {
	row  int
	coef float64
}

// newPolytope treats as equalities what is tight at the interior point, inequalities and
// zeros, since then it is so everywhere.
func newPolytope(p Problem, interior []float64) *polytope {
	t := &polytope{interior: interior}
	t.equal = append(t.equal, p.Equal...)
	for _, r := range p.AtMost {
		if r.Value-r.Dot(interior) <= tight {
			t.equal = append(t.equal, r)
		} else {
			t.free = append(t.free, r)
		}
	}
	for i, x := range interior {
		if x <= tight {
			t.equal = append(t.equal, Row{Index: []int{i}})
		}
	}
	t.columns = make([][]entry, p.Len)
	for i, r := range t.free {
		for k, v := range r.Index {
			t.columns[v] = append(t.columns[v], entry{i, r.Factor(k)})
		}
	}
	t.basis = nullSpace(t.equal, p.Len)
	if t.basis == nil {
		return t
	}
	for i := range p.Len {
		row := t.basis.RawRowView(i)
		norm := 0.0
		for _, v := range row {
			norm = math.Hypot(norm, v)
		}
		if norm > 1e-9 {
			t.moving = append(t.moving, i)
		} else {
			clear(row)
		}
	}
	return t
}

// nullSpace is an orthonormal basis of the directions that leave the rows as they are, one
// column each; nil when there is none.
func nullSpace(rows []Row, n int) *mat.Dense {
	if len(rows) == 0 {
		eye := mat.NewDense(n, n, nil)
		for i := range n {
			eye.Set(i, i, 1)
		}
		return eye
	}
	// Rows of zeros below make the decomposition give all n right singular vectors.
	m := mat.NewDense(max(len(rows), n), n, nil)
	for i, r := range rows {
		norm := 0.0
		for k := range r.Index {
			norm = math.Hypot(norm, r.Factor(k))
		}
		for k, p := range r.Index {
			if norm > 0 {
				m.Set(i, p, r.Factor(k)/norm)
			}
		}
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThinV) {
		return nil
	}
	rank := 0
	for _, s := range svd.Values(nil) {
		if s > 1e-9 {
			rank++
		}
	}
	if rank >= n {
		return nil
	}
	var v mat.Dense
	svd.VTo(&v)
	return mat.DenseCopyOf(v.Slice(0, n, rank, n))
}

// dim is the dimension of the set.
func (t *polytope) dim() int {
	if t.basis == nil {
		return 0
	}
	_, d := t.basis.Dims()
	return d
}

// chord returns the interval of t for which x + t·d is in the set, and the entry of d whose
// variable is zero at its lower end, or −1. slack is what the free rows at x leave.
func (d direction) chord(x, slack []float64) (lo, hi float64, zero int) {
	lo, hi, zero = math.Inf(-1), math.Inf(1), -1
	for k, v := range d.value {
		if end := -x[d.index[k]] / v; v < 0 {
			hi = min(hi, end)
		} else if v > 0 && end > lo {
			lo, zero = end, k
		}
	}
	for k, speed := range d.speed {
		end := max(0, slack[d.rows[k]]) / speed
		if speed > 0 {
			hi = min(hi, end)
		} else if speed < 0 && end > lo {
			lo, zero = end, -1
		}
	}
	return lo, hi, zero
}

// metric is Q'HQ for Q the basis and the Hessian H of the barrier
//
//	−Σ max(a_p, 1) log x_p − Σ log(u − A x)
//
// at x: its inverse has roughly the shape of the density seen from x.
func (t *polytope) metric(a, x []float64) *mat.SymDense {
	d := t.dim()
	h := mat.NewSymDense(d, nil)
	for _, p := range t.moving {
		h.SymRankOne(h, max(a[p], 1)/(x[p]*x[p]), t.basis.RowView(p))
	}
	slope := mat.NewVecDense(d, nil)
	for _, r := range t.free {
		slope.Zero()
		for k, p := range r.Index {
			slope.AddScaledVec(slope, r.Factor(k), t.basis.RowView(p))
		}
		slack := r.Value - r.Dot(x)
		h.SymRankOne(h, 1/(slack*slack), slope)
	}
	return h
}
