package timecourse

import (
	"fmt"

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

// courseClaims judges W00 §5.4 on the mean courses over all sets and starts, for one
// reading of footnote 7. The paper's courses are those of one start of one truth.
func (j judge) courseClaims(m int, fades run.Prediction) {
	name, last := j.Methods[m], j.Config.Iterations
	free, tied := j.curve(j.place(plainEM), last, testPoint), j.curve(m, last, testPoint)

	broken := j.curve(m, last, violationPoint)
	gone, least := broken.below(j.limit()), broken.lowest()
	ours := fmt.Sprintf("least at iteration %d (%.3g), %.3g in the end", broken.iterations[least],
		broken.bands[least].Mean, broken.end())
	if gone >= 0 {
		ours = fmt.Sprintf("below %.3g from iteration %d on", j.limit(), gone)
	}
	j.order(name+" eliminates the violations within the first few iterations", partElimination, run.PredictUnknown,
		fmt.Sprintf("judged: the mean stays below a hundredth of the maximum from iteration %d on, or earlier", few),
		"first few", ours, gone >= 0 && gone <= few)

	at, crosses := tied.crossover(free)
	switch {
	case crosses:
		ours = fmt.Sprintf("crossover at iteration %d", at)
	case tied.end() < free.end():
		ours = "closer from the first iteration on"
	default:
		ours = "not closer in the end"
	}
	j.order(fmt.Sprintf("em fits the test data better than %s at first, and worse after at most ten iterations", name),
		partEvolution, run.PredictUnknown,
		"the corrections cost likelihood at first; whether the mean shows it depends on the tables", "< 10", ours,
		crosses && at < 10)
	j.termination(m)
	low, other := free.bands[free.lowest()].Mean, tied.bands[tied.lowest()].Mean
	if j.name == "abstract" {
		j.order("terminated at the best moment, em fits better than "+name, partAvoidance, run.PredictUnknown,
			"the paper reports this for one start", "better", fmt.Sprintf("%.4g against %.4g nats", low, other),
			low < other)
	}
	j.order(name+" loses less than em by continuing after its best iteration", partAvoidance, fades,
		"\"a roughly equally good fit to the test data no matter when the learning process is terminated\": "+
			"constraints leave less room to overfit. With 1,000 cases there is little for either: quick runs went "+
			"either way",
		"less", fmt.Sprintf("%.4g against %.4g nats", tied.rise(), free.rise()), tied.rise() < free.rise())
	if j.name == "load" {
		j.order("some overfitting occurs even with "+name, partAvoidance, run.PredictYes,
			"the constraints leave most parameters free", "some", fmt.Sprintf("%.4g nats after the best iteration",
				tied.rise()), tied.rise() > 0)
	}
}

// termination judges when a method had better stop.
func (j judge) termination(m int) {
	c := j.curve(m, j.Config.Iterations, testPoint)
	best := c.iterations[c.lowest()]
	j.order(j.Methods[m]+" is best terminated between the 5th and the 10th iteration", partAvoidance,
		run.PredictUnknown,
		"ours is the best iteration of the mean curve", "5 to 10", fmt.Sprint(best), best >= 5 && best <= 10)
}
