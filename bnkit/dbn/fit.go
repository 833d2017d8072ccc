package dbn

import (
	"context"
	"errors"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/interrupt"
	"bnlab/internal/say"
)

// Fitted is a dynamic network fitted to series. Of the Result the network is the template, and
// cases are slices.
type Fitted struct {
	Net *Network
	*learn.Result
	Series int // fitted to
	// Step is the time between two slices of the series that it was fitted to; 0 without a fit.
	Step int64
}

// Fit estimates the parameters of net from series, by any method of package learn for networks
// with hidden variables, such as [learn.EM], and by [learn.ML] and [learn.MAP] where all cells are
// observed, or with Settings.SkipMissing. Net itself is not changed. Statements are about the
// variables of the template, as in
//
//	constraint.Influence{Parent: "rain[1]", Child: "umbrella[1]"}
//
// A ctx that is done ends the fit as it ends [learn.Fit]. Settings.From is a template, Settings.HeldOut can be
// [Cases] of other series. A cell of a table that stands in all slices has one pseudocount, not one for each
// slice. FreeParameters counts a regression twice that the template has twice (see [Network.Template]).
// [learn.Gibbs] needs rows of its own and is refused.
//
// Errors are those of [Network.Cases], [learn.FitCases] and [learn.Compile], a missing cell
// ([data.ErrMissing]) where the method needs all of them, and a statement, prior or family of a
// variable of the first slice whose table is that of the later ones: it must be made of these. (R95 §6.)
func Fit(ctx context.Context, net *Network, s *Series, m learn.Method, set *learn.Settings) (*Fitted, error) {
	if set == nil {
		set = &learn.Settings{}
	}
	ctx = interrupt.Of(ctx)
	c, err := net.Cases(s, &infer.Options{Workers: set.Workers, Ended: ctx.Err})
	if err != nil {
		return nil, err
	}
	if err := net.suits(m); err != nil {
		return nil, err
	}
	fit := c.complete
	if m == nil || learn.Iterates(m) {
		fit = func(ctx context.Context, m learn.Method, set *learn.Settings) (*learn.Result, error) {
			return learn.FitCases(ctx, net.two, c, m, set)
		}
	}
	r, err := fit(ctx, m, set)
	if err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	return c.fitted(r)
}

// suits returns an error for a method that needs rows, and one that says of a table of the first
// slice what is to be said of that of the later ones.
func (n *Network) suits(m learn.Method) error {
	var given map[string]string
	switch m := m.(type) {
	case learn.Gibbs:
		return errors.New("dbn: learn.Gibbs cannot fit series; use learn.EM or learn.APN")
	case learn.Averaged:
		return errors.New("dbn: learn.Averaged cannot fit series yet; use learn.PosteriorMean with the statements " +
			"that are certain")
	case learn.MAP:
		given = priors(m.Alpha, m.GaussianOf)
	case learn.Priced:
		given = priors(m.Alpha, m.GaussianOf)
	case learn.PosteriorMean:
		given = priors(m.Alpha, nil)
	case learn.EM:
		given = priors(m.Alpha, m.GaussianOf)
	case learn.APN:
		given = priors(m.Alpha, m.GaussianOf)
		for _, f := range m.CPDs {
			if f == nil {
				continue
			}
			if bound, err := f.Bind(n.two); err == nil && bound != nil { // learn tells of errors
				for _, child := range bound.Children {
					given[child] = f.String()
				}
			}
		}
	}
	for _, v := range n.doubles() {
		first, later := n.two.Variable(n.place[0][v]).Name, n.two.Variable(n.table[0][v]).Name
		if what, ok := given[first]; ok {
			return say.Errorf("dbn: %s for %q: %s shares the table of %s; give it for that", what, first, first,
				later)
		}
	}
	return nil
}

// priors says which there are, by variable.
func priors(alpha map[string][]float64, gaussian map[string]constraint.GaussianPrior) map[string]string {
	given := make(map[string]string)
	for name := range alpha {
		given[name] = "Alpha"
	}
	for name := range gaussian {
		given[name] = "GaussianOf"
	}
	return given
}

// complete fits by a method that needs all cells.
func (c *Cases) complete(ctx context.Context, m learn.Method, set *learn.Settings) (*learn.Result, error) {
	if !set.SkipMissing {
		if err := c.missing(); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	two := c.net.two
	counts := &data.Counts{Layout: two.Layout(), N: make([]float64, two.Layout().Len()), Rows: c.Weight(),
		Skipped: c.skipped()}
	c.AddObserved(counts.N)
	moments, err := c.observedMoments()
	if err != nil {
		return nil, err
	}
	compiled, err := learn.Compile(two, m)
	if err != nil {
		return nil, err
	}
	return compiled.Fit(counts, moments)
}

// observedMoments are those of the slices in which a whole family is observed, nil without
// linear-Gaussian variables.
func (c *Cases) observedMoments() (*data.Moments, error) {
	two := c.net.two
	if !slices.ContainsFunc(c.net.vars, func(v bn.Variable) bool { return !v.IsDiscrete() }) {
		return nil, nil
	}
	m := data.NewMoments(two)
	for i := range c.groups {
		g := &c.groups[i]
		t, err := c.wide(g.series, g.net, true)
		if err != nil {
			return nil, err
		}
		part, err := t.Crossproducts(g.net, &data.CountOptions{SkipMissing: true})
		if err != nil {
			return nil, err
		}
		c.net.addMoments(m, part)
	}
	m.Rows = c.Weight()
	return m, nil
}

// skipped is the number of slices in which a family is not observed, by variable of the template.
func (o *observed) skipped() []float64 {
	n := make([]float64, o.net.two.Len())
	o.each(func(start, t int) {
		for v := range o.net.vars {
			if f := &o.net.families[min(t, 1)][v]; !o.whole(f, v, start, t) {
				n[f.table]++
			}
		}
	})
	return n
}

// fitted checks and completes a result. The tables of the first slice that stand elsewhere had
// no counts of their own.
func (c *Cases) fitted(r *learn.Result) (*Fitted, error) {
	doubles := make(map[string]bool)
	for _, v := range c.net.doubles() {
		first, later := c.net.two.Variable(c.net.place[0][v]), c.net.two.Variable(c.net.table[0][v])
		doubles[first.Name] = true
		stated, err := r.RowStatements(first.Name)
		if err != nil {
			return nil, say.Errorf("dbn: %w", err)
		}
		for _, sentences := range stated {
			if len(sentences) > 0 {
				return nil, say.Errorf("dbn: %q: %s shares the table of %s; state it about that",
					sentences[0], first.Name, later.Name)
			}
		}
		if first.IsDiscrete() {
			r.Statements = append(slices.Clip(r.Statements),
				constraint.ShareTables{Vars: []string{first.Name, later.Name}})
		}
	}
	r.Flags = slices.DeleteFunc(r.Flags, func(f constraint.Flag) bool { return doubles[f.Var] })
	net, err := c.net.With(r.Net)
	if err != nil {
		return nil, err
	}
	r.Net = net.two
	count := 0
	for _, g := range c.groups {
		count += len(g.series)
	}
	return &Fitted{Net: net, Result: r, Series: count, Step: c.series.step}, nil
}
