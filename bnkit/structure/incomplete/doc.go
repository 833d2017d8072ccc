// Package incomplete finds graphs from cases with missing cells and with variables that nobody sees, by structural EM
// (Friedman 1997 and 1998).
//
//	sem := incomplete.StructuralEM{Hidden: map[string]int{"cause": 2}}
//	found, err := sem.Learn(ctx, table, structure.BIC{}, nil, nil)
//
// A search of package structure asks a [data.Source] for counts of families and never for rows. So structural EM is a
// source of its own: it answers with expected counts under the current network, from
// [infer.Plan.AnyFamilies]. Every score, prior, rule and search works with it as it does with complete
// cases, and structure.Constrained keeps parameter statements in the score.
package incomplete
