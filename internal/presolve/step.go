package presolve

import (
	"math"
	"math/rand/v2"

	"bnlab/internal/num"
)

// A Step replaces some parameters ("nodes") of a part by fewer, in a way that keeps the
// maximum of Σ n log x, the integral of a Dirichlet density and its independent draws:
// the factorisation into masses and shapes that Minka's Dirichlet trees have. Steps are
// taken forward on counts and exponents, backward on values.
//
// All slices are numbered by node. An exponent e is a Dirichlet count: the density is
// Π x^(e−1).
type Step interface {
	// Pool gives the new nodes their counts.
	Pool(n []float64)
	// Expand gives the old nodes their values at the maximum for counts n.
	Expand(x, n []float64)
	// Exponents gives the new nodes their exponents and returns the logarithm of the
	// factor that the integral over the old nodes has on top of that over the new.
	Exponents(e []float64) float64
	// Draw gives the old nodes values drawn from the density, given the new ones'.
	Draw(x, e []float64, src rand.Source)
	// Mean gives the old nodes their expectations, given the new ones'.
	Mean(x, e []float64)
}

// Fixed is a node whose value the statements determine.
type Fixed struct {
	Node  int
	Value float64
}

func (f *Fixed) Pool([]float64)                     {}
func (f *Fixed) Expand(x, _ []float64)              { x[f.Node] = f.Value }
func (f *Fixed) Draw(x, _ []float64, _ rand.Source) { x[f.Node] = f.Value }
func (f *Fixed) Mean(x, _ []float64)                { x[f.Node] = f.Value }
func (f *Fixed) Exponents(e []float64) float64 {
	if f.Value == 0 {
		return 0 // no density on a point; cases of it are refused
	}
	return (e[f.Node] - 1) * math.Log(f.Value)
}

// Tied are nodes that are multiples of one: x_old = scale · x_new (N06 types 2, 3 and
// what follows from others). Counts add up, and so do exponents less one.
type Tied struct {
	Node  int
	Old   []int
	Scale []float64
}

func (t *Tied) Pool(n []float64) {
	total := 0.0
	for _, old := range t.Old {
		total += n[old]
	}
	n[t.Node] = total
}

func (t *Tied) Expand(x, _ []float64) {
	for i, old := range t.Old {
		x[old] = t.Scale[i] * x[t.Node]
	}
}

func (t *Tied) Exponents(e []float64) float64 {
	total, factor := 1.0, 0.0
	for i, old := range t.Old {
		total += e[old] - 1
		if t.Scale[i] != 1 {
			factor += (e[old] - 1) * math.Log(t.Scale[i])
		}
	}
	e[t.Node] = total
	return factor
}

func (t *Tied) Draw(x, _ []float64, _ rand.Source) { t.Expand(x, nil) }
func (t *Tied) Mean(x, _ []float64)                { t.Expand(x, nil) }

// Split is a mass divided among nodes that no statement tells apart:
// x_new = Σ scale · x_old. The parts are as their counts; without counts as the number of
// table entries behind them.
type Split struct {
	Node   int
	Old    []int
	scale  []float64
	leaves []float64 // table entries behind each old node
}

func (s *Split) Pool(n []float64) {
	total := 0.0
	for _, old := range s.Old {
		total += n[old]
	}
	n[s.Node] = total
}

func (s *Split) Expand(x, n []float64) {
	mass, total := x[s.Node], n[s.Node]
	if total > 0 {
		for i, old := range s.Old {
			x[old] = mass * (n[old] / total) / s.scale[i]
		}
		return
	}
	leaves := 0.0
	for _, l := range s.leaves {
		leaves += l
	}
	for i, old := range s.Old {
		x[old] = mass * (s.leaves[i] / leaves) / s.scale[i]
	}
}

func (s *Split) Exponents(e []float64) float64 {
	total, factor := 0.0, 0.0
	for i, old := range s.Old {
		total += e[old]
		factor += num.Lgamma(e[old])
		if s.scale[i] != 1 {
			factor -= e[old] * math.Log(s.scale[i])
		}
	}
	e[s.Node] = total
	return factor - num.Lgamma(total)
}

func (s *Split) Draw(x, e []float64, src rand.Source) {
	shares := make([]float64, len(s.Old))
	for i, old := range s.Old {
		shares[i] = e[old]
	}
	Dirichlet(shares, shares, src)
	for i, old := range s.Old {
		x[old] = x[s.Node] * shares[i] / s.scale[i]
	}
}

func (s *Split) Mean(x, e []float64) {
	for i, old := range s.Old {
		x[old] = x[s.Node] * (e[old] / e[s.Node]) / s.scale[i]
	}
}

// Shaped are blocks of nodes that have one shape, each with a mass of its own:
// x_gi = mass_g · shape_i (N06 types 5 and 9). One block alone is a block whose inner
// relations are free of scale. Its exponents are those of the density over masses and one
// shape with base measure Π mass^(r−1), r the length of a block: so that blocks which
// share with no other have the ordinary Dirichlet density. For one block alone r is less by
// the dimensions that inner equalities take, which makes the measure Lebesgue's.
type Shaped struct {
	Mass  []int
	Shape []int
	Old   [][]int // by block and position
	lost  int     // dimensions that inner equalities take
}

func (s *Shaped) Pool(n []float64) {
	for _, node := range s.Shape {
		n[node] = 0
	}
	for g, block := range s.Old {
		total := 0.0
		for i, old := range block {
			total += n[old]
			n[s.Shape[i]] += n[old]
		}
		n[s.Mass[g]] = total
	}
}

func (s *Shaped) Expand(x, _ []float64) {
	for g, block := range s.Old {
		for i, old := range block {
			x[old] = x[s.Mass[g]] * x[s.Shape[i]]
		}
	}
}

func (s *Shaped) Exponents(e []float64) float64 {
	for _, node := range s.Shape {
		e[node] = 1
	}
	for g, block := range s.Old {
		total := 0.0
		for i, old := range block {
			total += e[old]
			e[s.Shape[i]] += e[old] - 1
		}
		e[s.Mass[g]] = total - float64(s.lost)
	}
	return 0
}

func (s *Shaped) Draw(x, _ []float64, _ rand.Source) { s.Expand(x, nil) }
func (s *Shaped) Mean(x, _ []float64)                { s.Expand(x, nil) }
