package infer

import (
	"errors"

	"bnlab/internal/say"
)

// Sentinels that errors of this package wrap, for errors.Is.
var (
	// ErrImpossibleEvidence is wrapped by [*ImpossibleError].
	ErrImpossibleEvidence = errors.New("the evidence has probability zero")
	// ErrTooWide is wrapped by [*WidthError].
	ErrTooWide = errors.New("the network is too wide for exact inference")
	// errHiddenContinuous is returned for an interval on a continuous variable that must be summed out, or
	// that has a hidden parent.
	errHiddenContinuous = errors.New("a continuous variable with an interval cannot be summed out")
	// ErrNoDensity is returned for an observed continuous variable of variance 0.
	ErrNoDensity = errors.New("a variance of zero has no density")

	errNoNetwork = errors.New("infer: no network; make one with bn.New or learn.Fit and check the error")
	errBeyond    = errors.New("infer: sensitivity: the evidence is so improbable that the derivatives are beyond " +
		"float64; leave out the finding that contradicts the others")
	errNoTable = errors.New("infer: no table; make one with data.New or data.ReadCSV and check the error")
)

// An ImpossibleError reports evidence that cannot occur in the network.
type ImpossibleError struct {
	Case     int      // row of the table counted from 1, 0 for a single query
	Evidence Evidence // what was observed
}

func (e *ImpossibleError) Error() string {
	if e.Case == 0 {
		return say.Sprintf("infer: %v: %v; leave out a finding, or fit with pseudocounts",
			ErrImpossibleEvidence, e.Evidence)
	}
	return say.Sprintf("infer: case %d: %v: %v", e.Case, ErrImpossibleEvidence, e.Evidence)
}

// Unwrap returns [ErrImpossibleEvidence].
func (e *ImpossibleError) Unwrap() error { return ErrImpossibleEvidence }

// A WidthError reports tables that are larger than the limit.
type WidthError struct {
	Cells float64 // entries of all tables that would be held together
	Limit int     // entries that are allowed, [Options].MaxCells
	// Clique is the number of joint states of the widest product of tables, in one case. That is
	// summed as it is formed and not held, so it may be larger than Cells.
	Clique    float64
	Variables []string // of the widest product
	// Continuous are the hidden continuous variables that link some of these: while they are summed out,
	// the discrete parents of connected ones are in one table.
	Continuous []string
}

func (e *WidthError) Error() string {
	linked := ""
	if len(e.Continuous) > 0 {
		linked = ", which the hidden continuous " + say.List(e.Continuous) + " link"
	}
	return say.Sprintf("infer: %v: it would hold tables of %.4g entries (%.3g GB), and %d are allowed; the widest "+
		"product has %.3g joint states, those of %s%s; "+
		"observe or drop one of these variables, raise MaxCells in infer.Options (of infer.New for a query, of "+
		"infer.NewPlan with learn.FitCases for a fit), or answer a query by infer.LikelihoodWeighting",
		ErrTooWide, e.Cells, e.Cells*bytesOfCell/1e9, e.Limit, e.Clique, say.List(e.Variables), linked)
}

// Unwrap returns [ErrTooWide].
func (e *WidthError) Unwrap() error { return ErrTooWide }
