package hitrun

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A direction is a line through the set: the entries of a vector that are not zero, and how
// fast it changes the free rows that it changes.
type direction struct {
	index []int
	value []float64
	rows  []int
	speed []float64
}

// circuits returns directions within the set that change few variables, as x_p up and x_q
// down on a simplex: towards a corner of the set they lead far where most lines end soon.
// They are the columns of null-space bases got by elimination with the pivots in random
// order, a few bases in all.
func (t *polytope) circuits(rng *rand.Rand) []direction {
	const bases = 16
	var list []direction
	if len(t.moving) == 0 {
		return nil
	}
	for range bases {
		list = append(list, t.eliminate(rng.Perm(len(t.moving)))...)
	}
	speed := make([]float64, len(t.free))
	for i := range list {
		t.speeds(&list[i], speed)
	}
	return list
}

// speeds fills in what d does to the free rows. sums is a vector of zeros to work in.
func (t *polytope) speeds(d *direction, sums []float64) {
	for k, p := range d.index {
		for _, e := range t.columns[p] {
			if sums[e.row] == 0 && !slices.Contains(d.rows, e.row) {
				d.rows = append(d.rows, e.row)
			}
			sums[e.row] += e.coef * d.value[k]
		}
	}
	for _, r := range d.rows {
		d.speed = append(d.speed, sums[r])
		sums[r] = 0
	}
}

// eliminate brings the equalities to reduced echelon form, taking pivots from the moving
// variables in the order given, and returns one direction for each variable left over.
func (t *polytope) eliminate(order []int) []direction {
	m := mat.NewDense(max(1, len(t.equal)), len(t.moving), nil)
	column := make(map[int]int, len(t.moving))
	for j, p := range t.moving {
		column[p] = j
	}
	for i, r := range t.equal {
		for k, p := range r.Index {
			if j, ok := column[p]; ok {
				m.Set(i, j, r.Factor(k))
			}
		}
	}
	var basic, left []int // basic[i] is the pivot column of row i
	for _, j := range order {
		row, size := -1, 1e-9
		for i := len(basic); i < len(t.equal); i++ {
			if v := math.Abs(m.At(i, j)); v > size {
				row, size = i, v
			}
		}
		if row < 0 {
			left = append(left, j)
			continue
		}
		pivot := m.RawRowView(row)
		at := m.RawRowView(len(basic))
		for c := range pivot {
			pivot[c], at[c] = at[c], pivot[c]
		}
		scale := at[j]
		for c := range at {
			at[c] /= scale
		}
		for i := range t.equal {
			if f := m.At(i, j); f != 0 && i != len(basic) {
				for c, v := range at {
					m.Set(i, c, m.At(i, c)-f*v)
				}
			}
		}
		basic = append(basic, j)
	}
	list := make([]direction, len(left))
	for l, j := range left {
		d := direction{index: []int{t.moving[j]}, value: []float64{1}}
		for i, b := range basic {
			if v := m.At(i, j); math.Abs(v) > 1e-12 {
				d.index, d.value = append(d.index, t.moving[b]), append(d.value, -v)
			}
		}
		list[l] = d
	}
	return list
}
