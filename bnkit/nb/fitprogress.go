package nb

import (
	"fmt"
	"math"
	"sync"

	"bnlab/bnkit/learn"
)

// fitProgress returns a function that shows the progress of a fit.
func fitProgress(label string) func(learn.Progress) {
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
