package bnkit

import (
	"context"
	"os"
	"os/signal"
)

// interruptible is a context, nil for none, that Ctrl-C or interrupting the cell ends too, until
// stop is called. A second Ctrl-C ends the program.
func interruptible(ctx context.Context) (_ context.Context, stop context.CancelFunc) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop = signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
