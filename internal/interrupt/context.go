package interrupt

import (
	"context"
	"sync/atomic"
)

// A Context is done when the context that it was made from is, but while it is lifted: for the first point of a run
// that begins with a done context, and for what sums a run up.
type Context struct {
	context.Context
	lifted atomic.Bool
}

// Of returns a context that is done when ctx is. Where ctx is done already, it begins lifted.
func Of(ctx context.Context) *Context {
	c := &Context{Context: ctx}
	c.lifted.Store(ctx.Err() != nil)
	return c
}

// Err is that of the context below, and nil while it is lifted.
func (c *Context) Err() error {
	if c.lifted.Load() {
		return nil
	}
	return c.Context.Err()
}

// Lift lets ctx, where it is a [*Context], count as not done, or ends that.
func Lift(ctx context.Context, lifted bool) {
	if c, ok := ctx.(*Context); ok {
		c.lifted.Store(lifted)
	}
}
