package posterior

import (
	"math"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure"
)

// Graphs is the posterior distribution of graphs. Variables are numbered as in Variables.
type Graphs struct {
	Variables  []bn.Variable
	Method     string // in words
	MaxParents int    // of a variable
	// LogSum is the logarithm of Σ exp(score) over all graphs within the rules, or over all pairs of an order
	// and a graph that agrees with it, under the prior over orders. NaN when it is not computed.
	LogSum float64
	// Draws are graphs drawn from the distribution. Those that are the same are one pointer.
	Draws []*bn.DAG
	// RHat is the potential scale reduction of the score between chains, near 1 when they agree, and Apart the largest
	// difference between chains in the probability of an arc. Both are 0 without chains.
	RHat, Apart float64
	Notes       []string // what the user should know: bounds, rounding, convergence

	arcs, paths, blankets estimates
}

// estimates are probabilities by two variables.
type estimates struct {
	p     [][]float64
	error [][]float64 // standard errors; nil where p is exact
}

// of returns a probability and its standard error.
func (e estimates) of(from, to int) (p, err float64) {
	if e.error != nil {
		err = e.error[from][to]
	}
	return e.p[from][to], err
}

// Arc returns the probability of the arc between two variables, and its standard error, which is 0 when the
// probability is exact.
func (g *Graphs) Arc(from, to int) (p, err float64) { return g.arcs.of(from, to) }

// Path returns the probability of a directed path from one variable to another, of any length, and its standard error.
func (g *Graphs) Path(from, to int) (p, err float64) { return g.paths.of(from, to) }

// Blanket returns the probability that one variable is in the Markov blanket of the other, which is the same either
// way, and its standard error: that it is a parent, a child, or another parent of a child.
func (g *Graphs) Blanket(u, v int) (p, err float64) { return g.blankets.of(u, v) }

// reporter makes a report of calls of a progress function, one at a time; Done never falls.
func reporter(f func(structure.Progress)) func(done float64, what string) {
	var mutex sync.Mutex
	last := 0.0
	return func(done float64, what string) {
		if f == nil {
			return
		}
		mutex.Lock()
		defer mutex.Unlock()
		last = min(max(last, done), 1)
		f(structure.Progress{Done: last, Score: math.Inf(-1), What: what})
	}
}
