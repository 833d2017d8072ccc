package linprog

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bnlab/internal/say"
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
	free    []bool // by variable: it may be negative, and does not leave the basis; nil for none
}

// slack is the variable of the i-th inequality, artificial that of the i-th row.
func (t *tableau) slack(i int) int { return t.problem.Len + i }

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

// isFree reports whether a variable may be negative.
func (t *tableau) isFree(variable int) bool { return t.free != nil && t.free[variable] }

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
		if t.rhs[i] = solved.At(i, n); !t.isFree(t.basic[i]) {
			t.rhs[i] = max(t.rhs[i], 0)
		}
	}
	t.price(t.coef)
	if v := t.residual(); !(v <= feasible*t.size) {
		return say.Errorf("%w: a row is off by %v", ErrStalled, v)
	}
	return nil
}
