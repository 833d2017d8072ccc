package regress

import (
	"errors"
	"math"

	"bnlab/internal/say"
)

// limits are the least and largest values of free parameters, by class; nil is none of any.
type limits map[int][2]float64

// Slopes below this part of the norm of y are zero, with columns of norm 1.
const levelSlope = 1e-11

var errNoEnd = errors.New("least squares within limits do not end; drop a limit, or scale the parents alike")

// within reports whether a solution keeps the limits.
func (s solution) within(low, high []float64) bool {
	for i, b := range s.beta {
		if b < low[i] || b > high[i] {
			return false
		}
	}
	return true
}

// limited minimises ‖y − Zβ‖ for rows [z, y] of q+1 numbers, which it overwrites, within limits of each β. Where the
// minimum without them keeps them it is that. Otherwise some β stand at a limit, and the rest are by least squares; a β
// leaves its limit while the slope there says so, and one that would pass its limit stops there, so that the sum of
// squares falls with each change of those that are free, and the end has the Karush–Kuhn–Tucker conditions. (P. Stark
// and R. Parker, Bounded-variable least squares, Computational Statistics 10, 1995.)
func limited(rows []float64, q int, low, high []float64) (solution, error) {
	free, err := leastSquares(append([]float64(nil), rows...), q)
	if err != nil || free.within(low, high) {
		return free, err
	}
	b := bounded{q: q, low: make([]float64, q), high: make([]float64, q), x: make([]float64, q), held: make([]bool, q)}
	norm := make([]float64, q)
	r := triangle(&rows, q+1, norm)
	b.r = make([]float64, (q+1)*(q+1))
	for i := range q + 1 {
		copy(b.r[i*(q+1)+i:(i+1)*(q+1)], r.Data[i*r.Stride+i:i*r.Stride+q+1])
		b.size = math.Hypot(b.size, r.Data[i*r.Stride+q])
	}
	for i := range q {
		b.low[i], b.high[i] = low[i]*norm[i], high[i]*norm[i]
		b.x[i] = max(b.low[i], min(b.high[i], free.beta[i]*norm[i]))
		b.held[i] = b.x[i] != free.beta[i]*norm[i]
	}
	s := solution{beta: b.x, open: make([]bool, q)}
	if err := b.descend(s.open); err != nil {
		return s, err
	}
	for i := range q {
		if free.open[i] && b.held[i] && b.low[i] < b.high[i] && math.Abs(b.slope(i)) <= levelSlope*b.size {
			copy(s.open, free.open) // it could move along with others
			break
		}
	}
	for i := range q + 1 {
		s.residual = math.Hypot(s.residual, b.rest(i))
	}
	for i := range q {
		switch {
		case b.held[i] && b.x[i] == b.low[i]:
			s.beta[i] = low[i]
		case b.held[i]:
			s.beta[i] = high[i]
		default: // dividing may pass a limit by rounding
			s.beta[i] = max(low[i], min(high[i], b.x[i]/norm[i]))
		}
	}
	return s, nil
}

// bounded is a least-squares problem with limits: a triangle of columns of norm 1, with y last.
type bounded struct {
	q         int
	r         []float64
	size      float64 // ‖y‖
	low, high []float64
	x         []float64
	held      []bool // at a limit
}

// rest is what is left of a row.
func (b *bounded) rest(row int) float64 {
	total := b.r[row*(b.q+1)+b.q]
	for j, x := range b.x {
		total -= b.r[row*(b.q+1)+j] * x
	}
	return total
}

// slope is by how much half the sum of squares falls with x.
func (b *bounded) slope(at int) float64 {
	total := 0.0
	for row := range at + 1 {
		total += b.r[row*(b.q+1)+at] * b.rest(row)
	}
	return total
}

// descend moves x to the minimum, and tells which of the free ones the rows do not determine.
func (b *bounded) descend(open []bool) error {
	stuck := make([]bool, b.q) // left its limit and came back at once, by rounding
	leaving := -1
	for range 100 * (b.q + 1) {
		moved, stopped, err := b.step(open)
		switch {
		case err != nil:
			return err
		case moved:
			clear(stuck)
		case stopped == leaving && leaving >= 0:
			stuck[leaving] = true
		}
		if stopped >= 0 {
			continue
		}
		if leaving = b.pick(stuck); leaving < 0 {
			return nil
		}
		b.held[leaving] = false
	}
	return errNoEnd
}

// pick is the held parameter that gains most by leaving its limit, −1 when none gains.
func (b *bounded) pick(stuck []bool) int {
	best, most := -1, levelSlope*b.size
	for i, held := range b.held {
		if !held || stuck[i] || b.low[i] == b.high[i] {
			continue
		}
		slope := b.slope(i)
		if b.x[i] == b.high[i] {
			slope = -slope
		}
		if slope > most {
			best, most = i, slope
		}
	}
	return best
}

// step moves the free parameters to their minimum, or towards it to the first limit, where one stops.
func (b *bounded) step(open []bool) (moved bool, stopped int, err error) {
	var free []int
	for i, held := range b.held {
		open[i] = false
		if !held {
			free = append(free, i)
		}
	}
	if len(free) == 0 {
		return false, -1, nil
	}
	k := len(free) + 1
	rows := make([]float64, (b.q+1)*k)
	for row := range b.q + 1 {
		y := b.r[row*(b.q+1)+b.q]
		for j, x := range b.x {
			if b.held[j] {
				y -= b.r[row*(b.q+1)+j] * x
			}
		}
		for at, j := range free {
			rows[row*k+at] = b.r[row*(b.q+1)+j]
		}
		rows[row*k+k-1] = y
	}
	s, err := leastSquares(rows, len(free))
	if err != nil {
		return false, -1, say.Errorf("within limits: %w", err)
	}
	part := 1.0
	stopped = -1
	for at, j := range free {
		to, limit := s.beta[at], 0.0
		switch {
		case to < b.low[j]:
			limit = b.low[j]
		case to > b.high[j]:
			limit = b.high[j]
		default:
			continue
		}
		if p := (limit - b.x[j]) / (to - b.x[j]); p < part || stopped < 0 {
			part, stopped = max(p, 0), j
		}
	}
	for at, j := range free {
		change := part * (s.beta[at] - b.x[j])
		moved = moved || change != 0
		b.x[j] = max(b.low[j], min(b.high[j], b.x[j]+change))
		if stopped < 0 {
			b.x[j], open[j] = s.beta[at], s.open[at]
		}
	}
	if stopped >= 0 {
		b.held[stopped] = true
		for at, j := range free {
			if j == stopped {
				b.x[j] = b.high[j]
				if s.beta[at] < b.low[j] {
					b.x[j] = b.low[j]
				}
			}
		}
	}
	return moved, stopped, nil
}
