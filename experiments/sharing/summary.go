package sharing

import (
	"math"

	"bnlab/experiments/run"
)

// at gathers entry n−1 of every replicate.
func at(values [][]float64, n int) []float64 {
	out := make([]float64, len(values))
	for replicate, v := range values {
		out[replicate] = v[n-1]
	}
	return out
}

// bands summarises each training set over the replicates.
func bands(values [][]float64) []run.Band {
	out := make([]run.Band, len(values[0]))
	for i := range out {
		out[i] = run.NewBand(at(values, i+1))
	}
	return out
}

// Gap is KL(T, STBN) − KL(T, PDKBN) by replicate and training set.
func (r *Curves) Gap() [][]float64 {
	gap := make([][]float64, len(r.STBN))
	for replicate := range gap {
		gap[replicate] = make([]float64, r.Config.Examples)
		for i := range gap[replicate] {
			gap[replicate][i] = r.STBN[replicate][i] - r.PDKBN[replicate][i]
		}
	}
	return gap
}

// largest returns the largest gap of each replicate and the first training set
// that has it.
func largest(gap [][]float64) (height, size []float64) {
	for _, g := range gap {
		best := 0
		for i := range g {
			if g[i] > g[best] {
				best = i
			}
		}
		height, size = append(height, g[best]), append(size, float64(best+1))
	}
	return height, size
}

// factors returns, by replicate, the mean and the largest of equivalent size ÷
// size over the sizes Every, 2 Every, … An equivalent beyond Search counts as
// Search; beyond is how many of all there are.
func (r *Curves) factors() (mean, most []float64, beyond int) {
	for _, equivalent := range r.Equivalent {
		sum, top, n := 0.0, 0.0, 0
		for size := r.Config.Every; size <= r.Config.Examples; size += r.Config.Every {
			e := equivalent[size-1]
			if math.IsInf(e, 1) {
				beyond++
				e = float64(r.Config.Search)
			}
			f := e / float64(size)
			sum, top, n = sum+f, max(top, f), n+1
		}
		mean, most = append(mean, sum/float64(n)), append(most, top)
	}
	return mean, most, beyond
}
