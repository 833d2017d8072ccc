// Package limit holds the one bound of all readers of files: the memory that a reader takes grows with
// the file and with what its caller asks for. What a file implies and does not spell out, such as
// tables by default and the zeros of sparse rows, is limited, and an option raises the limit.
package limit

import (
	"errors"
	"fmt"

	"bnlab/internal/say"
)

// Cells is how many entries of tables a file may imply unless an option says otherwise: 32 MB of
// numbers.
const Cells = 1 << 22

// Of is the number of cells that a variadic argument or an option asks for.
func Of(maxCells []int) int {
	for _, n := range maxCells {
		if n > 0 {
			return n
		}
	}
	return Cells
}

// ErrTooLarge is wrapped by an [Error].
var ErrTooLarge = errors.New("too large")

// An Error says that reading stopped at a limit.
type Error struct {
	What   string // and where, as in "the table of \"x\""
	Most   int64
	Unit   string // of Most, as in "cells"
	Option string // what raises the limit; empty when nothing does
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%v: %s: more than %d %s", ErrTooLarge, e.What, e.Most, e.Unit)
	if e.Option != "" {
		text += "; raise " + e.Option + " if they are meant"
	}
	return say.Text(text)
}

// Unwrap returns ErrTooLarge.
func (e *Error) Unwrap() error { return ErrTooLarge }
