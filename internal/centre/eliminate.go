package centre

import (
	"math"

	"bnlab/internal/say"
)

// singular is the largest entry of a row, of entries of at most 1, that elimination
// leaves when the row follows from others, and slack what may be left of its value.
const (
	singular = 1e-10
	slack    = 1e-9
)

// A reduction solves the equations E x = b for some of the variables, the basic ones:
//
//	x_basic[i] = Σ_j inverse_ij b_j − Σ_{p free} row_ip x_p
type reduction struct {
	kept    []int   // the equations that do not follow from others
	basic   []int   // a variable for each of these
	row     *matrix // over all variables; 1 at the basic one, 0 at the other basic ones
	inverse *matrix // over the kept equations, in their order
}

// reduce eliminates by Gauss and Jordan. Among the entries of a row that are large enough
// it takes the variable with the least use elsewhere. An equation that contradicts
// those before it is an error that wraps ErrInfeasible; name says which it is.
func reduce(e *matrix, b []float64, use []int, name func(int) string) (*reduction, error) {
	type vector struct {
		idx []int
		val []float64
	}
	rows, inverse, value := make([]vector, 0, e.rows()), make([]vector, 0, e.rows()), make([]float64, 0, e.rows())
	in := make([]int, e.cols) // the row that a basic variable belongs to
	for p := range in {
		in[p] = -1
	}
	red := &reduction{}
	for r := range e.rows() {
		col, val := e.row(r)
		at, inv, v := vector{col, val}, vector{[]int{len(rows)}, []float64{1}}, b[r]
		for _, p := range col {
			if k := in[p]; k >= 0 {
				f := entry(at.idx, at.val, p)
				at.idx, at.val = combine(at.idx, at.val, 1, rows[k].idx, rows[k].val, -f)
				inv.idx, inv.val = combine(inv.idx, inv.val, 1, inverse[k].idx, inverse[k].val, -f)
				v -= f * value[k]
			}
		}
		largest := 0.0
		for k, p := range at.idx {
			if in[p] < 0 {
				largest = max(largest, math.Abs(at.val[k]))
			}
		}
		if !(largest > singular) {
			if !(math.Abs(v) <= slack) {
				return nil, say.Errorf("centre: %w: %s contradicts the equations before it by %.3g", ErrInfeasible,
					name(r), v)
			}
			continue
		}
		pick := -1
		for k, p := range at.idx {
			if in[p] < 0 && math.Abs(at.val[k]) >= 0.1*largest && (pick < 0 || use[p] < use[at.idx[pick]]) {
				pick = k
			}
		}
		p, f := at.idx[pick], at.val[pick]
		// Rounding leaves dust where a basic variable was; it goes.
		clean := vector{}
		for k, q := range at.idx {
			if in[q] < 0 {
				clean.idx, clean.val = append(clean.idx, q), append(clean.val, at.val[k]/f)
			}
		}
		for k := range inv.val {
			inv.val[k] /= f
		}
		v /= f
		for k := range rows {
			if f := entry(rows[k].idx, rows[k].val, p); f != 0 {
				rows[k].idx, rows[k].val = combine(rows[k].idx, rows[k].val, 1, clean.idx, clean.val, -f)
				inverse[k].idx, inverse[k].val = combine(inverse[k].idx, inverse[k].val, 1, inv.idx, inv.val, -f)
				value[k] -= f * v
			}
		}
		in[p] = len(rows)
		rows, inverse, value = append(rows, clean), append(inverse, inv), append(value, v)
		red.kept, red.basic = append(red.kept, r), append(red.basic, p)
	}
	red.row, red.inverse = newMatrix(e.cols), newMatrix(len(rows))
	for k := range rows {
		red.row.add(rows[k].idx, rows[k].val)
		red.inverse.add(inverse[k].idx, inverse[k].val)
	}
	return red, nil
}

// entry is the value at p, found by halving.
func entry(idx []int, val []float64, p int) float64 {
	lo, hi := 0, len(idx)
	for lo < hi {
		if mid := (lo + hi) / 2; idx[mid] < p {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(idx) && idx[lo] == p {
		return val[lo]
	}
	return 0
}
