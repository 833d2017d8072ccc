package nb

import (
	"fmt"
	"math"
	"sync"

	"bnlab/bnkit/structure"
)

// searchProgress returns a function that shows the progress of a search.
func searchProgress(label string) func(structure.Progress) {
	var mu sync.Mutex
	var update func(s string, last bool)
	return func(p structure.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if update == nil {
			update = show().status()
		}
		update(searchLine(label, p), p.Done >= 1 || p.Interrupted)
	}
}

// searchLine puts a state of a search in words, scores to a hundredth of a nat.
func searchLine(label string, p structure.Progress) string {
	what := p.What
	if what != "" {
		what = ", " + what
	}
	line := label
	if label != "" {
		line += ": "
	}
	share := math.Floor(100 * p.Done) // so that 100 % is the end
	switch {
	case p.Interrupted:
		line += fmt.Sprintf("interrupted at %.0f %%", share)
	case p.Done >= 1:
		line += "done"
	default:
		line = bar(p.Done) + line + fmt.Sprintf("%.0f %%%s", share, what)
	}
	if !math.IsInf(p.Score, 0) && what != ", replicates" { // each of which has a score of its own
		line += fmt.Sprintf(", score %.2f", p.Score)
	}
	return line
}
