package viz_test

import (
	"fmt"
	"log"
	"math"
	"testing"

	"bnlab/bnkit/viz"
)

// tornado is what nb.Plot makes of a frame of Sensitivity: bars without dots, and the answer across them.
func tornado() (*viz.Figure, error) {
	var names []string
	var low, high, answer []float64
	for i := range 20 {
		names = append(names, fmt.Sprintf("P(lung=yes | smoke=no, exposed to asbestos=level %d, age=%d)", 21-i, 41-i))
		low, high = append(low, 0.485-float64(21-i)/500), append(high, 0.485+float64(21-i)/300)
		answer = append(answer, 0.485)
	}
	return viz.IntervalBars(names, []viz.BarSeries{{Lo: low, Hi: high, Reference: answer}},
		&viz.Axes{Title: "What the answer depends on", X: "P(lung=yes | xray=yes)"})
}

// effects are answers without and with intervals; one row has none, and one no answer.
func effects() (*viz.Figure, error) {
	none := math.NaN()
	return viz.IntervalBars([]string{"not irradiated", "irradiated", "refused, and so never seen"}, []viz.BarSeries{
		{Name: "seen", Values: []float64{0.25, 0.46, none}},
		{Name: "do, 90 % interval", Values: []float64{0.28, 0.38, 0.3}, Lo: []float64{0.24, 0.29, none},
			Hi: []float64{0.34, 0.49, none}},
	}, &viz.Axes{X: "P(recurrence = yes)", XRange: [2]float64{0, 1}})
}

// An effect as it is seen and as it would be.
func ExampleIntervalBars() {
	fig, err := viz.IntervalBars([]string{"not irradiated", "irradiated"}, []viz.BarSeries{
		{Name: "seen", Values: []float64{0.25, 0.46}},
		{Name: "do", Values: []float64{0.28, 0.38}, Lo: []float64{0.24, 0.29}, Hi: []float64{0.34, 0.49}},
	}, &viz.Axes{Title: "Recurrence after irradiation"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fig)
	// Output:
	// Recurrence after irradiation (figure of 6.5 × 2.0 inches)
}

func TestIntervalBarsErrors(t *testing.T) {
	one, nan := []float64{1}, []float64{math.NaN()}
	for _, test := range []struct {
		names  []string
		series viz.BarSeries
		axes   *viz.Axes
		want   string
	}{
		{nil, viz.BarSeries{}, nil, "no bars"},
		{[]string{"a"}, viz.BarSeries{}, nil, "no bars"},
		{[]string{"a"}, viz.BarSeries{Values: nan}, nil, "no bars"},
		{[]string{"a"}, viz.BarSeries{Name: "s", Values: []float64{1, 2}}, nil, `"s" has 2 numbers (value) for 1 rows`},
		{[]string{"a"}, viz.BarSeries{Values: []float64{math.Inf(1)}}, nil, `row "a": value is +Inf`},
		{[]string{"a"}, viz.BarSeries{Lo: one, Hi: []float64{0.5}}, nil, `row "a": lo is 1 and hi 0.5`},
		{[]string{"a"}, viz.BarSeries{Lo: one}, nil, `row "a": lo is 1 and hi NaN`},
		{[]string{"a"}, viz.BarSeries{Values: one, StdErr: one}, nil, "give Lo and Hi"},
		{[]string{"a"}, viz.BarSeries{Values: one}, &viz.Axes{LogX: true}, "linear"},
		{[]string{"a"}, viz.BarSeries{Values: one}, &viz.Axes{Width: -1}, "inches"},
	} {
		_, err := viz.IntervalBars(test.names, []viz.BarSeries{test.series}, test.axes)
		wantError(t, err, test.want)
	}
}
