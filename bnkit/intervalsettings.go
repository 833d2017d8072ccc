package bnkit

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
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
	// Cases, when not nil, is the frame of the fit, for a model of [learn.EM] with missing cells or hidden
	// variables. Then tables in which cells are missing are drawn from a normal approximation at the maximum
	// with the observed information ([learn.Result.Observed]), instead of taking expected counts as known, which
	// makes intervals too narrow. The note says which it was.
	Cases *dataframe.DataFrame
}

// Probability returns the level of the intervals, 0.95 unless Level is set.
func (s *IntervalSettings) Probability() float64 {
	if s == nil || s.Level == 0 {
		return 0.95
	}
	return s.Level
}

// count returns the number of draws, 4000 unless Draws is set.
func (s *IntervalSettings) count() int {
	if s.Draws == 0 {
		return 4000
	}
	return s.Draws
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

// errNoIntervals is returned where the posterior is not available.
var errNoIntervals = errors.New("no intervals")

// maxDraws bounds the memory of draws; with fewer than minDraws the ends of an interval are mostly
// noise.
const (
	minDraws = 100
	maxDraws = 1_000_000
)
