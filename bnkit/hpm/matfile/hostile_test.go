package matfile

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"
)

// sample is a file with something of everything, one variable compressed.
func sample(w writer) []byte {
	text := w.array(Char, 0, "", []int{1, 2}, w.short(miUTF8, []byte("ab")))
	return w.file(
		w.double("x", 1, 2, 3),
		w.array(Cell, 0, "c", []int{1, 2}, text, w.array(Struct, 0, "", []int{1, 2}, w.fields(4, "f"), text, w.element(miMatrix, nil))),
		w.compressed(w.array(Int16, 0, "last", []int{1, 3}, w.numbers(miInt16, []int16{1, 2, 3}))),
	)
}

// TestTruncated cuts a file at each byte.
func TestTruncated(t *testing.T) {
	whole := sample(little)
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
	w := little
	deep := w.double("", 1)
	for range maxDepth + 1 {
		deep = w.array(Cell, 0, "d", []int{1, 1}, deep)
	}
	patch := func(e []byte, at int, b ...byte) []byte {
		e = bytes.Clone(e)
		copy(e[at:], b)
		return e
	}
	x := w.double("x", 1, 2)
	// Of x, bytes 0-8 are the tag, 8-24 the flags, 24-40 the sizes, 40-56 the name, from 56 on the numbers.
	tests := []struct {
		name string
		file []byte
		is   error
		want string // part of the message
	}{
		{"nothing", nil, ErrTruncated, "matfile: byte 0: the data end early: the header wants 128 bytes more"},
		{"no header", make([]byte, 200), ErrVersion, "byte 126: not a MATLAB file of version 5; write it with save('-v7', …): the header does not end in IM or MI"},
		{"version 7.3", patch(w.header(), 124, 0, 2), ErrVersion, "HDF5"},
		{"other version", patch(w.header(), 124, 7, 0), ErrVersion, "version 0x7"},
		{"variable longer than the file", w.file(patch(x, 4, 255, 255, 255, 127)), ErrFormat, "bytes left over in an array"},
		{"numbers longer than the variable", w.file(patch(x, 60, 255)), ErrFormat, "byte 184, x: damaged: numbers: 255 bytes where 16 are left"},
		{"more numbers than elements", w.file(patch(x, 32, 1)), ErrFormat, "byte 184, x: damaged: 16 bytes of type 9 where 1 numbers are expected"},
		{"numbers of a type that is none", w.file(patch(x, 56, 14)), ErrFormat, "16 bytes of type 14 where 2 numbers"},
		{"short element too long", w.file(patch(x, 56, 9, 0, 5, 0)), ErrFormat, "a short element of 5 bytes"},
		{"size below 0", w.file(patch(x, 35, 0x80)), ErrFormat, "a dimension of -2147483646"},
		{"sizes that overflow", w.file(w.array(Double, 0, "x", []int{1 << 30, 1 << 30, 1 << 30, 16}, w.numbers(miDouble, []float64{1}))), ErrLimit, "elements and more"},
		{"sizes hidden by a 0", w.file(w.array(Double, 0, "x", []int{1 << 30, 1 << 30, 1 << 30, 0}, w.numbers(miDouble, []float64{}))), ErrLimit, "elements and more"},
		{"one size", w.file(w.array(Double, 0, "x", []int{3}, w.numbers(miDouble, []float64{1, 2, 3}))), ErrFormat, "dimensions of type 5 and 4 bytes"},
		{"flags of another type", w.file(patch(x, 8, 5)), ErrFormat, "byte 136: damaged: array flags of type 5 and 8 bytes"},
		{"name of another type", w.file(patch(x, 40, 9)), ErrFormat, "a name of type 9"},
		{"long name", w.file(w.double(strings.Repeat("n", maxName+1), 1)), ErrFormat, "a name of 4097 bytes"},
		{"cells that are not there", w.file(w.array(Cell, 0, "c", []int{1 << 14, 1 << 14})), ErrFormat, "268435456 arrays in 0 bytes"},
		{"cell that is no array", w.file(w.array(Cell, 0, "c", []int{1, 2}, w.double("", 1), w.numbers(miDouble, []float64{1}))), ErrFormat, "c{2}: damaged: element of type 9 where an array"},
		{"numbers twice", w.file(w.array(Double, 0, "x", []int{1, 1}, w.numbers(miDouble, []float64{1}), w.numbers(miDouble, []float64{1}))), ErrFormat, "16 bytes left over"},
		{"no imaginary part", w.file(w.array(Double, flagComplex, "x", []int{1, 1}, w.numbers(miDouble, []float64{1}))), ErrFormat, "numbers begins where 0 bytes are left"},
		{"bad UTF-8", w.file(w.array(Char, 0, "t", []int{1, 2}, w.short(miUTF8, []byte{0xc3, 0x28}))), ErrFormat, "2 bytes of type 16 where 2 characters"},
		{"half a character", w.file(w.array(Char, 0, "t", []int{1, 1}, w.short(miUTF16, []byte{'a', 0, 'b'}))), ErrFormat, "3 bytes of type 17"},
		{"characters as doubles", w.file(w.array(Char, 0, "t", []int{1, 1}, w.numbers(miDouble, []float64{97}))), ErrFormat, "8 bytes of type 9 where 1 characters"},
		{"field twice", w.file(w.array(Struct, 0, "s", []int{1, 1}, w.fields(4, "f", "f"))), ErrFormat, `field name "f" is empty or there already`},
		{"field lengths of 0", w.file(w.array(Struct, 0, "s", []int{1, 1}, w.short(miInt32, w.u32(0)), w.short(miInt8, []byte("f")))), ErrFormat, "1 bytes, 0 for each"},
		{"field length below 0", w.file(w.array(Struct, 0, "s", []int{1, 1}, w.short(miInt32, w.u32(1<<31)), w.short(miInt8, []byte("f")))), ErrFormat, "-2147483648 for each"},
		{"field length of two bytes", w.file(w.array(Struct, 0, "s", []int{1, 1}, w.short(miInt32, []byte{1, 0}))), ErrFormat, "type 5 and 2 bytes"},
		{"deep", w.file(deep), ErrLimit, "cells and structs 101 deep"},
		{"sparse", w.file(w.array(Struct, 0, "s", []int{1, 2}, w.fields(4, "f", "g"), x, x, x, w.array(Sparse, 0, "", []int{3, 3}))), ErrUnsupported, "s(2).g: not read by this package: an array of class sparse"},
		{"function", w.file(w.array(FunctionHandle, 0, "f", []int{1, 1})), ErrUnsupported, "function handle"},
		{"class without a name", w.file(w.array(99, 0, "f", []int{1, 1})), ErrUnsupported, "class 99"},
		{"integers that no float64 is", w.file(w.array(Uint64, 0, "x", []int{1, 1}, w.numbers(miUint64, []uint64{1<<53 + 1}))), ErrUnsupported, "2^53"},
		{"negative integers that no float64 is", w.file(w.array(Int64, 0, "x", []int{1, 1}, w.numbers(miInt64, []int64{-1<<53 - 1}))), ErrUnsupported, "2^53"},
		{"no zlib stream", w.file(w.element(miCompressed, make([]byte, 16))), ErrFormat, "a compressed element: zlib: invalid header"},
		{"compressed, no array", w.file(w.compressed(w.numbers(miDouble, []float64{1}))), ErrFormat, "byte 128 (compressed; byte 0 of its content): damaged: element of type 9"},
		{"compressed and damaged inside", w.file(w.compressed(patch(x, 60, 255))), ErrFormat, "byte 128 (compressed; byte 56 of its content), x: damaged: numbers: 255 bytes"},
		{"compressed twice", w.file(w.compressed(append(bytes.Clone(x), x...))), ErrFormat, "bytes after the array"},
		{"wrong checksum", w.file(func() []byte { z := w.compressed(x); z[len(z)-1] ^= 1; return z }()), ErrFormat, "zlib: invalid checksum"},
		{"twice", w.file(x, x), ErrFormat, `a second variable "x"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			vars, err := Read(bytes.NewReader(test.file), nil)
			if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v and error\n%v, want one that wraps %v and says\n%s", vars, err, test.is, test.want)
			}
		})
	}
	if _, err := Read(bytes.NewReader(w.file(x, w.double("y", 1))), nil, "x", "z"); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), `"z" (variables: x, y)`) {
		t.Errorf("asked for z: %v", err)
	}
	if _, err := Read(bytes.NewReader(w.file(w.array(Opaque, 0, "table", []int{1, 1}), x)), nil, "x"); err != nil {
		t.Errorf("a class that nobody asked for: %v", err)
	}
}

// TestMemory gives files that say or hold much more than they should; what the
// reader allocates on the way to its error is measured.
func TestMemory(t *testing.T) {
	w := little
	empty := w.element(miMatrix, nil)
	lie := append(w.u32(miMatrix), w.u32(1<<31)...)
	lie = append(lie, w.double("x", 1)[8:40]...)
	lie = append(lie, w.element(miInt8, []byte("x"))...)
	lie = append(lie, w.u32(miInt8)...)
	lie = append(lie, w.u32(1<<26)...)
	copy(lie[32:], w.u32(1<<26)) // rows
	tests := []struct {
		name string
		file []byte
		is   error
	}{
		{"64 million numbers of which none is there", w.file(lie), ErrTruncated},
		{"zeros compressed a thousandfold", w.file(w.compressed(w.array(Int8, 0, "x", []int{1 << 25, 1}, w.element(miInt8, make([]byte, 1<<25))))), ErrLimit},
		{"characters compressed", w.file(w.compressed(w.array(Char, 0, "x", []int{1 << 25, 1}, w.element(miUTF8, make([]byte, 1<<25))))), ErrLimit},
		{"empty cells compressed", w.file(w.compressed(w.array(Cell, 0, "x", []int{1 << 20, 1}, bytes.Repeat(empty, 1<<20)))), ErrLimit},
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
	f.Add(sample(little))
	f.Add(sample(big))
	f.Add(little.file(little.array(Double, flagComplex|flagLogical, "z", []int{1, 1, 1}, little.short(miUint8, []byte{1}), little.short(miInt8, []byte{1}))))
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
