package looks

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/validate"
	"bnlab/bnkit/viz"
	"bnlab/internal/say"
)

// Page is the width of a notebook's page in inches: 980 pixels of 1/96 inch.
const Page = 10.2

// Curves are [viz.Curves] of learners. A series of published points has no look of its own but As.
func Curves(series []viz.Series, axes *viz.Axes) (*viz.Figure, error) {
	var names []string
	for _, s := range series {
		if s.As == "" {
			names = append(names, s.Name)
		}
	}
	a, err := with(axes, names)
	if err != nil {
		return nil, err
	}
	return viz.Curves(series, a)
}

// Dots are [viz.Dots] of learners. Bars of several cannot be told apart in grey.
func Dots(groups []string, series []viz.BarSeries, axes *viz.Axes) (*viz.Figure, error) {
	var names []string
	for _, s := range series {
		names = append(names, s.Name)
	}
	a, err := with(axes, names)
	if err != nil {
		return nil, err
	}
	return viz.Dots(groups, series, a)
}

// LearningCurve is [viz.LearningCurve] of learners.
func LearningCurve(c *validate.Curve, by validate.Measure, axes *viz.Axes) (*viz.Figure, error) {
	var names []string
	for _, l := range c.Learners {
		names = append(names, l.Name)
	}
	a, err := with(axes, names)
	if err != nil {
		return nil, err
	}
	return viz.LearningCurve(c, by, a)
}

// Range is one that has the values and bands of all series, for panels with one linear y axis.
func Range(series []viz.Series) [2]float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range series {
		for _, y := range slices.Concat(s.Y, s.Lo, s.Hi) {
			lo, hi = min(lo, y), max(hi, y)
		}
	}
	if !(lo < hi) { // fits the data then
		return [2]float64{}
	}
	room := 0.04 * (hi - lo)
	return [2]float64{lo - room, hi + room}
}

// with returns the axes with the looks of these learners, which differ.
func with(axes *viz.Axes, names []string) (*viz.Axes, error) {
	var a viz.Axes
	if axes != nil {
		a = *axes
	}
	a.Looks = make(map[string]viz.Look)
	alike := make(map[string]string)
	for _, name := range names {
		l, ok := table[name]
		if !ok {
			return nil, say.Errorf("looks: %q has no look; give it one in experiments/internal/looks/table.go", name)
		}
		if other, ok := alike[fmt.Sprint(l)]; ok && other != name {
			return nil, say.Errorf("looks: %q and %q look the same in one figure; change one in "+
				"experiments/internal/looks/table.go", other, name)
		}
		alike[fmt.Sprint(l)], a.Looks[name] = name, l
	}
	return &a, nil
}
