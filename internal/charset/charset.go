// Package charset turns text as programs save it into UTF-8 with line feeds at the ends of lines.
package charset

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"bnlab/internal/say"
)

// An Encoding is how a text is stored.
type Encoding uint8

const (
	UTF8 Encoding = iota
	UTF16LE
	UTF16BE
	Windows1252 // with ISO 8859-1, of which it is an extension by printed characters
)

// Parse returns the encoding of a name such as "latin1" or "utf-16le"; case and hyphens do not matter.
func Parse(name string) (Encoding, error) {
	switch strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name)) {
	case "utf8":
		return UTF8, nil
	case "utf16le", "utf16", "unicode":
		return UTF16LE, nil
	case "utf16be":
		return UTF16BE, nil
	case "windows1252", "cp1252", "latin1", "iso88591":
		return Windows1252, nil
	}
	return 0, say.Errorf("the encoding %q is not read (windows-1252, latin1, utf-16le and utf-16be are); save the "+
		"file as UTF-8", name)
}

// Mark returns the encoding that the byte order mark of a text tells, and the length of the mark, 0 if there is none.
func Mark(b []byte) (Encoding, int) {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		return UTF8, 3
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return UTF16LE, 2
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return UTF16BE, 2
	}
	return UTF8, 0
}

// EndsInCR reports whether the first line of the start of a text ends in a carriage return alone, as old Macs and Excel
// for them end lines; a line feed or carriage return in double quotes ends none.
func EndsInCR(b []byte) bool {
	quoted := false
	for i, c := range b {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n':
			return false
		case c == '\r':
			return i+1 < len(b) && b[i+1] != '\n' && (b[i+1] != '\r' || !bytes.Contains(b[i:], []byte("\n")))
		}
	}
	return false
}

// high are the characters of the bytes 0x80 to 0x9f in Windows-1252; five of them are not used and stay what
// they are in ISO 8859-1.
var high = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

// NewReader returns the text of r, without a byte order mark to begin with, as UTF-8. Half a character at the end, and
// half a pair of UTF-16, become U+FFFD. If cr is set, carriage returns that no line feed follows become line feeds.
func NewReader(r io.Reader, e Encoding, cr bool) io.Reader {
	return &reader{in: bufio.NewReaderSize(r, 1<<16), encoding: e, cr: cr}
}

type reader struct {
	in       *bufio.Reader
	encoding Encoding
	cr       bool
	returned bool   // the character before was a carriage return, which is not in out yet
	out      []byte // not yet given away
	at       int
	err      error
}

func (r *reader) Read(p []byte) (int, error) {
	if r.at == len(r.out) {
		r.out, r.at = r.out[:0], 0
		for len(r.out) < 1<<15 && r.err == nil {
			r.fill()
		}
		if len(r.out) == 0 {
			return 0, r.err
		}
	}
	n := copy(p, r.out[r.at:])
	r.at += n
	return n, nil
}

// fill takes one character.
func (r *reader) fill() {
	c, raw := r.next()
	if r.err != nil {
		if r.returned {
			r.out, r.returned = append(r.out, '\n'), false
		}
		return
	}
	if r.returned {
		r.returned = false
		if c == '\n' {
			r.out = append(r.out, '\r')
		} else {
			r.out = append(r.out, '\n')
		}
	}
	switch {
	case raw:
		r.out = append(r.out, byte(c))
	case c == '\r' && r.cr:
		r.returned = true
	default:
		r.out = utf8.AppendRune(r.out, c)
	}
}

// next returns the next character, or a raw byte of UTF-8, which others look at.
func (r *reader) next() (c rune, raw bool) {
	var b byte
	if b, r.err = r.in.ReadByte(); r.err != nil {
		return 0, false
	}
	switch r.encoding {
	case UTF8:
		return rune(b), b >= utf8.RuneSelf
	case Windows1252:
		if b >= 0x80 && b < 0xa0 {
			return high[b-0x80], false
		}
		return rune(b), false
	}
	c = r.unit(b)
	if !utf16.IsSurrogate(c) {
		return c, false
	}
	next, _ := r.in.Peek(2)
	if len(next) < 2 {
		return utf8.RuneError, false
	}
	pair := utf16.DecodeRune(c, r.order(next[0], next[1]))
	if pair != utf8.RuneError {
		r.in.Discard(2)
	}
	return pair, false
}

// unit is the number of two bytes, of which the first is read.
func (r *reader) unit(first byte) rune {
	second, err := r.in.ReadByte()
	if err != nil {
		return utf8.RuneError // and the end comes again
	}
	return r.order(first, second)
}

func (r *reader) order(first, second byte) rune {
	if r.encoding == UTF16LE {
		first, second = second, first
	}
	return rune(first)<<8 | rune(second)
}
