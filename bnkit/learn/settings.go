package learn

import (
	"encoding"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// Settings govern a run. Nil means the defaults.
type Settings struct {
	// SkipMissing leaves a row out of the counts of each family in which it has a
	// missing cell, instead of refusing the table. Result.Skipped says how many.
	SkipMissing bool
	// Workers bounds the number of processors; 0 means all. Results do not depend
	// on it.
	Workers int

	// The rest is for iterative methods (EM, APN and others).

	// Starts is the number of starts, of which the best end is kept. 0 means 1, or 5 when a
	// variable is never observed. The first start is random only when a variable is never
	// observed; the others always are.
	Starts int
	// Seed and Stream are those of the random numbers, rand.NewPCG(Seed, Stream). Fits that share a seed, as the
	// replicates of a study do, draw independently when each has a stream of its own.
	Seed, Stream uint64
	// Flat makes random starts nearly uniform where nothing is observed, each entry within
	// 5 % of 1/states: hidden variables tell almost nothing there, and constraints are nearly
	// satisfied.
	Flat bool
	// From, when not nil, is the network whose parameters are the first start; it has the
	// structure of the one that is fitted. Where they break a statement the nearest
	// parameters that satisfy it, in the sense of [constraint.Problem.Maximize], take their place; of
	// linear-Gaussian nodes those after one step of EM.
	From *bn.Network
	// MaxIterations bounds the iterations from each start; 0 means 1000.
	MaxIterations int
	// Tolerance is the change of the objective, relative to its size, at which iteration
	// stops; 0 means 1e-8.
	Tolerance float64
	// HeldOut, when not nil, are cases to stop by ([infer.NewPlan] makes them of a table):
	// when their log-likelihood has not risen for Patience iterations, iteration ends, and
	// the parameters that were best for them are the estimate.
	HeldOut Cases
	// Patience is for HeldOut; 0 means 10 iterations.
	Patience int
	// Progress, when not nil, is called after each iteration, and once more when the fit is interrupted.
	Progress func(Progress)
}

// Defaults of Settings.
const (
	defaultIterations   = 1000
	defaultTolerance    = 1e-8
	defaultPatience     = 10
	defaultHiddenStarts = 5
)

// check returns an error that names the field which is out of range.
func (s *Settings) check() error {
	switch {
	case s.Starts < 0:
		return fmt.Errorf("learn: Starts is %d; give the number of starts, or 0 for the default", s.Starts)
	case s.MaxIterations < 0:
		return fmt.Errorf("learn: MaxIterations is %d; give a positive number, or 0 for %d", s.MaxIterations,
			defaultIterations)
	case !(s.Tolerance >= 0) || math.IsInf(s.Tolerance, 1):
		return say.Errorf("learn: Tolerance is %v; give a positive number, or 0 for %v", s.Tolerance, defaultTolerance)
	case s.Patience < 0:
		return fmt.Errorf("learn: Patience is %d; give a number of iterations, or 0 for %d", s.Patience,
			defaultPatience)
	}
	return nil
}

// counting are the options of counting.
func (s *Settings) counting() *data.CountOptions {
	opts := &data.CountOptions{Workers: s.Workers}
	if s.SkipMissing {
		opts.SkipMissing = true
	}
	return opts
}

// Progress says how far an iterative fit is.
type Progress struct {
	Start, Starts int // from 1
	Step          Step
	// Theta are the tables, by the network's layout; only valid during the call.
	Theta []float64
	// Interrupted marks one more call, for the step of the call before it, when a fit ends because
	// its context is done.
	Interrupted bool
}

// An End is where one start of an iterative fit ended.
type End struct {
	// Step is the one that counts: the last, or with Settings.HeldOut the best for these cases.
	Step       Step
	Iterations int    // that were made
	Status     Status // why it ended
	Failed     string `json:",omitempty"` // the error that ended it; then there is no Step
}

// A Step is one iteration of a fit: what holds at the parameters after it.
type Step struct {
	Iteration     int     // 0 is the start of an iterative fit; a closed form is 1
	LogLikelihood float64 // as in Result
	// Objective is what the method raises: the log-likelihood, and what priors and weights
	// of statements add to it, up to a constant.
	Objective float64
	// HeldOut is the log-likelihood of Settings.HeldOut, −1.8e308 where a case of them is
	// impossible.
	HeldOut float64 `json:",omitempty"`
	// Violation is by how much the tables break the influences and synergies among the statements,
	// summed (see [constraint.Influence.Violation] and [constraint.CompileSoft]); of [ExteriorPenalty] the largest.
	Violation float64 `json:",omitempty"`
}

// A Status says why a fit ended.
type Status int

const (
	Converged      Status = iota // a closed form, or the objective rises no more
	IterationLimit               // Settings.MaxIterations
	HeldOutFalls                 // Settings.HeldOut
	Interrupted                  // the context was done
	Sampled                      // all sweeps of a sampler were made
)

var _ interface {
	encoding.TextMarshaler
	fmt.Stringer
} = Converged

var statusNames = [...]string{"converged", "iteration limit", "held-out likelihood falls", "interrupted", "sampled"}

// String names the status.
func (s Status) String() string {
	if s < 0 || int(s) >= len(statusNames) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return statusNames[s]
}

// MarshalText writes the name.
func (s Status) MarshalText() ([]byte, error) {
	if s < 0 || int(s) >= len(statusNames) {
		return nil, fmt.Errorf("learn: unknown status %d", int(s))
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads what MarshalText wrote.
func (s *Status) UnmarshalText(text []byte) error {
	for i, name := range statusNames {
		if name == string(text) {
			*s = Status(i)
			return nil
		}
	}
	return say.Errorf("learn: unknown status %q", text)
}
