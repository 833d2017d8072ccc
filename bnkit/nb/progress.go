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
// A notebook shows a bar that ends as "replicates: 100 of 100", so that no trace of the
// run's speed is left in it; elsewhere lines go to the standard error, a few seconds
// apart.
func Progress(label string) func(done, total int) {
	var mu sync.Mutex
	var update func(s string, last bool)
	finished := false
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
		update(progressLine(label, done, total), finished)
	}
}

// progressLine is a bar and the numbers; the bar is left out at the end.
func progressLine(label string, done, total int) string {
	const width = 24
	if total <= 0 {
		return fmt.Sprintf("%s: %d", label, done)
	}
	line := fmt.Sprintf("%s: %d of %d", label, done, total)
	if done >= total {
		return line
	}
	full := max(0, done) * width / total
	return strings.Repeat("█", full) + strings.Repeat("░", width-full) + " " + line
}
