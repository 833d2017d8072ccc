package apn

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/experiments/run"
)

// wideClaims judges what 12-3 needs for what the right structure reaches. That level is of a curve that gets there
// at all: at the first size at which it is below the error of the true proportions, so that it predicts from the
// inputs. Maximum likelihood is above it at 400 cases, where 12-3 is below when it begins with the proportions.
func (r *Results) wideClaims(job *run.Job) {
	c := r.Second.Curves
	for _, one := range []struct {
		right, wide string
		basis       run.Basis
		note        string
	}{
		{trueStructurePriorName, wideName, run.Theory, "unseen inputs, most of the 92,160, are predicted as uniform: " +
			"what gradient ascent leaves of an uninformative start, and better than random rows"},
		{trueStructurePriorName, wideProportionsName, run.Afterwards(known), "rows without cases have the proportions"},
		{stoppedName, wideName, run.Theory, "as above"},
		{stoppedName, wideProportionsName, run.Afterwards(known), "rows without cases have the proportions"},
	} {
		right, wide := c.Of(one.right), c.Of(one.wide)
		s := run.Statement{
			Claim: fmt.Sprintf("%s needs many thousands of cases for what the right structure reaches (%s)", one.wide,
				strings.TrimPrefix(one.right, trueStructureName+", ")), Source: "R95 §7, Figure 6", Data: run.Simulated,
			Unit:       "sizes of 12-3; difference of the mean squared errors",
			Prediction: run.PredictYes, Basis: one.basis,
		}
		size := right.learns(r.Second.Spread)
		if size == 0 {
			job.Missing(s, "many thousands", "the curve itself is not told to be below the error of the proportions "+
				"at "+
				"any size")
			continue
		}
		arrives := fmt.Sprintf("first at %d", wide.Reaches(right.At(size)))
		if wide.Reaches(right.At(size)) == 0 {
			arrives = fmt.Sprintf("not within %d", wide.Sizes[len(wide.Sizes)-1])
		}
		s.Note = fmt.Sprintf("the level is that at %d cases, %.3g, the first at which it is told to be below that "+
			"of the "+
			"proportions, %.3g; 12-3 reaches it %s; judged: above it at each size up to four times %d, and %d at "+
			"least; %s",
			size, right.At(size), r.Second.Spread, arrives, size, many, one.note)
		job.CompareAll(s, "many thousands", wide.above(right, size, max(4*size, many))...)
	}
}

// learns is the first size at which the curve is told to be below a level, by the 95 % interval over the draws;
// 0 when it is at none.
func (c *Curve) learns(level float64) int {
	for i, size := range c.Sizes {
		below := run.Comparison{}
		for _, e := range c.Errors[i] {
			below.Differences = append(below.Differences, level-e)
		}
		if low, _ := below.Interval(); low > 0 {
			return size
		}
	}
	return 0
}

// above compares a curve, at each size up to most, with what another has at one size, in pairs by draw.
func (c *Curve) above(other *Curve, size, most int) (parts []run.Comparison) {
	level := other.Errors[slices.Index(other.Sizes, size)]
	for i, n := range c.Sizes {
		if n > most {
			break
		}
		one := run.Comparison{Name: fmt.Sprint(n)}
		for draw, e := range c.Errors[i] {
			one.Differences = append(one.Differences, e-level[draw])
		}
		parts = append(parts, one)
	}
	return parts
}

// ignorant are the learners without knowledge.
var ignorant = []string{neuralName, decayedName, errorsTreeName, scoreTreeName, nearestName}

// tenth is by how much of the proportions' error a learner that predicts them may differ.
const tenth = 0.1

// footnoteClaims judges footnote 4.
func (r *Results) footnoteClaims(job *run.Job) {
	const source = "R95 footnote 4"
	c := r.Second.Curves
	for _, one := range []struct {
		name     string
		expected run.Prediction
		basis    run.Basis
		note     string
	}{
		{neuralName, run.PredictNo, pilot, "true as long as cross-validation selects no hidden nodes; in a pilot " +
			"draw " +
			"with 1,600 cases the error was a third"},
		{decayedName, run.PredictNo, run.Theory, "with few cases much decay leaves the proportions; with many it " +
			"need " +
			"not be chosen, and there is structure to be found"},
		{errorsTreeName, run.PredictNo, pilot, "error-based pruning removes splits that do not change the majority " +
			"class, but its estimate is pessimistic, and it keeps some that fit noise"},
		{scoreTreeName, run.PredictNo, pilot, "a likelihood detects splits that change probabilities but not the " +
			"majority class"},
		{nearestName, run.PredictNo, pilot, "cross-validation selects a k well below the number of cases"},
	} {
		parts, text := c.Of(one.name).near(c.Of(proportionsName))
		job.CompareAll(run.Statement{
			Claim: one.name + ": predicts just the output proportions at every size", Source: source,
			Data: run.Simulated, Unit: "sizes and sides; distance of the error from either limit",
			Prediction: one.expected, Basis: one.basis,
			Note: fmt.Sprintf("error over that of the proportions: %s; judged: within a tenth of it, from both "+
				"sides; %s",
				text, one.note),
		}, "the proportions", parts...)
	}
	for _, one := range []struct {
		name     string
		expected run.Prediction
		basis    run.Basis
		note     string
	}{
		{trueStructureName, run.PredictUnknown, "", "in a pilot draw the neural network and the trees came close"},
		{trueStructurePriorName, run.PredictYes, run.Afterwards(known), "the regularised curve"},
		{stoppedName, run.PredictYes, stoppedPilot, "on the same cases"},
	} {
		parts, text := c.Of(one.name).better(c, ignorant)
		job.CompareAll(run.Statement{
			Claim: "what the structured APN finds is not discernible by learners without knowledge: with the most " +
				"cases " +
				"it is better than each of them (" + one.name + ")", Source: source, Data: run.Simulated,
			Unit: "learners; difference of the mean squared errors", Prediction: one.expected, Basis: one.basis,
			Note: text + "; " + one.note,
		}, "better", parts...)
	}
}

// near are the comparisons that say that a curve is within a tenth of another at each size, from both sides, in
// pairs by draw.
func (c *Curve) near(other *Curve) (parts []run.Comparison, text string) {
	var ratios []string
	for i, size := range c.Sizes {
		above, below := run.Comparison{Name: fmt.Sprintf("%d, too low", size)},
			run.Comparison{Name: fmt.Sprintf("%d, too high", size)}
		k := slices.Index(other.Sizes, size)
		for draw, e := range c.Errors[i] {
			above.Differences = append(above.Differences, e-(1-tenth)*other.Errors[k][draw])
			below.Differences = append(below.Differences, (1+tenth)*other.Errors[k][draw]-e)
		}
		parts = append(parts, above, below)
		ratios = append(ratios, fmt.Sprintf("%d: %.2f", size, c.Mean()[i]/other.At(size)))
	}
	return parts, strings.Join(ratios, "; ")
}

// better compares a curve at its last size with others, in pairs by draw.
func (c *Curve) better(all Curves, names []string) (parts []run.Comparison, text string) {
	last := len(c.Sizes) - 1
	best, closest := math.Inf(1), ""
	for _, name := range names {
		one, other := run.Comparison{Name: name}, all.Of(name)
		k := slices.Index(other.Sizes, c.Sizes[last])
		for draw, e := range other.Errors[k] {
			one.Differences = append(one.Differences, e-c.Errors[last][draw])
		}
		parts = append(parts, one)
		if e := other.At(c.Sizes[last]); e < best {
			best, closest = e, name
		}
	}
	return parts, fmt.Sprintf("%.3g against %.3g (%s) at %d cases", c.At(c.Sizes[last]), best, closest, c.Sizes[last])
}
