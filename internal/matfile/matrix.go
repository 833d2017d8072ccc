package matfile

import (
	"bytes"
	"fmt"
	"strings"
)

// Bounds on what no real file comes near.
const (
	maxDepth    = 100  // cells and structs inside each other
	maxSizes    = 32   // dimensions of an array
	maxName     = 4096 // bytes of a name; MATLAB itself allows 63 characters
	arrayMemory = 256  // bytes charged for an array without its elements
)

// Flags in the second byte of an array's flags.
const (
	flagLogical = 0x02
	flagComplex = 0x08
)

// array reads the array in e. It stops after the name, and returns no array,
// when want says no; a nil want says yes.
func (s *reader) array(e element, depth int, want func(string) bool) (string, *Array, error) {
	if err := s.charge(1, arrayMemory); err != nil {
		return "", nil, err
	}
	if depth > maxDepth {
		return "", nil, s.wrong(s.at, ErrLimit, "cells and structs %d deep", depth)
	}
	if e.end == s.at { // how MATLAB writes an empty cell's content
		return "", &Array{Class: Double, Dims: []int{0, 0}}, nil
	}
	a := &Array{}
	flags, err := s.flags(e, a)
	if err != nil {
		return "", nil, err
	}
	n, err := s.dims(e, a)
	if err != nil {
		return "", nil, err
	}
	name, err := s.name(e)
	if err != nil {
		return "", nil, err
	}
	if want != nil && !want(name) {
		return name, nil, nil
	}
	switch {
	case a.Class.numeric():
		if a.Real, err = s.numbers(e.end, n); err == nil && flags&flagComplex != 0 {
			a.Imag, err = s.numbers(e.end, n)
		}
	case a.Class == Char:
		a.Chars, err = s.chars(e.end, n)
	case a.Class == Cell:
		err = s.cells(e, a, n, depth)
	case a.Class == Struct:
		if err = s.fields(e, a); err == nil {
			err = s.cells(e, a, n, depth)
		}
	default:
		err = s.wrong(s.at, ErrUnsupported, "an array of class %v; turn it into numbers, cells or structs in MATLAB",
			a.Class)
	}
	if err == nil && s.at != e.end {
		err = s.wrong(s.at, ErrFormat, "%d bytes left over in an array", e.end-s.at)
	}
	if err != nil {
		return name, nil, err
	}
	return name, a, nil
}

// flags reads class and flags of an array.
func (s *reader) flags(e element, a *Array) (byte, error) {
	start := s.at
	f, err := s.element(e.end, "array flags")
	if err != nil {
		return 0, err
	}
	b, err := s.small(f, 8, "array flags")
	if err != nil {
		return 0, err
	}
	if f.kind != miUint32 || len(b) != 8 {
		return 0, s.wrong(start, ErrFormat, "array flags of type %d and %d bytes", f.kind, len(b))
	}
	word := s.order.Uint32(b)
	a.Class = Class(word)
	a.Logical = byte(word>>8)&flagLogical != 0 && a.Class.numeric()
	return byte(word >> 8), nil
}

// dims reads the sizes of an array and returns their product.
func (s *reader) dims(e element, a *Array) (int64, error) {
	start := s.at
	d, err := s.element(e.end, "dimensions")
	if err != nil {
		return 0, err
	}
	b, err := s.small(d, 4*maxSizes, "dimensions")
	if err != nil {
		return 0, err
	}
	if d.kind != miInt32 || len(b) < 8 || len(b)%4 != 0 {
		return 0, s.wrong(start, ErrFormat, "dimensions of type %d and %d bytes", d.kind, len(b))
	}
	// Every prefix is bounded too, so that nobody who multiplies in another order
	// is surprised by what a size of 0 hides.
	n, product := int64(1), int64(1)
	for ; len(b) > 0; b = b[4:] {
		size := int64(int32(s.order.Uint32(b)))
		if size < 0 {
			return 0, s.wrong(start, ErrFormat, "a dimension of %d", size)
		}
		if product *= max(size, 1); product > s.limit {
			return 0, s.wrong(start, ErrLimit, "an array of %d elements and more", product)
		}
		n *= size
		a.Dims = append(a.Dims, int(size))
	}
	return n, nil
}

// name reads the name of an array.
func (s *reader) name(e element) (string, error) {
	start := s.at
	d, err := s.element(e.end, "a name")
	if err != nil {
		return "", err
	}
	b, err := s.small(d, maxName, "a name")
	if err != nil {
		return "", err
	}
	if d.kind != miInt8 && d.kind != miUint8 && d.kind != miUTF8 {
		return "", s.wrong(start, ErrFormat, "a name of type %d", d.kind)
	}
	return string(b), nil
}

// fields reads the names of a struct's fields: their common length, then all of
// them, filled up with zeros.
func (s *reader) fields(e element, a *Array) error {
	start := s.at
	d, err := s.element(e.end, "the length of field names")
	if err != nil {
		return err
	}
	b, err := s.small(d, 4, "the length of field names")
	if err != nil {
		return err
	}
	if d.kind != miInt32 || len(b) != 4 {
		return s.wrong(start, ErrFormat, "the length of field names has type %d and %d bytes", d.kind, len(b))
	}
	length := int64(int32(s.order.Uint32(b)))
	start = s.at
	names, err := s.element(e.end, "field names")
	if err != nil {
		return err
	}
	size := names.end - s.at
	if names.kind != miInt8 || length < 0 || length > maxName || length == 0 && size > 0 || size > 0 &&
		size%length != 0 {
		return s.wrong(start, ErrFormat, "field names of type %d: %d bytes, %d for each", names.kind, size, length)
	}
	seen := map[string]bool{}
	for s.at < names.end {
		if err := s.charge(1, length+64); err != nil {
			return err
		}
		at := s.at
		b := s.buffer[:length]
		if err := s.full(b, "field names"); err != nil {
			return err
		}
		name, _, _ := bytes.Cut(b, []byte{0})
		if len(name) == 0 || seen[string(name)] {
			return s.wrong(at, ErrFormat, "field name %q is empty or there already", name)
		}
		seen[string(name)] = true
		a.Fields = append(a.Fields, string(name))
	}
	return s.skip(names.next, "padding")
}

// cells reads the arrays of a cell array of n elements, or of an array of n
// structs: of each element all fields.
func (s *reader) cells(e element, a *Array, n int64, depth int) error {
	each := int64(1)
	if a.Class == Struct {
		each = int64(len(a.Fields))
	}
	if each > 0 && n > (e.end-s.at)/8/each {
		return s.wrong(s.at, ErrFormat, "%d arrays in %d bytes", n*each, e.end-s.at)
	}
	for i := range n * each {
		err := s.cell(e, a, depth)
		if err != nil {
			return within(err, place(a, i))
		}
	}
	return nil
}

func (s *reader) cell(e element, a *Array, depth int) error {
	start := s.at
	c, err := s.element(e.end, "an array")
	if err != nil {
		return err
	}
	if c.kind != miMatrix {
		return s.wrong(start, ErrFormat, "element of type %d where an array is expected", c.kind)
	}
	_, value, err := s.array(c, depth+1, nil)
	if err != nil {
		return err
	}
	a.Cells = append(a.Cells, value)
	return s.skip(c.next, "padding")
}

// place names value i of a cell or struct as MATLAB does.
func place(a *Array, i int64) string {
	if a.Class == Cell {
		return fmt.Sprintf("{%d}", i+1)
	}
	each := int64(len(a.Fields))
	index := ""
	if a.Len() > 1 {
		index = fmt.Sprintf("(%d)", i/each+1)
	}
	return index + "." + strings.ToValidUTF8(a.Fields[i%each], "?")
}
