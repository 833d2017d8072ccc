package constraint

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/internal/cores"
	"bnlab/internal/interrupt"
	"bnlab/internal/say"
)

// Sampling says how an expectation is simulated that has no closed form.
type Sampling struct {
	// Draws is the number of draws; 0 means 4000.
	Draws int
	// Src drives the simulation. It is needed only where there is no closed form.
	Src rand.Source
	// Largest is the dimension above which hit-and-run is refused with [bn.ErrTooLarge]; 0
	// means 60 for [Problem.LogMarginal] and 120 for draws, which take some ten seconds
	// there. The time grows about as its third power. Sets that are simulated one after the
	// other, of dimensions d, count as √Σd².
	Largest int
	// Progress, when not nil, is called by [Problem.Draw] some hundred times; nb.Progress shows it. When it
	// is interrupted it is called once more, with total lowered to done.
	Progress func(done, total int)
}

// Defaults of Sampling.Largest.
const (
	largestRatio = 60
	largestDraw  = 120
)

// A simulation is one call's Sampling, and what has been spent of it.
type simulation struct {
	src    rand.Source // nil if there is none
	budget cores.Budget

	progress    func(done, total int)
	done, total int       // draws of parts
	ended       bool      // early
	until       time.Time // to complete the draws of an ended one
}

// grace is how long the draws that were made when a context is done may take to be completed.
const grace = 100 * time.Millisecond

// proceed reports whether to go on: not when the context is first seen to be done, and not after the grace.
func (s *simulation) proceed(ctx context.Context) bool {
	switch {
	case s.ended:
		return time.Now().Before(s.until)
	case ctx.Err() == nil:
		return true
	}
	s.ended, s.until = true, time.Now().Add(grace)
	interrupt.Last(s.progress, s.done, s.total)
	return false
}

// late returns the error of the context when the grace is over.
func (s *simulation) late(ctx context.Context) error {
	if s.ended && !s.proceed(ctx) {
		return say.Errorf("constraint: before the first draw: %w", ctx.Err())
	}
	return nil
}

// cut is how many of the draws made by the end are kept, when so many distributions or parts are still to be drawn.
func cut(made, left int) int {
	if left == 0 {
		return made
	}
	return min(made, max(200, 50_000/left))
}

// step counts a draw of a part, unless it should not be made; see proceed.
func (s *simulation) step(ctx context.Context) bool {
	if !s.proceed(ctx) {
		return false
	}
	if s.done++; !s.ended && s.progress != nil && (s.done%max(1, s.total/100) == 0 || s.done == s.total) {
		s.progress(s.done, s.total)
	}
	return true
}

// simulation fills in defaults. It returns an error for numbers below zero.
func (s *Sampling) simulation(largest int) (*simulation, error) {
	out := &simulation{budget: cores.Budget{Draws: 4000, Largest: largest}}
	out.budget.Source = out.source
	if s == nil {
		return out, nil
	}
	if s.Draws < 0 || s.Largest < 0 {
		return nil, fmt.Errorf("constraint: a Sampling with %d Draws and a Largest of %d; give positive numbers, or "+
			"0 for the defaults", s.Draws, s.Largest)
	}
	out.src, out.progress = s.Src, s.Progress
	if s.Draws > 0 {
		out.budget.Draws = s.Draws
	}
	if s.Largest > 0 {
		out.budget.Largest = s.Largest
	}
	return out, nil
}

func (s *simulation) source() (rand.Source, error) {
	if s.src == nil {
		return nil, fmt.Errorf("constraint: there is no closed form here, and the Sampling has %w, as Src",
			bn.ErrNoSource)
	}
	return s.src, nil
}

// simulated names a statement of a part that is too large.
func (p *Problem) simulated(part *plan, err error) error {
	if !errors.Is(err, bn.ErrTooLarge) {
		return err
	}
	list := p.statementsOf(part.members)
	more := ""
	if len(list) > 1 {
		more = fmt.Sprintf(" and %d linked to it", len(list)-1)
	}
	return say.Errorf("constraint: %q%s: %w", p.statements[list[0]], more, err)
}
