// Package interrupt ends long runs early: at Ctrl-C, and with a last word to who follows them.
package interrupt

import (
	"context"
	"os"
	"os/signal"
)

// Context is a context, nil for none, that Ctrl-C or interrupting the cell ends too, until
// stop is called. A second Ctrl-C ends the program.
func Context(ctx context.Context) (_ context.Context, stop context.CancelFunc) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop = signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// Last calls the progress of a run, which may be nil, a last time when the run has ended early:
// with the total lowered to what was done.
func Last(progress func(done, total int), done, total int) {
	if progress != nil && 0 < done && done < total {
		progress(done, done)
	}
}
