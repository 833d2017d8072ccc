package weigh

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/experiments/run"
)

// The ways to use statements, all with the uniform prior of each row.
const (
	none     = "none"
	all      = "all believed"
	averaged = "averaged" // with the default prior of strengths
	dropped  = "worst dropped"
	priced   = "at a price"
)

// withStrength names the average with this strength of each statement, independently.
func withStrength(s float64) string { return fmt.Sprintf("averaged, %g", s) }

// learners are those of a part, with averages at these strengths.
func learners(strengths []float64) []string {
	list := []string{none, all, averaged, dropped, priced}
	for _, s := range strengths {
		list = append(list, withStrength(s))
	}
	return list
}

// A study is a child whose table is to be learned, and what is said of it.
type study struct {
	net        *bn.Network
	child      int
	statements []constraint.Constraint
	config     Config
}

// fit returns the table that a learner makes of cases; what it makes of the statements, if it weighs them.
func (s *study) fit(ctx context.Context, learner string, cases *data.Table, src *rand.PCG) ([]float64, *learn.Weighing,
	error) {
	counts, err := cases.Count(s.net, &data.CountOptions{Workers: 1})
	if err != nil {
		return nil, nil, err
	}
	seed, _ := run.State(src)
	switch learner {
	case none:
		return s.mean(ctx, counts, nil, src)
	case all:
		return s.mean(ctx, counts, s.statements, src)
	case dropped:
		kept, err := s.withoutWorst(ctx, counts, seed)
		if err != nil {
			return nil, nil, err
		}
		return s.mean(ctx, counts, kept, src)
	case priced:
		table, err := s.price(cases, counts, src)
		return table, nil, err
	}
	m := learn.Averaged{Constraints: s.statements, Seed: seed}
	for _, strength := range s.config.Strengths {
		if learner == withStrength(strength) {
			m.Independent = true
			for range s.statements {
				m.Strengths = append(m.Strengths, strength)
			}
		}
	}
	compiled, err := learn.Compile(s.net, m)
	if err != nil {
		return nil, nil, err
	}
	r, err := compiled.Fit(counts, nil)
	if err != nil {
		return nil, nil, err
	}
	return slices.Clone(r.Net.CPT(s.child).P), r.Weighing, nil
}

// largest is the dimension up to which tables under statements are drawn: that of census has 182.
const largest = 200

// mean is the posterior mean under statements that hold.
func (s *study) mean(ctx context.Context, counts *data.Counts, statements []constraint.Constraint, src *rand.PCG) (
	[]float64, *learn.Weighing, error) {
	p, err := constraint.Compile(s.net, statements...)
	if err != nil {
		return nil, nil, err
	}
	theta := make([]float64, len(counts.N))
	if _, err := p.PosteriorMean(ctx, theta, counts.N, make([]float64, len(counts.N)),
		&constraint.Sampling{Draws: s.config.Draws, Src: src, Largest: largest}); err != nil {
		return nil, nil, err
	}
	return s.table(counts.Layout, theta), nil, nil
}

// table is the part of the parameters that is the child's.
func (s *study) table(layout bn.Layout, theta []float64) []float64 {
	lo, hi := layout.Family(s.child)
	return theta[lo:hi]
}

// doubted is the p-value up to which the worst statement is dropped.
const doubted = 0.05

// withoutWorst are the statements without that of the smallest p-value, if it is small.
func (s *study) withoutWorst(ctx context.Context, counts *data.Counts, seed uint64) ([]constraint.Constraint, error) {
	compiled, err := learn.Compile(s.net, learn.ML{Constraints: s.statements})
	if err != nil {
		return nil, err
	}
	fit, err := compiled.Fit(counts, nil)
	if err != nil {
		return nil, err
	}
	verdicts, err := fit.Audit(ctx, &learn.AuditSettings{Simulations: s.config.Simulations, Seed: seed})
	if err != nil {
		return nil, err
	}
	worst, least := -1, doubted
	for i, v := range verdicts {
		if v.HasPValue && v.PValue <= least {
			worst, least = i, v.PValue
		}
	}
	if worst < 0 {
		return s.statements, nil
	}
	return slices.Delete(slices.Clone(s.statements), worst, worst+1), nil
}

// folds of the cross-validation by which a price is chosen.
const folds = 3

// price is the mode with statements at the price that predicts best inside the cases; its pseudocount of 1 makes the
// free mode the posterior mean of the others.
func (s *study) price(cases *data.Table, counts *data.Counts, src *rand.PCG) ([]float64, error) {
	parts, err := cases.Folds(folds, src)
	if err != nil {
		return nil, err
	}
	best, chosen := math.Inf(-1), []float64(nil)
	fitted := func(p *constraint.Problem, n []float64) ([]float64, error) {
		theta := make([]float64, len(n))
		plus := make([]float64, len(n))
		for i := range n {
			plus[i] = n[i] + 1
		}
		return theta, p.Maximize(theta, plus)
	}
	var tests []*data.Counts
	for _, rows := range parts {
		test, err := cases.Select(rows).Count(s.net, &data.CountOptions{Workers: 1})
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	for _, price := range s.config.Prices {
		p, err := constraint.CompileSoft(s.net, price, s.statements...)
		if err != nil {
			return nil, err
		}
		score := 0.0
		for _, test := range tests {
			rest := make([]float64, len(counts.N))
			for i := range rest {
				rest[i] = counts.N[i] - test.N[i]
			}
			theta, err := fitted(p, rest)
			if err != nil {
				return nil, err
			}
			score += logScore(s.table(counts.Layout, theta), s.table(counts.Layout, test.N))
		}
		if score > best {
			best = score
			theta, err := fitted(p, counts.N)
			if err != nil {
				return nil, err
			}
			chosen = s.table(counts.Layout, theta)
		}
	}
	return chosen, nil
}

// logScore is Σ w log θ over the cells of a table.
func logScore(table, weights []float64) float64 {
	sum := 0.0
	for i, w := range weights {
		if w > 0 {
			sum += w * math.Log(table[i])
		}
	}
	return sum
}

// A Score is how well a table predicts.
type Score struct {
	LogScore float64 // nats a case
	AUC      float64
}

// score predicts a child with two states in held-out cases, given as their weight in each cell of the table.
func score(table, weights []float64) (Score, error) {
	total := 0.0
	scores, positive, each := []float64(nil), []bool(nil), []float64(nil)
	for i, w := range weights {
		total += w
		if w > 0 {
			scores, positive, each = append(scores, table[i|1]), append(positive, i&1 == 1), append(each, w)
		}
	}
	auc, err := metric.AUC(scores, positive, each)
	return Score{logScore(table, weights) / total, auc}, err
}
