package arff

import (
	"io"

	"bnlab/bnkit/data"
)

// What the tests of this package look at from outside.
func ReadFrom(r io.Reader, opts *Options) (*data.Table, error) { return read(r, "", opts) }

var WriteTo = write
