package weigh

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// A Future is what more cases are expected to tell of distributions with independent Dirichlet densities.
type Future struct {
	visits []float64
	rows   []*row
	gains  map[int]float64
}

// A row is a distribution with its Dirichlet counts.
type row struct {
	a     []float64
	all   float64
	known []float64   // gain by number of cases, as far as it is computed
	logs  [][]float64 // log(a + n) by cell and n
	limit float64
}

// NewFuture takes the probability that a case is about each distribution, and the Dirichlet counts.
func NewFuture(visits []float64, counts [][]float64) *Future {
	f := &Future{visits: visits, gains: map[int]float64{0: 0}}
	for _, a := range counts {
		r := &row{a: a, known: []float64{0}, logs: make([][]float64, len(a))}
		for _, x := range a {
			r.all += x
		}
		for _, x := range a {
			r.limit += x / r.all * (mathext.Digamma(x+1) - mathext.Digamma(r.all+1) - math.Log(x/r.all))
		}
		f.rows = append(f.rows, r)
	}
	return f
}

// mostExact is the number of cases in a distribution up to which gains are exact sums. Beyond it the uncertainty that
// is left, (r−1)/2 over the Dirichlet counts but for higher orders, falls as their inverse; that is within 1e-4 of the
// gain.
const mostExact = 256

// gain is that of m cases in the distribution, in the log score of one more in it: with p the posterior mean and φ(x) =
// x log x,
//
//	Σ_k E φ((a_k + n_k)/(A + m)) − φ(p_k),  n_k beta-binomial (m, a_k, A − a_k),
//
// which tends to Σ p_k (ψ(a_k + 1) − ψ(A + 1) − log p_k).
func (r *row) gain(m int) float64 {
	if m > mostExact {
		return r.limit - (r.limit-r.gain(mostExact))*(r.all+mostExact)/(r.all+float64(m))
	}
	for len(r.known) <= m {
		n := len(r.known)
		total, logAll := 0.0, math.Log(r.all+float64(n))
		for k, a := range r.a {
			b := r.all - a
			for len(r.logs[k]) <= n {
				r.logs[k] = append(r.logs[k], math.Log(a+float64(len(r.logs[k]))))
			}
			total -= a / r.all * math.Log(a/r.all)
			if b <= 0 {
				continue
			}
			// P(n_k = 0), then by the ratio of neighbours.
			log := 0.0
			for i := range n {
				log += math.Log1p(-a / (r.all + float64(i)))
			}
			for i := 0; i <= n; i++ {
				total += math.Exp(log) * (a + float64(i)) / (r.all + float64(n)) * (r.logs[k][i] - logAll)
				if i < n {
					log += r.logs[k][i] - math.Log(b+float64(n-i-1)) + math.Log(float64(n-i)/float64(i+1))
				}
			}
		}
		r.known = append(r.known, math.Max(total, r.known[n-1]))
	}
	return r.known[m]
}

// Gain is the expected gain in log score for a case, in nats, of n cases before it.
func (f *Future) Gain(n int) float64 {
	if g, ok := f.gains[n]; ok {
		return g
	}
	total := 0.0
	for i, r := range f.rows {
		if w := f.visits[i]; w > 0 {
			total += w * r.expected(n, w)
		}
	}
	f.gains[n] = total
	return total
}

// expected is the gain of n cases, each of which is in the distribution with probability w.
func (r *row) expected(n int, w float64) float64 {
	mean := float64(n) * w
	sd := math.Sqrt(mean * (1 - w))
	if w >= 1 {
		return r.gain(n)
	}
	const wide = 9
	lo, hi := max(0, int(mean-wide*sd)-wide), min(n, int(mean+wide*sd)+wide)
	total, g := 0.0, func(x int) float64 { v, _ := math.Lgamma(float64(x) + 1); return v }
	for m := lo; m <= hi; m++ {
		p := math.Exp(g(n) - g(m) - g(n-m) + float64(m)*math.Log(w) + float64(n-m)*math.Log1p(-w))
		total += p * r.gain(m)
	}
	return total
}

// mostCases is where the search for as many cases ends.
const mostCases = 1 << 20

// Worth is how many cases are expected to gain as much, a fraction by the line between whole numbers; infinite above a
// million.
func (f *Future) Worth(gain float64) float64 {
	if !(gain > 0) {
		return 0
	}
	hi := 1
	for f.Gain(hi) < gain {
		if hi *= 2; hi > mostCases {
			return math.Inf(1)
		}
	}
	lo := hi / 2
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; f.Gain(mid) < gain {
			lo = mid
		} else {
			hi = mid
		}
	}
	return float64(lo) + (gain-f.Gain(lo))/(f.Gain(hi)-f.Gain(lo))
}
