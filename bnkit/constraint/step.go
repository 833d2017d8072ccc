package constraint

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// A step replaces some parameters ("nodes") of a part by fewer, in a way that keeps the
// maximum of Σ n log x, the integral of a Dirichlet density and its independent draws:
// the factorisation into masses and shapes that Minka's Dirichlet trees have. Steps are
// taken forward on counts and exponents, backward on values.
//
// All slices are numbered by node. An exponent e is a Dirichlet count: the density is
// Π x^(e−1).
type step interface {
	// pool gives the new nodes their counts.
	pool(n []float64)
	// expand gives the old nodes their values at the maximum for counts n.
	expand(x, n []float64)
	// exponents gives the new nodes their exponents and returns the logarithm of the
	// factor that the integral over the old nodes has on top of that over the new.
	exponents(e []float64) float64
	// draw gives the old nodes values drawn from the density, given the new ones'.
	draw(x, e []float64, src rand.Source)
	// mean gives the old nodes their expectations, given the new ones'.
	mean(x, e []float64)
}

// fixed is a node whose value the statements determine.
type fixed struct {
	node  int
	value float64
}

func (f *fixed) pool([]float64)                     {}
func (f *fixed) expand(x, _ []float64)              { x[f.node] = f.value }
func (f *fixed) draw(x, _ []float64, _ rand.Source) { x[f.node] = f.value }
func (f *fixed) mean(x, _ []float64)                { x[f.node] = f.value }
func (f *fixed) exponents(e []float64) float64 {
	if f.value == 0 {
		return 0 // no density on a point; cases of it are refused
	}
	return (e[f.node] - 1) * math.Log(f.value)
}

// tied are nodes that are multiples of one: x_old = scale · x_new (N06 types 2, 3 and
// what follows from others). Counts add up, and so do exponents less one.
type tied struct {
	node  int
	old   []int
	scale []float64
}

func (t *tied) pool(n []float64) {
	total := 0.0
	for _, old := range t.old {
		total += n[old]
	}
	n[t.node] = total
}

func (t *tied) expand(x, _ []float64) {
	for i, old := range t.old {
		x[old] = t.scale[i] * x[t.node]
	}
}

func (t *tied) exponents(e []float64) float64 {
	total, factor := 1.0, 0.0
	for i, old := range t.old {
		total += e[old] - 1
		if t.scale[i] != 1 {
			factor += (e[old] - 1) * math.Log(t.scale[i])
		}
	}
	e[t.node] = total
	return factor
}

func (t *tied) draw(x, _ []float64, _ rand.Source) { t.expand(x, nil) }
func (t *tied) mean(x, _ []float64)                { t.expand(x, nil) }

// split is a mass divided among nodes that no statement tells apart:
// x_new = Σ scale · x_old. The parts are as their counts; without counts as the number of
// table entries behind them.
type split struct {
	node   int
	old    []int
	scale  []float64
	leaves []float64 // table entries behind each old node
}

func (s *split) pool(n []float64) {
	total := 0.0
	for _, old := range s.old {
		total += n[old]
	}
	n[s.node] = total
}

func (s *split) expand(x, n []float64) {
	mass, total := x[s.node], n[s.node]
	if total > 0 {
		for i, old := range s.old {
			x[old] = mass * (n[old] / total) / s.scale[i]
		}
		return
	}
	leaves := 0.0
	for _, l := range s.leaves {
		leaves += l
	}
	for i, old := range s.old {
		x[old] = mass * (s.leaves[i] / leaves) / s.scale[i]
	}
}

func (s *split) exponents(e []float64) float64 {
	total, factor := 0.0, 0.0
	for i, old := range s.old {
		total += e[old]
		factor += lgamma(e[old])
		if s.scale[i] != 1 {
			factor -= e[old] * math.Log(s.scale[i])
		}
	}
	e[s.node] = total
	return factor - lgamma(total)
}

func (s *split) draw(x, e []float64, src rand.Source) {
	shares := make([]float64, len(s.old))
	for i, old := range s.old {
		shares[i] = e[old]
	}
	dirichlet(shares, shares, src)
	for i, old := range s.old {
		x[old] = x[s.node] * shares[i] / s.scale[i]
	}
}

func (s *split) mean(x, e []float64) {
	for i, old := range s.old {
		x[old] = x[s.node] * (e[old] / e[s.node]) / s.scale[i]
	}
}

// shaped are blocks of nodes that have one shape, each with a mass of its own:
// x_gi = mass_g · shape_i (N06 types 5 and 9). One block alone is a block whose inner
// relations are free of scale. Its exponents are those of the density over masses and one
// shape with base measure Π mass^(r−1), r the length of a block: so that blocks which
// share with no other have the ordinary Dirichlet density. For one block alone r is less by
// the dimensions that inner equalities take, which makes the measure Lebesgue's.
type shaped struct {
	mass  []int
	shape []int
	old   [][]int // by block and position
	lost  int     // dimensions that inner equalities take
}

func (s *shaped) pool(n []float64) {
	for _, node := range s.shape {
		n[node] = 0
	}
	for g, block := range s.old {
		total := 0.0
		for i, old := range block {
			total += n[old]
			n[s.shape[i]] += n[old]
		}
		n[s.mass[g]] = total
	}
}

func (s *shaped) expand(x, _ []float64) {
	for g, block := range s.old {
		for i, old := range block {
			x[old] = x[s.mass[g]] * x[s.shape[i]]
		}
	}
}

func (s *shaped) exponents(e []float64) float64 {
	for _, node := range s.shape {
		e[node] = 1
	}
	for g, block := range s.old {
		total := 0.0
		for i, old := range block {
			total += e[old]
			e[s.shape[i]] += e[old] - 1
		}
		e[s.mass[g]] = total - float64(s.lost)
	}
	return 0
}

func (s *shaped) draw(x, _ []float64, _ rand.Source) { s.expand(x, nil) }
func (s *shaped) mean(x, _ []float64)                { s.expand(x, nil) }

func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

// dirichlet draws from the Dirichlet density with exponents e, which may be dst. It works
// in logarithms, since gamma variables of small exponents underflow.
func dirichlet(dst, e []float64, src rand.Source) {
	largest := math.Inf(-1)
	for i, alpha := range e {
		dst[i] = logGamma(alpha, src)
		largest = math.Max(largest, dst[i])
	}
	all := 0.0
	for i := range dst {
		dst[i] = math.Exp(dst[i] - largest)
		all += dst[i]
	}
	for i := range dst {
		dst[i] /= all
	}
}

// logGamma draws the logarithm of a gamma variable: below 1 by log G(α) = log G(α+1) +
// log(U)/α.
func logGamma(alpha float64, src rand.Source) float64 {
	if alpha < 1 {
		return logGamma(alpha+1, src) + math.Log(1-rand.New(src).Float64())/alpha
	}
	return math.Log(distuv.Gamma{Alpha: alpha, Beta: 1, Src: src}.Rand())
}
