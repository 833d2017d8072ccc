package nb

import (
	"fmt"
	"math"
	"sync"

	"bnlab/bnkit/learn"
)

// FitProgress returns a function for the field Progress of [bnkit.Settings] and [learn.Settings],
// which shows the progress of a fit in one line:
//
//	set := &bnkit.Settings{Seed: 1, Progress: nb.FitProgress("EM")}
//	model := nb.Must(bnkit.Fit(nb.Context(), net, df, learn.EM{}, set))
//	nb.Println(model)
//
// as in
//
//	EM: start 2 of 5, iteration 37, log-likelihood -1234.50; best so far: start 1, -1230.12
//
// A fit that is interrupted says so at the end of the line. The best start has the highest objective, or
// log-likelihood of held-out cases where the
// fit stops by these. In a notebook the line is replaced as the fit goes on; what the cell
// shows next, by this package, finds it in its last state, so that no trace of the run's
// speed is left. Elsewhere lines go to the standard error, a few seconds apart.
func FitProgress(label string) func(learn.Progress) {
	var mu sync.Mutex
	var update func(s string, last bool)
	var best bestStart
	return func(p learn.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if update == nil {
			update = show().status()
		}
		if p.Interrupted {
			update(fitLine(label, p, best)+"; interrupted", true)
			return
		}
		best.add(p)
		update(fitLine(label, p, best), false)
	}
}

// A bestStart is the start of a fit that has come furthest.
type bestStart struct {
	values    []float64 // by start: what the fit keeps the best of
	iteration int       // the last one
	heldOut   bool
}

// add follows the fit, and begins anew when another one does.
func (b *bestStart) add(p learn.Progress) {
	start := max(p.Start, 1)
	if start < len(b.values) || start == len(b.values) && p.Step.Iteration <= b.iteration {
		*b = bestStart{}
	}
	for len(b.values) < start {
		b.values = append(b.values, math.Inf(-1))
	}
	b.iteration, b.heldOut = p.Step.Iteration, b.heldOut || p.Step.HeldOut != 0
	if at := &b.values[start-1]; b.heldOut {
		*at = max(*at, p.Step.HeldOut)
	} else {
		*at = p.Step.Objective
	}
}

// start returns the best start, from 1, and its value.
func (b *bestStart) start() (start int, value float64) {
	value = math.Inf(-1)
	for i, x := range b.values {
		if x > value {
			start, value = i+1, x
		}
	}
	return start, value
}

// fitLine puts a state of a fit in words, log-likelihoods to a hundredth of a nat.
func fitLine(label string, p learn.Progress, best bestStart) string {
	line := label
	if label != "" {
		line += ": "
	}
	if p.Starts > 1 {
		line += fmt.Sprintf("start %d of %d, ", p.Start, p.Starts)
	}
	line += fmt.Sprintf("iteration %d, log-likelihood %.2f", p.Step.Iteration, p.Step.LogLikelihood)
	if o := p.Step.Objective; fmt.Sprintf("%.2f", o) != fmt.Sprintf("%.2f", p.Step.LogLikelihood) {
		line += fmt.Sprintf(", objective %.2f", o)
	}
	if best.heldOut {
		line += fmt.Sprintf(", held-out %.2f", p.Step.HeldOut)
	}
	if p.Step.Violation != 0 {
		line += ", violation " + number(p.Step.Violation)
	}
	if p.Start > 1 {
		start, value := best.start()
		line += fmt.Sprintf("; best so far: start %d, %.2f", start, value)
	}
	return line
}
