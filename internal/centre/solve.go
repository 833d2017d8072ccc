package centre

import (
	"fmt"
	"math"

	"bnlab/internal/say"
)

// zero is what variables without weight may have to be set to zero, and dust by how much a
// row may change by that.
const (
	zero = 1e-10
	dust = 5e-14
)

// A workspace is what one call of Solve needs.
type workspace struct {
	*interior
	dual       *dualNewton
	least      iterate // with the least gap of all attempts
	goal       goal
	lambda, mu []float64 // multipliers of all rows, scaled
	z          []float64
	e, a       []float64 // b − E x, u − A x
}

func (s *Solver) newWorkspace() *workspace {
	return &workspace{
		interior: s.sys.newInterior(),
		dual:     s.sys.newDualNewton(),
		least:    s.sys.newIterate(),
		goal:     goal{make([]float64, s.sys.n), make([]float64, len(s.most)), make([]float64, s.sys.n)},
		lambda:   make([]float64, len(s.b)),
		mu:       make([]float64, len(s.u)),
		z:        make([]float64, s.n),
		e:        make([]float64, len(s.b)),
		a:        make([]float64, len(s.u)),
	}
}

// faint is the share of all weight that is worth no more than rounding to the objective.
const faint = 1e-13

// drop takes weights below a share away, since they can be too small to tell x from zero by.
func (w *workspace) drop(share float64) (dropped bool) {
	for k, v := range w.goal.x {
		if v > 0 && v < share {
			w.goal.x[k], dropped = 0, true
		}
	}
	return dropped
}

// Solve writes to x the maximum for the weights n; see [Solver.SolveInto].
func (s *Solver) Solve(x, n []float64) (Report, error) {
	var r Report
	err := s.SolveInto(&r, x, n)
	return r, err
}

// SolveInto writes to x the point with the largest Σ n log x, and to r what is known of
// it, in slices that are kept if they are large enough; then nothing is allocated. The
// weights must be finite and not negative. Without any weight x is the point with
// the largest Σ log x. In rows scaled to a largest coefficient of 1, E x = b holds to 1e-12
// (1e-10 in a degenerate corner) and A x ≤ u to 1e-10; Gap is at most 1e-10 Σ n.
//
// An error wraps [ErrForcedZero] when there is weight on variables that the constraints
// force to zero, which it names, and [ErrNotConverged], with the gap, when the aim was
// missed: then x is the best point that was found, and feasible. After other errors x is
// as it was. It panics when x or n has not one entry for each variable.
func (s *Solver) SolveInto(r *Report, x, n []float64) error {
	if len(x) != s.n || len(n) != s.n {
		panic(fmt.Sprintf("centre: %d and %d entries for %d variables", len(x), len(n), s.n))
	}
	largest := 0.0
	for p, v := range n {
		if !(v >= 0) || math.IsInf(v, 1) {
			return say.Errorf("centre: the weight of variable %d is %v", p, v)
		}
		largest = max(largest, v)
	}
	if err := s.forcedZeros(n); err != nil {
		return err
	}
	if s.near != nil {
		return s.near.solve(s, r, x, n)
	}
	total := 0.0 // of n over the largest
	if largest > 0 {
		for _, v := range n {
			total += v / largest
		}
	}
	w := s.spaces.Take()
	defer s.spaces.Give(w)
	positive := true
	for k, p := range s.keep {
		w.goal.x[k], w.goal.cost[k] = 1/float64(len(s.keep)), 0
		if total > 0 {
			w.goal.x[k] = n[p] / largest / total
			if s.cost != nil {
				w.goal.cost[k] = s.cost[p] / largest / total
			}
		}
		positive = positive && w.goal.x[k] > 0
	}

	gap, least := math.Inf(1), math.Inf(1)
	ok := false
	for attempt := byDual; !ok && attempt <= carefullyInRows; attempt++ {
		switch {
		case attempt == byDual && (len(s.most) > 0 || !positive):
			continue
		case attempt == withoutFaint && !w.drop(faint):
			continue
		case attempt == byDual:
			r.Method = DualNewton
			r.Iterations, ok = s.descend(w)
		case attempt == carefullyInFree || attempt == carefullyInRows:
			var more int
			more, ok = s.follow(w, s.spare[attempt-carefullyInFree]())
			r.Iterations += more
		default:
			r.Method = InteriorPoint
			w.at.copy(s.start)
			r.Iterations, ok = s.sys.follow(w.interior, w.goal, false, s.first())
		}
		gap = s.finish(w, x, total)
		ok = ok && gap <= enough
		if gap < least {
			least = gap
			w.least.copy(w.at)
		}
	}
	if gap > least {
		w.at.copy(w.least)
		gap = s.finish(w, x, total)
	}

	if !ok && s.retry != nil {
		if near := s.retry(); near != nil {
			return near.solve(s, r, x, n)
		}
	}
	r.Equal, r.AtMost = resize(r.Equal, len(s.b)), resize(r.AtMost, len(s.u))
	if total == 0 {
		clear(r.Equal)
		clear(r.AtMost)
	} else {
		for i, scale := range s.eScale {
			r.Equal[i] = w.lambda[i] * scale * total * largest
		}
		for i, scale := range s.aScale {
			r.AtMost[i] = w.mu[i] * scale * total * largest
		}
	}
	r.Gap = gap * total * largest
	if !ok {
		return fmt.Errorf("centre: %w after %d iterations: the gap is %.3g of the weight", ErrNotConverged,
			r.Iterations, gap)
	}
	return nil
}

// The attempts at a solution, each for what the one before left.
const (
	byDual = iota
	byInterior
	withoutFaint    // by the interior-point method too
	carefullyInFree // in the space of the free variables, which keeps the rows exact
	carefullyInRows // in that of the rows, which keeps the multipliers exact
)

// follow goes with care in one of the spaces.
func (s *Solver) follow(w *workspace, y *system) (it int, ok bool) {
	other := y.newInterior()
	other.at.copy(s.start)
	it, ok = y.follow(other, w.goal, true, nil)
	w.at.copy(other.at)
	return it, ok
}

// finish writes x and finds the multipliers, and returns the gap, which is infinite when x breaks a row.
func (s *Solver) finish(w *workspace, x []float64, total float64) float64 {
	clear(x)
	for k, p := range s.keep {
		x[p] = w.at.x[k]
	}
	s.multipliers(w)
	s.clean(w, x)
	switch {
	case !(s.lack(w) <= roughly):
		return math.Inf(1)
	case total == 0:
		return 0
	}
	return s.gap(w, x)
}

// lack is the largest amount by which the solution breaks a row.
func (s *Solver) lack(w *workspace) float64 {
	worst := 0.0
	for _, e := range w.e {
		worst = max(worst, math.Abs(e))
	}
	for _, a := range w.a {
		worst = max(worst, -a)
	}
	return worst
}

// clean sets to zero the small variables without weight whose rows bear it, and leaves
// in w what the rows of the solution lack.
func (s *Solver) clean(w *workspace, x []float64) {
	for i, b := range s.b {
		w.e[i] = b - s.e.dot(i, x)
	}
	for i, u := range s.u {
		w.a[i] = u - s.a.dot(i, x)
	}
	for k, p := range s.keep {
		if w.goal.x[k] > 0 || !(x[p] < zero) || !(x[p] < w.z[p]) {
			continue
		}
		bears := true
		col, val := s.eByVar.row(p)
		for i, r := range col {
			bears = bears && math.Abs(w.e[r]+val[i]*x[p]) <= dust
		}
		most, coef := s.aByVar.row(p)
		for i, r := range most {
			bears = bears && w.a[r]+coef[i]*x[p] >= -dust
		}
		if !bears {
			continue
		}
		for i, r := range col {
			w.e[r] += val[i] * x[p]
		}
		for i, r := range most {
			w.a[r] += coef[i] * x[p]
		}
		x[p] = 0
	}
}

func resize(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}
