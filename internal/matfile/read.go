package matfile

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"bnlab/internal/say"
)

// Settings bound what a file may cost. Nil means the defaults.
type Settings struct {
	MaxBytes int64 // memory of the arrays kept, about; 0 means 1 GiB
}

const defaultMaxBytes = 1 << 30

// ReadFile reads the named variables of a file, all of them when no name is
// given. Errors are [FormatError]s with the path, or those of opening the file.
func ReadFile(path string, settings *Settings, names ...string) (map[string]*Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, say.Errorf("matfile: %w", err)
	}
	defer f.Close()
	vars, err := Read(f, settings, names...)
	if at := (*FormatError)(nil); errors.As(err, &at) {
		at.File = path
	}
	return vars, err
}

// Read reads the named variables, all of them when no name is given, of a file
// in either byte order, compressed or not. It returns a [FormatError] that wraps
// ErrVersion, ErrTruncated, ErrFormat, ErrUnsupported (only when the variable is
// asked for), ErrLimit or ErrMissing (which lists the variables there are).
func Read(r io.Reader, settings *Settings, names ...string) (map[string]*Array, error) {
	s := &reader{source: source{r: bufio.NewReaderSize(r, 1<<16), compressed: -1}, budget: defaultMaxBytes}
	if settings != nil && settings.MaxBytes != 0 {
		s.budget = settings.MaxBytes
	}
	s.limit = s.budget
	if err := s.header(); err != nil {
		return nil, err
	}
	vars, seen := map[string]*Array{}, map[string]bool{}
	want := func(name string) bool { return name != "" && (len(names) == 0 || slices.Contains(names, name)) }
	for {
		if _, err := s.r.(*bufio.Reader).Peek(1); err == io.EOF {
			break
		}
		name, a, err := s.variable(want)
		if err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, s.wrong(s.at, ErrFormat, "a second variable %q", name)
		}
		if name != "" {
			seen[name] = true
		}
		if a != nil {
			vars[name] = a
		}
	}
	for _, name := range names {
		if !seen[name] {
			have := strings.Join(slices.Sorted(maps.Keys(seen)), ", ")
			return nil, s.wrong(s.at, ErrMissing, "%q (variables: %s)", name, have)
		}
	}
	return vars, nil
}

// A source counts the bytes read from a stream.
type source struct {
	r          io.Reader
	at         int64
	compressed int64 // where in the file the compressed element begins whose content this is; -1 of the file itself
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.at += int64(n)
	return n, err
}

// A reader takes elements from a source, one after the other.
type reader struct {
	source
	order  binary.ByteOrder
	limit  int64 // bytes of memory allowed
	budget int64 // and how many are left
	buffer [1 << 15]byte
}

// wrong makes an error about what stands at a byte of the source.
func (s *reader) wrong(at int64, sentinel error, format string, args ...any) *FormatError {
	e := &FormatError{Offset: at, Inflated: -1, Err: say.Errorf("%w: "+format, append([]any{sentinel}, args...)...)}
	if s.compressed >= 0 {
		e.Offset, e.Inflated = s.compressed, at
	}
	return e
}

// full fills p, part of something that is named for the error.
func (s *reader) full(p []byte, what string) error {
	at := s.at
	n, err := io.ReadFull(s, p)
	switch {
	case err == nil:
		return nil
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return s.wrong(at+int64(n), ErrTruncated, "%s wants %d bytes more", what, len(p)-n)
	case s.compressed >= 0:
		return s.wrong(at+int64(n), ErrFormat, "%s: %v", what, err)
	}
	return say.Errorf("matfile: byte %d: %w", at+int64(n), err)
}

// skip passes over the bytes before end.
func (s *reader) skip(end int64, what string) error {
	for s.at < end {
		if err := s.full(s.buffer[:min(end-s.at, int64(len(s.buffer)))], what); err != nil {
			return err
		}
	}
	return nil
}

// header reads the 128 bytes before the first element.
func (s *reader) header() error {
	h := s.buffer[:128]
	if err := s.full(h, "the header"); err != nil {
		return err
	}
	order := map[string]binary.ByteOrder{"IM": binary.LittleEndian, "MI": binary.BigEndian}[string(h[126:])]
	switch {
	case bytes.HasPrefix(h, []byte("\x89HDF")) || order != nil && order.Uint16(h[124:]) == 0x0200:
		return s.wrong(124, ErrVersion, "this is version 7.3, an HDF5 file")
	case order == nil:
		return s.wrong(126, ErrVersion, "the header does not end in IM or MI")
	case order.Uint16(h[124:]) != 0x0100:
		return s.wrong(124, ErrVersion, "the header says version %#x", order.Uint16(h[124:]))
	}
	s.order = order
	return nil
}

// variable reads the next element of the file. The array is nil when it is not
// wanted or no array.
func (s *reader) variable(want func(string) bool) (string, *Array, error) {
	start := s.at
	e, err := s.element(1<<62, "a variable")
	if err != nil {
		return "", nil, err
	}
	var name string
	var a *Array
	switch e.kind {
	case miCompressed:
		e.next = e.end // the only element without padding
		name, a, err = s.inflated(start, e, want)
	case miMatrix:
		name, a, err = s.array(e, 0, want)
	}
	if err != nil {
		return "", nil, within(err, name)
	}
	return name, a, s.skip(e.next, "a variable")
}

// inflated reads the one array in the compressed element e.
func (s *reader) inflated(start int64, e element, want func(string) bool) (string, *Array, error) {
	z, err := zlib.NewReader(io.LimitReader(s, e.end-s.at))
	if err != nil {
		return "", nil, s.wrong(s.at, spoilt(err), "a compressed element: %v", err)
	}
	inner := &reader{source: source{r: z, compressed: start}, order: s.order, limit: s.limit, budget: s.budget}
	content, err := inner.element(1<<62, "a variable")
	if err != nil {
		return "", nil, err
	}
	if content.kind != miMatrix {
		return "", nil, inner.wrong(0, ErrFormat, "element of type %d where an array is expected", content.kind)
	}
	name, a, err := inner.array(content, 0, want)
	if err != nil || a == nil {
		return name, nil, err
	}
	s.budget = inner.budget
	switch n, err := z.Read(inner.buffer[:1]); { // at the end zlib compares the checksum
	case n > 0:
		return name, nil, inner.wrong(inner.at, ErrFormat, "bytes after the array")
	case err != io.EOF:
		return name, nil, inner.wrong(inner.at, spoilt(err), "%v", err)
	}
	return name, a, nil
}

// spoilt says whether a compressed stream ended or is wrong.
func spoilt(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return ErrTruncated
	}
	return ErrFormat
}

// within puts a place in front of the path of an error.
func within(err error, place string) error {
	if at := (*FormatError)(nil); errors.As(err, &at) {
		at.Path = place + at.Path
	}
	return err
}
