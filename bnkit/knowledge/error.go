package knowledge

import (
	"fmt"
	"strings"
)

// An Error says where a knowledge file is wrong, and why. Errors that the cause wraps, such
// as [bn.ErrUnknownState] and [constraint.ErrInfeasible], are found by errors.Is.
type Error struct {
	File      string // as given to Read or Parse
	Line      int    // counted from 1; 0 when no line is to blame, or the file was made in a program
	Column    int    // counted in characters from 1
	Statement int    // counted from 1; 0 outside the statements
	Err       error
}

func (e *Error) Error() string {
	var at []string
	if e.File != "" {
		at = append(at, e.File)
	}
	if e.Line > 0 {
		at = append(at, fmt.Sprintf("line %d, column %d", e.Line, e.Column))
	}
	if e.Statement > 0 {
		at = append(at, fmt.Sprintf("statement %d", e.Statement))
	}
	text := strings.TrimPrefix(strings.TrimPrefix(e.Err.Error(), "constraint: "), "bn: ")
	if len(at) == 0 {
		return "knowledge: " + text
	}
	return "knowledge: " + strings.Join(at, ", ") + ": " + text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// fail makes an error about a place of the file.
func (k *File) fail(at place, statement int, err error) error {
	return &Error{k.path, at.line, at.column, statement, err}
}
