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
	"bnlab/internal/absent"
	"bnlab/internal/interrupt"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

var errNoTable = errors.New("learn: no table; check the error from data.New, data.ReadCSV or what opened the source")

// errNoCases is returned for data without rows.
var errNoCases = errors.New("no cases")

// missing tells what to do about a missing cell or column.
func missing(err error) error {
	if errors.Is(err, bn.ErrUnknownVariable) {
		return say.Errorf("%w; learn.EM fits without the column", err)
	}
	var cell *data.ValueError
	if !errors.As(err, &cell) || !errors.Is(err, data.ErrMissing) {
		return err
	}
	e := *cell
	e.Err = fmt.Errorf("%w; fit by learn.EM, set SkipMissing in Settings, or drop such rows (bnkit.DropMissing)",
		data.ErrMissing)
	return &e
}

// Fit estimates the tables and the linear-Gaussian nodes of net from cases: a table, or any other source, such
// as a database, which may be larger than memory. Columns carry the variables' names and states. Net itself is not
// changed.
//
// A source that is not a table is asked for counts, or, by a method that iterates, for the distinct rows of the
// network's columns with their weights; its other columns are left aside, and a variable without a column is then
// hidden in every case. The estimates are those from a table with the same cases; the draws of [Gibbs] are others.
//
// When ctx is done, a method that iterates returns the best network so far with the status [Interrupted]: where it
// is done at the beginning, that of one pass over the cases. Counting, or a first pass, that it cuts short ends with
// its error.
//
// Fit returns an error for a column or state that is unknown, a missing cell (see Settings.SkipMissing), no rows,
// a statement that does not fit the network, a setting or pseudocount out of range, or a likelihood that is
// unbounded ([constraint.ErrUnbounded]); those that have nothing to do with the data come first.
func Fit(ctx context.Context, net *bn.Network, cases data.Source, m Method, set *Settings) (*Result, error) {
	if set == nil {
		set = &Settings{}
	}
	if err := set.check(); err != nil {
		return nil, err
	}
	p, err := compile(net, m)
	if err != nil {
		return nil, err
	}
	p.workers = set.Workers
	if absent.Is(cases) {
		return nil, errNoTable
	}
	if t, ok := cases.(*data.Table); ok {
		return p.fitTable(ctx, t, m, set)
	}
	return p.fitSource(ctx, cases, m, set)
}

// fitTable is [Fit] for a table.
func (p *problem) fitTable(ctx context.Context, t *data.Table, m Method, set *Settings) (*Result, error) {
	if t.Rows() == 0 {
		return nil, fmt.Errorf("learn: %w", errNoCases)
	}
	if t.TotalWeight() == 0 {
		return nil, fmt.Errorf("learn: %w: all %d rows have weight 0", errNoCases, t.Rows())
	}
	if it, ok := m.(iterative); ok {
		r, err := p.iterateTable(ctx, t, it, set)
		if r != nil && r.Expected {
			r.rows = &fittedRows{table: t, method: m, set: *set}
		}
		return r, err
	}
	if err := ctx.Err(); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	if m, ok := m.(Averaged); ok && !set.SkipMissing && !hasGaussian(p.net) {
		if open, err := isOpenTo(p.net, t); err != nil {
			return nil, err
		} else if open {
			return m.fitGaps(ctx, p, t, set)
		}
	}
	counts, err := t.Count(p.net, set.counting())
	if err != nil {
		return nil, say.Errorf("learn: %w", missing(err))
	}
	var moments *data.Moments
	if hasGaussian(p.net) {
		if moments, err = t.Crossproducts(p.net, set.counting()); err != nil {
			return nil, say.Errorf("learn: %w", missing(err))
		}
	}
	return p.fit(ctx, counts, moments)
}

// iterateTable is fitTable for a method that iterates.
func (p *problem) iterateTable(ctx context.Context, t *data.Table, m iterative, set *Settings) (*Result, error) {
	if m, ok := m.(tabular); ok {
		return m.fitTable(ctx, p, t, set)
	}
	ctx = interrupt.Of(ctx)
	c, err := planned(ctx, p.net, t, m, set)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	r, err := p.iterate(ctx, c, m, set)
	if err != nil {
		return nil, err
	}
	if m, ok := m.(conditional); ok && len(m.conditions()) > 0 {
		return r, nil // what the joint likelihood tells is not what the conditional one does
	}
	if t.Regimes() != nil {
		return r, nil
	}
	return r, p.flagOpen(r, c, t)
}

// fitSource is [Fit] for a source that is not a table.
func (p *problem) fitSource(ctx context.Context, src data.Source, m Method, set *Settings) (*Result, error) {
	if !(src.TotalWeight() > 0) {
		return nil, fmt.Errorf("learn: %w with a positive weight", errNoCases)
	}
	if !Iterates(m) && !hasGaussian(p.net) {
		counts, err := countSource(ctx, p.net, src, set.counting())
		_, takesGaps := m.(Averaged)
		if err != nil && !(takesGaps && errors.Is(err, data.ErrMissing)) {
			return nil, missing(err)
		}
		if err == nil {
			return p.fit(ctx, counts, nil)
		}
	}
	var names []string
	for _, v := range src.Variables() {
		if slices.ContainsFunc(p.net.Variables(), func(w bn.Variable) bool { return w.Name == v.Name }) {
			names = append(names, v.Name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("learn: %w: no column of the source is a variable of the network", bn.ErrUnknownVariable)
	}
	rows, err := src.DistinctRows(ctx, names...)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	return p.fitTable(ctx, rows, m, set)
}

// FitCases is [Fit] by an iterative method, such as [EM], for cases that are not a table. Net
// says structure and states; the slices that c is given follow its layout.
func FitCases(ctx context.Context, net *bn.Network, c Cases, m Method, set *Settings) (*Result, error) {
	if set == nil {
		set = &Settings{}
	}
	if err := set.check(); err != nil {
		return nil, err
	}
	p, err := compile(net, m)
	if err != nil {
		return nil, err
	}
	it, ok := m.(iterative)
	if _, rows := m.(tabular); !ok || rows {
		return nil, say.Errorf("learn: %s needs the rows of a table; use EM, or Fit", m)
	}
	if c == nil {
		return nil, fmt.Errorf("learn: %w: the cases are nil; check the error from what should have made them",
			errNoCases)
	}
	if err := madeFor(net, c, "the cases"); err != nil {
		return nil, err
	}
	return p.iterate(ctx, c, it, set)
}

// A problem is what is known before any data are looked at.
type problem struct {
	net     *bn.Network
	method  Method
	tables  *constraint.Problem
	shares  []constraint.Weights
	from    *bn.Network // where the current start begins, nil for a random one
	workers int         // of Settings
}

// binder is a method that does not hold every statement exactly.
type binder interface {
	bind(net *bn.Network, statements ...constraint.Constraint) (*constraint.Problem, error)
}

// compile finds what is wrong with the network, the method or its statements.
func compile(net *bn.Network, m Method) (*problem, error) {
	if m == nil {
		return nil, errors.New("learn: no method; pass for example learn.MAP{Pseudocount: 1}")
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	shares, rest, err := constraint.BindWeights(net, m.statements()...)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	bind := constraint.Compile
	if m, ok := m.(binder); ok {
		bind = m.bind
	}
	tables, err := bind(net, rest...)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	if r, ok := m.(preparer); ok {
		if m, err = r.prepared(net, tables); err != nil {
			return nil, err
		}
	}
	return &problem{net: net, method: m, tables: tables, shares: shares}, nil
}

func (p *problem) fit(ctx context.Context, c *data.Counts, moments *data.Moments) (*Result, error) {
	tables := p.tables
	if c == nil {
		c = &data.Counts{}
		if moments != nil {
			c.Rows = moments.Rows
		}
	}
	if len(c.N) != tables.Layout().Len() {
		return nil, fmt.Errorf("learn: %d counts for a network with %d table entries", len(c.N), tables.Layout().Len())
	}
	for cell, n := range c.N {
		if !(n >= 0) || math.IsInf(n, 1) {
			return nil, say.Errorf("learn: the count of P(%s) is %v; counts must be finite and not negative",
				tables.Name(cell), n)
		}
	}
	if m, ok := p.method.(fitter); ok {
		return m.search(ctx, p, c, moments)
	}
	solution, err := p.method.(estimator).estimate(tables, p.net, c.N)
	if err != nil {
		return nil, err
	}
	theta := solution.Theta
	r := &Result{
		Net: p.net.Clone(), Method: p.method.String(), Statements: p.method.statements(),
		Cases: c.Rows, Counts: c.N, Moments: moments, Skipped: make([]float64, p.net.Len()),
		Flags: solution.Flags, Solution: solution,
	}
	copy(r.Skipped, c.Skipped)
	p.put(r.Net, theta)
	if err := r.Net.Validate(); err != nil {
		return nil, say.Errorf("learn: counts and prior overflow: %w", err)
	}
	told := slices.Clone(c.N)
	least := leastOf(told)
	for cell, n := range told {
		switch {
		case n == 0 || theta[cell] > 0:
		case n > least:
			return nil, say.Errorf("learn: %w: P(%s) would be 0 but has %v cases; give pseudocounts of at least 0",
				constraint.ErrNoMode, tables.Name(cell), n)
		default:
			told[cell] = 0
		}
	}
	if r.LogLikelihood = num.LogLikelihood(told, theta); math.IsInf(r.LogLikelihood, 0) {
		return nil, errors.New("learn: the log-likelihood overflows; divide all weights by a constant")
	}
	if err := p.regress(r); err != nil {
		return nil, err
	}
	r.Trace = []Step{{Iteration: 1, LogLikelihood: r.LogLikelihood, Objective: r.LogLikelihood}}
	return r, nil
}

// leastCases is what of a case counts as one, and of the largest count as any: expected counts fade
// out without end.
const leastCases = 1e-12

// leastOf is what counts as none beside counts n.
func leastOf(n []float64) float64 {
	least := leastCases
	for _, x := range n {
		least = max(least, leastCases*x)
	}
	return least
}

// priorOf is Σ (m − n) log θ for counts n and m = n + pseudocounts; pseudocounts that are none beside
// the counts have no part in it where they leave a θ of zero.
func priorOf(m, n, theta []float64) float64 {
	total, least := 0.0, -1.0
	for cell, count := range m {
		extra := count - n[cell]
		if extra == 0 {
			continue
		}
		if theta[cell] == 0 && least < 0 {
			least = leastOf(m)
		}
		if theta[cell] > 0 || !(extra <= least) {
			total += extra * math.Log(theta[cell])
		}
	}
	return total
}
