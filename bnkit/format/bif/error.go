package bif

import (
	"fmt"
	"strings"
)

// A SyntaxError says where a file is not a network, and why. Errors of package bn
// that the cause wraps, such as [bn.ErrUnknownState] or [*bn.CycleError], are found
// by errors.Is and errors.As.
type SyntaxError struct {
	File   string // as given to ReadFile, otherwise empty
	Line   int    // counted from 1
	Column int    // counted in bytes from 1
	Err    error
}

func (e *SyntaxError) Error() string {
	file := ""
	if e.File != "" {
		file = e.File + ", "
	}
	return fmt.Sprintf("bif: %sline %d, column %d: %s", file, e.Line, e.Column,
		strings.TrimPrefix(e.Err.Error(), "bn: "))
}

// Unwrap returns the cause.
func (e *SyntaxError) Unwrap() error { return e.Err }
