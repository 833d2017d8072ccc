package viz_test

import (
	"fmt"
	"log"

	"bnlab/bnkit/viz"
)

// curves draws three learning curves with bands and published points.
func curves() (*viz.Figure, error) {
	x := []float64{1, 2, 3, 5, 10, 16, 40, 60, 100, 200, 300, 500, 700, 1000}
	curve := func(scale float64) (y, lo, hi []float64) {
		for _, n := range x {
			v := scale / (n + 30)
			y, lo, hi = append(y, v), append(lo, v*0.8), append(hi, v*1.25)
		}
		return y, lo, hi
	}
	free, freeLo, freeHi := curve(15)
	shared, sharedLo, sharedHi := curve(8)
	return viz.Curves([]viz.Series{
		{Name: "free (STBN)", X: x, Y: free, Lo: freeLo, Hi: freeHi},
		{Name: "shared (PDKBN)", X: x, Y: shared, Lo: sharedLo, Hi: sharedHi},
		{Name: "shared, published", X: []float64{5, 40, 200, 600}, Y: []float64{0.2, 0.1, 0.04, 0.015},
			Points: true, As: "shared (PDKBN)"},
	}, &viz.Axes{
		Title: "Sharing parameters pays when data are scarce",
		X:     "training cases", Y: "KL to the truth (nats)", LogX: true,
	})
}

func ExampleCurves() {
	fig, err := curves()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fig)
	// In a notebook: nb.Show(fig). In a script: fig.Save("kl.png").

	// Output:
	// Sharing parameters pays when data are scarce (figure of 6.5 × 4.0 inches)
}

func bars() (*viz.Figure, error) {
	return viz.Bars([]string{"30 cases", "60 cases", "120 cases"}, []viz.BarSeries{
		{Name: "without knowledge", Values: []float64{0.71, 0.64, 0.6}, Lo: []float64{0.62, 0.6, 0.57},
			Hi: []float64{0.82, 0.7, 0.63}},
		{Name: "with knowledge", Values: []float64{0.62, 0.59, 0.58}, StdErr: []float64{0.03, 0.02, 0.02},
			Reference: []float64{0.6, 0.6, 0.57}},
	}, &viz.Axes{Title: "Log loss on held-out cases", Y: "loss (nats per case)"})
}

func ExampleBars() {
	fig, err := bars()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fig)
	// Output:
	// Log loss on held-out cases (figure of 6.5 × 4.0 inches)
}
