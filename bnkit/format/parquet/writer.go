package parquet

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// WriterOptions configure a [Writer]. The zero value, and nil, are useful.
type WriterOptions struct {
	// GroupRows is the number of rows of a row group, which a reader takes as a whole; 0
	// means 262,144. Up to so many rows are held in memory.
	GroupRows int
	// Weight names the column for the weights of the rows; empty refuses tables with
	// weights.
	Weight string
}

// A Writer writes rows to a Parquet file piece by piece. The file appears at its path when
// Close has succeeded, and not before. A Writer serves one goroutine.
type Writer struct {
	vars    []bn.Variable
	opts    WriterOptions
	out     *output
	file    *file.Writer
	states  [][]bn.State // by column: the rows of the group that is being filled
	values  [][]float64
	dicts   []arrow.Array // by column: its states
	pending int           // rows in the group
	levels  []int16       // all ones: no cell is missing
	err     error         // the first error; nothing is written after it
}

// Create begins a Parquet file with a column for each variable. It returns an error when there
// are no variables, one is not valid or two have the same name, and when no file can be made
// beside path. A Writer is ended by Close or Discard.
func Create(path string, vars []bn.Variable, opts *WriterOptions) (*Writer, error) {
	w := &Writer{vars: append([]bn.Variable(nil), vars...)}
	if opts != nil {
		w.opts = *opts
	}
	if w.opts.GroupRows <= 0 {
		w.opts.GroupRows = 1 << 18
	}
	if w.opts.Weight != "" {
		w.vars = append(w.vars, bn.Continuous(w.opts.Weight))
	}
	root, err := layout(w.vars)
	if err != nil {
		return nil, say.Errorf("parquet: writing %s: %w", path, err)
	}
	// An order that nobody declared is found again by who reads, and so known for what it is.
	declared := slices.DeleteFunc(slices.Clone(w.vars), func(v bn.Variable) bool { return v.Sorted })
	lists, err := json.Marshal(data.StatesOf(declared...))
	if err != nil {
		return nil, say.Errorf("parquet: writing %s: %w", path, err)
	}
	if w.out, err = begin(path); err != nil {
		return nil, say.Errorf("parquet: %w", err)
	}
	w.file, err = file.NewParquetWriterWithError(keepOpen{w.out}, root, file.WithWriterProps(properties(w.vars)))
	if err == nil {
		err = w.file.AppendKeyValueMetadata(statesKey, string(lists))
	}
	if err != nil {
		w.out.end(err)
		return nil, say.Errorf("parquet: writing %s: %w", path, err)
	}
	w.states = make([][]bn.State, len(w.vars))
	w.values = make([][]float64, len(w.vars))
	w.dicts = make([]arrow.Array, len(w.vars))
	for i, v := range w.vars {
		if v.IsDiscrete() {
			w.dicts[i] = dictionary(v.States)
		}
	}
	return w, nil
}

// properties: dictionaries for states, plain doubles, fast zstd. Statistics would cost time
// and say nothing of states.
func properties(vars []bn.Variable) *pq.WriterProperties {
	props := []pq.WriterProperty{
		pq.WithStats(false), pq.WithCompression(compress.Codecs.Zstd), pq.WithCompressionLevel(1),
		pq.WithBatchSize(1 << 16), pq.WithCreatedBy("bnkit"),
	}
	for _, v := range vars {
		props = append(props, pq.WithDictionaryPath(pq.ColumnPath{v.Name}, v.IsDiscrete()))
	}
	return pq.NewWriterProperties(props...)
}

func dictionary(states []string) arrow.Array {
	b := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
	defer b.Release()
	b.AppendStringValues(states, nil)
	return b.NewArray()
}

// Write adds the rows of t. Columns are found by the names of the variables and states by
// their names; further columns are left out. It returns an error, and takes none of the rows,
// when a variable has no column or one of the other kind, a state is not the variable's (a
// [*data.ValueError]), or t has weights and the options name no column for them.
func (w *Writer) Write(t *data.Table) error {
	if w.err != nil {
		return w.err
	}
	if t == nil {
		return fmt.Errorf("parquet: there is no table to write")
	}
	if t.Weights() != nil && w.opts.Weight == "" {
		return fmt.Errorf("parquet: the table has weights; name a column for them in WriterOptions.Weight")
	}
	states := make([][]bn.State, len(w.vars))
	values := make([][]float64, len(w.vars))
	for i, v := range w.vars {
		var err error
		switch {
		case w.opts.Weight != "" && i == len(w.vars)-1:
			values[i] = weights(t)
		case v.IsDiscrete():
			states[i], err = t.As(v)
		default:
			values[i], err = numbers(t, v.Name)
		}
		if err != nil {
			return say.Errorf("parquet: %w", err)
		}
	}
	for from := 0; from < t.Rows(); {
		to := min(t.Rows(), from+w.opts.GroupRows-w.pending)
		for i, v := range w.vars {
			if v.IsDiscrete() {
				w.states[i] = append(w.states[i], states[i][from:to]...)
			} else {
				w.values[i] = append(w.values[i], values[i][from:to]...)
			}
		}
		w.pending += to - from
		from = to
		if w.pending == w.opts.GroupRows {
			if w.err = w.flush(); w.err != nil {
				return w.err
			}
		}
	}
	return nil
}

func weights(t *data.Table) []float64 {
	if t.Weights() != nil {
		return t.Weights()
	}
	ones := make([]float64, t.Rows())
	for i := range ones {
		ones[i] = 1
	}
	return ones
}

func numbers(t *data.Table, name string) ([]float64, error) {
	c, err := t.Column(name)
	if err != nil {
		return nil, err
	}
	if c.Var.IsDiscrete() {
		return nil, say.Errorf("column %q has states, but the file is to have numbers there", name)
	}
	return c.Values, nil
}

// Close writes what is pending and puts the file in its place. After an error of Write, and
// after Discard, it leaves the place as it was and returns the error.
func (w *Writer) Close() error {
	if w.err == nil && w.pending > 0 {
		w.err = w.flush()
	}
	if w.err == nil {
		if err := w.file.Close(); err != nil {
			w.err = say.Errorf("parquet: writing %s: %w", w.out.path, err)
		}
	}
	if w.err != nil {
		w.out.end(w.err)
		return w.err
	}
	w.err = say.Errorf("parquet: writing %s: the file is closed", w.out.path)
	if err := w.out.end(nil); err != nil {
		w.err = say.Errorf("parquet: %w", err)
		return w.err
	}
	return nil
}

// Discard ends the writing and leaves the place of the file as it was. After Close it does
// nothing, so that it can be deferred.
func (w *Writer) Discard() {
	if w.err == nil {
		w.err = say.Errorf("parquet: writing %s: discarded", w.out.path)
	}
	w.out.end(w.err)
}

// keepOpen hides the Close of the file from the Parquet writer.
type keepOpen struct{ io.Writer }
