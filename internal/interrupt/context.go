package interrupt

import (
	"context"
	"sync/atomic"
)

// A Context is done when the context that it was made from is, until it is lifted: what was found by then is still to
// be summed up by what looks at it.
type Context struct {
	context.Context
	lifted atomic.Bool
}

// Of returns a context that is done when ctx is.
func Of(ctx context.Context) *Context { return &Context{Context: ctx} }

// Err is that of the context below, and nil once it is lifted.
func (c *Context) Err() error {
	if c.lifted.Load() {
		return nil
	}
	return c.Context.Err()
}

// Lift lets ctx, where it is a [*Context], count as not done.
func Lift(ctx context.Context) {
	if c, ok := ctx.(*Context); ok {
		c.lifted.Store(true)
	}
}
