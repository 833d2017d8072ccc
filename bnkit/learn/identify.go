package learn

import (
	"errors"
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn/internal/identify"
	"bnlab/internal/english"
	"bnlab/internal/say"
)

// An Identification says how much of the tables of a network cases with hidden cells tell.
type Identification struct {
	// Parameters is the number of free parameters: table entries less the equations that hold
	// among them, without entries that are zero or that the likelihood makes zero.
	Parameters int
	// Determined is how many of them the cases tell.
	Determined int
	// Flags names the distributions that the cases do not tell, or only together with others,
	// in the order of the network. Distributions without any cases are not among them.
	Flags []constraint.Flag
	// Skipped says what was not examined and why; empty when all was. What was not examined is
	// not counted.
	Skipped string
}

// String prints a line, and one for each flag.
func (r *Identification) String() string {
	s := fmt.Sprintf("%d of %s told by the cases", r.Determined, english.Count(r.Parameters, "free parameter"))
	if r.Skipped != "" {
		s += "; not examined: " + r.Skipped
	}
	for _, f := range r.Flags {
		s += "\n" + f.String()
	}
	return s
}

var errNoNetwork = errors.New("learn: no network; check the error from bn.New")

// Identify finds out which distributions of the network the cases tell, at its parameters and under the statements
// of the fit; a network that was not fitted is Result{Net: net}. The log-likelihood is a sum of terms, one for each
// family entry that is observed outright and one for each different evidence around a connected hidden
// part. A change of the parameters that alters no term, to first order, is one that the cases
// cannot tell. Such changes d are the null space of
//
//	J_tc = (n_tc − θ_c·N_tc) / √θ_c,   d_c = dθ_c / √θ_c
//
// with n_tc the expected count of entry c in term t, N_tc that of its whole distribution, and
// of the equations a'dθ = 0 for the sum of each distribution and for the equalities among the
// statements. Inequalities take no part. Columns are scaled by √Σ_t (n² + θ²N²)/θ, which is
// their length but for cancellation. Entries that are zero stay zero, and so do those without
// a share in any case of their distribution, which only a prior keeps above zero.
//
// The rank is that of J'J by Cholesky factors with pivots, where those below (terms +
// entries)·ε of the largest count as zero. So a change that alters the terms a million times
// less than others does counts as none. Names of hidden states are no matter here: swapping
// them is no small change. A term that is stationary by chance may give a flag too many
// where second derivatives still tell; few cases do that.
//
// The table has columns of net only, and bnkit.Identify takes a model and a frame as they are. It returns the
// errors of [infer.NewPlan] and [constraint.Compile], an [*infer.ImpossibleError] and one for linear-Gaussian
// nodes. The work grows with terms · entries² among entries that are linked: a second for 1,000 entries and
// 4,000 different cases. What would take more than some seconds is skipped. (A model is not identified where
// the matrix of its derivatives is deficient in rank: Catchpole and Morgan 1997; for latent classes Goodman
// 1974.) (R95 Eq. 4 is the derivative of a term, n/θ.)
func (r *Result) Identify(t *data.Table) (*Identification, error) {
	if r == nil || r.Net == nil {
		return nil, errNoNetwork
	}
	net := r.Net
	switch {
	case t == nil:
		return nil, errNoTable
	case hasGaussian(net):
		return nil, errors.New("learn: Identify takes networks of discrete variables only")
	}
	p, err := compile(net, ML{Constraints: r.Statements})
	if err != nil {
		return nil, err
	}
	plan, err := infer.NewPlan(net, t, nil)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	return p.identify(plan, t, tables(net), mostWork)
}

// Limits of the work on one set of linked entries, in products.
const (
	mostWork = 1 << 33 // some seconds
	fitWork  = 1 << 26 // some hundredths of a second, little beside a fit
)

// flagOpen adds to the flags of a fit to the cases c of a table those of [Result.Identify], for
// distributions that have no such flag yet, when a variable is hidden in all cases. What takes
// longer than a fit should is left to Identify; linear-Gaussian nodes and tables of families are
// not examined.
func (p *problem) flagOpen(r *Result, c Cases, t *data.Table) error {
	if len(c.Hidden()) == 0 || hasGaussian(p.net) || len(r.CPDs) > 0 {
		return nil
	}
	found, err := p.identify(c, t, tables(r.Net), fitWork)
	if err != nil {
		return err
	}
	for _, f := range found.Flags {
		if !slices.ContainsFunc(r.Flags, func(g constraint.Flag) bool {
			return f.ZeroProbability == g.ZeroProbability && f.Var == g.Var &&
				f.Given == g.Given
		}) {
			r.Flags = append(r.Flags, f)
		}
	}
	return nil
}

// tables lays out the tables of a network of discrete variables.
func tables(net *bn.Network) []float64 {
	var theta []float64
	for v := range net.Len() {
		theta = append(theta, net.CPT(v).P...)
	}
	return theta
}

// identify is [Result.Identify] for a compiled problem at the parameters theta; c are the cases of t.
func (p *problem) identify(c Cases, t *data.Table, theta []float64, limit float64) (*Identification, error) {
	n := make([]float64, len(theta))
	if _, err := c.Expect(n, theta); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	observed := make([]float64, len(theta))
	c.AddObserved(observed)
	terms, err := identify.New(p.net, t, observed, theta, limit)
	if errors.Is(err, infer.ErrTooWide) || errors.Is(err, bn.ErrTooLarge) {
		return &Identification{Skipped: err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	equations, err := identify.Equations(p.net, p.tables.Statements(), theta)
	if err != nil {
		return nil, err
	}
	r := &Identification{}
	open := make([]bool, len(theta)) // by the first entry of a distribution
	skipped := 0
	for _, part := range terms.Parts(equations) {
		if part.Work() > limit {
			skipped += part.Len()
			continue
		}
		free, rank, null := part.Rank()
		r.Parameters += free
		r.Determined += rank
		for _, cell := range null {
			open[terms.Row[cell]] = true
		}
	}
	if skipped > 0 {
		r.Skipped = fmt.Sprintf("%d table entries that hidden variables or statements link, too many for their cases "+
			"to be examined", skipped)
	}
	for v := range p.net.Len() {
		for config := range p.net.CPT(v).Configs().Len() {
			lo, hi := p.tables.Layout().Row(v, config)
			seen := slices.ContainsFunc(n[lo:hi], func(x float64) bool { return x > 0 })
			if open[lo] && seen {
				r.Flags = constraint.Flag{Var: p.net.Variable(v).Name}.AppendTo(r.Flags, func() (string, string) {
					return given(p.net.CPT(v), config), "the data cannot tell it; some change of it, alone or with " +
						"other distributions, leaves the probability of every case as it is"
				})
			}
		}
	}
	return r, nil
}

// given names a configuration, as flags do.
func given(t *bn.CPT, config int) string {
	s := ""
	for i, state := range t.ConfigNames(config) {
		if i > 0 {
			s += ", "
		}
		s += t.Parents[i].Name + "=" + state
	}
	return s
}
