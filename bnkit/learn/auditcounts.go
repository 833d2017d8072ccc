package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/verdict"
	"bnlab/internal/num"
)

// audit holds what all verdicts on complete cases share.
type audit struct {
	r   *Result
	set *AuditSettings
	src *rand.PCG
	all *audited
	// marginals are log probabilities of the data under some statements, by their numbers; nil where there is none.
	marginals map[string]*constraint.Estimate
	groups    [][]int    // of statements that share distributions, directly or through others, by their numbers
	of        []int      // by statement, its group
	fits      []*audited // under the statements of a group alone, once made
}

func newAudit(r *Result, set *AuditSettings) (*audit, error) {
	a := &audit{r: r, set: set, src: rand.NewPCG(set.Seed, set.Stream)}
	var err error
	if a.all, err = a.fit(r.Statements); err != nil {
		return nil, err
	}
	a.group()
	return a, nil
}

func (a *audit) tables() *constraint.Problem { return a.all.tables }

// without are the statements but one.
func (a *audit) without(i int) []constraint.Constraint {
	return slices.Delete(slices.Clone(a.r.Statements), i, i+1)
}

// audited is a maximum-likelihood fit under some statements.
type audited struct {
	*Result
	tables *constraint.Problem
	shares []constraint.Weights
}

func (a *audit) counts() *data.Counts {
	return &data.Counts{Layout: a.r.Net.Layout(), N: a.r.Counts, Rows: a.r.Cases, Skipped: a.r.Skipped}
}

func (a *audit) fit(statements []constraint.Constraint) (*audited, error) {
	p, err := compile(a.r.Net, ML{Constraints: statements})
	if err != nil {
		return nil, err
	}
	r, err := p.fit(context.Background(), a.counts(), a.r.Moments)
	if err != nil {
		return nil, err
	}
	return &audited{Result: r, tables: p.tables, shares: p.shares}, nil
}

func (a *audit) weigh(ctx context.Context, i int) (Verdict, evidence, error) {
	all := a.all
	v := Verdict{Statement: a.r.Statements[i], Method: "chi-square"}
	if err := ctx.Err(); err != nil {
		return v, evidence{}, err
	}
	_, about, err := constraint.BindWeights(a.r.Net, v.Statement)
	if err != nil {
		return v, evidence{}, err
	}
	if len(about) == 0 { // linear-Gaussian nodes
		without, err := a.fit(a.without(i))
		if err != nil {
			return v, evidence{}, err
		}
		v.Cost = max(0, without.LogLikelihood-all.LogLikelihood)
		v.Degrees = takenWeights(all.Net, all.shares) - takenWeights(all.Net, without.shares)
		found := evidence{isFree: v.Cost <= 1e3*rounding*math.Abs(all.LogLikelihood), hasCases: true}
		if v.HasInequalities = limitsWeights(all.Net, v.Statement); !v.HasInequalities {
			v.PValue, v.HasPValue = chiSquare(v.Degrees, 2*v.Cost), true
			return v, found, nil
		}
		v.PValue, v.HasPValue, v.Method = 1, true, "chi-bar-square"
		if !found.isFree {
			found.p = &verdict.Simulated{Cost: v.Cost}
			if err = a.chiBarWeights(ctx, a.simulations(), found.p, a.src, all, without); err == nil {
				v.read(found.p)
			}
		}
		return v, found, err
	}
	// Tables that no linked statement is about are the same with it and without.
	all, without, err := a.around(i)
	if err != nil {
		return v, evidence{}, err
	}
	byCell, slack := costOf(all.tables.Layout(), a.r.Counts, all.Solution, without.Solution)
	v.Cost = max(0, num.Sum(byCell))
	v.Degrees = all.tables.Binding(all.Solution.Theta) - without.tables.Binding(all.Solution.Theta)
	v.HasInequalities = all.tables.Inequalities() > without.tables.Inequalities()
	if v.HasInequalities {
		v.Method = "chi-bar-square"
	}
	found := evidence{isFree: v.Cost <= slack, cost: byCell,
		hasCases: verdict.HasCases(a.r.Net, v.Statement, a.r.Counts)}
	switch {
	case !v.HasInequalities:
		v.PValue, v.HasPValue = chiSquare(v.Degrees, 2*v.Cost), true
	case found.isFree:
		v.PValue, v.HasPValue = 1, true
	default:
		found.p = &verdict.Simulated{Cost: v.Cost}
		if err = a.chiBarSquare(ctx, a.simulations(), found.p, a.src, all, without); err != nil {
			return v, found, err
		}
		v.HasPValue = true
		v.read(found.p)
	}
	return v, found, a.bayesFactor(ctx, &v, i)
}

// simulate goes on with draws of their own, so that those of other statements stay what they are.
func (a *audit) simulate(ctx context.Context, i, count int, p *verdict.Simulated) error {
	_, about, err := constraint.BindWeights(a.r.Net, a.r.Statements[i])
	if err != nil {
		return err
	}
	src := rand.NewPCG(a.set.Seed^0x61756469742d6d6f, a.set.Stream*maxSimulations+uint64(i)<<32+uint64(count))
	if len(about) == 0 {
		without, err := a.fit(a.without(i))
		if err != nil {
			return err
		}
		return a.chiBarWeights(ctx, count, p, src, a.all, without)
	}
	all, without, err := a.around(i)
	if err != nil {
		return err
	}
	return a.chiBarSquare(ctx, count, p, src, all, without)
}

func (a *audit) simulations() int {
	if a.set.Simulations == 0 {
		return defaultWeights
	}
	return a.set.Simulations
}

// around solves the tables under the statements that are linked with one, with it and without.
func (a *audit) around(i int) (with, without *audited, err error) {
	group := a.of[i]
	if a.fits[group] == nil {
		if a.fits[group], err = a.solve(a.groups[group]); err != nil {
			return nil, nil, err
		}
	}
	without, err = a.solve(a.but(i))
	return a.fits[group], without, err
}

// solve is the fit of the tables under the statements with these numbers.
func (a *audit) solve(numbers []int) (*audited, error) {
	var statements []constraint.Constraint
	for _, i := range numbers {
		statements = append(statements, a.r.Statements[i])
	}
	p, err := compile(a.r.Net, ML{Constraints: statements})
	if err != nil {
		return nil, err
	}
	solution, err := p.tables.SolveUnflagged(a.r.Counts)
	if err != nil {
		return nil, err
	}
	return &audited{Result: &Result{Net: a.r.Net, Counts: a.r.Counts, Solution: solution}, tables: p.tables}, nil
}

// rounding is what arithmetic leaves of a log-likelihood, relative to its size.
const rounding = 1e-14

// costOf is the log-likelihood n log θ of a solution without a statement less that with it,
// in nats, by table entry. A sum up to slack may come from how the two were
// found: their gaps, the residuals of searches for curved statements, and rounding.
func costOf(layout bn.Layout, n []float64, with, without *constraint.Solution) (cost []float64,
	slack float64) {
	cost = make([]float64, len(n))
	for cell, x := range n {
		if x > 0 && with.Theta[cell] != without.Theta[cell] {
			cost[cell] = x * math.Log(without.Theta[cell]/with.Theta[cell])
			slack += rounding * x * (1 - math.Log(with.Theta[cell]))
		}
	}
	for _, s := range []*constraint.Solution{with, without} {
		for _, part := range s.Parts {
			moved, cases := false, 0.0
			for _, row := range part.Rows {
				lo, hi := layout.Row(row.Var, row.Config)
				moved = moved || !slices.Equal(with.Theta[lo:hi], without.Theta[lo:hi])
				for _, x := range n[lo:hi] {
					cases += x
				}
			}
			if moved {
				slack += part.Gap + part.Residual*cases
			}
		}
	}
	return cost, slack
}
