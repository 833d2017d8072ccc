package learn

import (
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
)

// Settings govern a run. Nil means the defaults.
type Settings struct {
	// SkipMissing leaves a row out of the counts of each family in which it has a
	// missing cell, instead of refusing the table. Result.Skipped says how many.
	SkipMissing bool
	// Workers bounds the number of processors; 0 means all. Results do not depend
	// on it.
	Workers int
}

// A Result is a fitted network and how it came about.
type Result struct {
	Net        *bn.Network
	Method     string                  // in words
	Statements []constraint.Constraint // the knowledge it was fitted under
	// LogLikelihood of the data at the estimate: natural logarithm, summed over
	// weighted cases, each family over the rows that are complete in it.
	LogLikelihood float64
	Cases         float64           // total weight of the rows
	Counts        []float64         // observed, by the network's Layout
	Skipped       []float64         // weight of rows left out for a missing cell, by variable
	Flags         []constraint.Flag // distributions not to be taken at face value
	Trace         []Step            // the steps that led there; one for a closed form
}

// A Step is one iteration of a fit.
type Step struct {
	Iteration     int     // from 1
	LogLikelihood float64 // after it, as in Result
}

// ErrNoCases is returned for data without rows.
var ErrNoCases = errors.New("there are no cases")

// missing tells what to do about a missing cell.
func missing(err error) error {
	var cell *data.ValueError
	if !errors.As(err, &cell) || !errors.Is(err, data.ErrMissing) {
		return err
	}
	e := *cell
	e.Err = fmt.Errorf("%w; set SkipMissing in Settings to leave such rows out of the tables of the variable and its children, or drop them first (bnkit.DropMissing)", data.ErrMissing)
	return &e
}

// Fit estimates the tables of net from a table of cases, whose columns carry the
// variables' names and states. Net itself is not changed. It returns an error for
// a column or state that is unknown, a missing cell (see Settings.SkipMissing), no
// rows, a statement that does not fit the network, or a continuous variable; those that
// have nothing to do with the data come first.
func Fit(net *bn.Network, t *data.Table, m Method, set *Settings) (*Result, error) {
	if set == nil {
		set = &Settings{}
	}
	problem, err := compile(net, m)
	if err != nil {
		return nil, err
	}
	if t.Rows() == 0 {
		return nil, fmt.Errorf("learn: %w", ErrNoCases)
	}
	opts := &data.CountOptions{Workers: set.Workers}
	if set.SkipMissing {
		opts.Missing = data.SkipMissing
	}
	counts, err := data.Count(t, net, opts)
	if err != nil {
		return nil, fmt.Errorf("learn: %w", missing(err))
	}
	return fit(problem, net, counts, m)
}

// FromCounts estimates the tables of net from its family counts. Net itself is not
// changed, the counts are kept in the result. The errors are those of [Fit], and one
// for a count that is negative or not finite.
func FromCounts(net *bn.Network, c *data.Counts, m Method) (*Result, error) {
	problem, err := compile(net, m)
	if err != nil {
		return nil, err
	}
	return fit(problem, net, c, m)
}

// compile finds what is wrong with the network, the method or its statements before any
// data are looked at.
func compile(net *bn.Network, m Method) (*constraint.Problem, error) {
	if m == nil {
		return nil, errors.New("learn: no method; pass for example learn.MAP{Pseudocount: 1}")
	}
	for v := range net.Len() {
		if !net.Variable(v).IsDiscrete() {
			return nil, fmt.Errorf("learn: %q is continuous; discretise it first (bnkit.Discretize, data.Quantiles)", net.Variable(v).Name)
		}
	}
	problem, err := constraint.Compile(net, m.statements()...)
	if err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	return problem, nil
}

func fit(problem *constraint.Problem, net *bn.Network, c *data.Counts, m Method) (*Result, error) {
	if len(c.N) != problem.Layout().Len() {
		return nil, fmt.Errorf("learn: %d counts for a network with %d table entries", len(c.N), problem.Layout().Len())
	}
	for cell, n := range c.N {
		if !(n >= 0) || math.IsInf(n, 1) {
			return nil, fmt.Errorf("learn: the count of P(%s) is %v; counts must be finite and not negative", problem.Name(cell), n)
		}
	}
	theta, effective, err := m.estimate(problem, net, c.N)
	if err != nil {
		return nil, err
	}
	r := &Result{
		Net: net.Clone(), Method: m.String(), Statements: m.statements(),
		LogLikelihood: logLikelihood(c.N, theta),
		Cases:         c.Rows, Counts: c.N, Skipped: c.Skipped,
		Flags: problem.Flags(theta, effective),
	}
	r.Trace = []Step{{Iteration: 1, LogLikelihood: r.LogLikelihood}}
	for v := range net.Len() {
		lo, hi := problem.Layout().Family(v)
		copy(r.Net.CPT(v).P, theta[lo:hi])
	}
	if err := r.Net.Validate(); err != nil {
		return nil, fmt.Errorf("learn: counts and prior are too large to add up: %w", err)
	}
	for cell, n := range c.N {
		if n > 0 && theta[cell] == 0 {
			return nil, fmt.Errorf("learn: %w: P(%s) would be 0 although there are cases of it (%v); give Dirichlet counts of at least one (pseudocounts of at least zero)", constraint.ErrNoMode, problem.Name(cell), n)
		}
	}
	return r, nil
}

// logLikelihood is Σ N log θ with 0 log 0 = 0.
func logLikelihood(n, theta []float64) float64 {
	total := 0.0
	for i, x := range n {
		if x > 0 {
			total += x * math.Log(theta[i])
		}
	}
	return total
}
