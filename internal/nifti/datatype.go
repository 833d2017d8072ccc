package nifti

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A Datatype is how numbers are stored, by its code in the file.
type Datatype int

// The types this package reads.
const (
	Uint8   Datatype = 2
	Int16   Datatype = 4
	Int32   Datatype = 8
	Float32 Datatype = 16
	Float64 Datatype = 64
	Int8    Datatype = 256
	Uint16  Datatype = 512
	Uint32  Datatype = 768
	Int64   Datatype = 1024
	Uint64  Datatype = 1280
)

// String names the type, also those that are not read.
func (d Datatype) String() string {
	names := map[Datatype]string{Uint8: "uint8", Int16: "int16", Int32: "int32", Float32: "float32", Float64: "float64",
		Int8:   "int8",
		Uint16: "uint16", Uint32: "uint32", Int64: "int64", Uint64: "uint64", 1: "bits", 32: "complex64", 128: "RGB",
		1536: "float128",
		1792: "complex128", 2048: "complex256", 2304: "RGBA"}
	if name, known := names[d]; known {
		return name
	}
	return fmt.Sprintf("type %d", int(d))
}

// Width returns the bytes of a number; 0 of a type that is not read.
func (d Datatype) Width() int {
	switch d {
	case Uint8, Int8:
		return 1
	case Int16, Uint16:
		return 2
	case Int32, Uint32, Float32:
		return 4
	case Int64, Uint64, Float64:
		return 8
	}
	return 0
}

// number returns the number at the start of b; integers beyond 2^53 are rounded, as the
// values of any other image are.
func (d Datatype) number(b []byte, order binary.ByteOrder) float64 {
	switch d {
	case Uint8:
		return float64(b[0])
	case Int8:
		return float64(int8(b[0]))
	case Int16:
		return float64(int16(order.Uint16(b)))
	case Uint16:
		return float64(order.Uint16(b))
	case Int32:
		return float64(int32(order.Uint32(b)))
	case Uint32:
		return float64(order.Uint32(b))
	case Float32:
		return float64(math.Float32frombits(order.Uint32(b)))
	case Int64:
		return float64(int64(order.Uint64(b)))
	case Uint64:
		return float64(order.Uint64(b))
	}
	return math.Float64frombits(order.Uint64(b))
}
