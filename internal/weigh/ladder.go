package weigh

import (
	"math"
	"math/rand/v2"
)

// mostStones bounds the chains of a ladder.
const mostStones = 40

// ladder returns where chains run between prior (0) and posterior (1), for the distributions that use says: evenly by
// the spread of the log-likelihood, Σ (r−1)/2 · (N/(A + βN))² of the distributions, so that from one chain to the
// next its standard deviation is about 1.
func (p *Problem) ladder(use func(row int) bool) []float64 {
	const grid = 400
	at := func(i int) float64 { // dense near 0
		u := float64(i) / grid
		return u * u * u
	}
	speed := func(beta float64) float64 {
		total := 0.0
		for r := range len(p.First) - 1 {
			if !use(r) {
				continue
			}
			n, a := 0.0, 0.0
			for cell := p.First[r]; cell < p.First[r+1]; cell++ {
				n, a = n+p.Counts[cell], a+p.Prior[cell]
			}
			ratio := n / (a + beta*n)
			total += float64(p.First[r+1]-p.First[r]-1) / 2 * ratio * ratio
		}
		return math.Sqrt(total)
	}
	length := make([]float64, grid+1)
	for i := 1; i <= grid; i++ {
		length[i] = length[i-1] + speed((at(i)+at(i-1))/2)*(at(i)-at(i-1))
	}
	stones := min(mostStones, int(math.Ceil(length[grid])))
	if stones == 0 {
		return []float64{0, 1} // no counts: both are the same
	}
	betas := []float64{0}
	for i, k := 0, 1; k < stones; k++ {
		for length[i+1] < length[grid]*float64(k)/float64(stones) {
			i++
		}
		part := (length[grid]*float64(k)/float64(stones) - length[i]) / (length[i+1] - length[i])
		betas = append(betas, at(i)+part*(at(i+1)-at(i)))
	}
	return append(betas, 1)
}

// batches is how many parts the series of a chain is divided into, to see how much they differ.
const batches = 16

// bridge estimates the logarithm of the ratio of the normalising constants of two chains, the second of which has
// step times the log-likelihood more in its density, from their log-likelihoods, by Bennett's acceptance ratio (C.
// Bennett, Efficient estimation of free energy differences from Monte Carlo data, Journal of Computational Physics 22,
// 1976), and adds to off, by batch, how far that batch is from it.
func bridge(low, high []float64, step float64, off []float64) float64 {
	sigmoid := func(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, series := range [][]float64{low, high} {
		for _, l := range series {
			lo, hi = min(lo, step*l), max(hi, step*l)
		}
	}
	if !(hi > lo) {
		return lo
	}
	// Newton steps, halved where they leave the bracket; gap falls as r grows.
	lo, hi = lo-40, hi+40
	r := (mean(low) + mean(high)) / 2 * step
	for hi-lo > 1e-9 {
		gap, slope := 0.0, 0.0
		for t := range low {
			f, g := sigmoid(step*low[t]-r), sigmoid(r-step*high[t])
			gap += f - g
			slope += f*(1-f) + g*(1-g)
		}
		if gap > 0 {
			lo = r
		} else {
			hi = r
		}
		next := r + gap/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-r) < 1e-7 {
			break
		}
		r = next
	}
	slope, n := 0.0, len(low)
	sums := make([]float64, batches)
	for t := range n {
		f, g := sigmoid(step*low[t]-r), sigmoid(r-step*high[t])
		slope += f*(1-f) + g*(1-g)
		sums[t*batches/n] += f - g
	}
	for b := range sums {
		off[b] += sums[b] * batches / max(slope, 1e-300)
	}
	return r
}

func mean(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total / float64(len(x))
}

// exchange lets neighbouring chains change places, the even pairs and the odd ones in turn.
func exchange(chains []*chain, l, betas []float64, turn int, rng *rand.Rand) {
	for k := turn % 2; k+1 < len(chains); k += 2 {
		log := (betas[k+1] - betas[k]) * (l[k] - l[k+1])
		if log >= 0 || rng.Float64() < math.Exp(log) {
			a, b := chains[k], chains[k+1]
			a.x, b.x, a.slack, b.slack = b.x, a.x, b.slack, a.slack
			l[k], l[k+1] = l[k+1], l[k]
		}
	}
}
