package bnkit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/internal/regress"
	"bnlab/internal/say"
)

// compile finds what is wrong with statements and how those about tables will be solved, with
// influences at their price if the model was fitted so.
func (m *Model) compile(statements []constraint.Constraint) (*constraint.Problem, error) {
	_, tables, err := constraint.BindWeights(m.Net, statements...)
	if err != nil {
		return nil, err
	}
	if m.ViolationWeight != 0 {
		return constraint.CompileSoft(m.Net, m.ViolationWeight, tables...)
	}
	return constraint.Compile(m.Net, tables...)
}

// fittedNetwork returns the network of a model that was fitted to cases.
func fittedNetwork(m *Model) (*bn.Network, error) {
	net, err := networkOf(m)
	if err != nil {
		return nil, err
	}
	if len(m.Counts) != net.Layout().Len() || len(m.Trace) == 0 {
		return nil, errors.New("bnkit: the model was not fitted to cases; use Fit")
	}
	return net, nil
}

// prior returns the pseudocounts of the fit: what was added to the counts before they were
// maximised. Nil is none.
func (m *Model) prior() []float64 {
	switch {
	case m.Pseudocounts != nil:
		return m.Pseudocounts
	case m.Solution == nil || len(m.Solution.Counts()) != len(m.Counts):
		return m.pseudocounts
	}
	pseudo := make([]float64, len(m.Counts))
	for cell, n := range m.Solution.Counts() {
		pseudo[cell] = n - m.Counts[cell]
	}
	if slices.Max(append(pseudo, 0)) == 0 && slices.Min(append(pseudo, 0)) == 0 {
		return nil
	}
	return pseudo
}

// pseudo is the prior with an entry for each parameter.
func (m *Model) pseudo() []float64 {
	if pseudo := m.prior(); pseudo != nil {
		return pseudo
	}
	return make([]float64, len(m.Counts))
}

// resume checks the statements of a model that was read, and solves again for what files
// do not hold. A solution that is not available, is not that of the tables, or was missing
// when the model was saved is left out.
func (m *Model) resume(solved bool) error {
	if err := m.checkGaussianPriors(); err != nil {
		return err
	}
	lost, err := m.Incomplete()
	if err != nil {
		return err
	}
	if len(lost) > 0 {
		known := slices.DeleteFunc(slices.Clone(m.Statements), func(s constraint.Constraint) bool {
			return slices.ContainsFunc(lost, func(l constraint.Constraint) bool { return l.String() == s.String() })
		})
		_, err := m.compile(known)
		return err
	}
	if _, err := m.compile(m.Statements); err != nil {
		return err
	}
	if solved {
		m.Solution, _ = solution(m)
	}
	return nil
}

// checkGaussianPriors returns an error for priors that are not of the network or out of
// range.
func (m *Model) checkGaussianPriors() error {
	if n := len(m.GaussianPriors); n != 0 && n != m.Net.Len() {
		return fmt.Errorf("%d normal-inverse-gamma priors for %d variables", n, m.Net.Len())
	}
	for v, prior := range m.GaussianPriors {
		if prior == nil {
			continue
		}
		g := m.Net.Gaussian(v)
		if g == nil {
			return say.Errorf("a normal-inverse-gamma prior of %q, which is discrete", m.Net.Variable(v).Name)
		}
		// A regression on no cases is the prior's mode, and says what is wrong with it.
		if _, err := regress.Regress(m.Net, v, make([]data.Factor, g.Configs().Len()), nil, prior,
			0); err != nil {
			return err
		}
	}
	return nil
}

// solution returns how the tables of a model were estimated, solved again when that is not
// known.
func solution(m *Model) (*constraint.Solution, error) {
	net, err := fittedNetwork(m)
	if err != nil {
		return nil, err
	}
	if m.Solution != nil {
		return m.Solution, nil
	}
	if m.Means != nil {
		return nil, errors.New("bnkit: the tables are posterior means, not a maximum; fit by learn.MAP")
	}
	p, err := m.compile(m.Statements)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	n := slices.Clone(m.Counts)
	if err := p.AddPrior(n, m.pseudo()); err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	s, err := p.Solve(n)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			from, _ := net.Layout().Family(v)
			for i, p := range t.P {
				if !(math.Abs(p-s.Theta[from+i]) <= sameTable) {
					return nil, say.Errorf("bnkit: the table of %q is not what its counts and the statements give; "+
						"fit the model again", t.Child.Name)
				}
			}
		}
	}
	return s, nil
}

// sameTable is the largest difference between entries of a table and of the same table
// solved for again, perhaps on another processor.
const sameTable = 1e-6

// Multipliers returns the Lagrange multipliers (shadow prices) of the fixed values, sums and bounds
// of the constraints, a row for each:
//
//	statement        the sentence that it belongs to
//	relation         what it says of one distribution, or of several
//	active           it holds with equality
//	multiplier_nats  increase of the log-likelihood, or log posterior, in nats per unit
//	                 of the right-hand side; 0 when not active
//	residual         how far the multipliers are from explaining the estimate, relative to
//	                 the cases: a check that does not depend on how it was found
//
// Equal parameters have no rows: their multipliers are not unique. See
// [constraint.Solution.Multipliers].
func Multipliers(m *Model) (dataframe.DataFrame, error) {
	s, err := solution(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	found, residual, err := s.Multipliers()
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	n := len(found)
	statements, relations, active := make([]string, n), make([]string, n), make([]bool, n)
	multipliers, residuals := make([]float64, n), make([]float64, n)
	for i, f := range found {
		statements[i], relations[i], active[i] = f.Statement.String(), f.Relation, f.Active
		multipliers[i], residuals[i] = f.Value, residual
	}
	return dataframe.New(
		series.New(statements, series.String, "statement"),
		series.New(relations, series.String, "relation"),
		series.New(active, series.Bool, "active"),
		series.New(multipliers, series.Float, "multiplier_nats"),
		series.New(residuals, series.Float, "residual"),
	), nil
}
