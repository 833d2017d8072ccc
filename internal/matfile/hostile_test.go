package matfile

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"

	"bnlab/internal/matfile/mattest"
)

// sample is a file with something of everything, one variable compressed.
func sample(w mattest.Writer) []byte {
	text := w.Array(byte(Char), 0, "", []int{1, 2}, w.Short(miUTF8, []byte("ab")))
	return w.File(
		w.Double("x", 3, 1, 2, 3),
		w.Array(byte(Cell), 0, "c", []int{1, 2}, text, w.Array(byte(Struct), 0, "", []int{1, 2}, w.Fields(4, "f"), text,
			w.Element(miMatrix, nil))),
		w.Compressed(w.Array(byte(Int16), 0, "last", []int{1, 3}, w.Numbers(miInt16, []int16{1, 2, 3}))),
	)
}

// TestTruncated cuts a file at each byte.
func TestTruncated(t *testing.T) {
	whole := sample(mattest.Little())
	if _, err := Read(bytes.NewReader(whole), nil, "last"); err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		_, err := Read(bytes.NewReader(whole[:n]), nil, "last")
		var at *FormatError
		if !errors.As(err, &at) {
			t.Fatalf("cut at %d: error %v, want a FormatError", n, err)
		}
		if !errors.Is(err, ErrTruncated) && !errors.Is(err, ErrMissing) {
			t.Errorf("cut at %d: error %v", n, err)
		}
		if at.Offset > int64(n) {
			t.Errorf("cut at %d: the error is said to be at byte %d", n, at.Offset)
		}
	}
}

// TestDamaged says what is wrong, where, and in what.
func TestDamaged(t *testing.T) {
	w := mattest.Little()
	deep := w.Double("", 1, 1)
	for range maxDepth + 1 {
		deep = w.Array(byte(Cell), 0, "d", []int{1, 1}, deep)
	}
	patch := func(e []byte, at int, b ...byte) []byte {
		e = bytes.Clone(e)
		copy(e[at:], b)
		return e
	}
	x := w.Double("x", 2, 1, 2)
	// Of x, bytes 0-8 are the tag, 8-24 the flags, 24-40 the sizes, 40-56 the name, from 56 on the numbers.
	tests := []struct {
		name string
		file []byte
		is   error
		want string // part of the message
	}{
		{"nothing", nil, ErrTruncated, "matfile: byte 0: the data end early: the header wants 128 bytes more"},
		{"no header", make([]byte, 200), ErrVersion, "byte 126: not a MATLAB file of version 5; write it with " +
			"save('-v7', …): the header does not end in IM or MI"},
		{"version 7.3", patch(w.Header(), 124, 0, 2), ErrVersion, "HDF5"},
		{"other version", patch(w.Header(), 124, 7, 0), ErrVersion, "version 0x7"},
		{"variable longer than the file", w.File(patch(x, 4, 255, 255, 255, 127)), ErrFormat,
			"bytes left over in an array"},
		{"numbers longer than the variable", w.File(patch(x, 60, 255)), ErrFormat,
			"byte 184, x: damaged: numbers: 255 bytes where 16 are left"},
		{"more numbers than elements", w.File(patch(x, 32, 1)), ErrFormat,
			"byte 184, x: damaged: 16 bytes of type 9 where 1 numbers are expected"},
		{"numbers of a type that is none", w.File(patch(x, 56, 14)), ErrFormat, "16 bytes of type 14 where 2 numbers"},
		{"short element too long", w.File(patch(x, 56, 9, 0, 5, 0)), ErrFormat, "a short element of 5 bytes"},
		{"size below 0", w.File(patch(x, 35, 0x80)), ErrFormat, "a dimension of -2147483646"},
		{"sizes that overflow", w.File(w.Array(byte(Double), 0, "x", []int{1 << 30, 1 << 30, 1 << 30, 16},
			w.Numbers(miDouble, []float64{1}))), ErrLimit, "elements and more"},
		{"sizes hidden by a 0", w.File(w.Array(byte(Double), 0, "x", []int{0, 1 << 30, 1 << 30, 1 << 30},
			w.Numbers(miDouble, []float64{}))), ErrLimit, "elements and more"},
		{"one size", w.File(w.Array(byte(Double), 0, "x", []int{3}, w.Numbers(miDouble, []float64{1, 2, 3}))),
			ErrFormat, "dimensions of type 5 and 4 bytes"},
		{"flags of another type", w.File(patch(x, 8, 5)), ErrFormat,
			"byte 136: damaged: array flags of type 5 and 8 bytes"},
		{"name of another type", w.File(patch(x, 40, 9)), ErrFormat, "a name of type 9"},
		{"long name", w.File(w.Double(strings.Repeat("n", maxName+1), 1, 1)), ErrFormat, "a name of 4097 bytes"},
		{"cells that are not there", w.File(w.Array(byte(Cell), 0, "c", []int{1 << 14, 1 << 14})), ErrFormat,
			"268435456 arrays in 0 bytes"},
		{"cell that is no array", w.File(w.Array(byte(Cell), 0, "c", []int{1, 2}, w.Double("", 1, 1),
			w.Numbers(miDouble, []float64{1}))), ErrFormat, "c{2}: damaged: element of type 9 where an array"},
		{"numbers twice", w.File(w.Array(byte(Double), 0, "x", []int{1, 1}, w.Numbers(miDouble, []float64{1}),
			w.Numbers(miDouble, []float64{1}))), ErrFormat, "16 bytes left over"},
		{"no imaginary part", w.File(w.Array(byte(Double), flagComplex, "x", []int{1, 1},
			w.Numbers(miDouble, []float64{1}))), ErrFormat, "numbers begins where 0 bytes are left"},
		{"bad UTF-8", w.File(w.Array(byte(Char), 0, "t", []int{1, 2}, w.Short(miUTF8, []byte{0xc3, 0x28}))), ErrFormat,
			"2 bytes of type 16 where 2 characters"},
		{"half a character", w.File(w.Array(byte(Char), 0, "t", []int{1, 1}, w.Short(miUTF16, []byte{'a', 0, 'b'}))),
			ErrFormat, "3 bytes of type 17"},
		{"characters as doubles", w.File(w.Array(byte(Char), 0, "t", []int{1, 1}, w.Numbers(miDouble, []float64{97}))),
			ErrFormat, "8 bytes of type 9 where 1 characters"},
		{"field twice", w.File(w.Array(byte(Struct), 0, "s", []int{1, 1}, w.Fields(4, "f", "f"))), ErrFormat,
			`field name "f" is empty or there already`},
		{"field lengths of 0", w.File(w.Array(byte(Struct), 0, "s", []int{1, 1}, w.Short(miInt32, w.U32(0)),
			w.Short(miInt8, []byte("f")))), ErrFormat, "1 bytes, 0 for each"},
		{"field length below 0", w.File(w.Array(byte(Struct), 0, "s", []int{1, 1}, w.Short(miInt32, w.U32(1<<31)),
			w.Short(miInt8, []byte("f")))), ErrFormat, "-2147483648 for each"},
		{"field length of two bytes", w.File(w.Array(byte(Struct), 0, "s", []int{1, 1},
			w.Short(miInt32, []byte{1, 0}))), ErrFormat, "type 5 and 2 bytes"},
		{"deep", w.File(deep), ErrLimit, "cells and structs 101 deep"},
		{"sparse", w.File(w.Array(byte(Struct), 0, "s", []int{1, 2}, w.Fields(4, "f", "g"), x, x, x,
			w.Array(byte(Sparse), 0, "", []int{3, 3}))), ErrUnsupported,
			"s(2).g: not read by this package: an array of class sparse"},
		{"function", w.File(w.Array(byte(FunctionHandle), 0, "f", []int{1, 1})), ErrUnsupported, "function handle"},
		{"class without a name", w.File(w.Array(byte(99), 0, "f", []int{1, 1})), ErrUnsupported, "class 99"},
		{"integers that no float64 is", w.File(w.Array(byte(Uint64), 0, "x", []int{1, 1},
			w.Numbers(miUint64, []uint64{1<<53 + 1}))), ErrUnsupported, "2^53"},
		{"negative integers that no float64 is",
			w.File(w.Array(byte(Int64), 0, "x", []int{1, 1}, w.Numbers(miInt64, []int64{-1<<53 - 1}))), ErrUnsupported,
			"2^53"},
		{"no zlib stream", w.File(w.Element(miCompressed, make([]byte, 16))), ErrFormat,
			"a compressed element: zlib: invalid header"},
		{"compressed, no array", w.File(w.Compressed(w.Numbers(miDouble, []float64{1}))), ErrFormat,
			"byte 128 (compressed; byte 0 of its content): damaged: element of type 9"},
		{"compressed and damaged inside", w.File(w.Compressed(patch(x, 60, 255))), ErrFormat,
			"byte 128 (compressed; byte 56 of its content), x: damaged: numbers: 255 bytes"},
		{"compressed twice", w.File(w.Compressed(append(bytes.Clone(x), x...))), ErrFormat, "bytes after the array"},
		{"wrong checksum", w.File(func() []byte { z := w.Compressed(x); z[len(z)-1] ^= 1; return z }()), ErrFormat,
			"zlib: invalid checksum"},
		{"twice", w.File(x, x), ErrFormat, `a second variable "x"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			vars, err := Read(bytes.NewReader(test.file), nil)
			if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v and error\n%v, want one that wraps %v and says\n%s", vars, err, test.is, test.want)
			}
		})
	}
	if _, err := Read(bytes.NewReader(w.File(x, w.Double("y", 1, 1))), nil, "x", "z"); !errors.Is(err, ErrMissing) ||
		!strings.Contains(err.Error(), `"z" (variables: x, y)`) {
		t.Errorf("asked for z: %v", err)
	}
	if _, err := Read(bytes.NewReader(w.File(w.Array(byte(Opaque), 0, "table", []int{1, 1}), x)), nil,
		"x"); err != nil {
		t.Errorf("a class that nobody asked for: %v", err)
	}
}

// TestMemory gives files that say or hold much more than they should; what the
// reader allocates on the way to its error is measured.
func TestMemory(t *testing.T) {
	w := mattest.Little()
	empty := w.Element(miMatrix, nil)
	lie := append(w.U32(miMatrix), w.U32(1<<31)...)
	lie = append(lie, w.Double("x", 1, 1)[8:40]...)
	lie = append(lie, w.Element(miInt8, []byte("x"))...)
	lie = append(lie, w.U32(miInt8)...)
	lie = append(lie, w.U32(1<<26)...)
	copy(lie[32:], w.U32(1<<26)) // rows
	tests := []struct {
		name string
		file []byte
		is   error
	}{
		{"64 million numbers of which none is there", w.File(lie), ErrTruncated},
		{"zeros compressed a thousandfold", w.File(w.Compressed(w.Array(byte(Int8), 0, "x", []int{1 << 23, 1},
			w.Element(miInt8, make([]byte, 1<<23))))), ErrLimit},
		{"characters compressed", w.File(w.Compressed(w.Array(byte(Char), 0, "x", []int{1 << 23, 1},
			w.Element(miUTF8, make([]byte, 1<<23))))), ErrLimit},
		{"empty cells compressed", w.File(w.Compressed(w.Array(byte(Cell), 0, "x", []int{1 << 18, 1},
			bytes.Repeat(empty, 1<<18)))), ErrLimit},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Read(bytes.NewReader(test.file), &Settings{MaxBytes: 1 << 20})
			if test.is == ErrTruncated {
				_, err = Read(bytes.NewReader(test.file), nil)
			}
			runtime.ReadMemStats(&after)
			if !errors.Is(err, test.is) {
				t.Fatalf("error %v, want %v", err, test.is)
			}
			// Four times the limit: slices that grow are copied, and the file's buffers.
			if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
				t.Errorf("%d bytes allocated", used)
			}
		})
	}
}

// FuzzRead looks for input that makes the reader panic, forget its limit or
// return an array that contradicts itself.
func FuzzRead(f *testing.F) {
	w := mattest.Little()
	f.Add(sample(mattest.Little()))
	f.Add(sample(mattest.Big()))
	f.Add(w.File(w.Array(byte(Double), flagComplex|flagLogical, "z", []int{1, 1, 1}, w.Short(miUint8, []byte{1}),
		w.Short(miInt8, []byte{1}))))
	f.Fuzz(func(t *testing.T, file []byte) {
		vars, err := Read(bytes.NewReader(file), &Settings{MaxBytes: 1 << 18})
		if at := (*FormatError)(nil); err != nil && !errors.As(err, &at) {
			t.Fatalf("error %v of type %T", err, err)
		}
		for name, a := range vars {
			if n := agree(t, a); n > 1<<18 {
				t.Errorf("%s holds about %d bytes", name, n)
			}
		}
	})
}

// agree checks an array against its own sizes and returns the memory it needs.
func agree(t *testing.T, a *Array) int {
	n, size := a.Len(), 100+8*len(a.Real)+8*len(a.Imag)+2*len(a.Chars)
	want := map[bool][4]int{
		a.Class.numeric(): {n, 0, 0, 0},
		a.Class == Char:   {0, n, 0, 0},
		a.Class == Cell:   {0, 0, n, 0},
		a.Class == Struct: {0, 0, n * len(a.Fields), len(a.Fields)},
	}[true]
	if got := [4]int{len(a.Real), len(a.Chars), len(a.Cells), len(a.Fields)}; got != want {
		t.Errorf("%v holds %v, want %v", a, got, want)
	}
	if a.Imag != nil && len(a.Imag) != n {
		t.Errorf("%v has %d imaginary parts", a, len(a.Imag))
	}
	for _, c := range a.Cells {
		size += 8 + agree(t, c)
	}
	return size
}
