package constraint_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// relations are all that bounds say with equality at theta, as functions of the tables: sums of the rows that are
// linked, then what is stated, and inequalities whose slack is nothing there. The number of sums comes first.
func relations(net *bn.Network, bounds []constraint.Bound, theta []float64) (sums int, all []func([]float64) float64) {
	seen := make(map[constraint.Row]bool)
	for _, b := range bounds {
		for _, r := range b.Links {
			if !seen[r] {
				seen[r] = true
				lo, hi := net.Layout().Row(r.Var, r.Config)
				all = append(all, func(x []float64) float64 {
					total := 0.0
					for _, v := range x[lo:hi] {
						total += v
					}
					return total
				})
			}
		}
	}
	sums = len(all)
	linear := func(l constraint.Linear) func([]float64) float64 {
		return func(x []float64) float64 {
			total := -l.Value
			for i, cell := range l.Cells {
				coef := 1.0
				if l.Coef != nil {
					coef = l.Coef[i]
				}
				total += coef * x[cell]
			}
			return total
		}
	}
	active := func(f func([]float64) float64) {
		if math.Abs(f(theta)) < 1e-7 {
			all = append(all, f)
		}
	}
	for _, b := range bounds {
		for _, v := range b.Fixed {
			all = append(all, func(x []float64) float64 { return x[v.Cell] - v.P })
		}
		for _, t := range b.Ties {
			for i := range t.Cells[1:] {
				scale := []float64{1, 1}
				if t.Scale != nil {
					scale = []float64{t.Scale[0], t.Scale[i+1]}
				}
				all = append(all, func(x []float64) float64 {
					return x[t.Cells[0]]/scale[0] - x[t.Cells[i+1]]/scale[1]
				})
			}
		}
		for _, l := range b.Equal {
			all = append(all, linear(l))
		}
		for _, l := range b.AtMost {
			active(linear(l))
		}
		for _, r := range b.Ratios {
			first := r.Blocks[0]
			for _, block := range r.Blocks[1:] {
				for i := range block[1:] {
					all = append(all, func(x []float64) float64 {
						return math.Log(x[block[i+1]]) - math.Log(x[block[0]]) - math.Log(x[first[i+1]]) +
							math.Log(x[first[0]])
					})
				}
			}
		}
		for _, s := range b.Smooth {
			of := func(g constraint.Function) func([]float64) float64 {
				return func(x []float64) float64 {
					own := make([]float64, len(s.Cells))
					for i, cell := range s.Cells {
						own[i] = x[cell]
					}
					return g.Value(own)
				}
			}
			for _, g := range s.Equal {
				all = append(all, of(g))
			}
			for _, g := range s.AtMost {
				active(of(g))
			}
		}
	}
	return sums, all
}

// taken is the rank of the relations' Jacobian at theta, by central differences in the logarithms of the tables, less
// the sums of rows.
func taken(net *bn.Network, bounds []constraint.Bound, theta []float64) int {
	sums, all := relations(net, bounds, theta)
	if len(all) == 0 {
		return 0
	}
	jacobian := mat.NewDense(len(all), len(theta), nil)
	x := append([]float64(nil), theta...)
	for cell, v := range theta {
		h := 1e-5 * v
		for i, f := range all {
			x[cell] = v + h
			up := f(x)
			x[cell] = v - h
			jacobian.Set(i, cell, (up-f(x))/2e-5)
			x[cell] = v
		}
	}
	for i := range all {
		row := jacobian.RawRowView(i)
		norm := 0.0
		for _, v := range row {
			norm += v * v
		}
		for k := range row {
			row[k] /= math.Sqrt(norm)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(jacobian, mat.SVDNone) {
		panic("no singular values")
	}
	rank := 0
	for _, s := range svd.Values(nil) {
		if s > 1e-6 {
			rank++
		}
	}
	return rank - sums
}

// TestFreeParametersOfPairs: what every class, and every pair of classes, takes of the free parameters is the rank of
// the active relations, found from what the statements bind to by finite differences, and not from the slopes of the
// package. Entries that statements force to zero have no logarithms; they are counted by hand in TestBindingByHand.
func TestFreeParametersOfPairs(t *testing.T) {
	compared, pairs := 0, 0
	for i, a := range classes {
		for k, b := range classes[i:] {
			if !numtest.Full() && (a.wide || b.wide || (i+k)%3 != 0 && k != 0) {
				continue // a third of the pairs, and every class by itself
			}
			rng := rand.New(rand.NewPCG(uint64(i), uint64(k)))
			found := 0
			for range 3 {
				sc := newScene(t, rng, a.wide || b.wide)
				truth := sc.truth()
				statements := a.draw(t, sc, truth)
				if k > 0 {
					statements = append(statements, b.draw(t, sc, truth)...)
				}
				p, err := constraint.Compile(sc.net, statements...)
				if err != nil {
					continue
				}
				theta := make([]float64, sc.net.Layout().Len())
				if p.Maximize(theta, sc.positive()) != nil {
					continue
				}
				isInside := true
				for _, x := range theta {
					isInside = isInside && x > 1e-6
				}
				if !isInside {
					continue
				}
				var bounds []constraint.Bound
				for _, s := range statements {
					own, err := s.Bind(sc.net)
					if err != nil {
						t.Fatal(err)
					}
					bounds = append(bounds, own...)
				}
				found++
				if got, want := p.Binding(theta), taken(sc.net, bounds, theta); got != want {
					t.Errorf("%s and %s: %d relations, want %d; %v", a.name, b.name, got, want, statements)
				}
			}
			pairs++
			if found > 0 {
				compared++
			}
		}
	}
	if t.Logf("%d of %d pairs", compared, pairs); compared < pairs*3/4 {
		t.Errorf("only %d of %d pairs were compared", compared, pairs)
	}
}
