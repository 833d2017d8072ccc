package nifti

import (
	"errors"
	"fmt"
	"strings"

	"bnlab/internal/say"
)

// Sentinels that errors of this package wrap, for errors.Is.
var (
	ErrNotNIfTI    = errors.New("not a NIfTI-1 file")
	ErrTruncated   = errors.New("the data end early")
	ErrFormat      = errors.New("damaged")
	ErrUnsupported = errors.New("not read by this package")
	ErrLimit       = errors.New("too large")
)

// A FormatError says where in a file reading went wrong.
type FormatError struct {
	File   string // path, empty when the data did not come from a named file
	Offset int64  // byte, counted from 0; of a .gz file, of what is inflated
	Image  int    // image, counted from 1; 0 for the header
	Err    error  // what is wrong; wraps one of the sentinels
}

func (e *FormatError) Error() string {
	var b strings.Builder
	b.WriteString("nifti: ")
	if e.File != "" {
		b.WriteString(e.File + ": ")
	}
	fmt.Fprintf(&b, "byte %d", e.Offset)
	if e.Image > 0 {
		fmt.Fprintf(&b, ", image %d", e.Image)
	}
	return say.Text(b.String() + ": " + e.Err.Error())
}

// Unwrap returns what is wrong without the place.
func (e *FormatError) Unwrap() error { return e.Err }

func wrong(at int64, sentinel error, format string, args ...any) *FormatError {
	return &FormatError{Offset: at, Err: say.Errorf("%w: "+format, append([]any{sentinel}, args...)...)}
}
