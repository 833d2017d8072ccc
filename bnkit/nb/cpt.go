package nb

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
	"bnlab/internal/say"
)

// CPT draws a CPT of a network; for a fitted model also the case counts and the constraints of each
// row; see [viz.CPT]. [bnkit.CPT] gives the numbers as a frame. A continuous variable has no table:
// show its [bnkit.Coefficients] with [Table].
//
//	nb.Show(nb.Must(nb.CPT(model, "recurrence")))
func CPT(given bn.Model, name string) (*viz.Figure, error) {
	if given == nil || given.Network() == nil {
		return nil, errors.New("nb: there is no network")
	}
	m, ok := given.(*bnkit.Model)
	if !ok {
		m = bnkit.ModelOf(given.Network())
	}
	t, err := m.Net.Table(name)
	if v, e := m.Net.Index(name); e == nil && m.Net.CPT(v) == nil {
		err = say.Errorf("%w; show bnkit.Coefficients with nb.Table", err)
	}
	if err != nil {
		return nil, err
	}
	opts, err := cptOptions(m, name)
	if err != nil {
		return nil, err
	}
	return viz.CPT(t, opts)
}

// Intervals draws a CPT like [CPT], of posterior means, with the credible interval of each probability as a bar below
// it; see [bnkit.Intervals]. Notes on the simulation are below the table.
//
//	set := &bnkit.IntervalSettings{Src: rand.NewPCG(1, 0)}
//	nb.Show(nb.Must(nb.Intervals(nb.Context(), model, "recurrence", set)))
func Intervals(ctx context.Context, m *bnkit.Model, name string, set *bnkit.IntervalSettings) (*viz.Figure, error) {
	df, err := bnkit.Intervals(ctx, m, name, set)
	if err != nil {
		return nil, err
	}
	t, err := m.Net.Clone().Table(name)
	if err != nil {
		return nil, err
	}
	opts, err := cptOptions(m, name)
	if err != nil {
		return nil, err
	}
	n := df.Ncol() // mean, low, high and note are the last
	copy(t.P, column(df, n-4))
	opts.Lo, opts.Hi = column(df, n-3), column(df, n-2)
	opts.Note = fmt.Sprintf("posterior means; bars: %.4g %% credible intervals", 100*set.Probability())
	if note := df.Elem(0, n-1).String(); note != "" {
		opts.Note += "; " + note
	}
	return viz.CPT(t, opts)
}

// column returns the numbers of a column by its place.
func column(df dataframe.DataFrame, at int) []float64 {
	x := make([]float64, df.Nrow())
	for row := range x {
		x[row] = df.Elem(row, at).Float()
	}
	return x
}

// cptOptions are the counts and statements of a table.
func cptOptions(m *bnkit.Model, name string) (*viz.CPTOptions, error) {
	var err error
	opts := &viz.CPTOptions{}
	if opts.Counts, err = m.FamilyCounts(name); err != nil {
		return nil, err
	}
	if len(m.Statements) > 0 {
		if opts.Statements, err = m.RowStatements(name); err != nil {
			return nil, err
		}
	}
	return opts, nil
}
