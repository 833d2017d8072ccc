package data

import (
	"bytes"
	"encoding/csv"
	"io"
)

// The text that an unescaper looks at: at once, and at most to find where a record ends.
const (
	escapeLook = 1 << 16
	escapeMost = 1 << 22
)

// An unescaper passes CSV on, from the start of a record. From the record on that cannot be read as it stands, but can
// when a backslash stands before the quotes inside of quotes, as R and Spark write them, it doubles these quotes.
type unescaper struct {
	r     io.Reader
	comma byte
	found func() // called when the first record of this kind is there

	buf     []byte
	ready   int // bytes of buf that can go out
	eof     bool
	err     error // of r
	escaped bool
	off     bool // no longer looking
	seen    bool // of a backslash before a quote
}

func (u *unescaper) Read(b []byte) (int, error) {
	for u.ready == 0 {
		if u.eof && len(u.buf) == 0 {
			if u.err != nil {
				return 0, u.err
			}
			return 0, io.EOF
		}
		u.fill(max(escapeLook, 2*len(u.buf)))
	}
	n := copy(b, u.buf[:u.ready])
	u.buf, u.ready = u.buf[n:], u.ready-n
	return n, nil
}

// fill reads on, to the given length, and finds what can go out.
func (u *unescaper) fill(to int) {
	if !u.eof {
		have := len(u.buf)
		u.buf = append(u.buf, make([]byte, to-have)...)
		n, err := io.ReadFull(u.r, u.buf[have:])
		u.buf = u.buf[:have+n]
		if u.eof = err != nil; err != io.EOF && err != io.ErrUnexpectedEOF {
			u.err = err
		}
	}
	if !u.escaped && !u.off {
		end := recordsEnd(u.buf)
		long := end == 0 && !u.eof
		has := bytes.Contains(u.buf, []byte(`\"`))
		u.seen = u.seen || has
		switch {
		case has && areEscaped(u.buf, u.comma, u.eof):
			u.escaped = true
			u.found()
		case long && len(u.buf) < escapeMost:
			return
		case long:
			u.off = true
		case u.eof:
			u.ready = len(u.buf)
		default:
			u.ready = end
		}
	}
	if u.off {
		u.ready = len(u.buf)
	}
	if u.escaped {
		whole := u.buf
		if !u.eof { // what follows a backslash is not there yet
			whole = bytes.TrimRight(u.buf, `\`)
		}
		done := unescaped(whole)
		u.buf, u.ready = append(done, u.buf[len(whole):]...), len(done)
	}
}

// recordsEnd is the length of the whole records that b begins with.
func recordsEnd(b []byte) int {
	quotes := bytes.Count(b, []byte{'"'})
	for end := len(b); ; {
		at := bytes.LastIndexByte(b[:end], '\n')
		if at < 0 {
			return 0
		}
		if quotes -= bytes.Count(b[at:end], []byte{'"'}); quotes%2 == 0 {
			return at + 1
		}
		end = at
	}
}

// areEscaped reports whether the records can be read with a backslash before the quotes inside of quotes, but not as
// they stand. Without all of them the last one may be a part.
func areEscaped(b []byte, comma byte, all bool) bool {
	fails := func(b []byte) bool {
		if !all {
			b = b[:recordsEnd(b)]
		}
		r := csv.NewReader(bytes.NewReader(b))
		r.Comma, r.ReuseRecord = rune(comma), true
		for {
			if _, err := r.Read(); err != nil {
				return err != io.EOF
			}
		}
	}
	return bytes.Contains(b, []byte(`\"`)) && fails(b) && !fails(unescaped(bytes.Clone(b)))
}

// unescaped doubles the quotes that have a backslash before them, in place. A backslash before such a backslash, or
// before the quote at the end of a cell, stands for one.
func unescaped(b []byte) []byte {
	to := 0
	for from := 0; from < len(b); {
		at := bytes.IndexByte(b[from:], '\\')
		if at < 0 {
			at = len(b) - from
		}
		to += copy(b[to:], b[from:from+at])
		from += at
		k := len(b[from:]) - len(bytes.TrimLeft(b[from:], `\`))
		keep := k
		if from+k < len(b) && b[from+k] == '"' {
			if keep = k / 2; k%2 == 1 {
				b[from+k-1] = '"'
				to += copy(b[to:], b[from:from+keep])
				to += copy(b[to:], `""`)
				from += k + 1
				continue
			}
		}
		to += copy(b[to:], b[from:from+keep])
		from += k
	}
	return b[:to]
}
