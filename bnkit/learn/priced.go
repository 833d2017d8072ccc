package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/statement"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// Priced is MAP with the prices of its statements chosen by the cases: each [constraint.AtPrice] among Constraints
// gets its price times one factor, the same for all, and the factor is that under which left-out cases are most
// probable. Leaving out is exact: for each entry of a table that such a statement is about, the tables are fitted
// again without one of its cases, and the score of a factor is
//
//	Σ n_jk log θ_jk, with θ of all cases but one of n_jk.
//
// Of equal ones the last is taken; under one that holds fewer cases impossible than another the score counts
// as higher. So wrong statements become cheap and right ones dear. The fit is that of MAP: Statements of the result
// have the prices that were chosen. It takes Factors times entries fits of the tables. It returns an error when no
// statement has a price. Fits to incomplete cases are for [EM], with prices as they are.
type Priced struct {
	MAP
	// Factors of the prices, positive; nil means powers of four from 1/4 to 1,024.
	Factors []float64
}

var (
	_ estimator = Priced{}
	_ fitter    = Priced{}
)

// String names the method and its prior.
func (m Priced) String() string { return m.MAP.String() + ", prices chosen by leaving out each case" }

func (m Priced) check() error {
	for _, f := range m.Factors {
		if !(f > 0) || math.IsInf(f, 1) {
			return say.Errorf("learn: a factor of prices is %v; give positive numbers, or nil for powers of four", f)
		}
	}
	if !slices.ContainsFunc(m.Constraints, isPriced) {
		return errors.New("learn: no statement has a price to choose; give some as constraint.AtPrice{Statement: …, " +
			"Price: 1}, or fit by learn.MAP")
	}
	return m.MAP.check()
}

func isPriced(s constraint.Constraint) bool {
	_, ok := statement.As[constraint.AtPrice](s)
	return ok
}

func (m Priced) factors() []float64 {
	if m.Factors != nil {
		return m.Factors
	}
	var list []float64
	for f := 0.25; f <= 1024; f *= 4 {
		list = append(list, f)
	}
	return list
}

// times is MAP at prices times a factor.
func (m Priced) times(factor float64) MAP {
	out := m.MAP
	out.Constraints = slices.Clone(m.Constraints)
	for i, s := range out.Constraints {
		if priced, ok := statement.As[constraint.AtPrice](s); ok {
			priced.Price *= factor
			out.Constraints[i] = priced
		}
	}
	return out
}

// sameScore is the difference of scores, relative to their size, that is rounding.
const sameScore = 1e-10

func (m Priced) search(ctx context.Context, p *problem, c *data.Counts, moments *data.Moments) (*Result, error) {
	var best *problem
	chosen, least, most := 0.0, math.Inf(1), math.Inf(-1)
	cells, err := pricedCells(p.net, m.Constraints, c.N)
	if err != nil {
		return nil, err
	}
	for _, f := range m.factors() {
		at, err := compile(p.net, m.times(f))
		if err != nil {
			return nil, err
		}
		at.workers = p.workers
		impossible, score, err := at.leaveOut(ctx, c.N, cells)
		if err != nil {
			return nil, err
		}
		if best == nil || impossible < least || impossible == least && score >= most-sameScore*math.Abs(most) {
			best, chosen, least, most = at, f, impossible, score
		}
	}
	r, err := best.fit(ctx, c, moments)
	if err != nil {
		return nil, err
	}
	r.Method += fmt.Sprintf(", prices times %v (leaving out each case)", chosen)
	return r, nil
}

// pricedCells are the entries with cases that statements at a price are about.
func pricedCells(net *bn.Network, statements []constraint.Constraint, n []float64) ([]int, error) {
	layout := net.Layout()
	var cells []int
	for _, s := range statements {
		if !isPriced(s) {
			continue
		}
		bounds, err := s.Bind(net)
		if err != nil {
			return nil, say.Errorf("learn: %w", err)
		}
		for _, row := range rowsOf(bounds) {
			lo, hi := layout.Row(row.Var, row.Config)
			for cell := lo; cell < hi; cell++ {
				if n[cell] > 0 {
					cells = append(cells, cell)
				}
			}
		}
	}
	slices.Sort(cells)
	return slices.Compact(cells), nil
}

// leaveOut is the score of the cases of some entries, each predicted from all others, and the weight of those that were
// impossible.
func (p *problem) leaveOut(ctx context.Context, n []float64, cells []int) (impossible, score float64, err error) {
	pseudo, err := p.method.(MAP).pseudocounts(p.tables, p.net)
	if err != nil {
		return 0, 0, err
	}
	logs, errs := make([]float64, len(cells)), make([]error, len(cells))
	pool.Share(len(cells), pool.Workers(p.workers), func() func(int) {
		theta, m := make([]float64, len(n)), make([]float64, len(n))
		return func(i int) {
			if errs[i] = ctx.Err(); errs[i] != nil {
				return
			}
			cell := cells[i]
			copy(m, n)
			m[cell] -= min(1, m[cell])
			if errs[i] = p.tables.AddPrior(m, pseudo); errs[i] != nil {
				return
			}
			if errs[i] = p.tables.Maximize(theta, m); errs[i] == nil {
				logs[i] = math.Log(theta[cell])
			}
		}
	})
	for i, cell := range cells {
		switch {
		case errs[i] != nil:
			return 0, 0, say.Errorf("learn: leaving out a case of P(%s): %w", p.tables.Name(cell), errs[i])
		case math.IsInf(logs[i], -1):
			impossible += n[cell]
		default:
			score += n[cell] * logs[i]
		}
	}
	return impossible, score, nil
}
