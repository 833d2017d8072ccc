package bids

import (
	"errors"
	"fmt"
	"strings"

	"bnlab/internal/say"
)

// Sentinels that errors of this package wrap, for errors.Is.
var (
	ErrColumn  = errors.New("no such column")
	ErrNumber  = errors.New("not a finite number")
	ErrUnit    = errors.New("not in seconds")
	ErrMissing = errors.New("not said")
	ErrUneven  = errors.New("images at times of their own")
	ErrFormat  = errors.New("not of the form of its kind")
	ErrLimit   = errors.New("too large")
)

// A FileError says where in a file something is wrong.
type FileError struct {
	File   string
	Line   int    // counted from 1, the header first; 0 when the whole file is meant
	Column string // empty when the whole line is meant
	Err    error  // what is wrong; wraps one of the sentinels
}

func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString("bids: " + e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ", line %d", e.Line)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, ", column %q", e.Column)
	}
	return say.Text(b.String() + ": " + e.Err.Error())
}

// Unwrap returns what is wrong without the place.
func (e *FileError) Unwrap() error { return e.Err }
