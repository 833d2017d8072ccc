package bnkit

import (
	"context"

	"bnlab/internal/interrupt"
)

// interruptible is a context, nil for none, that Ctrl-C or interrupting the cell ends too, until
// stop is called. A second Ctrl-C ends the program.
func interruptible(ctx context.Context) (_ context.Context, stop context.CancelFunc) {
	return interrupt.Context(ctx)
}
