package posterior

import (
	"context"
	"errors"
	"fmt"
	"math"

	"bnlab/internal/say"
)

// Exact sums over all graphs by dynamic programming over sets of variables. Let β_v(P) be exp of the score of a
// family, A_v(U) = Σ_{P ⊆ U} β_v(P), and Z(S) the sum over all graphs of the variables in S. As every graph has
// sinks, by inclusion and exclusion of the sets T of them (Tian and He 2009)
//
//	Z(S) = Σ_{∅ ≠ T ⊆ S} (−1)^{|T|+1} Z(S∖T) Π_{v∈T} A_v(S∖T),
//
// 3ⁿ terms. Read backwards they give the probability that no arc leads into U from outside, and how much of it falls
// to A_v(U), from which those of arcs follow. Alternating signs cost no more than a factor 2^sinks in precision.
//
// Under OrderPrior graphs weigh as many times as there are orders of the variables that agree with them
// (Koivisto and Sood 2004): T has one member, and there are n·2ⁿ terms, all positive. This prior favours graphs with
// many orders; of Markov equivalent graphs it does not make the same.
//
// The GraphPrior of a hierarchy ([hierarchy.Prior.Graph]) is 1/(1+αv) = ∫ e^{−t(1+αv)} dt, an average of products over
// families, which a quadrature with at most v/2 + 1 nodes gives without error: so many sums over graphs are averaged,
// with positive weights, at so many times the cost. Other priors of the whole graph are refused.
//
// The time grows threefold, or twofold, with each variable, and memory twofold, to 0.4 GB for 20 under OrderPrior and
// 0.9 GB without, where that took 22 seconds on two cores. Arcs are exact.
// Paths are exact up to 10 variables (13 under OrderPrior), by their own sums over a set and the descendants in it,
// and blankets up to 12 (17), by one more Z for each pair, without the graphs in which they meet; beyond, both are
// frequencies in the draws.
//
// [hierarchy.Prior.Graph]: https://pkg.go.dev/bnlab/bnkit/structure/hierarchy#Prior.Graph
type Exact struct {
	OrderPrior   bool
	MaxVariables int    // 0 means 20; at most 24
	Draws        int    // graphs that are drawn, independently; 0 means 1000
	Seed         uint64 // draw i is made with rand.NewPCG(Seed, i)
}

// String describes the method.
func (e Exact) String() string {
	if e.OrderPrior {
		return "exact, a prior that is uniform over orders"
	}
	return "exact, a prior that is uniform over graphs"
}

// most is the largest number of variables.
func (e Exact) most() int {
	if e.MaxVariables > 0 {
		return min(e.MaxVariables, 24)
	}
	return 20
}

// learn implements [Method].
func (e Exact) learn(ctx context.Context, t *task) (*Graphs, error) {
	n := len(t.vars)
	switch {
	case e.MaxVariables < 0 || e.Draws < 0:
		return nil, fmt.Errorf("posterior: exact with MaxVariables %d and Draws %d; give positive numbers, or 0 for "+
			"the defaults", e.MaxVariables, e.Draws)
	case n > e.most():
		terms := 3.0
		if e.OrderPrior {
			terms = 2
		}
		raise := ""
		if n <= 24 {
			raise = "raise Exact.MaxVariables (up to 24), "
		}
		return nil, say.Errorf("posterior: %s, takes at most %d variables, and there are %d (about %.3g terms, "+
			"%.3g GB); choose fewer columns, %sor use posterior.Partitions{}",
			e, e.most(), n, math.Pow(terms, float64(n)), 25*float64(n)*math.Exp2(float64(n-1))/1e9, raise)
	case t.prior != nil:
		if _, ok := t.prior.(mixture); !ok {
			return nil, errNoMixture
		}
	}
	f, err := t.score(ctx)
	if err != nil {
		return nil, err
	}
	products, err := t.parts(f)
	if err != nil {
		return nil, err
	}
	exactPaths, exactBlankets := 10, 12
	if e.OrderPrior {
		exactPaths, exactBlankets = 13, 17
	}
	draws := e.Draws
	if draws == 0 {
		draws = 1000
	}
	var parts []exactPart
	for _, f := range products {
		p, err := e.sums(ctx, t, f, draws, n <= exactPaths, n <= exactBlankets)
		if err != nil {
			return nil, err
		}
		if !math.IsInf(p.logSum, -1) {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return nil, errors.New("posterior: no graph within the rules has a score above −∞")
	}
	share, logSum := shares(parts)
	g := &Graphs{Variables: t.vars, Method: e.String(), MaxParents: t.limits.MaxParents, LogSum: logSum}
	g.arcs.p = averaged(parts, share, func(p exactPart) [][]float64 { return p.arcs })
	rounding := 0.0
	for _, p := range parts {
		rounding = max(rounding, p.rounding)
	}
	if rounding > 1e-9 {
		g.Notes = append(g.Notes, fmt.Sprintf("rounding: the probabilities of a variable's families add up to 1 "+
			"within %.1g", rounding))
	}
	drawn := mixed(parts, share, e.Seed)
	if g.Draws, err = t.graphs(drawn); err != nil {
		return nil, err
	}
	if n <= exactPaths {
		g.paths.p = averaged(parts, share, func(p exactPart) [][]float64 { return p.paths })
	} else {
		g.paths = frequencies(n, drawn, ancestorsOf)
	}
	if n <= exactBlankets {
		g.blankets.p = averaged(parts, share, func(p exactPart) [][]float64 { return p.blankets })
	} else {
		g.blankets = frequencies(n, drawn, blanketOf)
	}
	return g, nil
}

var _ Method = Exact{}
