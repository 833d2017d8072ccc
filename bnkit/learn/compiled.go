package learn

import (
	"context"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/exteriorpenalty"
	"bnlab/internal/say"
)

// A Compiled is a method made ready for a network, to be fitted to sufficient statistics: counts from a paper or
// another program, or many of them, such as those of the folds of a cross-validation, of growing training sets or of
// bootstrap samples. The statements are compiled once. A Compiled does not change, and several goroutines may use it.
type Compiled struct {
	p      *problem
	pseudo []float64 // what a MAP or an ExteriorPenalty adds to counts; nil for nothing
}

// With makes another method ready for the network of c. What was compiled of the statements is shared where m has those
// of c, in the same slice, and is of the same type, [ML] or [MAP], or an [ExteriorPenalty] of the same Margin: a method
// with another prior, start or length of step takes next to no time. Otherwise it is [Compile].
func (c *Compiled) With(m Method) (*Compiled, error) {
	if m == nil || !c.sharesWith(m) {
		return Compile(c.p.net, m)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	p := *c.p
	p.method = m
	if m, ok := m.(ExteriorPenalty); ok {
		old := c.p.method.(*penaltySearch)
		p.method = &penaltySearch{m, old.net, old.free, old.of.With(exteriorpenalty.Settings(m))}
	}
	return p.compiled(m)
}

// sharesWith reports whether what c compiled is what m needs.
func (c *Compiled) sharesWith(m Method) bool {
	switch own := c.p.method.(type) {
	case ML:
		m, ok := m.(ML)
		return ok && isSame(own.Constraints, m.Constraints)
	case MAP:
		m, ok := m.(MAP)
		return ok && isSame(own.Constraints, m.Constraints)
	case *penaltySearch:
		m, ok := m.(ExteriorPenalty)
		return ok && isSame(own.Constraints, m.Constraints) && own.Margin == m.Margin
	}
	return false
}

// isSame reports whether two lists are one slice.
func isSame(a, b []constraint.Constraint) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Compile makes a method ready for a network. It is the way to fit to statistics; [Fit] takes cases. Its errors
// are those of Fit that have nothing to do with data, and one for a method that iterates on cases, such as [EM].
func Compile(net *bn.Network, m Method) (*Compiled, error) {
	p, err := compile(net, m)
	if err != nil {
		return nil, err
	}
	if Iterates(m) {
		return nil, say.Errorf("learn: %s needs cases, not counts; use Fit", m)
	}
	return p.compiled(m)
}

// compiled adds the prior of the method.
func (p *problem) compiled(m Method) (*Compiled, error) {
	var err error
	c := &Compiled{p: p}
	prior, isMAP := m.(MAP)
	if m, ok := m.(ExteriorPenalty); ok {
		prior, isMAP = MAP{Pseudocount: m.Pseudocount}, true // of the tables without statements
	}
	if isMAP {
		if c.pseudo, err = prior.pseudocounts(p.tables, p.net); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Fit estimates the tables of the network from family counts and its linear-Gaussian nodes from moments; either may
// be nil where there are none. The result keeps both. Fit returns the errors of [Fit], and one for a statistic that
// is not finite or not of this network.
func (c *Compiled) Fit(counts *data.Counts, moments *data.Moments) (*Result, error) {
	return c.FitContext(context.Background(), counts, moments)
}

// FitContext is Fit with an error for a done ctx, which methods that simulate or average look at: [Averaged],
// [AveragedSharing] and [PosteriorMean]. The others take no time.
func (c *Compiled) FitContext(ctx context.Context, counts *data.Counts, moments *data.Moments) (*Result, error) {
	return c.p.fit(ctx, counts, moments)
}

// Tables writes to theta the tables that [Compiled.Fit] finds for counts n, both by the
// network's layout, and no more: no flags, no certificate, no likelihood. For [ML] and [MAP] it
// allocates nothing beyond what the prior needs. It returns an error where these tables do not
// exist, and panics when a slice has another length.
func (c *Compiled) Tables(theta, n []float64) error {
	size := c.p.tables.Layout().Len()
	if len(theta) != size || len(n) != size {
		panic(fmt.Sprintf("learn: %d entries and %d counts for a network with %d table entries", len(theta), len(n),
			size))
	}
	switch m := c.p.method.(type) {
	case ML, MAP:
		return maximum(c.p.tables, theta, n, c.pseudo)
	case *penaltySearch:
		return m.tables(theta, n, c.pseudo)
	default:
		solution, err := c.p.method.(estimator).estimate(c.p.tables, c.p.net, n)
		if err != nil {
			return err
		}
		copy(theta, solution.Theta)
		return nil
	}
}

// maximum writes the tables that maximise the likelihood of counts and pseudocounts, which are nil for none.
func maximum(p *constraint.Problem, theta, n, pseudo []float64) error {
	if pseudo != nil {
		n = append([]float64(nil), n...)
		if err := p.AddPrior(n, pseudo); err != nil {
			return say.Errorf("learn: %w", err)
		}
	}
	if err := p.Maximize(theta, n); err != nil {
		return say.Errorf("learn: %w", err)
	}
	return nil
}
