package matfile

import (
	"errors"
	"fmt"
	"strings"

	"bnlab/internal/say"
)

// Sentinels that errors of this package wrap, for errors.Is.
var (
	ErrVersion     = errors.New("not a MATLAB file of version 5; write it with save('-v7', …)")
	ErrTruncated   = errors.New("the data end early")
	ErrFormat      = errors.New("damaged")
	ErrUnsupported = errors.New("not read by this package")
	ErrLimit       = errors.New("too large")
	ErrMissing     = errors.New("no such variable")
)

// A FormatError says where in a file reading went wrong.
type FormatError struct {
	File     string // path, empty when the data did not come from a named file
	Offset   int64  // byte of the file, counted from 0
	Inflated int64  // byte of the inflated content of the compressed element at Offset; -1 outside one
	Path     string // the variable, such as meta.rois(3).columns; empty when its name is not yet known
	Err      error  // what is wrong; wraps one of the sentinels
}

func (e *FormatError) Error() string {
	var b strings.Builder
	b.WriteString("matfile: ")
	if e.File != "" {
		b.WriteString(e.File + ": ")
	}
	fmt.Fprintf(&b, "byte %d", e.Offset)
	if e.Inflated >= 0 {
		fmt.Fprintf(&b, " (compressed; byte %d of its content)", e.Inflated)
	}
	if e.Path != "" {
		b.WriteString(", " + e.Path)
	}
	return say.Text(b.String() + ": " + e.Err.Error())
}

// Unwrap returns what is wrong without the place.
func (e *FormatError) Unwrap() error { return e.Err }
