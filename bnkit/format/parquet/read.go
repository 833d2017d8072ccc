package parquet

import (
	"errors"
	"fmt"
	"regexp"

	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/notnull"
	"bnlab/internal/say"
)

// Read reads a table from a Parquet file.
//
// It returns an error that names the file for one that is no Parquet or is damaged, has no rows
// ([data.ErrNoRows]), would take more memory than Options.MaxBytes ([bn.ErrTooLarge]; use package
// sqldata, which counts in the file without loading it), a name in the options that the file does not have
// ([bn.ErrUnknownVariable]), a column of a type that is neither states nor numbers, such as a
// time of the day or a list; and a [*data.ValueError] with row, column and value for a state that is not
// in the column's list ([bn.ErrUnknownState]), a text that is no number ([data.ErrNumber]), one
// that is not UTF-8 ([data.ErrEncoding]) and a weight that is missing or negative
// ([data.ErrWeight]).
func Read(path string, opts *Options) (t *data.Table, err error) {
	o := opts.defaults()
	defer func() {
		if r := recover(); r != nil { // the decoders panic on some damaged files
			t, err = nil, say.Errorf("parquet: reading %s: the file is damaged, in its description of columns and row "+
				"groups; write it again, or take another copy", path)
		}
	}()
	properties := pq.NewReaderProperties(nil)
	properties.MaxUncompressedPageSize = o.part()
	f, err := file.OpenParquetFile(path, false, file.WithReadProps(properties))
	if err = unpanicked(err, "in its description of columns and row groups"); err != nil {
		return nil, say.Errorf("parquet: reading %s: %w", path, err)
	}
	defer f.Close()
	t, err = read(f, path, &o)
	if e, ok := err.(*data.ValueError); ok {
		e.File = path
		return nil, e
	}
	if err != nil {
		return nil, say.Errorf("parquet: reading %s: %w", path, err)
	}
	return t, nil
}

// unpanicked is an error of the decoders, or says where the file is damaged if it tells of a panic in them.
func unpanicked(err error, where string) error {
	var cell *data.ValueError
	if err == nil || errors.As(err, &cell) || !panicText.MatchString(err.Error()) {
		return err
	}
	return say.Errorf("the file is damaged, %s; write it again, or take another copy", where)
}

// panicText is what Go says of a fault in a program.
var panicText = regexp.MustCompile(`runtime error: |interface conversion: |reflect: |makeslice: |slice bounds out of range`)

func read(f *file.Reader, path string, o *Options) (*data.Table, error) {
	root := f.MetaData().Schema.Root()
	names := make([]string, root.NumFields())
	for i := range names {
		names[i] = root.Field(i).Name()
	}
	wanted, rules, err := o.rules(names)
	if err != nil {
		return nil, err
	}
	lists, err := keptStates(f)
	if err != nil {
		return nil, err
	}
	rows := f.NumRows()
	if len(names) == 0 {
		return nil, fmt.Errorf("the file has no columns")
	}
	if rows <= 0 {
		return nil, fmt.Errorf("the file has columns, but %w", data.ErrNoRows)
	}
	var cols []*column
	var need int64
	letters := o.part()
	for _, i := range wanted {
		c, err := newColumn(f, root.Field(i), rules[i], o)
		if err != nil {
			return nil, err
		}
		c.letters = &letters
		if c.rule == guess && c.kind == text {
			if states, ok := lists[c.name]; ok {
				err = c.declare(states)
			}
		} else if c.rule == declared {
			err = c.declare(o.States[c.name])
		}
		if err != nil {
			return nil, err
		}
		cols = append(cols, c)
		need += c.width()
	}
	if len(cols) == 0 {
		return nil, fmt.Errorf("no column is to be read")
	}
	if rows > o.MaxBytes/need {
		return nil, fmt.Errorf("%w: %d rows of %d columns take about %d MB, more than Options.MaxBytes (%d MB): read "+
			"fewer Columns, raise the bound, or learn from the file in place with package sqldata", bn.ErrTooLarge,
			rows, len(cols), rows/1e6*need, o.MaxBytes/1e6)
	}
	for i, c := range cols {
		if i > 0 {
			c.sure, c.batch = true, cols[i-1].batch
		}
		if err := c.read(f, int(rows)); err != nil {
			return nil, err
		}
	}
	return table(cols)
}

func table(cols []*column) (*data.Table, error) {
	var out []data.Column
	var weights []float64
	for _, c := range cols {
		if c.rule == weight {
			weights = c.values
			continue
		}
		out = append(out, c.finish())
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no column besides the weights")
	}
	t, err := data.New(out...)
	if err != nil || weights == nil {
		return t, err
	}
	return t.WithWeights(weights)
}

// keptStates are the lists of states that [Writer] left in the file.
func keptStates(f *file.Reader) (map[string][]string, error) {
	text := f.MetaData().KeyValueMetadata().FindValue(statesKey)
	if text == nil {
		return nil, nil
	}
	var lists map[string][]string
	if err := notnull.Unmarshal([]byte(*text), &lists); err != nil {
		return nil, say.Errorf("the file's list of states under the key %s is damaged: %w", statesKey, err)
	}
	return lists, nil
}

func datesAsWeights(name string) error {
	return say.Errorf("column %q holds dates or times, and Options.Weight names it: %w", name, data.ErrWeight)
}

// newColumn finds out what a column holds.
func newColumn(f *file.Reader, node schema.Node, r rule, o *Options) (*column, error) {
	name := node.Name()
	at := f.MetaData().Schema.ColumnIndexByName(name)
	primitive, ok := node.(*schema.PrimitiveNode)
	if !ok || at < 0 || f.MetaData().Schema.Column(at).MaxRepetitionLevel() > 0 {
		return nil, say.Errorf("column %q is nested (lists or records in its cells); leave it out by Options.Drop",
			name)
	}
	k, scale, err := kindOf(primitive)
	if err != nil {
		return nil, say.Errorf("column %q: %w; leave it out by Options.Drop, or write the file with text or "+
			"numbers there", name, err)
	}
	if r == weight && (k == day || k == moment) {
		return nil, datesAsWeights(name)
	}
	c := o.column(name, k, r)
	c.at, c.scale = at, scale
	return c, nil
}
