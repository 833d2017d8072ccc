package viz_test

import (
	"context"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/viz"
)

// A fit by EM: how its log-likelihood rose. In a notebook, nb.Show(nb.Must(viz.Trace(model.Result, nil))).
func ExampleTrace() {
	net, err := bn.New("[who][coin|who]", bn.Discrete("who", "Ann", "Bob"), bn.Discrete("coin", "heads", "tails"))
	if err != nil {
		fmt.Println(err)
		return
	}
	unknown := bn.Missing
	throws, err := data.New(
		data.Column{Var: net.Variable(0), States: []bn.State{0, 0, 0, 1, 1, 1, unknown, unknown}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, 0, 1, 0, 1, 1, 0, 0}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fit, err := learn.Fit(context.Background(), net, throws, learn.EM{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	figure, err := viz.Trace(fit, &viz.Axes{Title: "Who threw?"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(figure)
	// Output:
	// Who threw? (figure of 6.5 × 4.0 inches)
}

// Learners that look the same in every figure, whatever else stands in it; plots in a row share what is the same.
func ExampleRow() {
	looks := map[string]viz.Look{
		"free":    {Dash: []float64{3, 1.5}},
		"ordered": {Marker: "square"},
	}
	var panels []*viz.Figure
	for _, domain := range []string{"Heart", "Breast"} {
		figure, err := viz.Curves([]viz.Series{
			{Name: "free", X: []float64{15, 60}, Y: []float64{0.7, 0.8}},
			{Name: "ordered", X: []float64{15, 60}, Y: []float64{0.75, 0.8}},
		}, &viz.Axes{Title: domain, X: "training cases", Y: "AUC", Looks: looks})
		if err != nil {
			fmt.Println(err)
			return
		}
		panels = append(panels, figure)
	}
	row, err := viz.Row(panels...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(row)
	// Output:
	// Heart; Breast (figure of 10.2 × 4.2 inches)
}
