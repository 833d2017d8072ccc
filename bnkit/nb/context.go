package nb

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
)

// Context returns the context for what takes long in this program: the first interrupt ends it, be it the stop
// button of a notebook, which interrupts the running cell, or Ctrl-C.
//
//	model := nb.Must(bnkit.Fit(nb.Context(), net, df, learn.EM{}, nil))
//
// Fits, searches, audits and validations then end with the best so far and say so; a line on the standard error
// announces it. A second interrupt ends the program at once. All calls return one context, so that whatever the
// program begins after an interrupt ends early too.
//
// In a script nothing is caught unless asked for: bnkit leaves interrupts alone, and a program that passes
// context.Background() ends at the first one. Calling Context, there as in a cell, is the asking.
func Context() context.Context { return untilInterrupted() }

var untilInterrupted = sync.OnceValue(func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		<-interrupts
		signal.Stop(interrupts) // the next one does what it does by default
		fmt.Fprintln(os.Stderr, "interrupted: the best so far follows; a second interrupt stops at once")
		wasInterrupted.Store(true)
		cancel()
	}()
	return ctx
})

// wasInterrupted is set before the context ends: what is computed from then on is not the whole.
var wasInterrupted atomic.Bool
