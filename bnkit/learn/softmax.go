package learn

import "math"

// softmax are the coordinates β of a table, w = exp β / Σ_row exp β.
type softmax struct{ span }

// zeroBeta stands for −∞: exp(zeroBeta) is 0, and so is the gradient there.
const zeroBeta = -1e4

func (b softmax) size() int { return b.hi - b.lo }

func (b softmax) read(x []float64, p *apnPoint) error {
	for i, w := range p.theta[b.lo:b.hi] {
		x[i] = max(math.Log(w), zeroBeta)
	}
	return nil
}

func (b softmax) write(p *apnPoint, x []float64) error {
	softmaxRows(p.theta[b.lo:b.hi], x, b.states)
	return nil
}

func (b softmax) pull(dst, _ []float64, p *apnPoint) error {
	softmaxPull(dst, p.theta[b.lo:b.hi], p.g[b.lo:b.hi], b.states)
	return nil
}

func (b softmax) scale(dst, gradient, _ []float64, p *apnPoint) {
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

// softmaxRows writes exp β / Σ exp β, row by row.
func softmaxRows(w, beta []float64, states int) {
	for lo := 0; lo < len(beta); lo += states {
		row, out := beta[lo:lo+states], w[lo:lo+states]
		most, total := math.Inf(-1), 0.0
		for _, b := range row {
			most = max(most, b)
		}
		for s, b := range row {
			out[s] = lifted(math.Exp(b - most))
			total += out[s]
		}
		for s := range out {
			out[s] /= total
		}
	}
}

// softmaxPull writes ∂F/∂β = g − w Σ_row g for g = w·∂F/∂w, row by row.
func softmaxPull(dst, w, g []float64, states int) {
	for lo := 0; lo < len(w); lo += states {
		total := 0.0
		for _, x := range g[lo : lo+states] {
			total += x
		}
		for s := lo; s < lo+states; s++ {
			dst[s] = g[s] - w[s]*total
		}
	}
}
