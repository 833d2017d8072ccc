package quickstart

import (
	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
)

// plot draws what the network adds to the base rate, without and with knowledge, with
// bands over draws. All are scored on the same patients in each draw, so differences say
// more than the scores themselves.
func plot(c Config, scores Scores) (*viz.Figure, error) {
	var series []viz.Series
	for m := 1; m < len(Models); m++ {
		one := viz.Series{Name: Models[m]}
		for s, size := range c.Sizes {
			b := run.NewBand(scores.gain(m, 0, s))
			one.X, one.Y = append(one.X, float64(size)), append(one.Y, b.Mean)
			one.Lo, one.Hi = append(one.Lo, b.P05), append(one.Hi, b.P95)
		}
		series = append(series, one)
	}
	return viz.Curves(series, &viz.Axes{
		Title: "Breast cancer: what the network adds to the base rate",
		X:     "training cases",
		Y:     "gain on held-out cases (nats a case)",
	})
}
