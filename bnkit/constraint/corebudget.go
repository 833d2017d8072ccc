package constraint

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/internal/presolve"
)

// A budget bounds the simulation of one call, and holds what has been spent.
type budget struct {
	source  func() (rand.Source, error) // an error when there is none
	draws   int
	largest int     // dimension
	squares float64 // Σ d² of the cores so far
}

// An estimate is a number and its standard error, which is 0 for a closed form.
type estimate struct{ Value, StdErr float64 }

// add adds an independent estimate.
func (e *estimate) add(f estimate, sign float64) {
	e.Value += sign * f.Value
	e.StdErr = math.Hypot(e.StdErr, f.StdErr)
}

// mostSimulated is the number of cases beyond which hit-and-run no longer finds its way:
// the density is then narrower than 1e-4 of its set.
const mostSimulated = 1e9

// walk returns the source for hit-and-run over a core, for a density with exponents e, or an
// error that wraps [ErrTooLarge].
func (s *budget) walk(c *core, e []float64) (rand.Source, error) {
	if all := presolve.Total(e); all > mostSimulated {
		return nil, fmt.Errorf("%w: %.3g cases, where simulation is for up to %v; with so many the estimate itself "+
			"says as much", errTooLarge, all, mostSimulated)
	}
	d := c.dimension()
	s.squares += float64(d) * float64(len(c.nodes)) // a step costs as much; about d²
	if size := math.Sqrt(s.squares); size > float64(s.largest) {
		return nil, fmt.Errorf("%w: simulation of %d linked probabilities in %d dimensions, or several such sets, "+
			"counts as %.0f dimensions, where %d are the most; leave out statements that link distributions, or give "+
			"a larger Sampling.Largest and time", errTooLarge, len(c.nodes), d, math.Ceil(size), s.largest)
	}
	return s.source()
}

// dimension is that of the set of a core, if no inequality is tight all over it.
func (c *core) dimension() int {
	var e presolve.Elimination
	e.Reset(len(c.nodes))
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
	return len(c.nodes) - e.Rank(rows)
}

// Errors that say why a core has no answer.
var (
	errTooLarge     = errors.New("too large")
	errNoPrior      = errors.New("no prior for curved statements")
	errNotConverged = errors.New("the solver did not converge")
)
