package exteriorpenalty

import (
	"math"

	"bnlab/bnkit/learn/internal/softmax"
	"bnlab/internal/num"
)

// softRows are the rows of a table as the softmax of coordinates μ (Y13 Eq. 3), which are made anew where the
// coordinates are others than before: under a noisy-OR a step in the links moves none, and rows without cases move only
// while they break a statement.
type softRows struct {
	states int
	at     []float64 // μ of the rows that stand in the table
	totals []float64 // by row, Σ exp(μ − the largest)
	logs   []float64 // of the totals
}

func newSoftRows(size, states int) softRows {
	rows := size / states
	r := softRows{states: states, at: make([]float64, size), totals: make([]float64, rows), logs: make([]float64, rows)}
	for i := range r.at {
		r.at[i] = math.NaN() // other than any
	}
	return r
}

// moved reports whether a row has other coordinates than before, and takes them.
func (r *softRows) moved(lo int, row []float64) bool {
	at := r.at[lo : lo+len(row)]
	for s, m := range row {
		if m != at[s] {
			copy(at, row)
			return true
		}
	}
	return false
}

// write writes exp μ / Σ exp μ, row by row. It reports whether a row moved.
func (r *softRows) write(w, mu []float64) (moved bool) {
	for lo := 0; lo < len(mu); lo += r.states {
		if row := mu[lo : lo+r.states]; r.moved(lo, row) {
			moved = true
			softmax.Rows(w[lo:lo+r.states], row, r.states)
		}
	}
	return moved
}

// logLikelihood writes w = exp μ / Σ exp μ, row by row, and returns Σ n log w, with one logarithm a row. It reports
// whether a row moved.
func (r *softRows) logLikelihood(w, mu, n []float64) (loglik float64, moved bool) {
	for lo := 0; lo < len(mu); lo += r.states {
		if row := mu[lo : lo+r.states]; r.moved(lo, row) {
			moved = true
			r.totals[lo/r.states] = soft(w[lo:lo+r.states], row, largest(row))
		}
	}
	if moved {
		num.Logs(r.logs, r.totals)
	}
	for lo := 0; lo < len(mu); lo += r.states {
		row, counts := mu[lo:lo+r.states], n[lo:lo+r.states]
		most, cases := largest(row), 0.0
		for s, m := range row {
			loglik += counts[s] * (m - most)
			cases += counts[s]
		}
		if cases > 0 {
			loglik -= cases * r.logs[lo/r.states]
		}
	}
	return loglik, moved
}

func largest(row []float64) float64 {
	most := row[0]
	for _, m := range row {
		most = max(most, m)
	}
	return most
}

// soft writes exp μ / Σ exp μ and returns Σ exp(μ − most).
func soft(w, mu []float64, most float64) float64 {
	total := 0.0
	for s, m := range mu {
		e := 1.0
		if m != most {
			e = math.Exp(m - most)
		}
		w[s] = e
		total += e
	}
	for s := range w {
		w[s] /= total
	}
	return total
}
