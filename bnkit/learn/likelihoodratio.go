package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/verdict"
	"bnlab/internal/num"
)

// largestAudited is the dimension up to which Bayes factors are simulated: about a second for
// each statement.
const largestAudited = 20

// logMarginal is the logarithm of the probability of counts under some statements; nil
// where there is no prior, or it is too large to be simulated.
func (a *audit) logMarginal(ctx context.Context, p *constraint.Problem, n []float64) (*constraint.Estimate, error) {
	pseudo := make([]float64, len(n))
	for i := range pseudo {
		pseudo[i] = a.set.Pseudocount
	}
	e, err := p.LogMarginal(ctx, n, pseudo, &constraint.Sampling{Src: a.src, Largest: largestAudited})
	for _, none := range []error{constraint.ErrNoPrior, constraint.ErrImproper, bn.ErrTooLarge} {
		if errors.Is(err, none) {
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return &e, nil
}

// bayesFactor sets the Bayes factor of a statement from the statements that are linked with it: for all other tables
// the marginal likelihood is the same with it and without.
func (a *audit) bayesFactor(ctx context.Context, v *Verdict, i int) error {
	all, err := a.marginal(ctx, a.groups[a.of[i]])
	if all == nil || err != nil {
		return err
	}
	e, err := a.marginal(ctx, a.but(i))
	if e == nil || err != nil {
		return err
	}
	v.favour(all, e)
	if v.Method += ", Bayes factor exact"; v.LogBayesFactor.StdErr > 0 {
		v.Method = strings.TrimSuffix(v.Method, "exact") + "simulated"
	}
	return nil
}

// marginal is the log probability of the counts under the statements with these numbers.
func (a *audit) marginal(ctx context.Context, numbers []int) (*constraint.Estimate, error) {
	key := fmt.Sprint(numbers)
	if e, ok := a.marginals[key]; ok {
		return e, nil
	}
	var statements []constraint.Constraint
	for _, i := range numbers {
		statements = append(statements, a.r.Statements[i])
	}
	p, err := compile(a.r.Net, ML{Constraints: statements})
	if err != nil {
		return nil, err
	}
	e, err := a.logMarginal(ctx, p.tables, a.r.Counts)
	if err != nil {
		return nil, err
	}
	if a.marginals == nil {
		a.marginals = make(map[string]*constraint.Estimate)
	}
	a.marginals[key] = e
	return e, nil
}

// group finds the statements that share distributions, directly or through others.
func (a *audit) group() {
	n := len(a.r.Statements)
	root := make([]int, n)
	find := func(k int) int {
		for root[k] != k {
			root[k] = root[root[k]]
			k = root[k]
		}
		return k
	}
	first := make(map[constraint.Row]int)
	for k, s := range a.r.Statements {
		root[k] = k
		bounds, err := s.Bind(a.r.Net)
		if err != nil {
			continue
		}
		for _, b := range bounds {
			for _, row := range b.Links {
				if other, ok := first[row]; ok {
					root[find(k)] = find(other)
				} else {
					first[row] = k
				}
			}
		}
	}
	a.of = make([]int, n)
	number := make(map[int]int) // by root
	for k := range n {
		top := find(k)
		at, ok := number[top]
		if !ok {
			at = len(a.groups)
			number[top] = at
			a.groups = append(a.groups, nil)
		}
		a.of[k] = at
		a.groups[at] = append(a.groups[at], k)
	}
	a.fits = make([]*audited, len(a.groups))
}

// but are the statements that are linked with one, without it.
func (a *audit) but(i int) []int {
	return slices.DeleteFunc(slices.Clone(a.groups[a.of[i]]), func(k int) bool { return k == i })
}

// favour sets the Bayes factor from two marginal likelihoods.
func (v *Verdict) favour(with, without *constraint.Estimate) {
	v.LogBayesFactor = constraint.Estimate{
		Value:  with.Value - without.Value,
		StdErr: math.Hypot(with.StdErr, without.StdErr),
	}
	v.HasBayesFactor = true
}

// chiSquare is the probability that a chi-square variable with df degrees is at least x.
func chiSquare(df int, x float64) float64 {
	if df <= 0 || x <= 0 {
		return 1
	}
	return distuv.ChiSquared{K: float64(df)}.Survival(x)
}

// chiBarSquare is the probability of a likelihood ratio of x or more when the statements
// hold, by the mixture Σ w_d P(χ²_d ≥ x). The weight w_d is the share of data sets, drawn
// from the estimate under all statements, in which the statement in question takes d
// dimensions. It draws until there are count.
func (a *audit) chiBarSquare(ctx context.Context, count int, found *verdict.Simulated, src rand.Source, all,
	without *audited) error {
	x := 2 * found.Cost
	rng := rand.New(src)
	layout := all.tables.Layout()
	n := make([]float64, layout.Len())
	for range count - found.Draws {
		if err := ctx.Err(); err != nil {
			return err
		}
		// All tables are drawn, so that what is drawn does not depend on what is linked.
		multinomials(n, a.r.Net, layout, a.r.Counts, a.all.Solution.Theta, rng)
		with, err := all.tables.SolveUnflagged(n)
		if err != nil {
			return err
		}
		free, err := without.tables.SolveUnflagged(n)
		if err != nil {
			return err
		}
		p := 0.0
		if cost, slack := costOf(layout, n, with, free); num.Sum(cost) > slack {
			p = chiSquare(max(1, all.tables.Binding(with.Theta)-without.tables.Binding(with.Theta)), x)
		}
		found.Add(p)
	}
	return nil
}

// mostDrawn is the number of cases up to which binomial draws are exact, and end.
const mostDrawn = 1e12

// multinomials draws, for each distribution, as many cases as it has: whole ones, and at least one if
// there are any. Of more than mostDrawn in some distribution all have the same part less. The weights of
// the mixture do not depend on the number, but where it is small.
func multinomials(n []float64, net *bn.Network, layout bn.Layout, counts, theta []float64, rng *rand.Rand) {
	part := 1.0
	for v := range net.Len() {
		lo, hi := layout.Family(v)
		part = min(part, mostDrawn/num.Sum(counts[lo:hi]))
	}
	for v := range net.Len() {
		t := net.CPT(v)
		if t == nil {
			continue
		}
		for config := range t.Configs().Len() {
			lo, hi := layout.Row(v, config)
			left, mass := 0.0, 1.0
			for _, x := range counts[lo:hi] {
				left += x
			}
			if left > 0 {
				left = max(1, math.Round(left*part))
			}
			for cell := lo; cell < hi; cell++ {
				n[cell] = 0
				if left > 0 && mass > 0 {
					q := min(1, theta[cell]/mass)
					if cell == hi-1 {
						q = 1
					}
					n[cell] = distuv.Binomial{N: left, P: q, Src: rng}.Rand()
				}
				left -= n[cell]
				mass -= theta[cell]
			}
		}
	}
}

// tied is the number of dimensions that weight statements take.
func tied(shares []constraint.Weights) int {
	d := 0
	for _, s := range shares {
		d += len(s.Terms) - 1
	}
	return d
}
