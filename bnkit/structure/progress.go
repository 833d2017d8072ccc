package structure

import (
	"context"
	"errors"
	"math"
	"sync"

	"bnlab/bnkit/structure/internal/progress"
)

// Progress is the progress of a search.
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

// A meter turns the moves of several climbs into progress. How many moves a climb will make is
// estimated: one and a half for each variable until a climb has ended, then as many as the climbs that
// ended made on average.
type meter struct {
	sync.Mutex
	p        *task
	climbs   int
	ended    int
	moves    int // of those that ended
	score    float64
	expected float64
}

func newMeter(p *task, climbs int) *meter {
	return &meter{p: p, climbs: climbs, score: math.Inf(-1), expected: 1.5 * float64(max(1, len(p.Scorer.vars)))}
}

// moved notes that a climb has made so many moves and what its best graph scores.
func (m *meter) moved(moves int, score float64) {
	m.Lock()
	m.score = max(m.score, score)
	part := min(float64(moves)/m.expected, 0.99)
	p := Progress{Done: (float64(m.ended) + part) / float64(m.climbs), Score: m.score, What: "hill climbing"}
	m.Unlock()
	p.Done = min(p.Done, 1)
	m.p.Progress(p)
}

// climbed notes that a climb has ended after so many moves.
func (m *meter) climbed(moves int) {
	m.Lock()
	m.ended++
	m.moves += moves
	m.expected = max(1, float64(m.moves)/float64(m.ended))
	p := Progress{Done: float64(m.ended) / float64(m.climbs), Score: m.score, What: "hill climbing"}
	m.Unlock()
	m.p.Progress(p)
}
