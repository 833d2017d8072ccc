package linprog

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A tableau writes the basic variables in terms of the others, which are zero at the
// present vertex:
//
//	x_basic(i) = rhs_i − Σ_j a_ij x_column(j),   objective = … + Σ_j gain_j x_column(j).
//
// Variables are first those of the problem, then a slack for each inequality, then an
// artificial for each row that the point 0 breaks; an artificial that leaves the basis is
// dropped. (Dantzig 1963.)
type tableau struct {
	problem Problem
	scale   []float64 // by row of the problem, equalities first: its largest coefficient
	size    float64   // the largest scaled value, at least 1
	a       [][]float64
	rhs     []float64
	basic   []int
	column  []int
	coef    func(variable int) float64 // of the objective
	gain    []float64
	dropped []bool // by row of the problem: follows from the others
}

// slack is the variable of the i-th inequality, artificial that of the i-th row.
func (t *tableau) slack(i int) int      { return t.problem.Len + i }
func (t *tableau) artificial(i int) int { return t.problem.Len + len(t.problem.AtMost) + i }

// rows calls f with each row of the problem, equalities first.
func (t *tableau) rows(f func(i int, r Row)) {
	for i, r := range t.problem.Equal {
		f(i, r)
	}
	for i, r := range t.problem.AtMost {
		f(len(t.problem.Equal)+i, r)
	}
}

// start returns a tableau at a vertex of the problem's set, without artificials.
func start(p Problem) (*tableau, error) {
	t, err := layOut(p)
	if err != nil {
		return nil, err
	}
	return t, t.enter()
}

// layOut returns the tableau at the point 0, with artificials for the rows it breaks.
func layOut(p Problem) (*tableau, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	equal, m := len(p.Equal), len(p.Equal)+len(p.AtMost)
	t := &tableau{problem: p, size: 1, scale: make([]float64, m), dropped: make([]bool, m), column: make([]int, p.Len)}
	for j := range t.column {
		t.column[j] = j
	}
	dense := make([][]float64, m)
	t.rows(func(i int, r Row) {
		row := make([]float64, p.Len, p.Len+len(p.AtMost))
		for k, j := range r.Index {
			row[j] += r.Factor(k)
		}
		for _, c := range row {
			t.scale[i] = max(t.scale[i], math.Abs(c))
		}
		if t.scale[i] == 0 {
			t.scale[i] = 1
		}
		for j := range row {
			row[j] /= t.scale[i]
		}
		dense[i] = row
		t.size = max(t.size, t.scale[i]/math.MaxFloat64, math.Abs(r.Value/t.scale[i]))
		if i >= equal && r.Value < 0 {
			t.column = append(t.column, t.slack(i-equal))
		}
	})
	if math.IsInf(t.size, 1) {
		return nil, fmt.Errorf("linprog: the numbers of a row are too far apart")
	}
	surplus := p.Len
	t.rows(func(i int, r Row) {
		row := append(dense[i], make([]float64, len(t.column)-p.Len)...)
		value, variable := r.Value/t.scale[i], t.artificial(i)
		switch {
		case i < equal:
		case value < 0:
			row[surplus] = 1
			surplus++
		default:
			variable = t.slack(i - equal)
		}
		if value < 0 {
			value = -value
			for j := range row {
				row[j] = -row[j]
			}
		}
		t.a, t.rhs, t.basic = append(t.a, row), append(t.rhs, value), append(t.basic, variable)
	})
	return t, nil
}

// enter drives the artificials to zero and out of the basis.
func (t *tableau) enter() error {
	first := t.artificial(0)
	t.price(func(v int) float64 {
		if v >= first {
			return -1
		}
		return 0
	})
	if _, err := t.climb(nil); err != nil {
		return err
	}
	for r := len(t.basic) - 1; r >= 0; r-- {
		if t.basic[r] < first {
			continue
		}
		if t.rhs[r] > feasible*t.size {
			return ErrInfeasible
		}
		t.rhs[r] = 0
		best := 0
		for j, v := range t.a[r] {
			if math.Abs(v) > math.Abs(t.a[r][best]) {
				best = j
			}
		}
		if len(t.column) > 0 && math.Abs(t.a[r][best]) > pivotal {
			t.pivot(r, best)
			continue
		}
		t.dropped[t.basic[r]-first] = true
		t.a, t.rhs, t.basic = slices.Delete(t.a, r, r+1), slices.Delete(t.rhs, r, r+1), slices.Delete(t.basic, r, r+1)
	}
	return nil
}

// price sets the gains for an objective with one coefficient for each variable.
func (t *tableau) price(coef func(variable int) float64) {
	t.coef, t.gain = coef, t.gain[:0]
	for _, v := range t.column {
		t.gain = append(t.gain, coef(v))
	}
	for i, row := range t.a {
		if c := coef(t.basic[i]); c != 0 {
			floats.AddScaled(t.gain, -c, row)
		}
	}
}

// climb pivots until no gain is positive, or stop says so after a pivot that moved, and
// returns −1; or the column along which the objective rises for ever. Columns are chosen
// by the largest gain, and by Bland's rule while the objective stands still for long, so
// that it cannot cycle.
func (t *tableau) climb(stop func() bool) (ray int, err error) {
	still := 0
	for pivots := range 1000 + 50*(len(t.basic)+len(t.column)) {
		if pivots%500 == 499 {
			if err := t.refresh(); err != nil {
				return -1, err
			}
		}
		bland := still > 20+len(t.basic)/4
		s := t.entering(bland)
		if s < 0 {
			return -1, nil
		}
		r := t.leaving(s, bland)
		if r < 0 {
			return s, nil
		}
		moved := t.rhs[r] > 0
		t.pivot(r, s)
		if still++; moved {
			still = 0
			if stop != nil && stop() {
				return -1, nil
			}
		}
	}
	return -1, fmt.Errorf("%w: too many pivots", ErrStalled)
}

func (t *tableau) entering(bland bool) int {
	best := -1
	for j, g := range t.gain {
		switch {
		case !(g > optimal):
		case best < 0, bland && t.column[j] < t.column[best], !bland && g > t.gain[best]:
			best = j
		}
	}
	return best
}

// leaving is the row that reaches zero first as the variable of column s rises. Among
// those that do within rounding of the first it is the one with the largest pivot
// (Harris 1973).
func (t *tableau) leaving(s int, bland bool) int {
	first := math.Inf(1)
	for i, row := range t.a {
		if v := row[s]; v > pivotal {
			first = min(first, (t.rhs[i]+rounding*t.size)/v)
		}
	}
	best := -1
	for i, row := range t.a {
		v := row[s]
		switch {
		case !(v > pivotal && t.rhs[i]/v <= first):
		case best < 0, bland && t.basic[i] < t.basic[best], !bland && v > t.a[best][s]:
			best = i
		}
	}
	return best
}

// pivot exchanges the basic variable of row r with that of column s.
func (t *tableau) pivot(r, s int) {
	row := t.a[r]
	inverse := 1 / row[s]
	row[s] = 1
	for j := range row {
		row[j] *= inverse
	}
	t.rhs[r] *= inverse
	for i, other := range t.a {
		f := other[s]
		if i == r || f == 0 {
			continue
		}
		other[s] = 0
		floats.AddScaled(other, -f, row)
		if t.rhs[i] -= f * t.rhs[r]; t.rhs[i] < zero*t.size {
			t.rhs[i] = 0
		}
	}
	f := t.gain[s]
	t.gain[s] = 0
	floats.AddScaled(t.gain, -f, row)
	t.basic[r], t.column[s] = t.column[s], t.basic[r]
	if t.column[s] >= t.artificial(0) {
		last := len(t.column) - 1
		for i, other := range t.a {
			other[s] = other[last]
			t.a[i] = other[:last]
		}
		t.gain[s], t.column[s] = t.gain[last], t.column[last]
		t.gain, t.column = t.gain[:last], t.column[:last]
	}
}

// point is the present vertex, without artificials.
func (t *tableau) point() ([]float64, error) {
	if err := t.refresh(); err != nil {
		return nil, err
	}
	x := make([]float64, t.problem.Len)
	for i, v := range t.basic {
		if v < len(x) {
			x[v] = t.rhs[i]
		}
	}
	return x, nil
}

// sign of the artificial in row i of the problem.
func sign(r Row) float64 {
	if r.Value < 0 {
		return -1
	}
	return 1
}

// residual is the largest amount by which the basic variables miss a row.
func (t *tableau) residual() float64 {
	x := make([]float64, t.artificial(len(t.scale)))
	for i, v := range t.basic {
		x[v] = t.rhs[i]
	}
	worst := 0.0
	t.rows(func(i int, r Row) {
		sum := -r.Value
		for k, j := range r.Index {
			sum += r.Factor(k) * x[j]
		}
		sum = sum/t.scale[i] + sign(r)*x[t.artificial(i)]
		if s := i - len(t.problem.Equal); s >= 0 {
			sum += x[t.slack(s)]
		}
		worst = max(worst, math.Abs(sum))
	})
	return worst
}

// refresh computes the tableau afresh from the rows, if pivots have lost digits of it.
func (t *tableau) refresh() error {
	if t.residual() <= 10*rounding*t.size {
		return nil
	}
	m, n := len(t.basic), len(t.column)
	place := make([]int, t.artificial(len(t.scale))) // by variable: its column, negative if dropped
	for v := range place {
		place[v] = -1
	}
	for i, v := range t.basic {
		place[v] = i
	}
	for j, v := range t.column {
		place[v] = m + j
	}
	basis, rest := mat.NewDense(m, m, nil), mat.NewDense(m, n+1, nil)
	at := 0
	t.rows(func(i int, r Row) {
		if t.dropped[i] {
			return
		}
		add := func(v int, c float64) {
			if q := place[v]; q >= m {
				rest.Set(at, q-m, rest.At(at, q-m)+c)
			} else if q >= 0 {
				basis.Set(at, q, basis.At(at, q)+c)
			}
		}
		for k, j := range r.Index {
			add(j, r.Factor(k)/t.scale[i])
		}
		add(t.artificial(i), sign(r))
		if s := i - len(t.problem.Equal); s >= 0 {
			add(t.slack(s), 1)
		}
		rest.Set(at, n, r.Value/t.scale[i])
		at++
	})
	var solved mat.Dense
	if err := solved.Solve(basis, rest); err != nil && solved.IsEmpty() {
		return fmt.Errorf("%w: the basis is singular", ErrStalled)
	}
	for i := range t.a {
		copy(t.a[i], solved.RawRowView(i))
		t.rhs[i] = max(solved.At(i, n), 0)
	}
	t.price(t.coef)
	if v := t.residual(); !(v <= feasible*t.size) {
		return fmt.Errorf("%w: a row is off by %v", ErrStalled, v)
	}
	return nil
}
