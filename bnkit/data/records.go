package data

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"bnlab/internal/say"
)

// FromRecords returns the table of a slice of structs, or of a []map[string]string, one row per record.
//
// The exported fields of a struct are columns under their own names, or under that of a tag; a field with the
// tag "-" is left out:
//
//	type Patient struct {
//		Age   float64 `bn:"age"`
//		Grade *int    `bn:"grade"` // nil is missing
//		Notes []string `bn:"-"`
//	}
//
// A field is a string, a bool, a number, or a pointer to one, which is missing when nil. Floats are continuous,
// NaN missing, unless States or Discrete name the column. The keys of maps are columns in their order as text;
// a key that a map lacks is a missing cell. All else, and errors, are as in [FromCells]. Other types of records
// or fields are errors.
func FromRecords[T any](records []T, opts *CSVOptions) (*Table, error) {
	if maps, ok := any(records).([]map[string]string); ok {
		return fromMaps(maps, opts)
	}
	typ := reflect.TypeFor[T]()
	if typ.Kind() != reflect.Struct {
		return nil, say.Errorf("data: a record is a struct or a map[string]string, not %v", typ)
	}
	rows := reflect.ValueOf(records)
	var cols []Cells
	var floats []string
	for _, field := range reflect.VisibleFields(typ) {
		name, tagged := field.Tag.Lookup("bn")
		kind := field.Type.Kind()
		if kind == reflect.Pointer {
			kind = field.Type.Elem().Kind()
		}
		embeds := field.Anonymous && kind == reflect.Struct // its fields follow by themselves
		switch {
		case embeds && name == "-":
			return nil, say.Errorf("data: the embedded %v cannot be left out as a whole; give it a name", field.Type)
		case embeds || name == "-" || !field.IsExported():
			continue
		}
		if !tagged {
			name = field.Name
		}
		value := func(row int) reflect.Value {
			v, err := rows.Index(row).FieldByIndexErr(field.Index)
			if err == nil && v.Kind() == reflect.Pointer {
				v = v.Elem()
			}
			return v // not valid when a pointer is nil
		}
		c := Cells{Name: name, Text: func(buf []byte, row int) []byte { return appendValue(buf, value(row)) }}
		switch {
		case kind == reflect.Float64 || kind == reflect.Float32:
			floats = append(floats, name)
			c.Number = func(row int) float64 {
				if v := value(row); v.IsValid() {
					return v.Float()
				}
				return math.NaN()
			}
		case kind != reflect.String && kind != reflect.Bool && (kind < reflect.Int || kind > reflect.Uint64):
			return nil, say.Errorf("data: the field %s is a %v, which is not a cell; leave it out by the tag `bn:\"-\"`",
				field.Name, field.Type)
		}
		cols = append(cols, c)
	}
	return FromCells(len(records), cols, continuous(opts, floats))
}

// appendValue prints a cell, nothing when it is missing.
func appendValue(buf []byte, v reflect.Value) []byte {
	switch {
	case !v.IsValid():
		return buf
	case v.CanInt():
		return strconv.AppendInt(buf, v.Int(), 10)
	case v.CanUint():
		return strconv.AppendUint(buf, v.Uint(), 10)
	case v.CanFloat():
		return appendNumber(buf, v.Float())
	case v.Kind() == reflect.Bool:
		return strconv.AppendBool(buf, v.Bool())
	}
	return append(buf, v.String()...)
}

// appendNumber prints a number, nothing for NaN. A whole one has neither point nor exponent, so that it is the
// same state as an integer.
func appendNumber(buf []byte, x float64) []byte {
	switch x += 0; { // −0 + 0 = 0
	case math.IsNaN(x):
		return buf
	case x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return strconv.AppendFloat(buf, x, 'f', -1, 64)
	}
	return strconv.AppendFloat(buf, x, 'g', -1, 64)
}

func fromMaps(records []map[string]string, opts *CSVOptions) (*Table, error) {
	if len(records) == 0 {
		return nil, fmt.Errorf("data: %w", ErrNoRows)
	}
	keys := make(map[string]bool)
	for _, r := range records {
		for key := range r {
			keys[key] = true
		}
	}
	var cols []Cells
	for _, key := range sortedKeys(keys) {
		cols = append(cols, Cells{
			Name: key,
			Text: func(buf []byte, row int) []byte { return append(buf, records[row][key]...) },
		})
	}
	return FromCells(len(records), cols, opts)
}

// FromMatrix returns the table of a matrix, as of gonum/mat, whose columns have the given names. They are
// continuous, NaN missing, unless States or Discrete name the column: then 3 is the state "3". It returns an
// error for another number of names than columns, and those of [FromCells].
func FromMatrix(m interface {
	Dims() (rows, cols int)
	At(row, col int) float64
}, names []string, opts *CSVOptions) (*Table, error) {
	rows, n := m.Dims()
	if len(names) != n {
		return nil, fmt.Errorf("data: %d names for a matrix of %d columns", len(names), n)
	}
	cols := make([]Cells, n)
	for col, name := range names {
		cols[col] = Cells{
			Name:   name,
			Text:   func(buf []byte, row int) []byte { return appendNumber(buf, m.At(row, col)) },
			Number: func(row int) float64 { return m.At(row, col) },
		}
	}
	return FromCells(rows, cols, continuous(opts, names))
}

// continuous returns the options with the columns of floats as continuous, but those that they say more of.
func continuous(opts *CSVOptions, floats []string) *CSVOptions {
	own := CSVOptions{}
	if opts != nil {
		own = *opts
	}
	own.Continuous = slices.Clone(own.Continuous)
	for _, name := range floats {
		if !own.KeepSpace {
			name = strings.TrimSpace(name)
		}
		_, declared := own.States[name]
		if !declared && name != own.Weight && !slices.Contains(own.Discrete, name) &&
			!slices.Contains(own.Continuous, name) && (own.Columns == nil || slices.Contains(own.Columns, name)) {
			own.Continuous = append(own.Continuous, name)
		}
	}
	return &own
}
