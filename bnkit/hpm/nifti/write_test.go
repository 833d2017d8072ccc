package nifti

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math"
)

// An image is what a test writes to a file.
type image struct {
	order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
	dims      []int
	datatype  Datatype
	bits      int
	offset    float32
	slope     float32
	intercept float32
	step      float32
	units     byte
	magic     string
	numbers   any
}

// sample is a small float32 image in time, 2 × 3 × 1, of two images.
func sample() image {
	return image{order: binary.LittleEndian, dims: []int{2, 3, 1, 2}, datatype: Float32, bits: 32, offset: 352, step: 2.5, units: 8 + 2, magic: "n+1\x00",
		numbers: []float32{1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6}}
}

// header is the header of the image.
func (m image) header() []byte {
	b := make([]byte, headerSize)
	short := func(at, v int) { m.order.PutUint16(b[at:], uint16(v)) }
	float := func(at int, v float32) { m.order.PutUint32(b[at:], math.Float32bits(v)) }
	m.order.PutUint32(b, headerSize)
	short(40, len(m.dims))
	for i, d := range m.dims {
		short(42+2*i, d)
	}
	short(70, int(m.datatype))
	short(72, m.bits)
	float(76, 1)
	for i := range 3 {
		float(80+4*i, float32(i)+2)
	}
	float(92, m.step)
	float(108, m.offset)
	float(112, m.slope)
	float(116, m.intercept)
	b[123] = m.units
	copy(b[148:], "test")
	copy(b[344:], m.magic)
	return b
}

// body is the numbers of the image.
func (m image) body() []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, m.order, m.numbers); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// file is the whole .nii file.
func (m image) file() []byte {
	b := m.header()
	if gap := int(m.offset) - len(b); gap > 0 {
		b = append(b, make([]byte, gap)...)
	}
	return append(b, m.body()...)
}

func compress(b []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(b)
	w.Close()
	return z.Bytes()
}
