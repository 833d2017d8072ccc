package viz_test

import (
	"fmt"
	"log"
	"math"
	"testing"

	"bnlab/bnkit/viz"
)

func tornado() (*viz.Figure, error) {
	names, low, high := []string{"P(xray=yes | either=no)"}, []float64{0.46}, []float64{0.51}
	for i := range 22 { // more than are drawn, in the order of the narrowest first
		names = append(names, fmt.Sprintf("P(lung=yes | smoke=no, exposed to asbestos=level %d, age=%d)", i, 20+i))
		low, high = append(low, 0.485-float64(i)/500), append(high, 0.485+float64(i)/300)
	}
	return viz.Tornado(names, low, high, 0.485, &viz.Axes{Title: "What the answer depends on",
		X: "P(lung=yes | xray=yes)"})
}

// The widest bar on top.
func ExampleTornado() {
	fig, err := viz.Tornado([]string{"P(xray=yes | either=no)", "P(lung=yes | smoke=yes)"}, []float64{0.47, 0.45},
		[]float64{0.51, 0.53}, 0.489, &viz.Axes{Title: "Lung cancer after an X-ray"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fig)
	// Output:
	// Lung cancer after an X-ray (figure of 6.5 × 1.5 inches)
}

func TestTornadoErrors(t *testing.T) {
	one := []float64{1}
	for _, test := range []struct {
		names     []string
		low, high []float64
		answer    float64
		axes      *viz.Axes
		want      string
	}{
		{nil, nil, nil, 1, nil, "no bars"},
		{[]string{"a"}, one, nil, 1, nil, "1 names have 1 low and 0 high"},
		{[]string{"a"}, one, one, math.NaN(), nil, "the answer is NaN"},
		{[]string{"a"}, one, []float64{0.5}, 1, nil, `"a" goes from 1 to 0.5`},
		{[]string{"a"}, one, []float64{math.NaN()}, 1, nil, `"a" goes from 1 to NaN`},
		{[]string{"a"}, one, one, 1, &viz.Axes{LogX: true}, "linear"},
		{[]string{"a"}, one, one, 1, &viz.Axes{Width: -1}, "inches"},
	} {
		_, err := viz.Tornado(test.names, test.low, test.high, test.answer, test.axes)
		wantError(t, err, test.want)
	}
}
