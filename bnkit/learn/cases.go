package learn

import (
	"context"
	"errors"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// Cases are incomplete data as a learner sees them: it asks for expected counts, not for rows. Slices follow the
// layout of the network that is fitted. An [infer.Plan]
// is one; others can sum counts over parts that share their parameters, or estimate them.
//
// Cases may have more methods. MadeFor(net *bn.Network) error tells whether they are of the network. ExpectMoments,
// as [infer.Plan.ExpectMoments], is needed for linear-Gaussian nodes. Version() uint64 is for expected counts that
// may change during a fit, as when they are estimated from samples that are drawn anew: another number after each
// change.
type Cases interface {
	// Expect adds to n the expected count of each table entry under theta, and returns the
	// log-likelihood of what is observed; see [infer.Plan.Expect].
	Expect(n, theta []float64) (loglik float64, err error)
	// LogLikelihood is what Expect returns, without the counts.
	LogLikelihood(theta []float64) (float64, error)
	// AddObserved adds the counts of the cases in which a whole family is observed.
	AddObserved(n []float64)
	// Hidden names the variables that no case observes.
	Hidden() []string
	// IsComplete reports whether expected counts are counts.
	IsComplete() bool
	// Weight is that of all cases.
	Weight() float64
}

// continuousCases can give the statistics of linear-Gaussian nodes too.
type continuousCases interface {
	Cases
	// ExpectMoments is Expect with the linear-Gaussian nodes of gaussians, by variable and
	// nil for discrete ones. It adds to m, for each configuration of the discrete parents,
	// the moments of the cases weighted by its posterior probability.
	ExpectMoments(n []float64, m *data.Moments, theta []float64, gaussians []*bn.LinearGaussian) (loglik float64,
		err error)
}

var _ continuousCases = (*infer.Plan)(nil)

// oneCase is the weight of one case, or of all where they weigh less: what is small beside it is
// small, in whatever unit weights are.
func oneCase(c Cases) float64 {
	if w := c.Weight(); w > 0 {
		return min(1, w)
	}
	return 1
}

// tabular is a method that needs rows.
type tabular interface {
	fitTable(ctx context.Context, p *problem, t *data.Table, set *Settings) (*Result, error)
}

// conditional is a method whose objective is the likelihood of some variables given the others.
type conditional interface {
	// conditions names the variables that are predicted; none for the likelihood of all.
	conditions() []string
}

// conditionedCases are cases of which some variables are predicted from the others.
type conditionedCases struct {
	*infer.Plan
	without *infer.Plan
}

// Without are the cases without the variables that are predicted; nil when nothing is left.
func (c conditionedCases) Without() Cases {
	if c.without == nil {
		return nil
	}
	return c.without
}

// planned plans the expected counts that a method asks of a table. They end with the error of ctx when it is done.
func planned(ctx context.Context, net *bn.Network, t *data.Table, m Method, set *Settings) (Cases, error) {
	opts := &infer.Options{Workers: set.Workers, Ended: ctx.Err}
	if regimes := t.Regimes(); regimes != nil {
		return newIntervened(net, regimes, m, opts)
	}
	plan, err := infer.NewPlan(net, t, opts)
	if err != nil {
		return nil, err
	}
	c, ok := m.(conditional)
	if !ok || len(c.conditions()) == 0 {
		return plan, nil
	}
	var names []string
	for _, col := range t.Columns() {
		if !slices.Contains(c.conditions(), col.Var.Name) {
			names = append(names, col.Var.Name)
		}
	}
	out := conditionedCases{Plan: plan}
	if len(names) == 0 {
		return out, nil
	}
	rest, err := t.Keep(names...)
	if err != nil {
		return nil, err
	}
	out.without, err = infer.NewPlan(net, rest, opts)
	return out, err
}

// madeFor asks cases whether they are of the network, if they can tell; what names them in errors.
func madeFor(net *bn.Network, c Cases, what string) error {
	if c, ok := c.(interface{ MadeFor(net *bn.Network) error }); ok {
		if err := c.MadeFor(net); err != nil {
			return say.Errorf("learn: %s are of another network: %w", what, err)
		}
	}
	return nil
}

// versionedCases are cases whose expected counts may change during a fit, as when they are
// estimated from samples that are drawn anew. An [APN] compares points of the search on the same
// version only: when it has changed the current point is evaluated again, which costs one more
// Expect, and the search begins anew from there. Cases that wrap others pass it on.
type versionedCases interface {
	Cases
	// Version is another number after each change.
	Version() uint64
}

// countSource returns the counts of all tables of the network, as [data.Table.Count] does, from any source, by one
// query. Columns and states are found by name. It returns the errors of Table.Count and of the source.
func countSource(ctx context.Context, net *bn.Network, src data.Source, opts *data.CountOptions) (*data.Counts, error) {
	there := make(map[string]bn.Variable)
	for _, v := range src.Variables() {
		there[v.Name] = v
	}
	var families []data.Family
	var of []int // the variables whose tables they are
	for v := range net.Len() {
		if cpt := net.CPT(v); cpt != nil {
			f := data.Family{Child: cpt.Child.Name}
			for _, parent := range cpt.Parents {
				f.Parents = append(f.Parents, parent.Name)
			}
			families, of = append(families, f), append(of, v)
		}
	}
	found, err := src.CountFamilies(ctx, families, opts)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	c := &data.Counts{Layout: net.Layout(), Rows: src.TotalWeight(), Skipped: make([]float64, net.Len())}
	c.N = make([]float64, c.Layout.Len())
	for i, v := range of {
		c.Skipped[v] = found[i].Skipped
		if err := renumber(c.Family(v), net.CPT(v), found[i], there); err != nil {
			return nil, say.Errorf("learn: %w", err)
		}
	}
	return c, nil
}

// renumber writes the counts of a family as the network numbers its states, which the source
// may have in another order.
func renumber(n []float64, cpt *bn.CPT, found data.FamilyCounts, there map[string]bn.Variable) error {
	members := append(slices.Clone(cpt.Parents), cpt.Child)
	to := make([][]int, len(members)) // by state of the source, −1 for none
	same := true
	for i, v := range members {
		for s, state := range there[v.Name].States {
			at := slices.Index(v.States, state)
			same = same && at == s
			to[i] = append(to[i], at)
		}
	}
	if same && len(n) == len(found.N) {
		copy(n, found.N)
		return nil
	}
	states := make([]int, len(members))
	for cell, count := range found.N {
		if count == 0 {
			continue
		}
		r := len(to[len(cpt.Parents)])
		found.Configs.States(states[:len(cpt.Parents)], cell/r)
		states[len(cpt.Parents)] = cell % r
		for i, v := range members {
			s := states[i]
			if states[i] = to[i][s]; states[i] < 0 {
				_, err := v.StateIndex(there[v.Name].States[s])
				return &data.ValueError{Name: v.Name, Value: there[v.Name].States[s], Err: errors.Unwrap(err)}
			}
		}
		n[cpt.Configs().Index(states[:len(cpt.Parents)])*cpt.Child.Cardinality()+states[len(cpt.Parents)]] += count
	}
	return nil
}
