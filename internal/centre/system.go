package centre

import "math"

// A system is a problem in the form that the methods work on,
//
//	E x = b,  A x + s = u,  x ≥ 0,  s ≥ 0
//
// with independent equations, and what solving for a Newton step needs.
type system struct {
	n    int
	e, a *matrix
	b, u []float64
	red  *reduction

	// Steps are found in the space of the equations and inequalities, or when there are
	// fewer of them in that of the free variables.
	free  []int   // the variables that are not basic, nil in the space of the rows
	basis *matrix // x as a function of the free variables, over these
	gram  *gram
}

// An iterate is a point with multipliers, and a direction is a difference of such:
// z = E'λ + A'μ belongs to x, μ to s.
type iterate struct {
	x, s, lambda, mu, z []float64
}

func (y *system) newIterate() iterate {
	return iterate{make([]float64, y.n), make([]float64, len(y.u)), make([]float64, len(y.b)),
		make([]float64, len(y.u)), make([]float64, y.n)}
}

func (i iterate) copy(j iterate) {
	copy(i.x, j.x)
	copy(i.s, j.s)
	copy(i.lambda, j.lambda)
	copy(i.mu, j.mu)
	copy(i.z, j.z)
}

// least is the smallest entry of the point.
func (i iterate) least() float64 {
	least := math.Inf(1)
	for _, v := range i.x {
		least = min(least, v)
	}
	for _, v := range i.s {
		least = min(least, v)
	}
	return least
}

// newSystem chooses the space with the cheaper factors.
func newSystem(n int, e, a *matrix, b, u []float64, red *reduction) *system {
	y := &system{n: n, e: e, a: a, b: b, u: u, red: red}
	rows, free := len(b)+len(u), n-len(b)
	var byRows, byFree *gram
	if free == 0 || rows <= 3*free {
		byRows = newGram(y.columns())
	}
	if free > 0 && free <= 3*rows {
		byFree = newGram(y.parametrise())
	}
	y.gram = byRows
	if byRows == nil || (byFree != nil && byFree.flops < byRows.flops) {
		y.gram = byFree
	} else {
		y.free, y.basis = nil, nil
	}
	return y
}

// inFree is the system with steps in the space of the free variables, if there are any.
func (y *system) inFree() *system {
	if y.basis != nil || y.n == len(y.b) {
		return y
	}
	z := *y
	z.gram = newGram(z.parametrise())
	return &z
}

// inRows is the system with steps in the space of the rows.
func (y *system) inRows() *system {
	if y.basis == nil {
		return y
	}
	z := *y
	z.free, z.basis = nil, nil
	z.gram = newGram(z.columns())
	return &z
}

// columns returns the columns of E above A, one row for each variable, and those of the
// slacks: with weights x/z and s/μ their Gram matrix is that of the normal equations.
func (y *system) columns() *matrix {
	all := newMatrix(y.n)
	for r := range y.e.rows() {
		all.add(y.e.row(r))
	}
	for r := range y.a.rows() {
		all.add(y.a.row(r))
	}
	t := all.transpose()
	for r := range y.u {
		t.add([]int{len(y.b) + r}, []float64{1})
	}
	return t
}

// parametrise returns x and A x as functions of the free variables: with weights z/x and
// μ/s the Gram matrix is the Hessian in the free variables.
func (y *system) parametrise() *matrix {
	at := make([]int, y.n)
	for _, p := range y.red.basic {
		at[p] = -1
	}
	for p := range at {
		if at[p] == 0 {
			at[p] = len(y.free)
			y.free = append(y.free, p)
		}
	}
	y.basis = newMatrix(len(y.free))
	own := make([]int, y.n)
	for k, p := range y.red.basic {
		own[p] = k
	}
	for p := range y.n {
		if at[p] >= 0 {
			y.basis.add([]int{at[p]}, []float64{1})
			continue
		}
		var idx []int
		var val []float64
		col, v := y.red.row.row(own[p])
		for k, q := range col {
			if q != p {
				idx, val = append(idx, at[q]), append(val, -v[k])
			}
		}
		y.basis.add(idx, val)
	}
	g := newMatrix(len(y.free))
	for p := range y.n {
		g.add(y.basis.row(p))
	}
	for r := range y.a.rows() {
		col, val := y.a.row(r)
		var idx []int
		var sum []float64
		for k, p := range col {
			bi, bv := y.basis.row(p)
			idx, sum = combine(idx, sum, 1, bi, bv, val[k])
		}
		g.add(idx, sum)
	}
	return g
}
