package sqldata

import (
	"errors"
	"fmt"

	"bnlab/internal/say"
)

// Sentinels that errors of this package wrap, for errors.Is. A column that is not there wraps
// bn.ErrUnknownVariable, a state bn.ErrUnknownState, a name used twice bn.ErrDuplicate, a
// missing cell data.ErrMissing, a table without rows data.ErrNoRows, a weight data.ErrWeight,
// a statement beyond Options.Timeout context.DeadlineExceeded.
var (
	errNotSelect = errors.New("not a single SELECT")
	errType      = errors.New("its type cannot be a state")
	errChanged   = errors.New("the table has changed since it was opened")
)

// A statementError is a statement that failed, after it was sent again where that could help.
// Statements only read: whatever failed, the database is as it was.
type statementError struct {
	What     string // what it was for
	SQL      string
	Attempts int
	Done     int // statements of the same Cases that had succeeded before
	Err      error
}

func (e *statementError) Error() string {
	tries := "at the first attempt"
	if e.Attempts > 1 {
		tries = fmt.Sprintf("at each of %d attempts", e.Attempts)
	}
	return say.Sprintf("sqldata: the statement that %s failed %s, after %d that succeeded; nothing is written, so it "+
		"can be repeated: %v", e.What, tries, e.Done, e.Err)
}

// Unwrap returns what the database said.
func (e *statementError) Unwrap() error { return e.Err }
