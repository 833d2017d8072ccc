package auglag

import (
	"math"

	"bnlab/internal/num"

	"gonum.org/v1/gonum/mat"
)

// A kkt is a point with multipliers: variables with n_p = 0 may be held at zero, and
// inequalities are binding or not.
type kkt struct {
	share   []float64 // n_p / N
	terms   []*term
	x, y    []float64
	held    []bool    // x_p = 0
	binding []bool    // c_i = 0
	c, pull []float64 // values of the terms, (J'y)_p
}

// newKKT takes the point that l reached. A variable is held at zero when the barrier pushes
// it harder than its distance, and an inequality binds when it has a multiplier.
func newKKT(l *lagrangian) *kkt {
	n, m := len(l.x), len(l.terms)
	k := &kkt{
		share: l.share, terms: l.terms,
		x: append([]float64(nil), l.x...), y: append([]float64(nil), l.y...),
		held: make([]bool, n), binding: make([]bool, m),
		c: make([]float64, m), pull: make([]float64, n),
	}
	for i, t := range k.terms {
		k.binding[i] = t.equal || k.y[i] > 1e-6
		if !k.binding[i] {
			k.y[i] = 0
		}
	}
	for p, x := range k.x {
		k.held[p] = k.share[p] == 0 && x < l.mu*l.fade[p]/x
	}
	return k
}

// measure fills the values of the terms, their derivatives and J'y.
func (k *kkt) measure(second bool) error {
	if err := measure(k.c, k.terms, k.x); err != nil {
		return err
	}
	clear(k.pull)
	for i, t := range k.terms {
		if err := t.differentiate(k.x, second); err != nil {
			return err
		}
		for a, p := range t.index {
			k.pull[p] += k.y[i] * t.grad[a]
		}
	}
	return nil
}

// residual is what Report.KKT says, at the point last measured.
func (k *kkt) residual() float64 {
	worst := 0.0
	for p, x := range k.x {
		worst = max(worst, math.Abs(k.share[p]-x*k.pull[p]))
		if k.share[p] == 0 {
			worst = max(worst, -k.pull[p])
		}
	}
	for i, t := range k.terms {
		if !t.equal {
			worst = max(worst, -k.y[i], math.Abs(k.y[i]*k.c[i]))
		}
	}
	return worst
}

// error is the larger of the residual and the violation, or +Inf where the terms cannot be
// evaluated.
func (k *kkt) error() float64 {
	if k.measure(false) != nil {
		return math.Inf(1)
	}
	v, _ := violation(k.c, k.terms)
	return max(v, k.residual())
}

// sharp reports whether the point last measured is as good as it should be. Near where
// gradients vanish the method of multipliers may end close to a point that is not.
func (k *kkt) sharp() bool {
	v, _ := violation(k.c, k.terms)
	return v <= 1e-10 && k.residual() <= 1e-8
}

// polish solves the conditions by Newton's method with the set of held variables and
// binding inequalities fixed, then corrects that set by the signs of the multipliers,
// until it stays. It may fail: the caller compares error before and after.
func (k *kkt) polish() (steps int) {
	for p := range k.x {
		if k.held[p] {
			k.x[p] = 0
		}
	}
	for range 12 {
		last := math.Inf(1)
		for range 12 {
			if k.measure(true) != nil {
				return steps
			}
			e := k.equations()
			if e <= 1e-15 || (e <= 1e-12 && e > last/4) {
				break
			}
			last = e
			steps++
			if !k.step() {
				return steps
			}
		}
		if k.measure(false) != nil || !k.correct() {
			return steps
		}
	}
	return steps
}

// equations is the largest residual of the equations that step solves.
func (k *kkt) equations() float64 {
	worst := 0.0
	for p, x := range k.x {
		if !k.held[p] {
			worst = max(worst, math.Abs(k.share[p]-x*k.pull[p]))
		}
	}
	for i, c := range k.c {
		if k.binding[i] {
			worst = max(worst, math.Abs(c))
		}
	}
	return worst
}

// step takes one Newton step in u, x_p ← x_p (1 + u_p), and in y:
//
//	X W X u + X J' d = n/N − X J'y,   J X u = −c,   X W X = diag(n/N) + Σ y X ∇²c X
//
// A tiny multiple of the identity keeps dependent constraints from making it singular; it
// slows convergence a little and does not move the answer.
func (k *kkt) step() bool {
	const regular = 1e-11
	var free, bind []int
	column := make([]int, len(k.x))
	for p := range k.x {
		column[p] = -1
		if !k.held[p] {
			column[p] = len(free)
			free = append(free, p)
		}
	}
	for i := range k.terms {
		if k.binding[i] {
			bind = append(bind, i)
		}
	}
	size := len(free) + len(bind)
	if size == 0 {
		return false
	}
	a, b := mat.NewDense(size, size, nil), mat.NewVecDense(size, nil)
	for j, p := range free {
		a.Set(j, j, k.share[p]+regular)
		b.SetVec(j, k.share[p]-k.x[p]*k.pull[p])
	}
	unit := make([]float64, len(bind)) // rows of J X are scaled to norm 1
	for j, i := range bind {
		row, t := len(free)+j, k.terms[i]
		unit[j] = t.unit(k.x)
		a.Set(row, row, -regular)
		b.SetVec(row, -unit[j]*k.c[i])
		for s, p := range t.index {
			if column[p] < 0 {
				continue
			}
			v := unit[j] * t.grad[s] * k.x[p]
			a.Set(row, column[p], v)
			a.Set(column[p], row, v)
			if t.hess == nil || k.y[i] == 0 {
				continue
			}
			for r, q := range t.index {
				if column[q] >= 0 {
					at := a.At(column[p], column[q])
					a.Set(column[p], column[q], at+k.y[i]*t.hess.At(s, r)*k.x[p]*k.x[q])
				}
			}
		}
	}
	var lu mat.LU
	lu.Factorize(a)
	var d mat.VecDense
	if err := lu.SolveVecTo(&d, false, b); (err != nil && math.IsInf(lu.Cond(), 1)) ||
		!num.Finite(d.RawVector().Data...) {
		return false
	}
	length := 1.0
	for j := range free {
		if u := d.AtVec(j); u < 0 {
			length = min(length, -0.99/u)
		}
	}
	for j, p := range free {
		k.x[p] *= 1 + length*d.AtVec(j)
	}
	for j, i := range bind {
		k.y[i] += length * unit[j] * d.AtVec(len(free)+j)
	}
	return true
}

// correct moves variables and inequalities in or out of the fixed set and reports whether
// anything moved.
func (k *kkt) correct() bool {
	const small = 1e-9
	moved := false
	for i, t := range k.terms {
		switch {
		case t.equal:
		case !k.binding[i] && k.c[i] > 1e-11:
			k.binding[i], moved = true, true
		case k.binding[i] && k.y[i] < 0:
			moved = moved || k.y[i] < -small
			k.binding[i], k.y[i] = false, 0
		}
	}
	for p := range k.x {
		switch {
		case k.share[p] > 0:
		case k.held[p] && k.pull[p] < -small:
			k.held[p], k.x[p], moved = false, 1e-6, true
		case !k.held[p] && k.x[p] < 1e-8:
			k.held[p], k.x[p], moved = true, 0, true
		}
	}
	return moved
}

// certify proves the Hessian of −f + Σ y c positive definite on the null space of the
// gradients of equalities and of inequalities with a positive multiplier, by factoring
// W + ρ J'J for some ρ. Variables held at zero by a positive multiplier do not move.
func (k *kkt) certify() Certificate {
	if k.measure(true) != nil {
		return Unchecked
	}
	const positive, margin = 1e-9, 1e-10
	var free []int
	column, scale := make([]int, len(k.x)), make([]float64, len(k.x))
	for p, x := range k.x {
		column[p], scale[p] = -1, x
		if k.share[p] == 0 {
			scale[p] = 1
		}
		if k.share[p] > 0 || k.pull[p] <= positive {
			column[p] = len(free)
			free = append(free, p)
		}
	}
	if len(free) == 0 {
		return CheckedLocal
	}
	var chol mat.Cholesky
	for _, rho := range []float64{1e2, 1e4, 1e6} {
		w := mat.NewSymDense(len(free), nil)
		for j, p := range free {
			w.SetSym(j, j, k.share[p]-margin)
		}
		for i, t := range k.terms {
			if !t.equal && !(k.y[i] > positive) {
				continue
			}
			unit := t.unit(scale)
			for s, p := range t.index {
				for r, q := range t.index[:s+1] {
					if column[p] < 0 || column[q] < 0 {
						continue
					}
					v := rho * unit * unit * t.grad[s] * t.grad[r]
					if t.hess != nil {
						v += k.y[i] * t.hess.At(s, r)
					}
					w.SetSym(column[p], column[q], w.At(column[p], column[q])+v*scale[p]*scale[q])
				}
			}
		}
		if chol.Factorize(w) {
			return CheckedLocal
		}
	}
	return Unchecked
}
