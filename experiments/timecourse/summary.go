package timecourse

import (
	"math"
	"slices"

	"bnlab/experiments/run"

	"gonum.org/v1/gonum/stat"
)

// A measure is a number that an outcome has.
type measure func(b *subject, o *outcome) float64

// How much worse than the truth a network fits the test cases, how much better (so
// negative) the training cases, both in nats per case, and how much larger its quadratic loss is.
func excessTest(b *subject, o *outcome) float64      { return o.test - b.base.test }
func excessTrain(b *subject, o *outcome) float64     { return o.train - b.base.train }
func excessQuadratic(b *subject, o *outcome) float64 { return o.quadratic - b.base.quadratic }
func excessCauses(b *subject, o *outcome) float64    { return o.fromCauses - b.base.fromCauses }
func violation(_ *subject, o *outcome) float64       { return o.violation }

// place is the place of a method.
func (r *Results) place(name string) int { return slices.Index(r.Methods, name) }

// bySet is the measure of a method averaged over the starts of each set.
func (s *study) bySet(method int, f measure) []float64 {
	means := make([]float64, len(s.subjects))
	for set, b := range s.subjects {
		for _, o := range s.outcomes[method][set] {
			means[set] += f(b, o) / float64(len(b.starts))
		}
	}
	return means
}

// count is the number of runs of a method for which f holds, and of all its runs.
func (s *study) count(method int, f func(b *subject, o *outcome) bool) (holds, all int) {
	for set, b := range s.subjects {
		for _, o := range s.outcomes[method][set] {
			all++
			if f(b, o) {
				holds++
			}
		}
	}
	return holds, all
}

// A comparison is of a method with plain EM, start by start.
type comparison struct {
	mean    float64   // how much shorter the average distance to the truth is, in percent
	percent []float64 // the same by set
	gains   []float64 // by how much the set is nearer, in percent of the average distance: their mean is mean
	wins    []float64 // starts of the set from which the method is nearer to the truth
}

// compare compares distances to the truth, larger being worse.
func (s *study) compare(method, plain int, distance measure) comparison {
	var c comparison
	a, b := s.bySet(method, distance), s.bySet(plain, distance)
	c.mean = shorter(stat.Mean(a, nil), stat.Mean(b, nil))
	whole := stat.Mean(b, nil)
	for set := range a {
		gain := 0.0
		if whole > 0 {
			gain = 100 * (b[set] - a[set]) / whole
		}
		c.gains = append(c.gains, gain)
		c.percent = append(c.percent, shorter(a[set], b[set]))
		wins := 0.0
		for start, o := range s.outcomes[method][set] {
			if distance(s.subjects[set], o) < distance(s.subjects[set], s.outcomes[plain][set][start]) {
				wins++
			}
		}
		c.wins = append(c.wins, wins)
	}
	return c
}

// shorter is by how many percent a is less than b, 0 when b is no distance.
func shorter(a, b float64) float64 {
	if !(b > 0) {
		return 0
	}
	return 100 * (1 - a/b)
}

// A curve is something that goes on with the iterations.
type curve struct {
	iterations []int
	bands      []run.Band // over the sets, each averaged over its starts
}

// curve follows f through the iterations at which every course has a point.
func (s *study) curve(method, iterations int, f func(b *subject, p point) float64) curve {
	var c curve
	for i := range iterations + 1 {
		if !followed(i) && i < iterations {
			continue
		}
		c.iterations = append(c.iterations, i)
		c.bands = append(c.bands, run.NewBand(s.bySet(method,
			func(b *subject, o *outcome) float64 { return f(b, o.at(i)) })))
	}
	return c
}

func testPoint(b *subject, p point) float64      { return p.test - b.base.test }
func trainPoint(b *subject, p point) float64     { return p.train - b.base.train }
func violationPoint(_ *subject, p point) float64 { return p.violation }

// meanError is the mean and its standard error.
func meanError(values []float64) (mean, stderr float64) {
	mean, sd := stat.MeanStdDev(values, nil)
	return mean, sd / math.Sqrt(float64(len(values)))
}
