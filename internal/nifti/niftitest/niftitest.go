// Package niftitest makes NIfTI-1 files for tests, sound ones and damaged ones. It shares
// nothing with the reader, so that one checks the other.
package niftitest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math"
)

// An Image is what a test writes to a file: every field as it will stand there.
type Image struct {
	Order     binary.ByteOrder
	Dims      []int
	Datatype  int
	Bits      int
	Offset    float32
	Slope     float32
	Intercept float32
	Step      float32
	Units     byte
	Magic     string
	Numbers   any // of a type of fixed size, such as []int16
}

// Float32 is an image of float32 numbers, every 2.5 s, x fastest.
func Float32(numbers []float32, dims ...int) Image {
	return Image{Order: binary.LittleEndian, Dims: dims, Datatype: 16, Bits: 32, Offset: 352, Step: 2.5, Units: 8 + 2,
		Magic: "n+1\x00", Numbers: numbers}
}

// Header is the header. Voxels are of 2, 3 and 4 mm.
func (m Image) Header() []byte {
	b := make([]byte, 348)
	short := func(at, v int) { m.Order.PutUint16(b[at:], uint16(v)) }
	float := func(at int, v float32) { m.Order.PutUint32(b[at:], math.Float32bits(v)) }
	m.Order.PutUint32(b, 348)
	short(40, len(m.Dims))
	for i, d := range m.Dims {
		short(42+2*i, d)
	}
	short(70, m.Datatype)
	short(72, m.Bits)
	float(76, 1)
	for i := range 3 {
		float(80+4*i, float32(i)+2)
	}
	float(92, m.Step)
	float(108, m.Offset)
	float(112, m.Slope)
	float(116, m.Intercept)
	b[123] = m.Units
	copy(b[148:], "test")
	copy(b[344:], m.Magic)
	return b
}

// Body is the numbers. It panics when they are not of a type of fixed size.
func (m Image) Body() []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, m.Order, m.Numbers); err != nil {
		panic("niftitest: " + err.Error())
	}
	return b.Bytes()
}

// File is the whole .nii file.
func (m Image) File() []byte {
	b := m.Header()
	if gap := int(m.Offset) - len(b); gap > 0 {
		b = append(b, make([]byte, gap)...)
	}
	return append(b, m.Body()...)
}

// Gzip compresses.
func Gzip(b []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(b) // to memory: cannot fail
	w.Close()
	return z.Bytes()
}
