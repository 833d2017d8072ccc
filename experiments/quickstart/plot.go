package quickstart

import (
	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
)

// plot draws the learning curves of both models with their bands over draws.
func plot(c Config, scores Scores) (*viz.Figure, error) {
	series := make([]viz.Series, len(Models))
	for m, name := range Models {
		series[m].Name = name
		for s, size := range c.Sizes {
			b := run.NewBand(scores[m][s])
			series[m].X = append(series[m].X, float64(size))
			series[m].Y = append(series[m].Y, b.Mean)
			series[m].Lo = append(series[m].Lo, b.P05)
			series[m].Hi = append(series[m].Hi, b.P95)
		}
	}
	return viz.Curves(series, &viz.Axes{
		Title: "Breast cancer: predicting recurrence in patients not seen",
		X:     "training cases",
		Y:     "log score (nats a case), mean and 5 to 95 % of draws",
	})
}
