package matfile

import (
	"encoding/binary"
	"math"
	"unicode/utf16"
	"unicode/utf8"
)

// Types of data elements.
const (
	miInt8       = 1
	miUint8      = 2
	miInt16      = 3
	miUint16     = 4
	miInt32      = 5
	miUint32     = 6
	miSingle     = 7
	miDouble     = 9
	miInt64      = 12
	miUint64     = 13
	miMatrix     = 14
	miCompressed = 15
	miUTF8       = 16
	miUTF16      = 17
	miUTF32      = 18
)

// An element is what a tag says of the bytes after it.
type element struct {
	kind      uint32
	end, next int64 // first byte after the content, and after its padding
}

// element reads a tag: eight bytes of type and length, or four when the content
// is at most four bytes long and stands in the same eight. The content must end
// before limit.
func (s *reader) element(limit int64, what string) (element, error) {
	start := s.at
	if limit-start < 8 {
		return element{}, s.wrong(start, ErrFormat, "%s begins where %d bytes are left", what, max(limit-start, 0))
	}
	var b [4]byte
	if err := s.full(b[:], what); err != nil {
		return element{}, err
	}
	e := element{kind: s.order.Uint32(b[:])}
	if size := int64(e.kind >> 16); size != 0 {
		if size > 4 {
			return element{}, s.wrong(start, ErrFormat, "%s: a short element of %d bytes", what, size)
		}
		e.kind &= 0xffff
		e.end, e.next = s.at+size, s.at+4
		return e, nil
	}
	if err := s.full(b[:], what); err != nil {
		return element{}, err
	}
	size := int64(s.order.Uint32(b[:]))
	e.end, e.next = s.at+size, s.at+(size+7)&^7
	if e.next > limit {
		return element{}, s.wrong(start, ErrFormat, "%s: %d bytes where %d are left", what, size, limit-s.at)
	}
	return e, nil
}

// charge takes n items of a size from the memory that is allowed.
func (s *reader) charge(n, size int64) error {
	if n > s.budget/size {
		return s.wrong(s.at, ErrLimit,
			"%d elements more go beyond the %d bytes of memory that Settings.MaxBytes allows", n, s.limit)
	}
	s.budget -= n * size
	return nil
}

// small reads the whole of a short element, of at most most bytes.
func (s *reader) small(e element, most int64, what string) ([]byte, error) {
	if e.end-s.at > most {
		return nil, s.wrong(s.at, ErrFormat, "%s of %d bytes", what, e.end-s.at)
	}
	b := make([]byte, e.end-s.at)
	if err := s.full(b, what); err != nil {
		return nil, err
	}
	return b, s.skip(e.next, what)
}

// width returns the bytes of a number of a type, 0 of no number.
func width(kind uint32) int64 {
	switch kind {
	case miInt8, miUint8:
		return 1
	case miInt16, miUint16:
		return 2
	case miInt32, miUint32, miSingle:
		return 4
	case miInt64, miUint64, miDouble:
		return 8
	}
	return 0
}

// numbers reads an element of n numbers. MATLAB stores numbers of any class in
// the smallest type that holds them.
func (s *reader) numbers(limit int64, n int64) ([]float64, error) {
	start := s.at
	e, err := s.element(limit, "numbers")
	if err != nil {
		return nil, err
	}
	w := width(e.kind)
	if w == 0 || (e.end-s.at)%w != 0 || (e.end-s.at)/w != n {
		return nil, s.wrong(start, ErrFormat, "%d bytes of type %d where %d numbers are expected", e.end-s.at, e.kind,
			n)
	}
	if err := s.charge(n, 8); err != nil {
		return nil, err
	}
	x := make([]float64, 0, min(n, 1<<18)) // more only as they arrive: the length may be a lie
	for s.at < e.end {
		at := s.at
		b := s.buffer[:min(e.end-at, int64(len(s.buffer)))]
		if err := s.full(b, "numbers"); err != nil {
			return nil, err
		}
		var exact bool
		if x, exact = convert(x, b, e.kind, s.order); !exact {
			return nil, s.wrong(at, ErrUnsupported, "an integer beyond 2^53 here or in the next %d bytes", len(b))
		}
	}
	return x, s.skip(e.next, "padding")
}

// convert appends the numbers in b. It is not exact when an integer has no float64.
func convert(x []float64, b []byte, kind uint32, order binary.ByteOrder) (_ []float64, exact bool) {
	const most = 1 << 53
	switch kind {
	case miInt8:
		for _, v := range b {
			x = append(x, float64(int8(v)))
		}
	case miUint8:
		for _, v := range b {
			x = append(x, float64(v))
		}
	case miInt16:
		for ; len(b) > 0; b = b[2:] {
			x = append(x, float64(int16(order.Uint16(b))))
		}
	case miUint16:
		for ; len(b) > 0; b = b[2:] {
			x = append(x, float64(order.Uint16(b)))
		}
	case miInt32:
		for ; len(b) > 0; b = b[4:] {
			x = append(x, float64(int32(order.Uint32(b))))
		}
	case miUint32:
		for ; len(b) > 0; b = b[4:] {
			x = append(x, float64(order.Uint32(b)))
		}
	case miSingle:
		for ; len(b) > 0; b = b[4:] {
			x = append(x, float64(math.Float32frombits(order.Uint32(b))))
		}
	case miDouble:
		for ; len(b) > 0; b = b[8:] {
			x = append(x, math.Float64frombits(order.Uint64(b)))
		}
	case miInt64:
		for ; len(b) > 0; b = b[8:] {
			v := int64(order.Uint64(b))
			if v > most || v < -most {
				return nil, false
			}
			x = append(x, float64(v))
		}
	case miUint64:
		for ; len(b) > 0; b = b[8:] {
			v := order.Uint64(b)
			if v > most {
				return nil, false
			}
			x = append(x, float64(v))
		}
	}
	return x, true
}

// chars reads an element of n characters in any of the encodings in use.
func (s *reader) chars(limit int64, n int64) ([]uint16, error) {
	start := s.at
	e, err := s.element(limit, "characters")
	if err != nil {
		return nil, err
	}
	size := e.end - s.at
	if err := s.charge(size, 4); err != nil { // bytes, runes and what becomes of them
		return nil, err
	}
	var b []byte
	for s.at < e.end {
		piece := s.buffer[:min(e.end-s.at, int64(len(s.buffer)))]
		if err := s.full(piece, "characters"); err != nil {
			return nil, err
		}
		b = append(b, piece...)
	}
	units, ok := decode(b, e.kind, s.order)
	if !ok || int64(len(units)) != n {
		return nil, s.wrong(start, ErrFormat, "%d bytes of type %d where %d characters are expected", size, e.kind, n)
	}
	return units, s.skip(e.next, "padding")
}

// decode turns stored characters into UTF-16.
func decode(b []byte, kind uint32, order binary.ByteOrder) (units []uint16, ok bool) {
	switch kind {
	case miUTF8:
		return utf16.Encode([]rune(string(b))), utf8.Valid(b)
	case miInt8, miUint8:
		for _, v := range b {
			units = append(units, uint16(v))
		}
		return units, true
	case miInt16, miUint16, miUTF16:
		for ; len(b) >= 2; b = b[2:] {
			units = append(units, order.Uint16(b))
		}
	case miUTF32:
		for ; len(b) >= 4; b = b[4:] {
			units = utf16.AppendRune(units, rune(order.Uint32(b)))
		}
	default:
		return nil, false
	}
	return units, len(b) == 0
}
