package knowledge

import "bnlab/internal/textpos"

// A syntaxError says where a knowledge file is wrong, and why: File, Line, Column in characters and
// Statement, which are 0 where none is to blame, and Err. Errors that the cause wraps, such as
// [bn.ErrUnknownState] and [constraint.ErrInfeasible], are found by errors.Is.
type syntaxError = textpos.Error

// fail makes an error about a place of the file.
func (k *File) fail(at place, statement int, err error) error {
	return &syntaxError{Format: "knowledge", File: k.path, Line: at.line, Column: at.column, Statement: statement,
		Err: err}
}
