// Package centre finds weighted analytic centres of polytopes: it solves
//
//	maximise Σ_p n_p log x_p   subject to   E x = b,  A x ≤ u,  x ≥ 0
//
// for weights n ≥ 0. That is constrained maximum likelihood under linear constraints where no
// closed form is known, such as parameters shared by some of the distributions, each a
// number of times (N06 §4.3), or inequalities that overlap.
//
// [New] looks at the constraints only: it drops equations that follow from others, finds
// what holds at every feasible point, the analytic centre to start from and an order of
// elimination. [Solver.Solve] takes the weights, and says with multipliers how good its
// answer is.
package centre

import (
	"errors"

	"bnlab/internal/rows"
	"bnlab/internal/spare"
)

// Sentinels that errors of this package wrap, for errors.Is.
var (
	// ErrInfeasible: no x satisfies the constraints.
	ErrInfeasible = errors.New("the constraints contradict each other")
	// ErrUnbounded: the constraints do not bound every variable.
	ErrUnbounded = errors.New("the constraints leave a variable unbounded")
	// ErrForcedZero: the constraints force a variable to zero that has a positive weight.
	ErrForcedZero = errors.New("a variable with positive weight is forced to zero")
	// ErrNotConverged: the method stopped early; what it found is still written.
	ErrNotConverged = errors.New("not converged")
)

// A Row is a linear function and its value.
type Row = rows.Row

// A Problem is the set of x ≥ 0 that meet the rows.
type Problem = rows.Set

// A Report says how a solution was found and proves how good it is. With the sign
//
//	n_p / x_p = Σ_e λ_e E_ep + Σ_a μ_a A_ap − s_p,  μ ≥ 0,  s ≥ 0
//
// the multipliers λ, μ bound the maximum.
type Report struct {
	Method     string // "dual Newton" or "interior point"
	Iterations int
	// Gap is by how much Σ n log x, in nats, may still rise, at most:
	//
	//	b'λ + u'μ + Σ n_p (log(n_p/z_p) − 1) − Σ n_p log x_p,  z = E'λ + A'μ
	Gap    float64
	Equal  []float64 // λ, one for each equation
	AtMost []float64 // μ, one for each inequality
}

// The methods, as reports name them.
const (
	DualNewton    = "dual Newton"
	InteriorPoint = "interior point"
)

// A Solver solves one problem for any weights. Several goroutines may use it.
type Solver struct {
	n              int
	e, a           *matrix // rows scaled to a largest coefficient of 1
	b, u           []float64
	eScale, aScale []float64
	eByVar, aByVar *matrix
	cost           []float64 // of each variable; nil for none

	forced     []bool    // variables that are zero
	unresolved []bool    // variables whose range may be rounding
	proof      face      // of these, and of inequalities that are equations; empty if there are none
	proofPrice []float64 // its E'λ + A'μ

	sys     *system
	keep    []int             // the variables of the system
	equal   []int             // its equations: those of the problem, ^i for inequality i
	most    []int             // its inequalities
	follows []int             // equations, in the same numbers, that follow from those of the system
	start   iterate           // the analytic centre: all products equal, with sum 1
	first   func() []float64  // the factor there
	spare   [2]func() *system // the same in either space, for what the system cannot solve

	spaces spare.List[*workspace]

	near  *magnified        // solves it instead, where ranges are too small; nil elsewhere
	retry func() *magnified // solves what this one cannot
}

// New prepares a problem. Malformed rows are an error. Constraints that contradict each
// other, or leave a variable without limit, are errors that wrap [ErrInfeasible] and
// [ErrUnbounded].
func New(p Problem) (*Solver, error) { return NewPriced(p, nil) }

// NewPriced prepares a problem with the objective Σ n log x − Σ c x. Nil cost is none. A cost that is negative
// or not finite is an error. The objective of reports is then this one, z = c + E'λ + A'μ, and
// without any weight the cost does not count.
func NewPriced(p Problem, cost []float64) (*Solver, error) { return prepare(p, cost, false) }
