package learn

import (
	"math"

	"bnlab/bnkit/learn/internal/softmax"
)

// A block is a part of the coordinates x in which an [APN] searches: a table, the parameters
// of a family, or a linear-Gaussian node. The slices it gets are its own part.
type block interface {
	// size is the number of coordinates.
	size() int
	// read finds the coordinates of the tables of p, or the nearest that there are.
	read(x []float64, p *apnPoint) error
	// write puts what the coordinates make into p.
	write(p *apnPoint, x []float64) error
	// pull writes ∂objective/∂x from the derivatives by table entries, or from moments.
	pull(dst, x []float64, p *apnPoint) error
	// scale divides a gradient by the curvature that the objective would have if the
	// expected counts were counts: the direction of Newton's method, roughly.
	scale(dst, gradient, x []float64, p *apnPoint)
}

// span is a table in the network's layout.
type span struct{ lo, hi, states int }

// entries are the coordinates that the entries w of a table are themselves. (R95 §4; W00 Eq. 10.)
type entries struct {
	span
	least float64 // of an entry in use
}

func (b entries) size() int { return b.hi - b.lo }

func (b entries) read(x []float64, p *apnPoint) error {
	copy(x, p.theta[b.lo:b.hi])
	b.settle(x)
	return nil
}

// settle puts rows back onto the table: after a step they miss it by rounding only. What is
// softmax.Faint has come from an M-step that takes it to zero, and is there.
func (b entries) settle(x []float64) {
	for row := x; len(row) > 0; row = row[b.states:] {
		total := 0.0
		for s := range row[:b.states] {
			row[s] = max(row[s], b.least)
			total += row[s]
		}
		for s := range row[:b.states] {
			if row[s] /= total; row[s] < softmax.Faint {
				row[s] = 0
			}
		}
	}
}

func (b entries) write(p *apnPoint, x []float64) error {
	copy(p.theta[b.lo:b.hi], x)
	return nil
}

func (b entries) pull(dst, _ []float64, p *apnPoint) error {
	p.slopes(dst, b.span)
	return nil
}

// scale is not used: the searches treat entries by themselves.
func (b entries) scale(dst, gradient, _ []float64, _ *apnPoint) { copy(dst, gradient) }

// softmaxBlock are the coordinates β of a table, w = exp β / Σ_row exp β. (As Y13 Eq. 3.)
type softmaxBlock struct{ span }

// zeroBeta stands for −∞: exp(zeroBeta) is 0, and so is the gradient there.
const zeroBeta = -1e4

func (b softmaxBlock) size() int { return b.hi - b.lo }

func (b softmaxBlock) read(x []float64, p *apnPoint) error {
	for i, w := range p.theta[b.lo:b.hi] {
		x[i] = max(math.Log(w), zeroBeta)
	}
	return nil
}

func (b softmaxBlock) write(p *apnPoint, x []float64) error {
	softmax.Rows(p.theta[b.lo:b.hi], x, b.states)
	return nil
}

func (b softmaxBlock) pull(dst, _ []float64, p *apnPoint) error {
	softmax.Pull(dst, p.theta[b.lo:b.hi], p.g[b.lo:b.hi], b.states)
	return nil
}

func (b softmaxBlock) scale(dst, gradient, _ []float64, p *apnPoint) {
	m, w := p.m[b.lo:b.hi], p.theta[b.lo:b.hi]
	for lo := 0; lo < len(m); lo += b.states {
		total := 0.0
		for _, count := range m[lo : lo+b.states] {
			total += count
		}
		for s := lo; s < lo+b.states; s++ {
			dst[s] = gradient[s] / (total*w[s] + p.one)
		}
	}
}
