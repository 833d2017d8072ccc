package constraint

import (
	"bnlab/internal/presolve"
)

// A workspace holds the numbers of one run.
type workspace struct {
	x, n, cx, cn []float64
	from, cfrom  []float64
	start        []float64 // from, by leaf, when there is a point to start at
}

func newWorkspace(nodes int) *workspace {
	float := func() []float64 { return make([]float64, nodes) }
	return &workspace{x: float(), n: float(), cx: float(), cn: float(), from: float(), cfrom: float()}
}

// A forcedError says that statements leave no probability for something that occurs.
type forcedError struct {
	node int
	n    float64

	unresolved bool // by what rounding may hide
}

func (e *forcedError) Error() string { return presolve.ErrInfeasible.Error() }
func (e *forcedError) Unwrap() error { return presolve.ErrInfeasible }
