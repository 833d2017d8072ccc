package nb

import (
	"bnlab/bnkit"
	"bnlab/bnkit/viz"
)

// CPT draws a table of a fitted model with the cases behind each probability and the
// statements that bind each row; see [viz.CPT].
//
//	nb.Show(nb.Must(nb.CPT(model, "recurrence")))
func CPT(m *bnkit.Model, name string) (*viz.Figure, error) {
	t, err := m.Net.Table(name)
	if err != nil {
		return nil, err
	}
	opts := &viz.CPTOptions{}
	if opts.Counts, err = m.FamilyCounts(name); err != nil {
		return nil, err
	}
	if len(m.Statements) > 0 {
		if opts.Statements, err = m.RowStatements(name); err != nil {
			return nil, err
		}
	}
	return viz.CPT(t, opts)
}
