package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
)

// foreign writes a file of one column c as other programs do; values of T, levels 0 for a null.
func foreign[T any](t *testing.T, logical schema.LogicalType, physical pq.Type, values []T, levels []int16) string {
	t.Helper()
	length := -1
	if physical == pq.Types.FixedLenByteArray {
		length = 16
		if _, half := logical.(schema.Float16LogicalType); half {
			length = 2
		}
	}
	node, err := schema.NewPrimitiveNodeLogical("c", pq.Repetitions.Optional, logical, physical, length, -1)
	if err != nil {
		t.Fatal(err)
	}
	root, err := schema.NewGroupNode("schema", pq.Repetitions.Required, schema.FieldList{node}, -1)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "foreign.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := file.NewParquetWriter(f, root)
	if len(levels) > 0 {
		group, err := w.AppendRowGroupChecked()
		if err != nil {
			t.Fatal(err)
		}
		column, err := group.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		type writer[T any] interface {
			WriteBatch([]T, []int16, []int16) (int64, error)
		}
		if _, err := column.(writer[T]).WriteBatch(values, levels, nil); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(column.Close(), group.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// texts are values of a column of text.
func texts(words ...string) []pq.ByteArray {
	var out []pq.ByteArray
	for _, w := range words {
		out = append(out, pq.ByteArray(w))
	}
	return out
}

// upTo are the numbers 0 … n−1, and as many levels of 1.
func upTo(n int) ([]int64, []int16) {
	values, levels := make([]int64, n), make([]int16, n)
	for i := range values {
		values[i], levels[i] = int64(i), 1
	}
	return values, levels
}

// Types of other programs: what becomes of each.
func TestReadTypes(t *testing.T) {
	none := schema.NoLogicalType{}
	text := schema.StringLogicalType{}
	twenty, twentyLevels := upTo(20)
	more, moreLevels := upTo(21)
	nan := math.NaN()
	for _, c := range []struct {
		name string
		path string
		opts parquet.Options
		want string // variable, then cells
	}{
		{"text in natural order, nulls and empty texts missing",
			foreign(t, text, pq.Types.ByteArray, texts("q10", "", "NA", "q2", "<5"), []int16{1, 1, 0, 1, 1, 1}),
			parquet.Options{}, "c {<5, NA, q2, q10} q10,,,NA,q2,<5"},
		{"text without a logical type", foreign(t, none, pq.Types.ByteArray, texts("b", "a"), []int16{1, 1}),
			parquet.Options{}, "c {a, b} b,a"},
		{"signs for a missing value", foreign(t, text, pq.Types.ByteArray, texts("b", "?"), []int16{1, 1}),
			parquet.Options{Missing: []string{"?"}}, "c {b} b,"},
		{"text with states", foreign(t, text, pq.Types.ByteArray, texts("b", "a"), []int16{1, 1}),
			parquet.Options{States: map[string][]string{"c": {"z", "b", "a"}}}, "c {z, b, a} b,a"},
		{"text that is numbers stays text", foreign(t, text, pq.Types.ByteArray, texts("1.5", "2"), []int16{1, 1}),
			parquet.Options{}, "c {1.5, 2} 1.5,2"},
		{"text made numbers", foreign(t, text, pq.Types.ByteArray, texts("1.5", "-2e3"), []int16{1, 0, 1}),
			parquet.Options{Continuous: []string{"c"}}, "c (continuous) 1.5,,-2000"},
		{"enumeration", foreign(t, schema.EnumLogicalType{}, pq.Types.ByteArray, texts("b", "a"), []int16{1, 1}),
			parquet.Options{}, "c {a, b} b,a"},
		{"booleans have both states", foreign(t, none, pq.Types.Boolean, []bool{true, true}, []int16{1, 0, 1}),
			parquet.Options{}, "c {false, true} true,,true"},
		{"booleans made numbers", foreign(t, none, pq.Types.Boolean, []bool{true, false}, []int16{1, 0, 1}),
			parquet.Options{Continuous: []string{"c"}}, "c (continuous) 1,,0"},
		{"few whole numbers", foreign(t, none, pq.Types.Int32, []int32{10, -2, 10}, []int16{1, 0, 1, 1}),
			parquet.Options{}, "c {-2, 10} 10,,-2,10"},
		{"unsigned numbers", foreign(t, schema.NewIntLogicalType(32, false), pq.Types.Int32, []int32{-1, 7},
			[]int16{1, 1}), parquet.Options{}, "c {7, 4294967295} 4294967295,7"},
		{"20 whole numbers", foreign(t, none, pq.Types.Int64, twenty, twentyLevels), parquet.Options{},
			"c {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19} " +
				"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19"},
		{"more whole numbers", foreign(t, none, pq.Types.Int64, more, append([]int16{0}, moreLevels...)),
			parquet.Options{}, "c (continuous) ,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20"},
		{"hidden", foreign(t, none, pq.Types.Int64, []int64{5, 3}, []int16{1, 1}),
			parquet.Options{States: map[string][]string{"h": {"0"}}, Hidden: []string{"h"}}, "c {3, 5} 5,3"},
		{"a smaller limit", foreign(t, none, pq.Types.Int64, []int64{5, 3}, []int16{1, 1}),
			parquet.Options{MaxNumericStates: 1}, "c (continuous) 5,3"},
		{"no limit for declared ones", foreign(t, none, pq.Types.Int64, []int64{5, 3}, []int16{1, 1}),
			parquet.Options{MaxNumericStates: -1, Discrete: []string{"c"}}, "c {3, 5} 5,3"},
		{"doubles", foreign(t, none, pq.Types.Double, []float64{1, nan, 2}, []int16{1, 1, 1, 0}), parquet.Options{},
			"c (continuous) 1,,2,"},
		{"doubles made states", foreign(t, none, pq.Types.Double, []float64{1, math.Copysign(0, -1), 1.5, 1e15},
			[]int16{1, 1, 1, 1}), parquet.Options{Discrete: []string{"c"}},
			"c {0, 1, 1.5, 1000000000000000} 1,0,1.5,1000000000000000"},
		{"floats", foreign(t, none, pq.Types.Float, []float32{0.5}, []int16{1, 0}), parquet.Options{},
			"c (continuous) 0.5,"},
		{"decimals, the nearest doubles", foreign(t, schema.NewDecimalLogicalType(9, 2), pq.Types.Int32,
			[]int32{29, -7, 115}, []int16{1, 1, 1}), parquet.Options{}, "c (continuous) 0.29,-0.07,1.15"},
		{"decimals of many digits", foreign(t, schema.NewDecimalLogicalType(18, 17), pq.Types.Int64,
			[]int64{1<<53 + 1, -300_000_000_000_000_001}, []int16{1, 1}), parquet.Options{},
			"c (continuous) 0.09007199254740993,-3"}, // 0.09007199254740992 by two roundings
		// 0x3c00 is 1, 0xc100 is −2.5, 0x0001 is 2⁻²⁴, 0x7e00 is NaN (IEEE 754, binary16), the low byte first.
		{"halves", foreign(t, schema.Float16LogicalType{}, pq.Types.FixedLenByteArray, []pq.FixedLenByteArray{
			{0x00, 0x3c}, {0x00, 0xc1}, {0x01, 0x00}, {0x00, 0x7e}}, []int16{1, 1, 1, 1, 0}), parquet.Options{},
			"c (continuous) 1,-2.5,5.960464477539063e-08,,"},
		{"decimals of bytes", foreign(t, schema.NewDecimalLogicalType(5, 2), pq.Types.ByteArray,
			texts("\x1d", "\xff\xf9", "\x00\xff"), []int16{1, 1, 1}), parquet.Options{},
			"c (continuous) 0.29,-0.07,2.55"},
		{"dates", foreign(t, schema.DateLogicalType{}, pq.Types.Int32, []int32{19754, -1, 19753},
			[]int16{1, 0, 1, 1}), parquet.Options{},
			"c {1969-12-31, 2024-01-31, 2024-02-01} 2024-02-01,,1969-12-31,2024-01-31"},
		{"dates as numbers", foreign(t, schema.DateLogicalType{}, pq.Types.Int32, []int32{1, -1}, []int16{1, 1}),
			parquet.Options{Continuous: []string{"c"}}, "c (continuous) 86400,-86400"},
		{"times of milliseconds", foreign(t, schema.NewTimestampLogicalType(true, schema.TimeUnitMillis),
			pq.Types.Int64, []int64{1500, -1}, []int16{1, 1}), parquet.Options{},
			"c {1969-12-31 23:59:59.999, 1970-01-01 00:00:01.5} 1970-01-01 00:00:01.5,1969-12-31 23:59:59.999"},
		{"times of nanoseconds, rounded down", foreign(t, schema.NewTimestampLogicalType(false, schema.TimeUnitNanos),
			pq.Types.Int64, []int64{1999, -1}, []int16{1, 1}), parquet.Options{Continuous: []string{"c"}},
			"c (continuous) 1e-06,-1e-06"},
		{"times with declared states", foreign(t, schema.NewTimestampLogicalType(true, schema.TimeUnitMicros),
			pq.Types.Int64, []int64{0}, []int16{1}),
			parquet.Options{States: map[string][]string{"c": {"1970-01-01 00:00:00", "1970-01-02 00:00:00"}}},
			"c {1970-01-01 00:00:00, 1970-01-02 00:00:00} 1970-01-01 00:00:00"},
		{"times of old writers", foreign(t, none, pq.Types.Int96,
			[]pq.Int96{{0, 0, 0, 0, 0, 0, 0, 0, 0x8c, 0x3d, 0x25, 0}}, []int16{1}), parquet.Options{},
			"c {1970-01-01 00:00:00} 1970-01-01 00:00:00"}, // Julian day 2440588
		{"nothing known", foreign(t, text, pq.Types.ByteArray, texts(), []int16{0, 0}), parquet.Options{},
			"c (continuous) ,"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, err := parquet.Read(c.path, &c.opts)
			if err != nil {
				t.Fatal(err)
			}
			column := table.Columns()[0]
			var cells []string
			for row := range table.Rows() {
				cells = append(cells, column.Text(row))
			}
			if got := fmt.Sprint(column.Var) + " " + strings.Join(cells, ","); got != c.want {
				t.Errorf("read %s, want %s", got, c.want)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	none, text := schema.NoLogicalType{}, schema.StringLogicalType{}
	dir := t.TempDir()
	garbage := filepath.Join(dir, "garbage")
	if err := os.WriteFile(garbage, []byte(strings.Repeat("PAR1 is no Parquet file ", 20)), 0o600); err != nil {
		t.Fatal(err)
	}
	good := foreign(t, text, pq.Types.ByteArray, texts("b", "a"), []int16{1, 1})
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(dir, "cut")
	if err := os.WriteFile(cut, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	numbers := foreign(t, none, pq.Types.Double, []float64{1, -1, math.Inf(1)}, []int16{1, 1, 0, 1})
	clock := schema.NewTimeLogicalType(false, schema.TimeUnitMicros)
	for _, c := range []struct {
		name string
		path string
		opts *parquet.Options
		is   error
		want string
	}{
		{"no file", filepath.Join(dir, "no"), nil, os.ErrNotExist, "no such file"},
		{"a directory", dir, nil, nil, dir},
		{"no Parquet", garbage, nil, nil, garbage},
		{"cut off", cut, nil, nil, cut},
		{"no rows", foreign[int32](t, none, pq.Types.Int32, nil, nil), nil, data.ErrNoRows, "no rows"},
		{"a time of the day", foreign(t, clock, pq.Types.Int64, []int64{1}, []int16{1}), nil, nil,
			`column "c": its type, INT64 Time`},
		{"dates as weights", foreign(t, schema.DateLogicalType{}, pq.Types.Int32, []int32{1}, []int16{1}),
			&parquet.Options{Weight: "c"}, data.ErrWeight, "dates or times"},
		{"too far a time", foreign(t, schema.NewTimestampLogicalType(false, schema.TimeUnitMillis), pq.Types.Int64,
			[]int64{0, math.MaxInt64}, []int16{1, 1}), nil, data.ErrNumber, "row 2"},
		{"UUID", foreign(t, schema.UUIDLogicalType{}, pq.Types.FixedLenByteArray,
			[]pq.FixedLenByteArray{make([]byte, 16)}, []int16{1}), nil, nil, "UUID"},
		{"unknown column", good, &parquet.Options{Columns: []string{"d"}}, bn.ErrUnknownVariable,
			`no column "d" (there are: c), but Options.Columns`},
		{"states of an unknown column", good, &parquet.Options{States: map[string][]string{"d": {"x"}}},
			bn.ErrUnknownVariable, "Options.States"},
		{"not chosen", good, &parquet.Options{Columns: []string{}, Discrete: []string{"c"}}, bn.ErrUnknownVariable,
			"not in Options.Columns"},
		{"two lists", good, &parquet.Options{Continuous: []string{"c"}, Discrete: []string{"c"}}, bn.ErrDuplicate,
			"in another list"},
		{"no column", good, &parquet.Options{Columns: []string{}}, nil, "no column is to be read"},
		{"dropped", good, &parquet.Options{Drop: []string{"c"}}, nil, "no column is to be read"},
		{"an unknown one dropped", good, &parquet.Options{Drop: []string{"d"}}, bn.ErrUnknownVariable,
			"Options.Drop names it"},
		{"dropped and declared", good, &parquet.Options{Drop: []string{"c"}, Discrete: []string{"c"}}, bn.ErrDuplicate,
			`column "c" is in Options.Discrete and in Options.Drop`},
		{"hidden and there", good, &parquet.Options{Hidden: []string{"c"}}, nil,
			`column "c" is there, but Options.Hidden`},
		{"states twice", good, &parquet.Options{States: map[string][]string{"c": {"a", "a"}}}, bn.ErrDuplicate, `"c"`},
		{"unknown state", good, &parquet.Options{States: map[string][]string{"c": {"b", "x"}}}, bn.ErrUnknownState,
			`row 2, column "c", value "a"`},
		{"text as a number", good, &parquet.Options{Continuous: []string{"c"}}, data.ErrNumber,
			`row 1, column "c", value "b"`},
		{"not UTF-8", foreign(t, text, pq.Types.ByteArray, texts("a", "M\xfcller"), []int16{1, 1}), nil,
			data.ErrEncoding, "row 2"},
		{"infinite", numbers, nil, data.ErrNumber, "row 4"},
		{"weight below 0", numbers, &parquet.Options{Weight: "c"}, data.ErrWeight, "row 2"},
		{"no weight", foreign(t, none, pq.Types.Double, []float64{1}, []int16{1, 0}), &parquet.Options{Weight: "c"},
			data.ErrWeight, "row 2"},
		{"only weights", foreign(t, none, pq.Types.Double, []float64{1}, []int16{1}), &parquet.Options{Weight: "c"},
			nil, "besides the weights"},
		{"too large", good, &parquet.Options{MaxBytes: 3}, nil, "package sqldata"},
		{"far too large an unsigned number", foreign(t, schema.NewIntLogicalType(64, false), pq.Types.Int64,
			[]int64{-1}, []int16{1}), nil, nil, "18446744073709551615"},
	} {
		_, err := parquet.Read(c.path, c.opts)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) ||
			c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: error %v, want %q of %s", c.name, err, c.want, c.path)
		}
	}
}

// Files whose columns are not a flat table, or cannot be opened without a key.
func TestReadStructure(t *testing.T) {
	word := func(name string) schema.Node {
		n, err := schema.NewPrimitiveNodeLogical(name, pq.Repetitions.Required, schema.StringLogicalType{},
			pq.Types.ByteArray, -1, -1)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	group := func(name string, fields ...schema.Node) *schema.GroupNode {
		n, err := schema.NewGroupNode(name, pq.Repetitions.Required, fields, -1)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	repeated, err := schema.NewPrimitiveNodeLogical("list", pq.Repetitions.Repeated, schema.NoLogicalType{},
		pq.Types.Int32, -1, -1)
	if err != nil {
		t.Fatal(err)
	}
	key := "0123456789abcdef"
	hidden := pq.WithEncryptionProperties(pq.NewFileEncryptionProperties(key))
	columns := pq.WithEncryptionProperties(pq.NewFileEncryptionProperties(key, pq.WithPlaintextFooter()))
	for _, c := range []struct {
		name   string
		root   *schema.GroupNode
		option pq.WriterProperty
		want   string // of the error; none when empty
	}{
		{"flat", group("schema", word("a"), word("b")), nil, ""},
		{"several pages without dictionary", group("schema", word("a")), pq.WithDictionaryDefault(false), ""},
		{"a record", group("schema", word("a"), group("r", word("b"))), nil, `column "r" is nested`},
		{"a list", group("schema", repeated), nil, `column "list" is nested`},
		{"no columns", group("schema"), nil, "no columns"},
		{"encrypted", group("schema", word("a")), hidden, "encrypted"},
		{"encrypted columns", group("schema", word("a")), columns,
			`column "a": parquet: unable to initialize page reader: column in rowgroup is encrypted`},
	} {
		path := filepath.Join(t.TempDir(), "other.parquet")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		options := []file.WriteOption{}
		if c.option != nil {
			options = append(options, file.WithWriterProps(pq.NewWriterProperties(c.option)))
		}
		w := file.NewParquetWriter(f, c.root, options...)
		for range 2 { // row groups
			rows, err := w.AppendRowGroupChecked()
			if err != nil {
				t.Fatal(err)
			}
			for range rows.NumColumns() {
				column, err := rows.NextColumn()
				if err != nil {
					t.Fatal(err)
				}
				switch column := column.(type) {
				case *file.ByteArrayColumnChunkWriter:
					_, err = column.WriteBatch(texts("x", "y"), nil, nil)
				case *file.Int32ColumnChunkWriter:
					_, err = column.WriteBatch([]int32{1, 2}, []int16{1, 1}, []int16{0, 0})
				}
				if err := errors.Join(err, column.Close()); err != nil {
					t.Fatal(err)
				}
			}
			if err := rows.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		table, err := parquet.Read(path, nil)
		switch {
		case c.want == "" && (err != nil || table.Rows() != 4 || table.Columns()[0].Text(3) != "y"):
			t.Errorf("%s: %v, %v", c.name, table, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), path)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// No damage of a file makes reading panic or hang, or gives a table with other than good cells.
func FuzzRead(f *testing.F) {
	path := filepath.Join(f.TempDir(), "seed.parquet")
	if err := parquet.Write(path, mixed(f)); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	for at := range 40 {
		f.Add(at*len(whole)/40, byte(0xff))
	}
	damaged := filepath.Join(f.TempDir(), "damaged.parquet")
	f.Fuzz(func(t *testing.T, at int, with byte) {
		if at < 0 || at >= len(whole) {
			return
		}
		b := append([]byte(nil), whole...)
		b[at] ^= with
		if err := os.WriteFile(damaged, b, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := parquet.Read(damaged, nil)
		if err == nil && table.Rows() == 0 {
			t.Error("a table without rows")
		}
		checkDamage(t, err)
	})
}

// checkDamage wants an error in our words: not those of a panic in the decoders, nor what a terminal obeys.
func checkDamage(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	for _, word := range []string{"runtime error", "nil pointer", "out of range", "interface conversion", "\x1b"} {
		if strings.Contains(err.Error(), word) {
			t.Errorf("%q in the error: %q", word, err)
		}
	}
}

// A byte that is wrong, anywhere in the file, is not answered by what panics say.
func TestDamagedFilesAreToldOf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "damaged.parquet")
	if err := parquet.Write(path, mixed(t)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	placed := 0
	for at := range whole {
		for _, with := range []byte{0x80, 0xff} {
			b := append([]byte(nil), whole...)
			b[at] ^= with
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := parquet.Read(path, nil)
			checkDamage(t, err)
			if err != nil && strings.Contains(err.Error(), "the file is damaged, ") {
				placed++
			}
		}
	}
	if placed == 0 {
		t.Error("no damage made the decoders panic: the test tries none of what it is for")
	}
	t.Logf("%d of %d damaged files made the decoders panic", placed, 2*len(whole))
}

// A null among the states that the file keeps is no state without a name.
func TestNullAmongStates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "states.parquet")
	table, err := data.New(data.Column{Var: bn.Discrete("v", "xx", "yy"), States: []bn.State{0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := parquet.Write(path, table); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(b, []byte(`["xx"`), []byte(`[null`), 1)
	if bytes.Equal(changed, b) {
		t.Fatal("the file keeps its states in another way")
	}
	if err := os.WriteFile(path, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := parquet.Read(path, nil); err == nil || !strings.Contains(err.Error(), `["v"][0]: null stands`) {
		t.Errorf("%v", err)
	}
}
