package quickstart

import (
	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
)

// plot draws what the networks add to the base rate, with bands over draws. All are scored on the
// same patients in each draw, so differences say more than the scores themselves.
func (s *Study) plot() (*viz.Figure, error) {
	var series []viz.Series
	for _, name := range []string{DataAlone, Knowledge, Audited} {
		one := viz.Series{Name: name}
		gains := s.gains(name, BaseRate)
		for i, size := range s.Curve.Sizes {
			b := run.NewBand(gains[i])
			one.X, one.Y = append(one.X, float64(size)), append(one.Y, b.Mean)
			one.Lo, one.Hi = append(one.Lo, b.P05), append(one.Hi, b.P95)
		}
		series = append(series, one)
	}
	return looks.Curves(series, &viz.Axes{
		Title: "Breast cancer: log score of the network relative to the base rate",
		X:     "training cases",
		Y:     "gain on held-out cases (nats per case)",
		LogX:  true,
	})
}
