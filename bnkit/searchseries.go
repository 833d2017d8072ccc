package bnkit

import (
	"context"
	"errors"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// SearchSeries learns the structure of a dynamic network from a frame of series with the columns of
// [FitSeries]: "series", "time", and one for each variable. Candidate parents are all variables of
// the previous slice, and of the same slice where the tiers of the rules allow it; see
// [structure.LearnDynamic], also for the names of variables in rules. A nil score means
// [structure.BIC], a nil search [structure.GreedyParents]. The tables of the network that it
// returns are uniform:
//
//	found, err := bnkit.SearchSeries(ctx, df, nil, structure.Exhaustive{}, nil)
//	fit, err := bnkit.FitSeries(ctx, found.Network, df, learn.MAP{Pseudocount: 1}, nil)
//
// A done ctx ends the search with the parents found by then; notes name the variables without a
// result. A time that is left out makes its cells missing, so SearchSettings.Missing must be set.
func SearchSeries(ctx context.Context, df dataframe.DataFrame, score structure.Score, how structure.ParentSearch,
	set *SearchSettings) (*structure.DynamicResult, error) {
	if set == nil {
		set = &SearchSettings{}
	}
	if err := set.refuseIncomplete("SearchSeries"); err != nil {
		return nil, err
	}
	if set.Intervened != "" {
		return nil, errors.New("bnkit: SearchSettings.Intervened is not for series; leave it out, and the rows in " +
			"which a variable was set")
	}
	f := openFrame(df)
	if err := f.checkLists(set.States); err != nil {
		return nil, err
	}
	names := slices.Clone(set.Columns)
	if names == nil {
		names = slices.Clone(f.names)
	}
	for _, id := range []string{"series", "time"} {
		if !f.has(id) {
			return nil, say.Errorf("bnkit: series: %w", f.noColumn(id))
		}
		if !slices.ContainsFunc(names, func(name string) bool { return trimName(name) == id }) {
			names = append(names, id)
		}
	}
	var labels []string
	if f.types[f.at["series"][0]] != series.Float {
		labels = append(labels, "series")
	}
	t, err := set.read(f, names, labels...)
	if err != nil {
		return nil, err
	}
	if err := checkDiscrete(t, "series", "time"); err != nil {
		return nil, err
	}
	s, err := dbn.NewSeries(t, &dbn.SeriesOptions{Step: set.Step})
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	pairs, err := s.Transitions()
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	r, err := structure.LearnDynamic(ctx, pairs, scoreOr(score), how, set.structure())
	if r != nil && r.Interrupted {
		err = nil // a note says it
	}
	if errors.Is(err, data.ErrMissing) {
		err = say.Errorf("of the steps from one time to the next: %w", err)
	}
	if err != nil {
		return nil, searchError(err)
	}
	return r, nil
}
