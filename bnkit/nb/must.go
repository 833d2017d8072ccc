package nb

import (
	"fmt"
	"os"
)

// exit ends the program; tests replace it.
var exit = os.Exit

// Must returns v, or ends the cell with the message of err. A cell is a program of its
// own, so there is nothing to return an error to: the message is printed and the exit
// status is 1, without the pages of a panic.
//
//	net := nb.Must(bn.New("[rain][grass|rain]", rain, grass))
//
// Must is for cells. A program handles its errors.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Must2 is [Must] for two values, as a split into training and test rows.
func Must2[T, U any](v T, u U, err error) (T, U) {
	Check(err)
	return v, u
}

// Check ends the cell with the message of err, unless err is nil. See [Must].
func Check(err error) {
	if err == nil {
		return
	}
	sync() // what the cell has shown so far stays
	fmt.Fprintln(os.Stderr, "error:", err)
	exit(1)
}
