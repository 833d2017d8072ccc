package nb

import (
	"fmt"
	"io"
	"os"
)

// Where a program ends and its errors go; tests replace them.
var (
	exit             = os.Exit
	stderr io.Writer = os.Stderr
)

// Must returns v, or ends the cell with the message of err: a cell is a separate program, so the
// message is printed, without a stack trace, and the exit status is 1.
//
//	net := nb.Must(bn.New("[rain][grass|rain]", rain, grass))
//
// Must is for cells; programs should handle errors.
func Must[T any](v T, err error) T {
	NoError(err)
	return v
}

// Must2 is [Must] for two values, such as training and test rows.
func Must2[T, U any](v T, u U, err error) (T, U) {
	NoError(err)
	return v, u
}

// NoError ends the cell with the message of err, unless err is nil. See [Must].
func NoError(err error) {
	if err == nil {
		return
	}
	fmt.Fprintln(stderr, "error:", err)
	exit(1)
}
