package hierarchy

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// Graph returns the prior for searches of whole graphs ([structure.Settings].GraphPrior), whose variables have
// the hierarchy's names, as they are or with slices. Only the parent-wise assumption has a v
// that is a sum of what each family breaks; for others it returns an error. (B06 §2.2: P_p.)
func (p Prior) Graph(h *Hierarchy) (structure.GraphPrior, error) {
	if h == nil || !(p.Alpha >= 0) {
		return nil, say.Errorf("hierarchy: a hierarchy's prior needs a hierarchy and an α of at least 0, not %v",
			p.Alpha)
	}
	rule, ok := p.assumption().(ParentWise)
	if !ok {
		return nil, say.Errorf("hierarchy: under the %s one family decides what another breaks, so v is no sum over "+
			"families; use Hierarchy.Learn with hierarchy.Prior for one graph, or the parent-wise Rule", p.assumption())
	}
	return graphTerm{p, h, rule, h.slices()}, nil
}

// graphTerm is the parent-wise prior by names.
type graphTerm struct {
	Prior
	h      *Hierarchy
	rule   ParentWise
	number map[string][2]int
}

// Mixture writes the prior as an average of products over families,
//
//	1/(1+αv) = Σ_k weights[k] · bases[k]^v   for v = 0 … most,
//
// for exact sums over graphs ([posterior.Exact]). With a = 1/α, 1/(1+αv) is a ∫ x^{v−1} x^a dx over [0, 1] for v ≥ 1,
// which the Gauss quadrature of the weight x^a gives without error with most/2 nodes, and what is missing of 1 at
// v = 0 falls to the base 0. (The recurrence of Jacobi polynomials and Golub and Welsch 1969.)
//
// [posterior.Exact]: https://pkg.go.dev/bnlab/bnkit/structure/posterior#Exact
func (g graphTerm) Mixture(most int) (weights, bases []float64) {
	a := 1 / g.Alpha
	switch {
	case math.IsInf(a, 1) || most == 0: // α = 0, or too small to be told from it
		return []float64{1}, []float64{1}
	case a == 0: // α = ∞
		return []float64{1}, []float64{0}
	}
	n := (most + 1) / 2
	m := mat.NewSymDense(n, nil)
	for i := range n {
		k := float64(i)
		if i == 0 {
			m.SetSym(0, 0, a/(a+2))
			continue
		}
		s := 2*k + a
		m.SetSym(i, i, a/s*(a/(s+2)))
		m.SetSym(i-1, i, 2*k*((k+a)/s)/(math.Sqrt(s+1)*math.Sqrt(s-1)))
	}
	var e mat.EigenSym
	if !e.Factorize(m, true) {
		panic("hierarchy: the eigenvalues of a tridiagonal matrix")
	}
	var q mat.Dense
	e.VectorsTo(&q)
	rest := 1.0
	for k, y := range e.Values(nil) {
		x, p := (1+y)/2, q.At(0, k)
		w := a / (a + 1) * p * p / x
		weights, bases = append(weights, w), append(bases, x)
		rest -= w
	}
	return append(weights, max(rest, 0)), append(bases, 0)
}

// String describes the prior without a search.
func (g graphTerm) String() string {
	return fmt.Sprintf("1/(1 + %v v), v the links that break the parent-wise assumption of a hierarchy", g.Alpha)
}

// Violations counts the parents without an h-parent among them. Variables that the hierarchy does
// not have break nothing.
func (g graphTerm) Violations(child string, parents []string) float64 {
	j, ok := g.number[child]
	if !ok {
		return 0
	}
	links := make(Links, g.h.Len())
	for _, name := range parents {
		if i, ok := g.number[name]; ok {
			links[j[0]] = append(links[j[0]], i[0])
		}
	}
	return float64(g.h.violationsOf(g.rule, links, j[0]))
}
