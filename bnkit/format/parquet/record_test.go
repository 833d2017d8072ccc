package parquet_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
)

// A record, as it comes from a database or a Flight server, becomes a table.
func ExampleFromRecord() {
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "smoker", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "age", Type: arrow.PrimitiveTypes.Float64},
	}, nil))
	defer b.Release()
	b.Field(0).(*array.StringBuilder).AppendValues([]string{"no", "yes", ""}, []bool{true, true, false})
	b.Field(1).(*array.Float64Builder).AppendValues([]float64{41, 67, 55}, nil)
	record := b.NewRecordBatch()
	defer record.Release()

	t, err := parquet.FromRecord(record, &parquet.Options{States: map[string][]string{"smoker": {"no", "yes"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range t.Columns() {
		fmt.Println(c.Var, c.IsMissing(2))
	}
	// Output:
	// smoker {no, yes} true
	// age (continuous) false
}

// record builds a record with a column of each type, from rows as JSON.
func record(t *testing.T, fields []arrow.Field, rows string) arrow.RecordBatch {
	t.Helper()
	r, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(fields, nil), strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFromRecordTypes(t *testing.T) {
	ordered := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String,
		Ordered: true}
	loose := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	for _, c := range []struct {
		kind   arrow.DataType
		cells  string // of three rows
		states []string
		want   []float64 // numbers or states, NaN for missing
	}{
		{arrow.BinaryTypes.String, `"b", null, "a"`, []string{"a", "b"}, []float64{1, math.NaN(), 0}},
		{arrow.BinaryTypes.LargeString, `"b", "", "a"`, []string{"a", "b"}, []float64{1, math.NaN(), 0}},
		{arrow.BinaryTypes.StringView, `"b", "a", "a"`, []string{"a", "b"}, []float64{1, 0, 0}},
		{arrow.FixedWidthTypes.Boolean, `true, null, false`, []string{"false", "true"},
			[]float64{1, math.NaN(), 0}},
		{arrow.PrimitiveTypes.Int8, `10, 2, null`, []string{"2", "10"}, []float64{1, 0, math.NaN()}},
		{arrow.PrimitiveTypes.Int64, `-1, 2, 2`, []string{"-1", "2"}, []float64{0, 1, 1}},
		{arrow.PrimitiveTypes.Uint32, `4294967295, 2, 2`, []string{"2", "4294967295"}, []float64{1, 0, 0}},
		{arrow.PrimitiveTypes.Float32, `0.5, null, 2`, nil, []float64{0.5, math.NaN(), 2}},
		{arrow.FixedWidthTypes.Date32, `"2020-01-02", null, "1970-01-01"`, []string{"1970-01-01", "2020-01-02"},
			[]float64{1, math.NaN(), 0}},
		{arrow.FixedWidthTypes.Timestamp_ns, `"2020-01-02T10:00:00.5Z", null, "1970-01-01T00:00:00Z"`,
			[]string{"1970-01-01 00:00:00", "2020-01-02 10:00:00.5"}, []float64{1, math.NaN(), 0}},
		{&arrow.Decimal128Type{Precision: 38, Scale: 20}, `"0.3", null, "-2"`, nil, []float64{0.3, math.NaN(), -2}},
		{arrow.PrimitiveTypes.Float64, `0.25, null, 2`, nil, []float64{0.25, math.NaN(), 2}},
		{ordered, `"low", "high", null`, []string{"low", "high"}, []float64{0, 1, math.NaN()}},
		{loose, `"low", "high", null`, []string{"high", "low"}, []float64{1, 0, math.NaN()}},
	} {
		cells := strings.Split(c.cells, ", ")
		var rows []string
		for _, cell := range cells {
			rows = append(rows, `{"x": `+cell+`}`)
		}
		r := record(t, []arrow.Field{{Name: "x", Type: c.kind, Nullable: true}}, "["+strings.Join(rows, ",")+"]")
		table, err := parquet.FromRecord(r, nil)
		r.Release()
		if err != nil {
			t.Errorf("%s: %v", c.kind, err)
			continue
		}
		x := table.Columns()[0]
		if !slices.Equal(x.Var.States, c.states) || table.Rows() != 3 {
			t.Errorf("%s: %v of %d rows, want the states %v", c.kind, x.Var, table.Rows(), c.states)
			continue
		}
		for row, want := range c.want {
			switch {
			case x.IsMissing(row) != math.IsNaN(want):
				t.Errorf("%s: row %d missing %v", c.kind, row, x.IsMissing(row))
			case math.IsNaN(want):
			case c.states == nil && x.Values[row] != want, c.states != nil && float64(x.States[row]) != want:
				t.Errorf("%s: row %d is %+v, want %v", c.kind, row, x, want)
			}
		}
	}
}

// TestFromRecordOptions reads the options as Read does: weights, columns left out, numbers and states by name.
func TestFromRecordOptions(t *testing.T) {
	fields := []arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Int32},
		{Name: "y", Type: arrow.PrimitiveTypes.Int32}, {Name: "w", Type: arrow.PrimitiveTypes.Float64},
		{Name: "when", Type: arrow.FixedWidthTypes.Date32}}
	r := record(t, fields, `[{"x": 1, "y": 1, "w": 2, "when": "2020-01-01"},
		{"x": 3, "y": 2, "w": 0.5, "when": "2020-01-02"}]`)
	defer r.Release()
	table, err := parquet.FromRecord(r, &parquet.Options{Columns: []string{"x", "y", "w"}, Weight: "w",
		Continuous: []string{"y"}})
	if err != nil {
		t.Fatal(err)
	}
	cols := table.Columns()
	if len(cols) != 2 || !cols[0].Var.IsDiscrete() || cols[1].Var.IsDiscrete() || cols[1].Values[1] != 2 ||
		!slices.Equal(table.Weights(), []float64{2, 0.5}) {
		t.Errorf("columns %+v with weights %v", cols, table.Weights())
	}
	if table, err := parquet.FromRecord(r, nil); err != nil || table.Columns()[3].Text(1) != "2020-01-02" {
		t.Errorf("a date: %v", err)
	}
	if _, err := parquet.FromRecord(r, &parquet.Options{Weight: "when"}); !errors.Is(err, data.ErrWeight) {
		t.Errorf("dates as weights: %v", err)
	}
	_, err = parquet.FromRecord(r, &parquet.Options{Columns: []string{"z"}})
	if !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("an unknown column: %v", err)
	}
	_, err = parquet.FromRecord(r, &parquet.Options{Columns: []string{"x"},
		States: map[string][]string{"x": {"1", "2"}}})
	var cell *data.ValueError
	if !errors.As(err, &cell) || !errors.Is(err, bn.ErrUnknownState) || cell.Row != 2 || cell.Value != "3" {
		t.Errorf("an unknown state: %v", err)
	}
	if _, err := parquet.FromRecord(r.NewSlice(0, 0), nil); !errors.Is(err, data.ErrNoRows) {
		t.Errorf("no rows: %v", err)
	}
	if _, err := parquet.FromRecord(nil, nil); err == nil {
		t.Error("no record passes")
	}
}
