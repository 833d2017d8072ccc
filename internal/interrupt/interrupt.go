// Package interrupt has the last word of runs that are ended early. Who interrupts is for the caller to say, with a
// context; see nb.Context.
package interrupt

// Last calls the progress of a run, which may be nil, a last time when the run has ended early:
// with the total lowered to what was done.
func Last(progress func(done, total int), done, total int) {
	if progress != nil && 0 < done && done < total {
		progress(done, done)
	}
}
