package sharing

import (
	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
)

// figure2 draws N06 Figure 2 over many draws of T, with the points that Table 1
// gives for the paper's single draw: PDKBN's KL at each size, and STBN's at the size
// where it is the same.
func figure2(stbn, pdkbn []run.Band) (*viz.Figure, error) {
	const free, tied = "STBN", "PDKBN"
	series := []viz.Series{
		curve(free, stbn), curve(tied, pdkbn),
		{Name: free + ", published", Points: true, As: free},
		{Name: tied + ", published", Points: true, As: tied},
	}
	for _, row := range table1 {
		if !row.more {
			series[2].X, series[2].Y = append(series[2].X, float64(row.equivalent)), append(series[2].Y, row.kl)
		}
		series[3].X, series[3].Y = append(series[3].X, float64(row.examples)), append(series[3].Y, row.kl)
	}
	return looks.Curves(series, &viz.Axes{
		Title: "N06 Figure 2: KL divergence from the true distribution",
		X:     "training examples",
		Y:     "KL (nats), mean and 5 to 95 % of draws",
		LogX:  true,
	})
}

// curve draws the mean and the band at each of the first 100 sizes and at every
// tenth after, which the eye cannot tell from all.
func curve(name string, bands []run.Band) viz.Series {
	s := viz.Series{Name: name}
	for i, b := range bands {
		if n := i + 1; n <= 100 || n%10 == 0 {
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, b.Mean)
			s.Lo, s.Hi = append(s.Lo, b.P05), append(s.Hi, b.P95)
		}
	}
	return s
}
