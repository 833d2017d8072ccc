package bnkit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// searchError adds what mends a missing cell here.
func searchError(err error) error {
	if errors.Is(err, data.ErrMissing) {
		return say.Errorf("bnkit: %w as SearchSettings.Missing, let SearchSettings.Incomplete take all rows "+
			"(&incomplete.StructuralEM{}), or drop the rows (DropMissing, with the names of the columns that are "+
			"searched over)", err)
	}
	return say.Errorf("bnkit: %w", err)
}

// structure are the settings of package structure.
func (s *SearchSettings) structure() *structure.Settings {
	return &structure.Settings{Rules: s.Rules, Missing: s.Missing, Prior: s.Prior, GraphPrior: s.GraphPrior,
		Workers: s.Workers, Progress: s.Progress}
}

// fit fits the tables of a graph that was found. Where cases are too few for least squares BGe's own prior helps. The
// graph is returned beside an error, and the error names it.
func (s *SearchSettings) fit(ctx context.Context, r *structure.Result, df dataframe.DataFrame, score structure.Score) (
	*Found, error) {
	net, err := r.Network()
	if err != nil {
		return &Found{Result: r}, say.Errorf("bnkit: the search found %s, but no network can be made of it: %w", r.DAG,
			err)
	}
	method := s.Method
	if method == nil {
		statements, left := obeyed(net, score)
		method = learn.MAP{Pseudocount: 1, Constraints: statements}
		r.Notes = append(r.Notes, left...)
	}
	if !learn.Iterates(method) {
		ctx = context.WithoutCancel(ctx) // a search that was ended has found a graph, and its tables are quick
	}
	set := &Settings{
		SkipMissing: s.Missing != structure.RefuseMissing, Workers: s.Workers, Discretization: s.Discretization,
		Seed: s.Seed, Intervened: s.Intervened,
	}
	m, err := Fit(ctx, net, df, method, set)
	if bge, ok := score.(structure.BGe); err != nil && ok && s.Method == nil {
		prior := learn.MAP{GaussianOf: make(map[string]constraint.GaussianPrior)}
		for v := range net.Len() {
			prior.GaussianOf[net.Variable(v).Name] = bge.Prior(net.Len(), len(net.DAG().Parents(v)))
		}
		if again, second := Fit(ctx, net, df, prior, set); second == nil {
			r.Notes = append(r.Notes, "the cases are too few for least squares: the regressions are the mode under "+
				"the prior of BGe; SearchSettings.Method names another method")
			again.provenance.Structure = learnedBy(r)
			return &Found{Result: r, Model: again}, nil
		}
	}
	if m != nil {
		m.provenance.Structure = learnedBy(r)
	}
	if err != nil {
		return &Found{Result: r}, say.Errorf("bnkit: the search found %s, but it could not be fitted; give another "+
			"SearchSettings.Method: %w", r.DAG, err)
	}
	return &Found{Result: r, Model: m}, nil
}

// learnedBy says how a graph was learned.
func learnedBy(r *structure.Result) string {
	return r.Search + ", by the score " + r.ScoreName
}

// obeyed returns the statements of a score that speak of a graph, and a note on the others.
func obeyed(net *bn.Network, score structure.Score) (statements []constraint.Constraint, notes []string) {
	c, ok := score.(structure.Constrained)
	if !ok {
		return nil, nil
	}
	var left []string
	for _, st := range c.Statements {
		if _, err := st.Bind(net); err == nil {
			statements = append(statements, st)
		} else {
			left = append(left, fmt.Sprintf("%q", st))
		}
	}
	if left != nil {
		notes = append(notes, "statements that are not in the model, as the graph has no table or regression that "+
			"they speak of (Rules.Required adds arcs): "+strings.Join(left, ", "))
	}
	return statements, notes
}

// unique returns notes on columns with a different state in each row.
func unique(t *data.Table) []string {
	var notes []string
	for _, v := range t.Variables() {
		if n := v.Cardinality(); n > 2 && n == t.Rows() {
			notes = append(notes, fmt.Sprintf("column %q has another state in each of the %d rows; if it names or "+
				"numbers them, leave it out of SearchSettings.Columns", v.Name, n))
		}
	}
	return notes
}
