package parquet

import (
	"errors"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// FromRecord returns the rows of an Arrow record as a table, by the rules of [Read] for the types of its columns. The
// table holds copies, so the record may be released. An ordered dictionary, such as an ordered Categorical of pandas,
// has its values as states in their order, lowest first. Options.MaxBytes bounds the names of states only.
//
// It returns an error for no record, no rows ([data.ErrNoRows]), a name in the options without a column
// ([bn.ErrUnknownVariable]), a column of a type that is neither states nor numbers, and a [*data.ValueError] for a
// cell, as Read does.
func FromRecord(record arrow.RecordBatch, opts *Options) (*data.Table, error) {
	if record == nil {
		return nil, errors.New("parquet: there is no record")
	}
	o := opts.defaults()
	t, err := fromRecord(record, &o)
	if _, ok := err.(*data.ValueError); err != nil && !ok {
		return nil, say.Errorf("parquet: an Arrow record: %w", err)
	}
	return t, err
}

func fromRecord(record arrow.RecordBatch, o *Options) (*data.Table, error) {
	fields := record.Schema().Fields()
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	wanted, rules, err := o.rules(names)
	if err != nil {
		return nil, err
	}
	if record.NumRows() == 0 {
		return nil, data.ErrNoRows
	}
	var cols []*column
	letters := o.part()
	for _, i := range wanted {
		put, k, ordered := arrowCells(record.Column(i))
		if put == nil {
			return nil, say.Errorf("column %q is of type %s; leave it out by Options.Drop, or turn it into text or "+
				"numbers", names[i], fields[i].Type)
		}
		if rules[i] == weight && (k == day || k == moment) {
			return nil, datesAsWeights(names[i])
		}
		c := o.column(names[i], k, rules[i])
		c.letters = &letters
		switch {
		case c.rule == declared:
			err = c.declare(o.States[c.name])
		case c.rule == guess && ordered != nil:
			err = c.declare(ordered)
		}
		if err != nil {
			return nil, err
		}
		if err := c.begin(int(record.NumRows())); err != nil {
			return nil, err
		}
		c.extend(c.rows)
		for row := range c.rows {
			if record.Column(i).IsNull(row) {
				err = c.gap(row)
			} else {
				err = put(c, row)
			}
			if err != nil {
				return nil, err
			}
		}
		cols = append(cols, c)
	}
	if len(cols) == 0 {
		return nil, errors.New("no column is to be read")
	}
	return table(cols)
}

// arrowCells returns what puts a cell of an array that is not null into a column, and the kind of the cells; nil for a
// type that is neither states nor numbers. ordered are the values of an ordered dictionary of text.
func arrowCells(a arrow.Array) (put func(c *column, row int) error, k kind, ordered []string) {
	switch a := a.(type) {
	case *array.String:
		return func(c *column, row int) error { return c.putText(row, []byte(a.Value(row))) }, text, nil
	case *array.LargeString:
		return func(c *column, row int) error { return c.putText(row, []byte(a.Value(row))) }, text, nil
	case *array.StringView:
		return func(c *column, row int) error { return c.putText(row, []byte(a.Value(row))) }, text, nil
	case *array.Boolean:
		return func(c *column, row int) error { return c.putBool(row, a.Value(row)) }, boolean, nil
	case *array.Int8:
		return wholeCells(a.Value), whole, nil
	case *array.Int16:
		return wholeCells(a.Value), whole, nil
	case *array.Int32:
		return wholeCells(a.Value), whole, nil
	case *array.Int64:
		return wholeCells(a.Value), whole, nil
	case *array.Uint8:
		return wholeCells(a.Value), whole, nil
	case *array.Uint16:
		return wholeCells(a.Value), whole, nil
	case *array.Uint32:
		return wholeCells(a.Value), whole, nil
	case *array.Uint64:
		return func(c *column, row int) error {
			if a.Value(row) > math.MaxInt64 {
				return c.wrong(row, a.ValueStr(row), data.ErrNumber)
			}
			return c.putWhole(row, int64(a.Value(row)))
		}, whole, nil
	case *array.Date32:
		return func(c *column, row int) error { return c.putTime(row, int64(a.Value(row)), aDay) }, day, nil
	case *array.Date64:
		return func(c *column, row int) error { return c.putTime(row, int64(a.Value(row)), 1000) }, day, nil
	case *array.Timestamp:
		unit := map[arrow.TimeUnit]int64{arrow.Second: 1e6, arrow.Millisecond: 1000, arrow.Microsecond: 1,
			arrow.Nanosecond: -1000}[a.DataType().(*arrow.TimestampType).Unit]
		return func(c *column, row int) error { return c.putTime(row, int64(a.Value(row)), unit) }, moment, nil
	case *array.Decimal128:
		scale := int(a.DataType().(*arrow.Decimal128Type).Scale)
		return func(c *column, row int) error {
			return c.putNumber(row, decimal(a.Value(row).BigInt(), scale))
		}, float, nil
	case *array.Float32:
		return func(c *column, row int) error { return c.putNumber(row, float64(a.Value(row))) }, float, nil
	case *array.Float64:
		return func(c *column, row int) error { return c.putNumber(row, a.Value(row)) }, float, nil
	case *array.Dictionary:
		values, k, _ := arrowCells(a.Dictionary())
		if values == nil || k != text {
			return nil, 0, nil
		}
		if a.DataType().(*arrow.DictionaryType).Ordered {
			for i := range a.Dictionary().Len() {
				ordered = append(ordered, a.Dictionary().ValueStr(i))
			}
		}
		word := a.Dictionary()
		return func(c *column, row int) error {
			i := a.GetValueIndex(row)
			if word.IsNull(i) {
				return c.gap(row)
			}
			return c.putText(row, []byte(word.ValueStr(i)))
		}, text, ordered
	}
	return nil, 0, nil
}

// wholeCells puts whole numbers.
func wholeCells[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](value func(int) T) func(*column, int) error {
	return func(c *column, row int) error { return c.putWhole(row, int64(value(row))) }
}
