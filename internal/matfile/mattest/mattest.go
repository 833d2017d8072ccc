// Package mattest makes MATLAB files of version 5 for tests, sound ones and damaged ones.
// It shares nothing with the reader, so that one checks the other.
package mattest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"strings"
)

// A Writer makes elements in a byte order: [Little] or [Big].
type Writer struct {
	Order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
}

// Little writes the least significant byte first.
func Little() Writer { return Writer{binary.LittleEndian} }

// Big writes the most significant byte first.
func Big() Writer { return Writer{binary.BigEndian} }

// U32 is four bytes.
func (w Writer) U32(v uint32) []byte { return w.Order.AppendUint32(nil, v) }

// Header is what every file begins with.
func (w Writer) Header() []byte {
	h := []byte(strings.Repeat(" ", 124))
	copy(h, "MATLAB 5.0 MAT-file")
	h = w.Order.AppendUint16(h, 0x0100)
	return w.Order.AppendUint16(h, 'M'<<8|'I')
}

// File is a header and elements.
func (w Writer) File(elements ...[]byte) []byte {
	return append(w.Header(), bytes.Join(elements, nil)...)
}

// Element is a tag with type and length, the content, and padding to eight bytes.
func (w Writer) Element(kind uint32, content []byte) []byte {
	e := append(w.U32(kind), w.U32(uint32(len(content)))...)
	e = append(e, content...)
	return append(e, make([]byte, -len(e)&7)...)
}

// Short is an element whose content of at most four bytes stands in the tag.
func (w Writer) Short(kind uint32, content []byte) []byte {
	e := append(w.U32(uint32(len(content))<<16|kind), content...)
	return append(e, make([]byte, 8-len(e))...)
}

// Compressed wraps an element. It has no padding.
func (w Writer) Compressed(e []byte) []byte {
	var z bytes.Buffer
	c := zlib.NewWriter(&z)
	c.Write(e) // to memory: cannot fail
	c.Close()
	return append(append(w.U32(15), w.U32(uint32(z.Len()))...), z.Bytes()...)
}

// Array is an array of a class with its content given as elements.
func (w Writer) Array(class, flags byte, name string, dims []int, content ...[]byte) []byte {
	var sizes []byte
	for _, d := range dims {
		sizes = append(sizes, w.U32(uint32(d))...)
	}
	parts := [][]byte{
		w.Element(6, append(w.U32(uint32(flags)<<8|uint32(class)), 0, 0, 0, 0)),
		w.Element(5, sizes),
		w.Element(1, []byte(name)),
	}
	return w.Element(14, bytes.Join(append(parts, content...), nil))
}

// Numbers is an element of numbers of a type of fixed size, such as []int16. It panics on others.
func (w Writer) Numbers(kind uint32, x any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, w.Order, x); err != nil {
		panic("mattest: " + err.Error())
	}
	return w.Element(kind, b.Bytes())
}

// Double is a matrix of doubles, column by column.
func (w Writer) Double(name string, rows int, x ...float64) []byte {
	columns := 0
	if rows > 0 {
		columns = len(x) / rows
	}
	return w.Array(6, 0, name, []int{rows, columns}, w.Numbers(9, x))
}

// Text is a row of characters, of ASCII.
func (w Writer) Text(name, text string) []byte {
	return w.Array(4, 0, name, []int{1, len(text)}, w.Element(16, []byte(text)))
}

// Cell is a row of arrays without names.
func (w Writer) Cell(name string, arrays ...[]byte) []byte {
	return w.Array(1, 0, name, []int{1, len(arrays)}, arrays...)
}

// Struct is a row of structs: for each the values of all fields, arrays without names.
func (w Writer) Struct(name string, fields []string, values ...[]byte) []byte {
	return w.Array(2, 0, name, []int{1, len(values) / len(fields)}, append([][]byte{w.Fields(32, fields...)},
		values...)...)
}

// Fields is what stands before the values of a struct: a length, and names filled up to it.
func (w Writer) Fields(length int, names ...string) []byte {
	var b []byte
	for _, name := range names {
		b = append(b, name...)
		b = append(b, make([]byte, length-len(name))...)
	}
	return append(w.Short(5, w.U32(uint32(length))), w.Element(1, b)...)
}
