package nb

import (
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/viz"
)

// answers draws the frames of Posterior and PosteriorInterval.
func answers(df dataframe.DataFrame, a viz.Axes) (*viz.Figure, error) {
	label, isInterval := "probability", slices.Contains(df.Names(), "low")
	if isInterval {
		label += ", with " + credible(df)
	}
	f := cutFrame(seconds(df, df.Col("variable").Records()), &a, label)
	names := f.Col("variable").Records()
	for i, state := range f.Col("state").Records() {
		names[i] += " = " + state
	}
	if !isInterval {
		return viz.IntervalBars(names, []viz.BarSeries{fromZero(floats(f, "probability"))}, &a)
	}
	return viz.IntervalBars(names, []viz.BarSeries{{Values: floats(f, "probability"), Lo: floats(f, "low"),
		Hi: floats(f, "high")}}, &a)
}

// credible names the intervals of a frame, with their level where it has one.
func credible(df dataframe.DataFrame) string {
	if !slices.Contains(df.Names(), "level") {
		return "its credible interval"
	}
	return fmt.Sprintf("its %.4g %% credible interval", 100*df.Col("level").Elem(0).Float())
}

// courses draws the probability of each state, or the mean of each variable, over time, a curve for each series.
func courses(df dataframe.DataFrame, a viz.Axes) (*viz.Figure, error) {
	if slices.Contains(df.Names(), "mean") {
		if a.Y == "" {
			a.Y = "mean ± standard deviation"
		}
		return curves(df, df.Col("variable").Records(), a, func(c *viz.Series, i int) {
			mean, sd := df.Col("mean").Elem(i).Float(), df.Col("sd").Elem(i).Float()
			c.Y, c.Lo, c.Hi = append(c.Y, mean), append(c.Lo, mean-sd), append(c.Hi, mean+sd)
		})
	}
	keys := make([]string, df.Nrow())
	for i := range keys {
		for _, name := range []string{"series", "time", "variable"} {
			keys[i] += df.Col(name).Elem(i).String() + "\x00"
		}
	}
	f := seconds(df, keys)
	names := f.Col("variable").Records()
	for i, state := range f.Col("state").Records() {
		names[i] += " = " + state
	}
	if a.Y == "" {
		a.Y = "probability"
	}
	if a.YRange == [2]float64{} {
		a.YRange = [2]float64{0, 1}
	}
	return curves(f, names, a, func(c *viz.Series, i int) {
		c.Y = append(c.Y, f.Col("probability").Elem(i).Float())
	})
}

// curves draws a curve over time for each series and name; add appends the point of a row.
func curves(f dataframe.DataFrame, names []string, a viz.Axes, add func(c *viz.Series, i int)) (*viz.Figure, error) {
	series := f.Col("series").Records()
	several := slices.ContainsFunc(series, func(name string) bool { return name != series[0] })
	var curves []viz.Series
	at := make(map[string]int)
	for i, name := range names {
		if several {
			name = series[i] + ": " + name
		}
		k, ok := at[name]
		if !ok {
			k = len(curves)
			if at[name] = k; k >= mostCurves {
				return nil, fmt.Errorf("nb: more than %d curves cannot be told apart; select series, variables or "+
					"states", mostCurves)
			}
			curves = append(curves, viz.Series{Name: name})
		}
		curves[k].X = append(curves[k].X, f.Col("time").Elem(i).Float())
		add(&curves[k], i)
	}
	if a.X == "" {
		a.X = "time"
	}
	return viz.Curves(curves, &a)
}

// intervalStates are the states in the columns of PredictInterval.
func intervalStates(df dataframe.DataFrame) []string {
	var states []string
	for _, name := range df.Names() {
		if slices.Contains(df.Names(), name+" low") && slices.Contains(df.Names(), name+" high") {
			states = append(states, name)
		}
	}
	return states
}

// predictions draws the frame of PredictInterval.
func predictions(df dataframe.DataFrame, states []string, a viz.Axes) (*viz.Figure, error) {
	label, of := "probability, with "+credible(df), ""
	if slices.Contains(df.Names(), "target") {
		of = df.Col("target").Elem(0).String() + " = "
	}
	if len(states) == 2 {
		states = states[1:]
		label = fmt.Sprintf("P(%s%s), with %s", of, states[0], credible(df))
	}
	f := cutFrame(df, &a, label)
	names := make([]string, f.Nrow())
	for i := range names {
		names[i] = fmt.Sprintf("row %d", i+1)
	}
	var series []viz.BarSeries
	for _, state := range states {
		s := viz.BarSeries{Name: of + state, Values: floats(f, state), Lo: floats(f, state+" low"),
			Hi: floats(f, state+" high")}
		if len(states) == 1 {
			s.Name = ""
		}
		series = append(series, s)
	}
	return viz.IntervalBars(names, series, &a)
}

// whatMatters draws information, by its cost where costs differ, and beside it the range of the answer. Both have
// the same rows.
func whatMatters(df dataframe.DataFrame, a viz.Axes) (*viz.Figure, error) {
	spread := a
	a.X, a.XRange = "", [2]float64{}
	column, label := "information", "information on the target (nats)"
	if slices.ContainsFunc(floats(df, "cost"), func(x float64) bool { return x != 1 }) {
		column, label = "per cost", "information on the target per unit of cost (nats)"
	}
	f := cutFrame(df, &a, label)
	cutFrame(df, &spread, "P(target), from the lowest to the highest")
	if a.Width == 0 {
		a.Width = 9.5
	}
	spread.Width, a.Width = 0.42*a.Width, 0.58*a.Width
	spread.Title = ""
	names := f.Col("variable").Records()
	left, err := viz.IntervalBars(names, []viz.BarSeries{fromZero(floats(f, column))}, &a)
	if err != nil {
		return nil, err
	}
	right, err := viz.IntervalBars(make([]string, len(names)),
		[]viz.BarSeries{{Lo: floats(f, "low"), Hi: floats(f, "high")}}, &spread)
	if err != nil {
		return nil, err
	}
	return viz.Row(left, right)
}

// impacts draws how far the answer goes when a finding is left out; the first row is that of all findings.
func impacts(df dataframe.DataFrame, a viz.Axes) (*viz.Figure, error) {
	var rows []int
	for i, name := range df.Col("finding").Records() {
		if name != "" {
			rows = append(rows, i)
		}
	}
	f := cutFrame(df.Subset(rows), &a, "P(target) without the finding; the line: with all")
	names, values := f.Col("finding").Records(), f.Col("value").Records()
	s := viz.BarSeries{Values: floats(f, "without"), Reference: floats(f, "with")}
	for i := range names {
		names[i] = "without " + names[i] + " = " + values[i]
		s.Lo, s.Hi = append(s.Lo, min(s.Values[i], s.Reference[i])), append(s.Hi, max(s.Values[i], s.Reference[i]))
	}
	return viz.IntervalBars(names, []viz.BarSeries{s}, &a)
}

// effect draws the outcome by treatment, as seen and under intervention.
func effect(df dataframe.DataFrame, a viz.Axes) (*viz.Figure, error) {
	label := "mean of the outcome"
	names := df.Col("treatment").Records()
	if slices.Contains(df.Names(), "outcome") {
		df = seconds(df, names)
		outcomes := df.Col("outcome").Records()
		label = "P(outcome)"
		names = df.Col("treatment").Records()
		if single := slices.Compact(slices.Clone(outcomes)); len(single) == 1 {
			label = fmt.Sprintf("P(outcome = %s)", single[0])
		} else {
			for i := range names {
				names[i] += ": " + outcomes[i]
			}
		}
	}
	f := cutFrame(df, &a, label)
	do := viz.BarSeries{Name: "under intervention (do)", Values: floats(f, "do")}
	if slices.Contains(f.Names(), "do low") {
		do.Name += ", with " + credible(f)
		do.Lo, do.Hi = floats(f, "do low"), floats(f, "do high")
	}
	return viz.IntervalBars(names[:f.Nrow()], []viz.BarSeries{{Name: "as seen", Values: floats(f, "seen")}, do}, &a)
}
