package cores

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/internal/limit"
	"bnlab/internal/num"
	"bnlab/internal/presolve"
	"bnlab/internal/say"
)

// A Budget bounds the simulation of one call, and holds what has been spent.
type Budget struct {
	Source  func() (rand.Source, error) // an error when there is none
	Draws   int
	Largest int // dimension
	// Err, when not nil, is asked now and then; the error that it returns ends the simulation.
	Err     func() error
	squares float64 // Σ d² of the cores so far
}

// An Estimate is a number and its standard error, which is 0 for a closed form.
type Estimate struct{ Value, StdErr float64 }

// Add adds an independent estimate.
func (e *Estimate) Add(f Estimate, sign float64) {
	e.Value += sign * f.Value
	e.StdErr = math.Hypot(e.StdErr, f.StdErr)
}

// mostSimulated is the number of cases beyond which hit-and-run no longer finds its way:
// the density is then narrower than 1e-4 of its set.
const mostSimulated = 1e9

// ended is what Err says.
func (s *Budget) ended() error {
	if s.Err == nil {
		return nil
	}
	return s.Err()
}

// walk returns the source for hit-and-run over a core, for a density with exponents e, or an
// error that wraps [ErrTooLarge].
func (s *Budget) walk(c *Core, e []float64) (rand.Source, error) {
	if all := num.Sum(e); all > mostSimulated {
		return nil, say.Errorf("%w: %.3g cases, where simulation is for up to %v; with so many the estimate itself "+
			"says as much", ErrTooLarge, all, mostSimulated)
	}
	d := c.dimension()
	s.squares += float64(d) * float64(len(c.Nodes)) // a step costs as much; about d²
	if size := math.Sqrt(s.squares); size > float64(s.Largest) {
		return nil, fmt.Errorf("%w: simulation of %d linked probabilities in %d dimensions, or several such sets, "+
			"counts as %.0f dimensions, where %d are the most; leave out statements that link distributions, or give "+
			"a larger Sampling.Largest and time", ErrTooLarge, len(c.Nodes), d, math.Ceil(size), s.Largest)
	}
	return s.Source()
}

// dimension is that of the set of a core, if no inequality is tight all over it.
func (c *Core) dimension() int {
	var e presolve.Elimination
	e.Reset(len(c.Nodes))
	var rows [][]presolve.Entry
	for _, r := range c.relations {
		if r.AtMost {
			continue
		}
		for i, node := range r.Index {
			e.Add(node, r.Coef[i])
		}
		rows = append(rows, e.Take())
	}
	return len(c.Nodes) - e.Rank(rows)
}

// Errors that say why a core has no answer.
var (
	ErrTooLarge     = limit.ErrTooLarge
	ErrNoPrior      = errors.New("no prior for curved statements")
	ErrNotConverged = errors.New("the solver did not converge")
)
