package posterior

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/internal/say"
)

// A mixture is a [structure.GraphPrior] that is an average of products over families:
//
//	exp LogPrior(v) = Σ_k weights[k] · bases[k]^v   for v = 0 … most
//
// with weights and bases of at least 0, so that sums over graphs are sums over k of sums under a FamilyPrior. That of a
// hierarchy is one ([hierarchy.Prior.Graph]). Violations are whole numbers.
//
// [hierarchy.Prior.Graph]: https://pkg.go.dev/bnlab/bnkit/structure/hierarchy#Prior.Graph
type mixture interface {
	Mixture(most int) (weights, bases []float64)
}

// errNoMixture refuses a GraphPrior in exact sums.
var errNoMixture = errors.New("posterior: the exact sums need a prior that is a product over families or an average " +
	"of such products (hierarchy.Prior), and this GraphPrior is neither; give it as a FamilyPrior of the scorer, or " +
	"use posterior.Partitions{}")

// A part is families under one product of a mixture, and its weight.
type part struct {
	*families
	weight float64
}

// parts divides a GraphPrior into products over families. Without one the families are the only part.
func (t *task) parts(f *families) ([]part, error) {
	if t.prior == nil {
		return []part{{f, 1}}, nil
	}
	mix, ok := t.prior.(mixture)
	if !ok {
		return nil, errNoMixture
	}
	breaks := make([][]float64, len(f.of)) // by child and family
	most := 0.0
	for v, list := range f.of {
		high := 0.0
		for _, x := range list {
			b := t.prior.Violations(t.vars[v].Name, t.names(members(x.set)))
			if !(b >= 0 && b == math.Floor(b)) {
				return nil, say.Errorf("posterior: %v counts %v violations of %q given %v; exact sums need a whole "+
					"number; use posterior.Partitions{}", t.prior, b, t.vars[v].Name, t.names(members(x.set)))
			}
			breaks[v] = append(breaks[v], b)
			high = max(high, b)
		}
		most += high
	}
	weights, bases := mix.Mixture(int(most))
	var out []part
	for k, w := range weights {
		if w == 0 {
			continue
		}
		g := &families{of: make([][]family, len(f.of)), scale: f.scale}
		for v, list := range f.of {
			for i, x := range list {
				if by := wideExp(breaks[v][i] * math.Log(bases[k])); breaks[v][i] == 0 {
					g.of[v] = append(g.of[v], x)
				} else if by.m > 0 {
					g.of[v] = append(g.of[v], family{x.set, x.weight.times(by)})
				}
			}
			slices.SortFunc(g.of[v], compareFamilies)
		}
		out = append(out, part{g, w})
	}
	return out, nil
}

// fold makes a GraphPrior that is one product over families part of their weights, and reports whether it did.
func (t *task) fold(f *families) (*families, bool) {
	mix, ok := t.prior.(mixture)
	if !ok {
		return f, false
	}
	if weights, _ := mix.Mixture(1); len(weights) != 1 || weights[0] != 1 {
		return f, false
	}
	parts, err := t.parts(f)
	if err != nil {
		return f, false
	}
	return parts[0].families, true
}

// An exactPart is what the sums over the graphs of one part say.
type exactPart struct {
	logSum                float64 // with the weight of the part
	arcs, paths, blankets [][]float64
	drawn                 [][]uint64
	rounding              float64
}

// shares returns the shares of the parts in the sum over all graphs, and its logarithm.
func shares(parts []exactPart) (shares []float64, logSum float64) {
	high := math.Inf(-1)
	for _, p := range parts {
		high = max(high, p.logSum)
	}
	total := 0.0
	for _, p := range parts {
		shares = append(shares, math.Exp(p.logSum-high))
		total += shares[len(shares)-1]
	}
	for k := range shares {
		shares[k] /= total
	}
	return shares, high + math.Log(total)
}

// averaged returns Σ_k shares[k] · of(parts[k]).
func averaged(parts []exactPart, shares []float64, of func(exactPart) [][]float64) [][]float64 {
	if len(parts) == 1 {
		return of(parts[0])
	}
	out := square(len(of(parts[0])))
	for k, p := range parts {
		for u, row := range of(p) {
			for v, x := range row {
				out[u][v] += shares[k] * x
			}
		}
	}
	return out
}

// mixed takes draw i from a part with the probability of its share.
func mixed(parts []exactPart, shares []float64, seed uint64) [][]uint64 {
	if len(parts) == 1 {
		return parts[0].drawn
	}
	r := rand.New(rand.NewPCG(seed, math.MaxUint64)) // no draw's stream
	out := make([][]uint64, len(parts[0].drawn))
	for i := range out {
		x, k := r.Float64(), 0
		for k < len(parts)-1 && x >= shares[k] {
			x -= shares[k]
			k++
		}
		out[i] = parts[k].drawn[i]
	}
	return out
}

// sums sums over the graphs of one part.
func (e Exact) sums(ctx context.Context, t *task, f part, draws int, paths, blankets bool) (exactPart, error) {
	var p exactPart
	l, err := newLattice(ctx, t, f.families, e.OrderPrior)
	if err != nil {
		return p, err
	}
	if err := l.forward(ctx); err != nil {
		return p, err
	}
	full := len(l.sum) - 1
	p.logSum = l.sum[full].log() + f.scale + math.Log(f.weight)
	if l.sum[full].m == 0 {
		return p, nil
	}
	t.report(0.6, "sums over graphs")
	if err := l.backward(ctx); err != nil {
		return p, err
	}
	t.report(0.7, "arcs")
	p.arcs, p.rounding = l.arcs()
	if p.drawn, err = l.draw(ctx, f.families, draws, e.Seed); err != nil {
		return p, err
	}
	if paths {
		if p.paths, err = l.paths(ctx); err != nil {
			return p, err
		}
	}
	if blankets {
		p.blankets, err = l.blankets(ctx)
	}
	return p, err
}
