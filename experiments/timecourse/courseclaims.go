package timecourse

import (
	"fmt"
	"math"
	"slices"

	"bnlab/experiments/run"
)

// few is the number of iterations that the paper's "within the first few" is judged by.
const few = 10

// Parts of W00 §5.4.
const (
	partElimination = "W00 §5.4, elimination of violations"
	partEvolution   = "W00 §5.4, evolution of the fit"
	partAvoidance   = "W00 §5.4, avoidance of overfitting"
)

// A bundle follows something through the iterations at which every course has a point, for each set by itself,
// averaged over its starts.
type bundle struct {
	iterations []int
	sets       [][]float64 // by set, then iteration
}

func (s *study) bundle(method, iterations int, f func(b *subject, p point) float64) bundle {
	c := bundle{sets: make([][]float64, len(s.subjects))}
	for i := range iterations + 1 {
		if !followed(i) && i < iterations {
			continue
		}
		c.iterations = append(c.iterations, i)
		for set, x := range s.bySet(method, func(b *subject, o *outcome) float64 { return f(b, o.at(i)) }) {
			c.sets[set] = append(c.sets[set], x)
		}
	}
	return c
}

// over is a number for each set, from its course.
func (c bundle) over(f func(values []float64) float64) []float64 {
	out := make([]float64, len(c.sets))
	for set, values := range c.sets {
		out[set] = f(values)
	}
	return out
}

// at is the place of the first point from an iteration on.
func (c bundle) at(iteration int) int {
	i, _ := slices.BinarySearch(c.iterations, iteration)
	return i
}

// best are the iterations at which the courses are lowest.
func (c bundle) best() []float64 {
	return c.over(func(values []float64) float64 {
		return float64(c.iterations[slices.Index(values, slices.Min(values))])
	})
}

// rises are how far the courses end above their lowest points.
func (c bundle) rises() []float64 {
	return c.over(func(values []float64) float64 { return values[len(values)-1] - slices.Min(values) })
}

// later is how far each course ends above where it was at the best iteration of the others' mean, so that it can
// be below zero.
func (c bundle) later() []float64 {
	out := make([]float64, len(c.sets))
	for set, values := range c.sets {
		best, least := 0, math.Inf(1)
		for i := range c.iterations {
			mean := 0.0
			for other, its := range c.sets {
				if other != set {
					mean += its[i]
				}
			}
			if mean < least {
				best, least = i, mean
			}
		}
		out[set] = values[len(values)-1] - values[best]
	}
	return out
}

// eliminated are by how much each course stays below a limit from an iteration on.
func (c bundle) eliminated(limit float64, iteration int) []float64 {
	from := c.at(iteration)
	return c.over(func(values []float64) float64 { return limit - slices.Max(values[from:]) })
}

// crossing are the two comparisons that make a crossover: after the first iteration c is above d, and from
// another one on it is below on average.
func (c bundle) crossing(d bundle, iteration int) []run.Comparison {
	first, from := c.at(1), c.at(iteration)
	early, late := run.Comparison{Name: "after the first iteration"},
		run.Comparison{Name: fmt.Sprintf("from iteration %d on", iteration)}
	for set, values := range c.sets {
		other, mean := d.sets[set], 0.0
		for i := from; i < len(values); i++ {
			mean += (other[i] - values[i]) / float64(len(values)-from)
		}
		early.Differences = append(early.Differences, values[first]-other[first])
		late.Differences = append(late.Differences, mean)
	}
	return []run.Comparison{early, late}
}

// mostly says of each course whether its best iteration lies between two, ½ for yes and −½ for no: the mean is
// above zero where it does so in most sets.
func (c bundle) mostly(from, to int) (halves []float64, count int) {
	for _, best := range c.best() {
		if best >= float64(from) && best <= float64(to) {
			halves, count = append(halves, 0.5), count+1
		} else {
			halves = append(halves, -0.5)
		}
	}
	return halves, count
}

// paired records a comparison over the sets.
func (j judge) paired(claim, source, unit string, expected run.Prediction, note, paper string, differences []float64) {
	s := j.statement(claim, source, expected, note)
	s.Unit = unit
	j.job.Compare(s, paper, run.Comparison{Differences: differences})
}

// courseClaims judges W00 §5.4 set by set, for one reading of footnote 7. The paper's courses are those of one
// start of one truth.
func (j judge) courseClaims(m int, fades run.Prediction) {
	name, last := j.Methods[m], j.Config.Iterations
	free, tied := j.bundle(j.place(plainEM), last, testPoint), j.bundle(m, last, testPoint)
	gone := j.bundle(m, last, violationPoint).eliminated(j.limit(), few)
	held := 0
	for _, d := range gone {
		if d > 0 {
			held++
		}
	}
	j.paired(name+" eliminates the violations within the first few iterations", partElimination, "violation",
		run.PredictUnknown, fmt.Sprintf("judged: the most from iteration %d on is below a hundredth of the maximum; "+
			"it is "+
			"in %d of %d sets", few, held, len(gone)), "first few", gone)

	s := j.statement(fmt.Sprintf("em fits the test data better than %s at first, and worse from the tenth iteration on",
		name), partEvolution, run.PredictUnknown,
		"the corrections cost likelihood at first; whether it shows depends on the tables")
	s.Unit = "parts; difference in nats per case"
	j.job.CompareAll(s, "< 10", tied.crossing(free, 10)...)
	j.termination(m)
	if j.name == "abstract" {
		j.paired("terminated at the best moment, em fits better than "+name, partAvoidance, "nats per case",
			run.PredictUnknown, "each at the best iteration of each set; the paper reports this for one start",
			"better",
			less(tied.over(slices.Min[[]float64]), free.over(slices.Min[[]float64])))
	}
	j.paired(name+" loses less than em by continuing after its best iteration", partAvoidance, "nats per case", fades,
		"\"a roughly equally good fit to the test data no matter when the learning process is terminated\": "+
			"constraints leave less room to overfit. With 1,000 cases there is little for either: quick runs went "+
			"either way", "less", less(free.rises(), tied.rises()))
	if j.name == "load" {
		j.paired("some overfitting occurs even with "+name, partAvoidance, "nats per case", run.PredictYes,
			"the constraints leave most parameters free; from the best iteration of the other sets' mean to the end",
			"some", tied.later())
	}
}

// termination judges when a method had better stop.
func (j judge) termination(m int) {
	c := j.bundle(m, j.Config.Iterations, testPoint)
	halves, count := c.mostly(5, 10)
	j.paired(j.Methods[m]+" is best terminated between the 5th and the 10th iteration", partAvoidance,
		"share of the sets less one half", run.PredictUnknown,
		fmt.Sprintf("judged: in most sets; in %d of %d, the median being iteration %v", count, len(halves),
			run.NewBand(c.best()).P50), "5 to 10", halves)
}
