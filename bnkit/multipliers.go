package bnkit

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

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
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
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
