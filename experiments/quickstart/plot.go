package quickstart

import (
	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
)

// plot draws what the networks add to the base rate. All are scored on the same patients in each draw, so differences
// say more than the scores themselves. One learner has its band over draws; three on each other cannot be read, and the
// table has all of them.
func (s *Study) plot() (*viz.Figure, error) {
	var series []viz.Series
	for _, name := range []string{DataAlone, Knowledge, Audited} {
		one := viz.Series{Name: name}
		gains := s.gains(name, BaseRate)
		for i, size := range s.Curve.Sizes {
			b := run.NewBand(gains[i])
			one.X, one.Y = append(one.X, float64(size)), append(one.Y, b.Mean)
			if name == Knowledge {
				one.Lo, one.Hi = append(one.Lo, b.P05), append(one.Hi, b.P95)
			}
		}
		series = append(series, one)
	}
	base := viz.Series{Name: BaseRate, X: series[0].X, Y: make([]float64, len(series[0].X))}
	series = append(series, base)
	return looks.Curves(series, &viz.Axes{
		Title: "Breast cancer: gain over the base rate; means, band: 90 % of the draws with knowledge",
		X:     "patients to learn from",
		Y:     "gain in log score on the others (nats a case)",
		LogX:  true,
	})
}
