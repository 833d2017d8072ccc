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

// Must returns v, or ends the cell with the message of err. A cell is a program of its
// own, so there is nothing to return an error to: the message is printed and the exit
// status is 1, without the pages of a panic.
//
//	net := nb.Must(bn.New("[rain][grass|rain]", rain, grass))
//
// Must is for cells. A program handles its errors.
func Must[T any](v T, err error) T {
	NoError(err)
	return v
}

// Must2 is [Must] for two values, as a split into training and test rows.
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
