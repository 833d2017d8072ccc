package bnkit

import (
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/constraint"
)

// frame lays the effect out. Draws, nil for none, are answers as done is.
func (e *effect) frame(done []float64, draws *constraint.Draws, set *EffectSettings) (dataframe.DataFrame, error) {
	r := len(e.y.States)
	n := len(done)
	treatments, outcomes, notes, seen := make([]string, n), make([]string, n), make([]string, n), make([]float64, n)
	for i := range n {
		treatments[i], outcomes[i] = e.x.States[i/r], e.y.States[i%r]
		notes[i], seen[i] = e.note, e.seen[i/r][i%r]
	}
	cols := []series.Series{
		series.New(treatments, series.String, "treatment"),
		series.New(outcomes, series.String, "outcome"),
		series.New(seen, series.Float, "seen"),
	}
	for _, measure := range []struct {
		name string
		of   func(p, base float64) float64
	}{
		{"do", func(p, _ float64) float64 { return p }},
		{"difference", func(p, base float64) float64 { return p - base }},
		{"ratio", func(p, base float64) float64 {
			if base == 0 {
				return math.NaN()
			}
			return p / base
		}},
	} {
		values := func(answer []float64) []float64 {
			x := make([]float64, n)
			for i, p := range answer {
				x[i] = measure.of(p, answer[e.base*r+i%r])
			}
			return x
		}
		cols = append(cols, series.New(values(done), series.Float, measure.name))
		if draws == nil {
			continue
		}
		of := &constraint.Draws{}
		for _, answer := range draws.Theta {
			of.Theta = append(of.Theta, values(answer))
		}
		low, high := make([]float64, n), make([]float64, n)
		for i := range n {
			low[i], high[i] = of.Interval(i, set.Intervals.Probability())
		}
		cols = append(cols, series.New(low, series.Float, measure.name+" low"),
			series.New(high, series.Float, measure.name+" high"))
	}
	return dataframe.New(append(cols, series.New(notes, series.String, "note"))...), nil
}
