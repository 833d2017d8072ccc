package nb

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/viz"
	"bnlab/internal/say"
)

// Plot draws the frame that a verb of bnkit returned, a horizontal bar for each row in the order of the frame:
//
//	Posterior                            the probability
//	PosteriorInterval, PredictInterval   the probability as a dot on its credible interval
//	Sensitivity                          a tornado plot: the answers over the range of each entry
//	VarianceShares                       the share of the variance of each group of rows
//	WhatMatters                          the information of each variable, and the range of the answer beside it
//	Impacts                              the answer without each finding, from the line with all findings
//	Elicit                               what asking for each statement is worth
//	Effect                               the outcome as seen and under intervention, with its intervals
//	Counterfactual                       the outcome as it is and as it would have been
//	SmoothSeries, FilterSeries, PredictSeries   a curve over time for each series and state,
//	                                     or of the mean, with a band of one standard deviation
//
//	nb.Show(nb.Must(nb.Plot(nb.Must(bnkit.WhatMatters(model, nil, "recurrence", nil)), nil)))
//
// The frame is known by its columns; rows may have been selected before, and of more than 20 the first are drawn. Of
// a variable with two states one is drawn, the second where the frame keeps their order. Axes may be nil: they
// replace the title, the labels and the size. Most frames do not name their target, so give X, as in
//
//	nb.Show(nb.Must(nb.Plot(effect, &viz.Axes{X: "P(recurrence = yes)", Y: "irradiation"})))
//
// It returns an error for a frame of another verb, and for one without rows.
func Plot(df dataframe.DataFrame, axes *viz.Axes) (*viz.Figure, error) {
	if df.Error() != nil {
		return nil, say.Errorf("nb: the frame carries an error: %w", df.Error())
	}
	if df.Nrow() == 0 {
		return nil, errors.New("nb: there are no rows to draw")
	}
	a := viz.Axes{}
	if axes != nil {
		a = *axes
	}
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(df.Names(), name) })
	}
	switch {
	case has("series", "time", "variable", "state", "probability"), has("series", "time", "variable", "mean", "sd"):
		return courses(df, a)
	case has("variable", "state", "probability"):
		return answers(df, a)
	case has("entry", "variable", "parents", "state", "low", "high", "answer"):
		f := cutFrame(mirrored(df), &a, "P(target) over the range of the entry; the line: as the tables are")
		return viz.IntervalBars(f.Col("entry").Records(), []viz.BarSeries{{Lo: floats(f, "low"), Hi: floats(f, "high"),
			Reference: floats(f, "answer")}}, &a)
	case has("rows", "share", "first order"):
		f := cutFrame(df, &a, "share of the variance of the answer")
		return viz.IntervalBars(f.Col("rows").Records(), []viz.BarSeries{fromZero(floats(f, "share"))}, &a)
	case has("variable", "information", "low", "high", "per cost"):
		return whatMatters(df, a)
	case has("statement", "holds", "gain", "cases"):
		f := cutFrame(df, &a, "expected gain in log score, millinats a case")
		return viz.IntervalBars(f.Col("statement").Records(), []viz.BarSeries{fromZero(floats(f, "gain"))}, &a)
	case has("finding", "with", "without"):
		return impacts(df, a)
	case has("treatment", "seen", "do"):
		return effect(df, a)
	case has("outcome", "given", "had"):
		label := "P(outcome)"
		if slices.Equal(df.Col("outcome").Records(), []string{"mean", "sd"}) {
			label = "in the unit of the outcome"
		}
		f := cutFrame(df, &a, label)
		is, had := fromZero(floats(f, "given")), fromZero(floats(f, "had"))
		is.Name, had.Name = "as it is", "as it would have been"
		return viz.IntervalBars(f.Col("outcome").Records(), []viz.BarSeries{is, had}, &a)
	}
	if state := intervalStates(df); state != nil {
		return predictions(df, state, a)
	}
	return nil, say.Errorf("nb: no verb that Plot knows returns the columns %s; draw them with BarsOf or CurvesOf",
		say.List(df.Names()))
}

// mostRows is how many rows are drawn, and mostCurves how many curves.
const (
	mostRows   = 20
	mostCurves = 12
)

// cutFrame returns the first rows of a frame, and labels the axis unless it has a label.
func cutFrame(df dataframe.DataFrame, a *viz.Axes, label string) dataframe.DataFrame {
	if a.X == "" {
		a.X = label
	}
	if df.Nrow() <= mostRows {
		return df
	}
	a.X += fmt.Sprintf(" (the first %d of %d rows)", mostRows, df.Nrow())
	first := make([]int, mostRows)
	for i := range first {
		first[i] = i
	}
	return df.Subset(first)
}

func floats(df dataframe.DataFrame, name string) []float64 { return df.Col(name).Float() }

// fromZero are bars from 0.
func fromZero(x []float64) viz.BarSeries {
	s := viz.BarSeries{Lo: make([]float64, len(x)), Hi: make([]float64, len(x))}
	for i, v := range x {
		s.Lo[i], s.Hi[i] = min(v, 0), max(v, 0)
	}
	return s
}

// seconds leaves of each group of two rows the second, and of larger groups all: states of one variable are rows
// with the same key that follow each other.
func seconds(df dataframe.DataFrame, keys []string) dataframe.DataFrame {
	var rows []int
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && keys[to] == keys[from] {
			to++
		}
		if to-from == 2 {
			from++
		}
		for ; from < to; from++ {
			rows = append(rows, from)
		}
	}
	return df.Subset(rows)
}

// mirrored leaves out of the entries of Sensitivity one of each two that tell the same: those of a row with two states,
// moved over intervals that mirror each other. The state with the later name stays.
func mirrored(df dataframe.DataFrame) dataframe.DataFrame {
	low, high, states := floats(df, "low"), floats(df, "high"), df.Col("state").Records()
	byRow := make(map[[2]string][]int)
	of := func(i int) [2]string {
		return [2]string{df.Col("variable").Elem(i).String(), df.Col("parents").Elem(i).String()}
	}
	for i := range states {
		byRow[of(i)] = append(byRow[of(i)], i)
	}
	var rows []int
	for i := range states {
		twin := byRow[of(i)]
		same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }
		if len(twin) == 2 && same(low[twin[0]], low[twin[1]]) && same(high[twin[0]], high[twin[1]]) &&
			states[i] < max(states[twin[0]], states[twin[1]]) {
			continue
		}
		rows = append(rows, i)
	}
	return df.Subset(rows)
}
