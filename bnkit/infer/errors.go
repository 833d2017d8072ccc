package infer

import (
	"errors"
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
)

// Sentinels that errors of this package wrap, for errors.Is.
var (
	// ErrImpossibleEvidence is wrapped by [*ImpossibleError].
	ErrImpossibleEvidence = errors.New("the evidence has probability zero")
	// ErrTooWide is wrapped by [*WidthError].
	ErrTooWide = errors.New("the network is too wide for exact inference")
	// ErrHiddenContinuous says that a continuous variable is not observed and something
	// that depends on it is.
	ErrHiddenContinuous = errors.New("a continuous variable that is not observed cannot be summed out")
	// ErrNoDensity says that an observed continuous variable has variance 0.
	ErrNoDensity = errors.New("a variance of zero has no density")
)

// An ImpossibleError reports evidence that cannot occur in the network.
type ImpossibleError struct {
	Case     int      // row of the table counted from 1, 0 for a single query
	Evidence bn.Given // what was observed
}

func (e *ImpossibleError) Error() string {
	if e.Case == 0 {
		return fmt.Sprintf("infer: %v: %v", ErrImpossibleEvidence, e.Evidence)
	}
	return fmt.Sprintf("infer: case %d: %v: %v", e.Case, ErrImpossibleEvidence, e.Evidence)
}

// Unwrap returns [ErrImpossibleEvidence].
func (e *ImpossibleError) Unwrap() error { return ErrImpossibleEvidence }

// A WidthError reports tables that are larger than the limit.
type WidthError struct {
	Cells     float64  // estimated entries of all tables
	Limit     int      // entries that are allowed
	Clique    float64  // entries of the largest table
	Variables []string // of the largest table
}

func (e *WidthError) Error() string {
	return fmt.Sprintf("infer: %v: the tables have %.3g entries (%.3g GB), %d are allowed; the largest has %.3g, over %s; observe some of these, raise MaxCells in Options, or sample with LikelihoodWeighting",
		ErrTooWide, e.Cells, e.Cells*8/1e9, e.Limit, e.Clique, strings.Join(e.Variables, ", "))
}

// Unwrap returns [ErrTooWide].
func (e *WidthError) Unwrap() error { return ErrTooWide }
