package cores

import (
	"bnlab/internal/presolve"
)

// A Workspace holds the numbers of one run.
type Workspace struct {
	X, N, cx, cn []float64
	From, cfrom  []float64
	Start        []float64 // from, by leaf, when there is a point to start at
}

func NewWorkspace(nodes int) *Workspace {
	float := func() []float64 { return make([]float64, nodes) }
	return &Workspace{X: float(), N: float(), cx: float(), cn: float(), From: float(), cfrom: float()}
}

// A ForcedError says that statements leave no probability for something that occurs.
type ForcedError struct {
	Node int
	N    float64

	Unresolved bool // by what rounding may hide
}

func (e *ForcedError) Error() string { return presolve.ErrInfeasible.Error() }
func (e *ForcedError) Unwrap() error { return presolve.ErrInfeasible }
