package bnkit

import (
	"context"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/structure"
)

// ArcStrengths returns the bootstrap strengths of the arcs that [Search] finds: it learns a graph
// from each of many replicates of the rows, drawn with replacement. The frame has a row for each
// pair of columns ever joined by an arc, the strongest first:
//
//	from, to   in the direction found more often
//	strength   share of the replicates in which the two are joined, in either direction
//	direction  share of these with this direction
//
// The second result builds an averaged network:
//
//	frame, strengths, err := bnkit.ArcStrengths(ctx, df, nil, nil, &bnkit.SearchSettings{Seed: 1})
//	average, err := strengths.Average(strengths.SignificantThreshold())
//
// A done ctx ends it with the replicates finished by then, whose number the second result prints. See
// [structure.ArcStrengths]; the defaults are those of [Search].
func ArcStrengths(ctx context.Context, df dataframe.DataFrame, score structure.Score, how structure.Search,
	set *SearchSettings) (dataframe.DataFrame, *structure.Strengths, error) {
	if set == nil {
		set = &SearchSettings{}
	}
	t, err := set.table(openFrame(df))
	if err != nil {
		return dataframe.DataFrame{}, nil, err
	}
	if how == nil {
		how = structure.HillClimb{}
	}
	boot := structure.Bootstrap{Replicates: set.Replicates, Seed: set.Seed}
	s, err := structure.ArcStrengths(ctx, t, scoreOr(score), how, boot, set.structure())
	if err != nil && (s == nil || ctx.Err() == nil) {
		return dataframe.DataFrame{}, nil, searchError(err)
	}
	var from, to []string
	var strength, direction []float64
	for _, a := range s.Arcs() {
		from, to = append(from, a.From), append(to, a.To)
		strength, direction = append(strength, a.Strength), append(direction, a.Direction)
	}
	return dataframe.New(
		series.New(from, series.String, "from"), series.New(to, series.String, "to"),
		series.New(strength, series.Float, "strength"), series.New(direction, series.Float, "direction"),
	), s, nil
}
