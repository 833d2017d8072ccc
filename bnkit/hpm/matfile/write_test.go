package matfile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"strings"
)

// A writer makes files for tests, damaged ones too.
type writer struct {
	order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
}

func (w writer) u32(v uint32) []byte { return w.order.AppendUint32(nil, v) }

func (w writer) header() []byte {
	h := []byte(strings.Repeat(" ", 124))
	copy(h, "MATLAB 5.0 MAT-file")
	h = w.order.AppendUint16(h, 0x0100)
	return w.order.AppendUint16(h, 'M'<<8|'I')
}

// element is a tag, its content and the padding.
func (w writer) element(kind uint32, content []byte) []byte {
	e := append(w.u32(kind), w.u32(uint32(len(content)))...)
	e = append(e, content...)
	for len(e)%8 != 0 {
		e = append(e, 0)
	}
	return e
}

// short is an element whose content of at most four bytes stands in the tag.
func (w writer) short(kind uint32, content []byte) []byte {
	e := append(w.u32(uint32(len(content))<<16|kind), content...)
	return append(e, make([]byte, 8-len(e))...)
}

// array is an array with its content given as elements.
func (w writer) array(class Class, flags byte, name string, dims []int, content ...[]byte) []byte {
	sizes := make([]byte, 0, 16)
	for _, d := range dims {
		sizes = append(sizes, w.u32(uint32(d))...)
	}
	parts := [][]byte{
		w.element(miUint32, append(w.u32(uint32(flags)<<8|uint32(class)), 0, 0, 0, 0)),
		w.element(miInt32, sizes),
		w.element(miInt8, []byte(name)),
	}
	return w.element(miMatrix, bytes.Join(append(parts, content...), nil))
}

// numbers is an element of numbers that are given in a type of a fixed size.
func (w writer) numbers(kind uint32, x any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, w.order, x); err != nil {
		panic(err)
	}
	return w.element(kind, b.Bytes())
}

// fields is what stands before the values of a struct.
func (w writer) fields(length int, names ...string) []byte {
	var b []byte
	for _, name := range names {
		b = append(b, name...)
		b = append(b, make([]byte, length-len(name))...)
	}
	return append(w.short(miInt32, w.u32(uint32(length))), w.element(miInt8, b)...)
}

func deflate(b []byte) []byte {
	var z bytes.Buffer
	c := zlib.NewWriter(&z)
	c.Write(b)
	c.Close()
	return z.Bytes()
}

// compressed wraps an element; it has no padding.
func (w writer) compressed(e []byte) []byte {
	z := deflate(e)
	return append(append(w.u32(miCompressed), w.u32(uint32(len(z)))...), z...)
}

func (w writer) file(elements ...[]byte) []byte {
	return append(w.header(), bytes.Join(elements, nil)...)
}

var (
	little = writer{binary.LittleEndian}
	big    = writer{binary.BigEndian}
)

// double is an array of doubles in one column.
func (w writer) double(name string, x ...float64) []byte {
	return w.array(Double, 0, name, []int{len(x), 1}, w.numbers(miDouble, x))
}
