package learn

import (
	"math"

	"bnlab/bnkit/learn/internal/softmax"
)

// softmaxBlock are the coordinates β of a table, w = exp β / Σ_row exp β.
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
