package linprog

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

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
		if v := row[s]; v > pivotal && !t.isFree(t.basic[i]) {
			first = min(first, (t.rhs[i]+rounding*t.size)/v)
		}
	}
	best := -1
	for i, row := range t.a {
		v := row[s]
		switch {
		case !(v > pivotal && t.rhs[i]/v <= first) || t.isFree(t.basic[i]):
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
		if t.rhs[i] -= f * t.rhs[r]; t.rhs[i] < zero*t.size && !t.isFree(t.basic[i]) {
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
