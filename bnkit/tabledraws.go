package bnkit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// IntervalSettings are the settings of [Intervals]. Src is required; the rest has defaults.
type IntervalSettings struct {
	// Level is the posterior probability of an interval, between 0 and 1; 0 means 0.95.
	Level float64
	// Draws from the posterior, 100 to a million; 0 means 4000.
	Draws int
	// Src drives the draws, as in rand.NewPCG(1, 0).
	Src rand.Source
	// Progress, when not nil, is called from time to time, and once more when the simulation is
	// interrupted, with total lowered to done; nb.Progress shows it.
	Progress func(done, total int)
}

// Probability returns the level of the intervals, 0.95 unless Level is set.
func (s *IntervalSettings) Probability() float64 {
	if s == nil || s.Level == 0 {
		return 0.95
	}
	return s.Level
}

// maxDraws bounds the memory of draws; with fewer than minDraws the ends of an interval are mostly
// noise.
const (
	minDraws = 100
	maxDraws = 1_000_000
)

// tableDraws draws the tables of the named variables from the posterior, together with the problem that says
// how. Draws that a done context ended are enough when an interval can be had from them.
func (m *Model) tableDraws(ctx context.Context, set *IntervalSettings, names ...string) (*constraint.Problem,
	*constraint.Draws, error) {
	if err := set.check(); err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		if err := m.hasPosterior(name); err != nil {
			return nil, nil, err
		}
	}
	p, err := m.compile(m.Statements)
	if err != nil {
		return nil, nil, err
	}
	draws, err := p.Draw(ctx, m.Counts, m.pseudo(), &constraint.Sampling{
		Draws: set.Draws, Src: set.Src, Progress: set.Progress,
	}, names...)
	if draws != nil && ctx.Err() != nil {
		err = enough(ctx, len(draws.Theta), draws.Planned)
	}
	if errors.Is(err, constraint.ErrNoPrior) && m.ViolationWeight > 0 {
		err = fmt.Errorf("%w under influences with a penalty (ViolationWeight); fit under hard influences, as "+
			"learn.EM without a ViolationWeight does (%w)", errNoIntervals, err)
	}
	return p, draws, err
}

// check returns an error for invalid settings.
func (s *IntervalSettings) check() error {
	if s == nil || s.Src == nil {
		return fmt.Errorf("intervals are simulated: %w as Src", bn.ErrNoSource)
	}
	if level := s.Probability(); !(level > 0 && level < 1) {
		return fmt.Errorf("an interval of probability %v; give a Level between 0 and 1", s.Level)
	}
	if s.Draws != 0 && (s.Draws < minDraws || s.Draws > maxDraws) {
		return fmt.Errorf("%d draws; give a number from %d to %d, or 0 for the default", s.Draws, minDraws, maxDraws)
	}
	return nil
}

// enough returns an error when fewer draws were made than an interval needs.
func enough(ctx context.Context, done, planned int) error {
	if done >= minDraws {
		return nil
	}
	return fmt.Errorf("interrupted after %d of %d draws, and an interval needs %d: %w", done, planned, minDraws,
		ctx.Err())
}

// hasPosterior returns an error for a table that was not estimated from counts and statements.
func (m *Model) hasPosterior(name string) error {
	if len(m.Targets) > 0 {
		return fmt.Errorf("%w: the fit maximizes the likelihood of %s given the rest, which needs more than "+
			"counts; fit without Targets", errNoIntervals, strings.Join(m.Targets, ", "))
	}
	for _, f := range m.CPDs {
		if slices.Contains(f.Children, name) {
			return fmt.Errorf("%w: the table of %q is that of %s, whose parameters have no intervals yet; fit a free "+
				"table", errNoIntervals, name, f.Family)
		}
	}
	return nil
}

// errNoIntervals is returned where the posterior is not available.
var errNoIntervals = errors.New("no intervals")
