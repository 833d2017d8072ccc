package nb

import (
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"fmt"
	"strings"
	"sync"
)

// Progress shows how far something has come, in one line. Its methods are what the fields Progress of settings take:
//
//	nb.Progress("replicates").Steps // func(done, total int): what counts steps
//	nb.Progress("EM").Fit           // func(learn.Progress): fits
//	nb.Progress("search").Search    // func(structure.Progress): searches and arc strengths
//
// Steps are counted by package validate (CrossValidate, LearningCurve, EquivalentSampleSize) and package hpm,
// [bnkit.IntervalSettings], [learn.AuditSettings] and [sharing.Settings]. The line ends as
// "replicates: 100 of 100". A total lower than before is the last word of a run that was interrupted, and the line
// says so.
//
// A fit, as in
//
//	set := &bnkit.Settings{Seed: 1, Progress: nb.Progress("EM").Fit}
//	model := nb.Must(bnkit.Fit(nb.Context(), net, df, learn.EM{}, set))
//
// has the line
//
//	EM: start 2 of 5, iteration 37, log-likelihood -1234.50; best so far: start 1, -1230.12
//
// where the best start has the highest objective, or log-likelihood of held-out cases where the fit stops by these;
// and a search
//
//	████████░░░░░░░░░░░░░░░░ search: 34 %, hill climbing, score -1234.50
//
// which ends as "search: done, score -1230.12". What is interrupted says so at the end of the line.
//
// In a notebook the line is replaced as the work goes on; what the cell shows next, by this package, finds it in its
// last state, so that no trace of the run's speed is left. Elsewhere lines go to the standard error, a few seconds
// apart. The methods may be called from any goroutine; each shows a line of its own.
func Progress(label string) progress {
	return progress{Steps: stepProgress(label), Fit: fitProgress(label), Search: searchProgress(label)}
}

// progress is what [Progress] returns.
type progress struct {
	Steps  func(done, total int)
	Fit    func(learn.Progress)
	Search func(structure.Progress)
}

func stepProgress(label string) func(done, total int) {
	var mu sync.Mutex
	var update func(s string, last bool)
	finished := false
	planned := 0 // the largest total
	return func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if finished {
			return
		}
		if update == nil {
			update = show().status()
		}
		finished = total > 0 && done >= total
		if planned = max(planned, total); finished && total < planned {
			update(fmt.Sprintf("%s: interrupted at %d of %d (%d %%)", label, done, planned, 100*done/planned), true)
			return
		}
		update(progressLine(label, done, total), finished)
	}
}

// progressLine is a bar and the numbers; the bar is left out at the end.
func progressLine(label string, done, total int) string {
	if total <= 0 {
		return fmt.Sprintf("%s: %d", label, done)
	}
	line := fmt.Sprintf("%s: %d of %d", label, done, total)
	if done >= total {
		return line
	}
	return bar(float64(done)/float64(total)) + line
}

// bar is a bar that is full to a share, with a space behind.
func bar(share float64) string {
	const width = 24
	full := min(int(max(0, share)*width+1e-9), width)
	return strings.Repeat("█", full) + strings.Repeat("░", width-full) + " "
}
