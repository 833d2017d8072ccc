package parquet

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/limit"
	"bnlab/internal/say"
)

// begin makes the column ready for cells.
func (c *column) begin(rows int) error {
	c.rows = rows
	if c.kind == whole || c.kind == day || c.kind == moment {
		c.wholes = make(map[int64]bn.State)
	}
	if c.kind == boolean && !c.number && c.rule != declared {
		return c.declare([]string{"false", "true"})
	}
	return nil
}

// read reads all row groups of the column.
func (c *column) read(f *file.Reader, rows int) error {
	if err := c.begin(rows); err != nil {
		return err
	}
	next := 0
	for g := range f.NumRowGroups() {
		group := f.RowGroup(g)
		n := int(group.NumRows())
		if n < 0 || n > rows-next {
			return fmt.Errorf("the file is damaged: its row groups have more rows than the %d it says", rows)
		}
		if err := c.readGroup(group, g, next, next+n); err != nil {
			return err
		}
		next += n
	}
	if next != rows {
		return fmt.Errorf("the file is damaged: %d rows of %d", next, rows)
	}
	return nil
}

// readGroup reads the rows of group g. The decoders panic on some damaged files, and tell of some panics as errors.
func (c *column) readGroup(group *file.RowGroupReader, g, from, to int) (err error) {
	where := say.Sprintf("at row group %d, column %q", g+1, c.name)
	defer func() {
		if r := recover(); r != nil {
			err = unpanicked(errors.New("runtime error: "), where)
		}
	}()
	reader, err := group.Column(c.at)
	if err = unpanicked(err, where); err != nil {
		return say.Errorf("column %q: %w", c.name, err)
	}
	defer reader.Close()
	return unpanicked(c.readChunk(reader, from, to), where)
}

// readChunk reads the rows of one group.
func (c *column) readChunk(reader file.ColumnChunkReader, from, to int) error {
	logical := reader.Descriptor().LogicalType()
	unsigned := isUnsigned(logical)
	unit := microsOf(logical)
	switch r := reader.(type) {
	case *file.FixedLenByteArrayColumnChunkReader:
		if _, is := logical.(schema.Float16LogicalType); is {
			return batches(c, r, from, to, r.ReadBatchInPage, func(row int, x pq.FixedLenByteArray) error {
				return c.putNumber(row, half(x[0], x[1]))
			})
		}
		return batches(c, r, from, to, r.ReadBatchInPage,
			func(row int, x pq.FixedLenByteArray) error { return c.putNumber(row, decimal(bigEndian(x), c.scale)) })
	case *file.Int96ColumnChunkReader:
		return batches(c, r, from, to, r.ReadBatchInPage,
			func(row int, x pq.Int96) error { return c.putWhole(row, x.ToTime().UnixMicro()) })
	case *file.ByteArrayColumnChunkReader:
		if c.kind == float {
			return batches(c, r, from, to, r.ReadBatchInPage,
				func(row int, x pq.ByteArray) error { return c.putNumber(row, decimal(bigEndian(x), c.scale)) })
		}
		return batches(c, r, from, to, r.ReadBatchInPage,
			func(row int, x pq.ByteArray) error { return c.putText(row, x) })
	case *file.BooleanColumnChunkReader:
		return batches(c, r, from, to, r.ReadBatchInPage, c.putBool)
	case *file.Int32ColumnChunkReader:
		return batches(c, r, from, to, r.ReadBatchInPage, func(row int, x int32) error {
			if unsigned {
				return c.putInt(row, int64(uint32(x)), unit)
			}
			return c.putInt(row, int64(x), unit)
		})
	case *file.Int64ColumnChunkReader:
		return batches(c, r, from, to, r.ReadBatchInPage, func(row int, x int64) error {
			if unsigned && x < 0 {
				return c.wrong(row, fmt.Sprint(uint64(x)), fmt.Errorf("a whole number above 2^63"))
			}
			return c.putInt(row, x, unit)
		})
	case *file.Float32ColumnChunkReader:
		return batches(c, r, from, to, r.ReadBatchInPage,
			func(row int, x float32) error { return c.putNumber(row, float64(x)) })
	case *file.Float64ColumnChunkReader:
		return batches(c, r, from, to, r.ReadBatchInPage, c.putNumber)
	}
	return say.Errorf("column %q cannot be read", c.name)
}

// putInt stores a whole number, a decimal, or a date or time.
func (c *column) putInt(row int, x, unit int64) error {
	switch c.kind {
	case float:
		return c.putNumber(row, smallDecimal(x, c.scale))
	case day, moment:
		return c.putTime(row, x, unit)
	}
	return c.putWhole(row, x)
}

// putTime stores a date or time, given in a unit.
func (c *column) putTime(row int, x, unit int64) error {
	since, ok := micros(x, unit)
	if !ok {
		return c.wrong(row, strconv.FormatInt(x, 10), data.ErrNumber)
	}
	return c.putWhole(row, since)
}

// extend makes room for the cells up to row to. It grows with what has arrived until a column has shown that the number
// of rows is no lie, and never beyond that number: tables keep the memory.
func (c *column) extend(to int) {
	if c.number {
		c.values = longer(c.values, to, c.rows, c.sure)
	} else {
		c.states = longer(c.states, to, c.rows, c.sure)
	}
}

func longer[T any](cells []T, to, most int, sure bool) []T {
	if to > cap(cells) {
		room := min(max(2*cap(cells), to), most)
		if sure {
			room = most
		}
		more := make([]T, len(cells), room)
		copy(more, cells)
		cells = more
	}
	return cells[:max(to, len(cells))]
}

// batchRows are read at a time: of text the decoder makes some memory anew for each batch.
const batchRows = 1 << 14

// A batch is the memory of the rows that are read at a time.
type batch[T any] struct {
	values []T
	levels []int16
}

// batches reads rows from to to, a piece of a page at a time.
func batches[T any](c *column, reader file.ColumnChunkReader, from, to int,
	read func(int64, []T, []int16, []int16) (int64, int, error), put func(int, T) error) error {
	kept, ok := c.batch.(*batch[T])
	if !ok { // the first chunk
		kept = &batch[T]{make([]T, batchRows), make([]int16, batchRows)}
		c.batch = kept
	}
	values, levels := kept.values, kept.levels
	full := reader.Descriptor().MaxDefinitionLevel()
	for row := from; row < to; {
		if !reader.HasNext() {
			err := reader.Err()
			if err != nil && strings.Contains(err.Error(), "exceeds configured limit") { // no error of its own type
				return &limit.Error{What: fmt.Sprintf("a page of column %q", c.name), Most: c.opts.part(),
					Unit: "bytes", Option: "Options.MaxBytes"}
			}
			if err != nil {
				return say.Errorf("column %q: %w", c.name, err)
			}
			return say.Errorf("the file is damaged: column %q ends at row %d of %d", c.name, row, to)
		}
		n, known, err := read(int64(min(batchRows, to-row)), values, levels, nil)
		if err != nil {
			return say.Errorf("column %q, after row %d: %w", c.name, row, err)
		}
		if n <= 0 || known > int(n) {
			return say.Errorf("the file is damaged: column %q stops at row %d", c.name, row)
		}
		c.extend(row + int(n))
		next := 0
		for i := range int(n) {
			if full > 0 && levels[i] < full {
				err = c.gap(row)
			} else if next < known {
				err = put(row, values[next])
				next++
			} else {
				err = say.Errorf("the file is damaged: column %q lacks the value of row %d", c.name, row+1)
			}
			if err != nil {
				return err
			}
			row++
		}
	}
	return nil
}
