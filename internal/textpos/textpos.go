// Package textpos holds the one error of all readers of text, which says in which file, line and
// column something is wrong.
package textpos

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"bnlab/internal/say"
)

// An Error says where a text is wrong, and why. Errors of package bn that the cause wraps, such
// as [bn.ErrUnknownState] or [*bn.CycleError], are found by errors.Is and errors.As.
type Error struct {
	Format    string // as in "hugin"
	File      string // as given to the reader, empty for text without a name
	Line      int    // counted from 1; 0 when no line is to blame
	Column    int    // counted from 1, in bytes; in knowledge files in characters
	Statement int    // of a knowledge file, counted from 1; 0 outside the statements
	Err       error

	colon bool // follows File in the text
}

// At returns an Error about the byte of src at an offset.
func At(format string, src []byte, offset int, err error) *Error {
	before := src[:max(0, min(offset, len(src)))]
	return &Error{Format: format, Line: Line(src, offset),
		Column: len(before) - bytes.LastIndexByte(before, '\n'), Err: err}
}

// Line returns the line of the byte of src at an offset, counted from 1.
func Line(src []byte, offset int) int {
	return 1 + bytes.Count(src[:max(0, min(offset, len(src)))], []byte("\n"))
}

// Name gives the Error in err, if there is one, the name of its file, which a comma follows in
// the text.
func Name(err error, file string) {
	var e *Error
	if errors.As(err, &e) {
		e.File, e.colon = file, false
	}
}

// NameColon is Name for the readers of tables and graphs, which write a colon after a file.
func NameColon(err error, file string) {
	var e *Error
	if errors.As(err, &e) {
		e.File, e.colon = file, true
	}
}

// Error says the place and the cause, as in "bif: asia.bif, line 3, column 7: …".
func (e *Error) Error() string {
	prefix, at := e.Format+": ", []string(nil)
	switch {
	case e.File != "" && e.colon:
		prefix += e.File + ": "
	case e.File != "":
		at = append(at, e.File)
	}
	if e.Line > 0 {
		at = append(at, fmt.Sprintf("line %d, column %d", e.Line, e.Column))
	}
	if e.Statement > 0 {
		at = append(at, fmt.Sprintf("statement %d", e.Statement))
	}
	text := strings.TrimPrefix(strings.TrimPrefix(e.Err.Error(), "constraint: "), "bn: ")
	if len(at) > 0 {
		text = strings.Join(at, ", ") + ": " + text
	}
	return say.Text(prefix + text)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Lines returns a text whose first line ends in a carriage return alone, as on old Macs, with line feeds in the
// place of such, and any other as it is. Offsets stay what they are.
func Lines(src []byte) []byte {
	if at := bytes.IndexAny(src, "\r\n"); at < 0 || src[at] == '\n' || at+1 < len(src) && src[at+1] == '\n' {
		return src
	}
	out := bytes.Clone(src)
	for i, c := range out {
		if c == '\r' && (i+1 == len(out) || out[i+1] != '\n') {
			out[i] = '\n'
		}
	}
	return out
}
