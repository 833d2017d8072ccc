package nb

import (
	"fmt"
	"strings"
	"sync"
)

// Progress returns a function to call with the number of steps done and their total,
// from any goroutine, as long computations do:
//
//	step := nb.Progress("replicates")
//	...
//	step(done, total)
//
// It is for the field Progress of all settings that count steps: those of package validate (CrossValidate,
// LearningCurve, EquivalentSampleSize) and package hpm, [bnkit.IntervalSettings], [learn.AuditSettings] and
// [sharing.Settings]. Fits have [FitProgress], searches and arc strengths [SearchProgress]. A total lower than
// before is the last word of a run that was interrupted, and the line says so.
//
// A notebook shows a bar that ends as "replicates: 100 of 100", so that no trace of the
// run's speed is left in it; elsewhere lines go to the standard error, a few seconds
// apart.
func Progress(label string) func(done, total int) {
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
