package apn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"bnlab/experiments/run"
)

// "Theoretical analysis of the sample complexity of learning probabilistic networks is an obvious next step" (R95
// §8). To first order the error of maximum likelihood is k/(2n) times a constant, k being the number of
// parameters that the predictions depend on: a line of slope −1 over the number of cases, on logarithmic axes, at
// a height that goes with k.

// perParameter cases are the least for which the first order can be expected to hold.
const perParameter = 2

// A Slope is a line through logarithms of errors over logarithms of the numbers of cases, by draw.
type Slope struct {
	Figure, Name string
	Parameters   int
	Sizes        []int // from perParameter cases for each on, or all where too few are left
	All          bool
	Slopes       []float64
	Levels       []float64 // mean over the sizes of log(error · cases)
}

// newSlope fits a line by least squares in each draw. Sizes with too few cases are left out when that leaves
// three.
func newSlope(figure string, parameters int, c *Curve) *Slope {
	s := &Slope{Figure: figure, Name: c.Name, Parameters: parameters}
	from := 0
	for from < len(c.Sizes) && c.Sizes[from] < perParameter*parameters {
		from++
	}
	if s.All = len(c.Sizes)-from < 3; s.All {
		from = 0
	}
	s.Sizes = c.Sizes[from:]
	for draw := range c.Errors[0] {
		var x, y []float64
		level := 0.0
		for i, size := range s.Sizes {
			e := max(c.Errors[from+i][draw], math.SmallestNonzeroFloat64)
			x, y = append(x, math.Log(float64(size))), append(y, math.Log(e))
			level += math.Log(e*float64(size)) / float64(len(s.Sizes))
		}
		slope := 0.0
		if len(x) > 1 {
			_, slope = stat.LinearRegression(x, y, nil, false)
		}
		s.Slopes, s.Levels = append(s.Slopes, slope), append(s.Levels, level)
	}
	return s
}

// slopes are those of the curves of Figures 4 and 6 that are of networks.
func (r *Results) slopes() (all []*Slope) {
	hidden, direct := 45, 168 // R95 Figure 2, counted by sizeClaims
	for _, one := range []struct {
		name       string
		parameters int
	}{{hiddenName, hidden}, {hiddenPriorName, hidden}, {stoppedHiddenName, hidden}, {directName, direct}} {
		all = append(all, newSlope("4", one.parameters, r.First.Of(one.name)))
	}
	if r.Second != nil {
		for _, name := range []string{trueStructureName, trueStructurePriorName, stoppedName} {
			all = append(all, newSlope("6", r.Second.Net.FreeParameters(), r.Second.Curves.Of(name)))
		}
	}
	return all
}

// slopeTable has a row for each line.
func (r *Results) slopeTable() *run.Table {
	t := run.NewTable("figure", "model", "parameters", "from_cases", "to_cases", "slope", "p025", "p975",
		"log_error_times_cases", "replicates")
	for _, s := range r.slopes() {
		slope := run.Comparison{Differences: s.Slopes}
		mean, _ := slope.Mean()
		low, high := slope.Interval()
		t.Append(s.Figure, s.Name, s.Parameters, s.Sizes[0], s.Sizes[len(s.Sizes)-1], mean, low, high,
			stat.Mean(s.Levels, nil), len(s.Slopes))
	}
	return t
}

// known is the commit whose figures had shown the curves before their slopes were predicted.
const known = "d398c84"

// inside are the two one-sided comparisons that say that a quantity lies within a margin of what is expected.
func inside(values []float64, expected, margin float64) []run.Comparison {
	below, above := run.Comparison{Name: "from below"}, run.Comparison{Name: "from above"}
	for _, v := range values {
		below.Differences = append(below.Differences, v-(expected-margin))
		above.Differences = append(above.Differences, expected+margin-v)
	}
	return []run.Comparison{below, above}
}

// Margins of a slope and of the logarithm of a ratio.
const (
	slopeMargin = 0.15
	ratioMargin = 0.25
)

// slopeClaims judges the order of the learning curves.
func (r *Results) slopeClaims(job *run.Job) {
	all := r.slopes()
	for _, s := range all {
		slope := run.Comparison{Differences: s.Slopes}
		mean, _ := slope.Mean()
		low, high := slope.Interval()
		expected, why := run.PredictYes, ""
		if s.All {
			expected, why = run.PredictUnknown, fmt.Sprintf("; there are fewer than %d cases for each of %d parameters",
				perParameter, s.Parameters)
		}
		job.CompareAll(run.Statement{
			Claim:  fmt.Sprintf("Figure %s, %s: the error falls with one over the number of cases", s.Figure, s.Name),
			Source: "R95 §8, sample complexity", Data: run.Simulated, Unit: "sides; distance of the slope from " +
				"either limit",
			Prediction: expected, Basis: expected.From(run.Afterwards(known)),
			Note: fmt.Sprintf("slope %.3f (%.3f to %.3f) from %d to %d cases; judged: within %v of −1, from both "+
				"sides%s",
				mean, low, high, s.Sizes[0], s.Sizes[len(s.Sizes)-1], slopeMargin, why),
		}, "–", inside(s.Slopes, -1, slopeMargin)...)
	}
	hidden, direct := r.First.Of(hiddenName), r.First.Of(directName)
	more, sizes := run.Comparison{Differences: make([]float64, len(direct.Errors[0]))}, all[3].Sizes
	for i, size := range direct.Sizes {
		for draw := range more.Differences {
			if size >= sizes[0] {
				more.Differences[draw] += math.Log(direct.Errors[i][draw]/hidden.Errors[i][draw]) / float64(len(sizes))
			}
		}
	}
	want := math.Log(162.0 / 39)
	mean, _ := more.Mean()
	low, high := more.Interval()
	job.CompareAll(run.Statement{
		Claim:  "the cases needed go with the number of parameters: 3-3 needs 162/39 times those of 3-1-3",
		Source: "R95 §8, sample complexity", Data: run.Simulated, Unit: "sides; distance of the log ratio from " +
			"either limit",
		Prediction: run.PredictYes, Basis: run.Afterwards(known),
		Note: fmt.Sprintf("%.2f times (%.2f to %.2f), the mean ratio of the errors from %d cases on; parameters of "+
			"the outputs given "+
			"the inputs; judged: within a factor of %.2f of %.2f, from both sides", math.Exp(mean), math.Exp(low),
			math.Exp(high), sizes[0], math.Exp(ratioMargin), 162.0/39),
	}, "–", inside(more.Differences, want, ratioMargin)...)
}
