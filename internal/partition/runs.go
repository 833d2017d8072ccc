package partition

import (
	"math"

	"bnlab/internal/num"
)

// MaxRuns is the most items that [Runs] takes, in time that grows with their cube.
const MaxRuns = 400

// Runs sums over the partitions of up to [MaxRuns] items into runs of neighbours. Half of the prior is on nothing
// tied; the other half is shared evenly among the numbers of runs, and evenly among the C(m−1, b−1) partitions into
// b runs.
func Runs(f Family, counts [][]float64) *Average {
	m, width := len(counts), len(counts[0])
	first := square(m+1, width) // sums of the counts before an item
	for i, n := range counts {
		for j, x := range n {
			first[i+1][j] = first[i][j] + x
		}
	}
	run := square(m, m+1) // the score of the items from i up to j, without j
	pooled := make([]float64, width)
	sum := func(i, j int) []float64 {
		for k := range pooled {
			pooled[k] = first[j][k] - first[i][k]
		}
		return pooled
	}
	for i := range m {
		for j := i + 1; j <= m; j++ {
			run[i][j] = f.Score(sum(i, j), j-i)
		}
	}
	// head[b][j] is the log of the sum over the partitions of the first j items into b runs, tail[b][i] of the
	// items from i on.
	head, tail := square(m+1, m+1), square(m+1, m+1)
	for b := range head {
		for j := range head[b] {
			head[b][j], tail[b][j] = math.Inf(-1), math.Inf(-1)
		}
	}
	head[0][0], tail[0][m] = 0, 0
	for b := 1; b <= m; b++ {
		for j := b; j <= m; j++ {
			for i := b - 1; i < j; i++ {
				head[b][j] = num.LogSum(head[b][j], head[b-1][i]+run[i][j])
				// The mirror image: the run from m−j to m−i, and then b−1 runs.
				tail[b][m-j] = num.LogSum(tail[b][m-j], tail[b-1][m-i]+run[m-j][m-i])
			}
		}
	}
	prior := make([]float64, m+1) // log, of one partition into b runs
	total := math.Inf(-1)
	for b := 1; b <= m; b++ {
		prior[b] = math.Log(0.5)
		if b < m {
			choose := num.Lgamma(float64(m)) - num.Lgamma(float64(b)) - num.Lgamma(float64(m-b+1))
			prior[b] -= math.Log(float64(m-1)) + choose
		} else if m == 1 {
			prior[b] = 0
		}
		total = num.LogSum(total, prior[b]+head[b][m])
	}
	out := newAverage(m, width)
	out.Separate = math.Exp(prior[m] + head[m][m] - total)
	mean := make([]float64, width)
	weight := square(m+1, m+2) // of runs from i up to j, then of runs that start at i or before and end at j or later
	rest := make([]float64, m) // log, of what is before item i, by the number of runs after the one from i
	for i := range m {
		for after := range rest {
			rest[after] = math.Inf(-1)
			for before := 0; before <= i && before+1+after <= m; before++ {
				rest[after] = num.LogSum(rest[after], prior[before+1+after]+head[before][i])
			}
		}
		for j := i + 1; j <= m; j++ {
			w := math.Inf(-1)
			for after := range m - j + 1 {
				w = num.LogSum(w, rest[after]+tail[after][j])
			}
			weight[i][j] = math.Exp(w + run[i][j] - total)
			f.Mean(mean, sum(i, j), j-i)
			for k := i; k < j; k++ {
				for p, x := range mean {
					out.Mean[k][p] += weight[i][j] * x
				}
			}
		}
	}
	for i := range m {
		for j := m; j > i+1; j-- {
			weight[i][j] += weight[i][j+1]
			if i > 0 {
				weight[i][j] += weight[i-1][j] - weight[i-1][j+1]
			}
			out.Tied[i][j-1], out.Tied[j-1][i] = weight[i][j], weight[i][j]
		}
	}
	return out
}
