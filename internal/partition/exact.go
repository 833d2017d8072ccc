package partition

import (
	"math"
	"math/bits"

	"bnlab/internal/num"
)

// MaxExact is the most items that [Exact] takes: it looks at 3^10 pairs of a set and a block.
const MaxExact = 10

// Exact sums over all partitions of up to [MaxExact] items, whose counts it is given. Half of the prior is on nothing
// tied; partitions with a tie share the other half in proportion to Ewens' distribution with θ = m, the number of
// items: θ^b Π (k_B − 1)! over the b blocks, of k_B items each.
func Exact(f Family, counts [][]float64) *Average {
	m, width := len(counts), len(counts[0])
	full := 1<<m - 1
	score := make([]float64, full+1) // of a block, with its part of the prior
	pooled := square(full+1, width)
	theta := math.Log(float64(m))
	alone := 0.0 // the log marginal likelihood of nothing tied
	for set := 1; set <= full; set++ {
		low := bits.TrailingZeros(uint(set))
		for j := range pooled[set] {
			pooled[set][j] = pooled[set&(set-1)][j] + counts[low][j]
		}
		size := bits.OnesCount(uint(set))
		s := f.Score(pooled[set], size)
		if size == 1 {
			alone += s
		}
		score[set] = s + theta + num.Lgamma(float64(size))
	}
	// sum[set] is the log of the sum over the partitions of a set: the block of its lowest item, times the rest.
	sum := make([]float64, full+1)
	for set := 1; set <= full; set++ {
		low := set & -set
		rest := set ^ low
		total := math.Inf(-1)
		for part := rest; ; part = (part - 1) & rest {
			total = num.LogSum(total, score[part|low]+sum[rest^part])
			if part == 0 {
				break
			}
		}
		sum[set] = total
	}
	// Of Ewens' mass, what is on nothing tied is taken out of the prior, and out of the sum.
	apart := float64(m) * theta                                           // ln of its weight θ^m
	norm := num.Lgamma(float64(2*m)) - num.Lgamma(float64(m))             // ln of all weights
	tied := logMinus(sum[full], alone+apart) - logMinus(norm, apart)      // ln P(cases | some tie)
	share := 1 / (1 + math.Exp(alone-tied))                               // P(some tie | cases)
	scale := share * math.Exp(sum[full]-logMinus(sum[full], alone+apart)) // from Ewens' posterior to ours
	if m == 1 {
		share, scale = 0, 0
	}
	out := newAverage(m, width)
	out.Separate = 1 - share
	mean := make([]float64, width)
	for i := range m {
		f.Mean(mean, counts[i], 1)
		// Blocks of one item occur in Ewens' posterior too, where nothing tied has a weight that is not ours.
		out.add([]int{i}, out.Separate-scale*math.Exp(alone+apart-sum[full]), mean)
	}
	for set := 1; set <= full; set++ {
		f.Mean(mean, pooled[set], bits.OnesCount(uint(set)))
		out.add(members(set), scale*math.Exp(score[set]+sum[full^set]-sum[full]), mean)
	}
	return out
}

// logMinus is ln(eˣ − eʸ) for x ≥ y.
func logMinus(x, y float64) float64 {
	if y >= x {
		return math.Inf(-1)
	}
	return x + math.Log(-math.Expm1(y-x))
}

func members(set int) []int {
	var list []int
	for ; set > 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros(uint(set)))
	}
	return list
}
