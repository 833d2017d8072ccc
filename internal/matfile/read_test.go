package matfile

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"bnlab/internal/matfile/mattest"
)

// variants are the ways in which the same arrays can stand in a file.
func variants(t *testing.T, elements func(w mattest.Writer) [][]byte, test func(t *testing.T, file []byte)) {
	for _, w := range []mattest.Writer{mattest.Little(), mattest.Big()} {
		t.Run(fmt.Sprint(w.Order), func(t *testing.T) {
			t.Run("plain", func(t *testing.T) { test(t, w.File(elements(w)...)) })
			t.Run("compressed", func(t *testing.T) {
				var z [][]byte
				for _, e := range elements(w) {
					z = append(z, w.Compressed(e))
				}
				test(t, w.File(z...))
			})
		})
	}
}

// TestNumbers reads each class in the types that may store it: the numbers are
// written by encoding/binary.
func TestNumbers(t *testing.T) {
	tests := []struct {
		class Class
		kind  uint32
		write any
		want  []float64
	}{
		{Double, miDouble, []float64{1.5, -2e300, math.Inf(1), 0x1p-1074},
			[]float64{1.5, -2e300, math.Inf(1), 0x1p-1074}},
		{Double, miUint8, []uint8{0, 1, 255}, []float64{0, 1, 255}},
		{Double, miInt16, []int16{-3, 300}, []float64{-3, 300}},
		{Single, miSingle, []float32{0.1, -1}, []float64{float64(float32(0.1)), -1}},
		{Int8, miInt8, []int8{-128, 127, 3}, []float64{-128, 127, 3}},
		{Uint8, miUint8, []uint8{200}, []float64{200}},
		{Int16, miInt16, []int16{-32768, 5}, []float64{-32768, 5}},
		{Uint16, miUint16, []uint16{65535, 5, 7}, []float64{65535, 5, 7}},
		{Int32, miInt32, []int32{math.MinInt32, 1}, []float64{math.MinInt32, 1}},
		{Uint32, miUint32, []uint32{math.MaxUint32}, []float64{math.MaxUint32}},
		{Int64, miInt64, []int64{-1 << 53, 12}, []float64{-1 << 53, 12}},
		{Uint64, miUint64, []uint64{1 << 53}, []float64{1 << 53}},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%v in type %d", test.class, test.kind), func(t *testing.T) {
			variants(t, func(w mattest.Writer) [][]byte {
				return [][]byte{w.Array(byte(test.class), 0, "x", []int{1, len(test.want)},
					w.Numbers(test.kind, test.write))}
			}, func(t *testing.T, file []byte) {
				vars, err := Read(bytes.NewReader(file), nil)
				if err != nil {
					t.Fatal(err)
				}
				if x := vars["x"]; x.Class != test.class || !slices.Equal(x.Real, test.want) {
					t.Errorf("x = %v %v, want %v", x, x.Real, test.want)
				}
			})
		})
	}
}

// TestKinds reads arrays that are no plain numbers.
func TestKinds(t *testing.T) {
	variants(t, func(w mattest.Writer) [][]byte {
		one := w.Array(byte(Double), 0, "", []int{1, 1}, w.Short(miUint8, []byte{7}))
		empty := w.Element(miMatrix, nil)
		text := w.Array(byte(Char), 0, "", []int{1, 2}, w.Short(miUTF8, []byte("ab")))
		return [][]byte{
			w.Array(byte(Double), flagComplex, "z", []int{2, 1}, w.Numbers(miDouble, []float64{1, 2}),
				w.Numbers(miInt8, []int8{-3, 4})),
			w.Array(byte(Uint8), flagLogical, "yes", []int{1, 2}, w.Short(miUint8, []byte{1, 0})),
			w.Array(byte(Cell), 0, "cells", []int{1, 3}, one, empty, w.Array(byte(Cell), 0, "", []int{1, 1}, text)),
			w.Array(byte(Struct), 0, "s", []int{2, 1}, w.Fields(8, "n", "name"), one, text, empty, text),
			w.Array(byte(Struct), 0, "none", []int{1, 1}, w.Fields(8)),
			w.Array(byte(Char), 0, "utf8", []int{1, 3}, w.Element(miUTF8, []byte("aé€"))),
			w.Array(byte(Char), 0, "utf16", []int{1, 3}, w.Numbers(miUTF16, []uint16{'a', 0xd83d, 0xde00})),
			w.Array(byte(Char), 0, "utf32", []int{1, 3}, w.Numbers(miUTF32, []uint32{'a', 0x1f600})),
			w.Array(byte(Char), 0, "uint16", []int{1, 2},
				w.Short(miUint16, w.Order.AppendUint16(w.Order.AppendUint16(nil, 'o'), 'k'))),
			w.Array(byte(Char), 0, "rows", []int{2, 2}, w.Short(miUTF8, []byte("abcd"))),
			w.Array(byte(Char), 0, "empty", []int{0, 0}, w.Element(miUTF8, nil)),
			w.Array(byte(Double), 0, "cube", []int{2, 3, 2}, w.Numbers(miDouble, make([]float64, 12))),
			w.Array(byte(Double), 0, "void", []int{0, 5}, w.Numbers(miDouble, []float64{})),
			w.Array(byte(Double), 0, "", []int{1, 1}, w.Short(miUint8, []byte{1})), // without a name: MATLAB's own
			w.Array(byte(Sparse), 0, "sparse", []int{3, 3}),                        // not asked for below
		}
	}, func(t *testing.T, file []byte) {
		names := []string{"z", "yes", "cells", "s", "none", "utf8", "utf16", "utf32", "uint16", "rows", "empty", "cube",
			"void"}
		v, err := Read(bytes.NewReader(file), nil, names...)
		if err != nil {
			t.Fatal(err)
		}
		if len(v) != len(names) {
			t.Errorf("%d variables, want %d", len(v), len(names))
		}
		printed := map[string]string{"z": "2x1 double", "yes": "1x2 logical", "cells": "1x3 cell", "s": "2x1 struct",
			"none": "1x1 struct",
			"rows": "2x2 char", "cube": "2x3x2 double", "void": "0x5 double"}
		for name, want := range printed {
			if got := v[name].String(); got != want {
				t.Errorf("%s prints as %s, want %s", name, got, want)
			}
		}
		if z := v["z"]; !slices.Equal(z.Real, []float64{1, 2}) || !slices.Equal(z.Imag, []float64{-3, 4}) {
			t.Errorf("z = %v + %vi", z.Real, z.Imag)
		}
		if x, err := v["cells"].Cells[0].Number(); x != 7 || err != nil {
			t.Errorf("cells{1} = %v, %v", x, err)
		}
		if e := v["cells"].Cells[1]; e.String() != "0x0 double" {
			t.Errorf("cells{2} = %v", e)
		}
		texts := map[string]string{"utf8": "aé€", "utf16": "a😀", "utf32": "a😀", "uint16": "ok", "empty": ""}
		for name, want := range texts {
			if got, err := v[name].Text(); got != want || err != nil {
				t.Errorf("%s = %q, %v; want %q", name, got, err, want)
			}
		}
		for i, want := range []string{"1x1 double", "0x0 double"} {
			n, err := v["s"].FieldAt(i, "n")
			if err != nil || n.String() != want {
				t.Errorf("s(%d).n = %v, %v; want %s", i+1, n, err, want)
			}
			name, err := v["s"].FieldAt(i, "name")
			if err != nil {
				t.Fatal(err)
			}
			if text, err := name.Text(); text != "ab" || err != nil {
				t.Errorf("s(%d).name = %q, %v", i+1, text, err)
			}
		}
		if c := v["cube"]; c.Len() != 12 || c.Rows() != 2 || c.Columns() != 6 {
			t.Errorf("cube has %d elements, %d rows, %d columns", c.Len(), c.Rows(), c.Columns())
		}
		if c := v["void"]; c.Len() != 0 || c.Columns() != 0 {
			t.Errorf("void has %d elements, %d columns", c.Len(), c.Columns())
		}
	})
}

func TestAccessErrors(t *testing.T) {
	s := &Array{Class: Struct, Dims: []int{1, 2}, Fields: []string{"a", "b"}, Cells: make([]*Array, 4)}
	x := &Array{Class: Double, Dims: []int{1, 2}, Real: []float64{1, 2}}
	var errs []error
	add := func(_ any, err error) { errs = append(errs, err) }
	add(s.Field("a"))
	add(s.FieldAt(2, "a"))
	add(s.FieldAt(0, "c"))
	add(x.Field("a"))
	add(x.Number())
	add(x.Text())
	add((&Array{Class: Char, Dims: []int{2, 1}, Chars: []uint16{'a', 'b'}}).Text())
	want := []string{
		`matfile: 1x2 struct: field "a" of which element? use FieldAt`,
		`matfile: 1x2 struct has no element 2 (counted from 0)`,
		`matfile: 1x2 struct has no field "c" (fields: a, b)`,
		`matfile: 1x2 double has no field "a", since it is no struct`,
		`matfile: 1x2 double is not one real number`,
		`matfile: 1x2 double is not a row of characters`,
		`matfile: 2x1 char is not a row of characters`,
	}
	for i, err := range errs {
		if err == nil || err.Error() != want[i] {
			t.Errorf("got %v, want %s", err, want[i])
		}
	}
}
