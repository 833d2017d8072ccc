package scale

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// A slope says how a measure grows with the rows: measure ∝ rows^all over all sizes, by least
// squares on log-log axes, and rows^last between the two largest, where what does not depend
// on the rows counts least.
type slope struct {
	engine, task, measure string
	all, last             float64
	points                int
}

// measures are those that slopes are fitted to.
var measures = []struct {
	name  string
	value func(result) float64
}{
	{"seconds", func(one result) float64 { return one.seconds }},
	{"processor_seconds", func(one result) float64 { return one.processor }},
	{"peak_mb", func(one result) float64 { return one.peak }},
	{"statements", func(one result) float64 { return float64(one.cost.Statements) }},
	{"rows_fetched", func(one result) float64 { return float64(one.cost.Rows) }},
}

// slopes fits all measures that are positive at two sizes or more.
func (r *Results) slopes() []slope {
	var list []slope
	for _, engine := range r.engines {
		for _, name := range append([]string{opening}, r.names()...) {
			for _, m := range measures {
				if s, ok := fit(r.of(engine, name), m.value); ok {
					s.engine, s.task, s.measure = engine, name, m.name
					list = append(list, s)
				}
			}
		}
	}
	return list
}

// fit is the slope of one measure by rows.
func fit(list []result, value func(result) float64) (slope, bool) {
	var x, y []float64
	for _, one := range list {
		if v := value(one); v > 0 {
			x, y = append(x, math.Log10(float64(one.rows))), append(y, math.Log10(v))
		}
	}
	n := len(x)
	if n < 2 {
		return slope{}, false
	}
	_, all := stat.LinearRegression(x, y, nil, false)
	return slope{all: all, last: (y[n-1] - y[n-2]) / (x[n-1] - x[n-2]), points: n}, true
}
