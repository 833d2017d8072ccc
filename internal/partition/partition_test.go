package partition

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// each visits all partitions of m items.
func each(m int, visit func(blocks [][]int)) {
	var place func(i int, blocks [][]int)
	place = func(i int, blocks [][]int) {
		if i == m {
			visit(blocks)
			return
		}
		for b := range blocks {
			next := slices.Clone(blocks)
			next[b] = append(slices.Clone(next[b]), i)
			place(i+1, next)
		}
		place(i+1, append(slices.Clone(blocks), []int{i}))
	}
	place(0, nil)
}

// enumerate averages over all partitions by their definition; prior is not normalized.
func enumerate(f Family, counts [][]float64, prior func(blocks [][]int) float64) *Average {
	out := newAverage(len(counts), len(counts[0]))
	total, mean := 0.0, make([]float64, len(counts[0]))
	each(len(counts), func(blocks [][]int) {
		w := prior(blocks)
		pool := func(block []int) []float64 {
			sum := make([]float64, len(counts[0]))
			for _, i := range block {
				for j, x := range counts[i] {
					sum[j] += x
				}
			}
			return sum
		}
		for _, block := range blocks {
			w *= math.Exp(f.Score(pool(block), len(block)))
		}
		total += w
		if len(blocks) == len(counts) {
			out.Separate += w
		}
		for _, block := range blocks {
			f.Mean(mean, pool(block), len(block))
			out.add(block, w, mean)
		}
	})
	out.Separate /= total
	for i := range counts {
		for j := range counts {
			if i != j {
				out.Tied[i][j] /= total
			}
		}
		for j := range out.Mean[i] {
			out.Mean[i][j] /= total
		}
	}
	return out
}

// distance is the largest difference of two averages in anything.
func distance(a, b *Average) float64 {
	d := math.Abs(a.Separate - b.Separate)
	for i := range a.Tied {
		for j := range a.Tied[i] {
			d = max(d, math.Abs(a.Tied[i][j]-b.Tied[i][j]))
		}
		for j := range a.Mean[i] {
			d = max(d, math.Abs(a.Mean[i][j]-b.Mean[i][j]))
		}
	}
	return d
}

// half puts half of the prior on nothing tied, and the rest on the others in proportion to g.
func half(m int, g func(blocks [][]int) float64) func(blocks [][]int) float64 {
	rest := 0.0
	each(m, func(blocks [][]int) {
		if len(blocks) < m {
			rest += g(blocks)
		}
	})
	return func(blocks [][]int) float64 {
		if len(blocks) == m {
			return 0.5
		}
		return 0.5 * g(blocks) / rest
	}
}

func ewens(m int) func(blocks [][]int) float64 {
	return half(m, func(blocks [][]int) float64 {
		w := 1.0
		for _, b := range blocks {
			w *= float64(m) * math.Gamma(float64(len(b)))
		}
		return w
	})
}

func neighbours(m int) func(blocks [][]int) float64 {
	return half(m, func(blocks [][]int) float64 {
		for _, b := range blocks {
			if b[len(b)-1]-b[0] >= len(b) {
				return 0
			}
		}
		return 1 / binomial(m-1, len(blocks)-1)
	})
}

func binomial(n, k int) float64 {
	c := 1.0
	for i := range k {
		c *= float64(n-i) / float64(i+1)
	}
	return c
}

func evenly(m int) func(blocks [][]int) float64 {
	number := make([]float64, m+1)
	each(m, func(blocks [][]int) { number[len(blocks)]++ })
	return func(blocks [][]int) float64 { return 1 / number[len(blocks)] }
}

// problems are counts of states, and of rows of three states.
func problems(rng *rand.Rand, m int) map[string]struct {
	f      Family
	counts [][]float64
} {
	var states, rows [][]float64
	total := 0.0
	for range m {
		n := float64(rng.IntN(9))
		total += n
		states = append(states, []float64{n})
		rows = append(rows, []float64{float64(rng.IntN(9)), float64(rng.IntN(5)), float64(rng.IntN(3))})
	}
	return map[string]struct {
		f      Family
		counts [][]float64
	}{"states": {States{Alpha: 0.7, Cases: total, Items: m}, states}, "rows": {Rows{Alpha: 1}, rows}}
}

func TestExactIsTheSumOverAllPartitions(t *testing.T) {
	for m := 1; m <= 8; m++ {
		for name, p := range problems(rand.New(rand.NewPCG(1, uint64(m))), m) {
			want := enumerate(p.f, p.counts, ewens(m))
			if m == 1 {
				want = enumerate(p.f, p.counts, func([][]int) float64 { return 1 })
			}
			if d := distance(Exact(p.f, p.counts), want); !(d < 1e-9) {
				t.Errorf("%d %s: off by %v", m, name, d)
			}
		}
	}
}

func TestRunsAreTheSumOverRunsOfNeighbours(t *testing.T) {
	for m := 1; m <= 8; m++ {
		for name, p := range problems(rand.New(rand.NewPCG(2, uint64(m))), m) {
			want := enumerate(p.f, p.counts, neighbours(m))
			if m == 1 {
				want = enumerate(p.f, p.counts, func([][]int) float64 { return 1 })
			}
			if d := distance(Runs(p.f, p.counts), want); !(d < 1e-9) {
				t.Errorf("%d %s: off by %v", m, name, d)
			}
		}
	}
}

func TestGibbsAgreesWithTheSumOverAllPartitions(t *testing.T) {
	for _, m := range []int{1, 2, 6} {
		for name, p := range problems(rand.New(rand.NewPCG(3, uint64(m))), m) {
			want := enumerate(p.f, p.counts, evenly(m))
			got := Gibbs(t.Context(), p.f, p.counts, 5_000, 5)
			if d := distance(got, want); !(d < 0.02) || got.StdErr > 0.02 {
				t.Errorf("%d %s: off by %v, standard error %v", m, name, d, got.StdErr)
			}
		}
	}
}

// Stirling numbers of the second kind: S(10, b) from Abramowitz and Stegun, table 24.4.
func TestStirling(t *testing.T) {
	want := []float64{1, 511, 9330, 34105, 42525, 22827, 5880, 750, 45, 1}
	for b, x := range logStirling(10)[1:11] {
		if math.Abs(math.Exp(x)/want[b]-1) > 1e-12 {
			t.Errorf("S(10, %d) = %v, want %v", b+1, math.Exp(x), want[b])
		}
	}
}

// Two states that were seen (3, 1): tied and apart have the likelihoods Γ(2+4)/(Γ(2)2⁴) = 7.5 and Γ(4)Γ(2) = 6, so
// that they are tied with probability 5/9, and the first has the mean 5/9·1/2 + 4/9·4/6.
func TestTwoStates(t *testing.T) {
	for name, average := range map[string]func(Family, [][]float64) *Average{"exact": Exact, "runs": Runs} {
		a := average(States{Alpha: 1, Cases: 4, Items: 2}, [][]float64{{3}, {1}})
		if math.Abs(a.Tied[0][1]-5.0/9) > 1e-14 || math.Abs(a.Mean[0][0]-31.0/54) > 1e-14 ||
			math.Abs(a.Separate-4.0/9) > 1e-14 {
			t.Errorf("%s: %+v", name, *a)
		}
	}
}

func BenchmarkExact10(b *testing.B) { bench(b, 10, Exact) }
func BenchmarkRuns50(b *testing.B)  { bench(b, 50, Runs) }
func BenchmarkGibbs50(b *testing.B) {
	bench(b, 50, func(f Family, counts [][]float64) *Average { return Gibbs(b.Context(), f, counts, 0, 1) })
}

func bench(b *testing.B, m int, average func(Family, [][]float64) *Average) {
	rng := rand.New(rand.NewPCG(4, 4))
	counts, total := make([][]float64, m), 0.0
	for i := range counts {
		counts[i] = []float64{float64(rng.IntN(60))}
		total += counts[i][0]
	}
	for b.Loop() {
		average(States{Alpha: 1, Cases: total, Items: m}, counts)
	}
}
