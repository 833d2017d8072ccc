package structure

import (
	"context"
	"errors"
	"math"

	"bnlab/bnkit/structure/internal/progress"
)

// Progress says how far a search is.
type Progress struct {
	Done  float64 // fraction of the work, from 0 to 1, estimated where it is not known
	Score float64 // the best score so far; −∞ when there is none yet
	What  string  // what is being done, in words
	// Interrupted marks the last call of a search that a done context ended, with the Done and Score of the
	// call before it.
	Interrupted bool
}

// oneAtATime lets one call of f happen at a time, and Done never fall, nor pass 1 by rounding.
func oneAtATime(f func(Progress)) func(Progress) {
	return progress.OneAtATime(f, func(p *Progress) *float64 { return &p.Done })
}

// A follower knows how far a search has come, and tells it.
type follower struct {
	report func(Progress) // see oneAtATime
	last   Progress
}

func follow(f func(Progress)) *follower {
	far := &follower{last: Progress{Score: math.Inf(-1)}}
	far.report = oneAtATime(func(p Progress) {
		far.last = p
		if f != nil {
			f(p)
		}
	})
	return far
}

// done tells the end of a search.
func (far *follower) done(score float64) {
	far.report(Progress{Done: 1, Score: max(score, far.last.Score), What: "done"})
}

// interrupted tells that a search ended early.
func (far *follower) interrupted() {
	p := far.last
	p.Interrupted = true
	far.report(p)
}

// isDone reports whether err is that of a done context.
func isDone(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}
