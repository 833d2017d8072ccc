package parquet

import (
	"bufio"
	"io"

	"bnlab/internal/atomicfile"
)

// An output is a file that is written piece by piece and then appears at its path whole, or
// not at all.
type output struct {
	*bufio.Writer
	path   string
	finish chan error // says how the writing ended
	result chan error // says whether the file is in its place
	ended  bool
}

// begin makes the temporary file. [atomicfile.Write] stays in its callback, in a goroutine,
// until the output is ended.
func begin(path string) (*output, error) {
	o := &output{path: path, finish: make(chan error), result: make(chan error, 1)}
	made := make(chan io.Writer)
	go func() {
		o.result <- atomicfile.Write(path, func(w io.Writer) error {
			made <- w
			return <-o.finish
		})
	}()
	select {
	case w := <-made:
		o.Writer = bufio.NewWriterSize(w, 1<<20)
		return o, nil
	case err := <-o.result:
		return nil, err
	}
}

// end puts the file in its place, or removes it when err is not nil. Only the first call has
// an effect.
func (o *output) end(err error) error {
	if o.ended {
		return nil
	}
	o.ended = true
	if err == nil {
		err = o.Flush()
	}
	o.finish <- err
	return <-o.result
}
