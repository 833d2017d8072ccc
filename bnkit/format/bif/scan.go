package bif

import (
	"bytes"
	"io"

	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// Classes of bytes.
const (
	blank = 1 << iota // white space
	stop              // cannot be part of a bare name
)

var class = func() (t [256]uint8) {
	for _, c := range []byte(" \t\r\n\v\f") {
		t[c] = blank | stop
	}
	for _, c := range []byte(",;|{}()[]\"") {
		t[c] = stop
	}
	return t
}()

// A scanner walks over the bytes of a file. Line and column are counted only when
// an error needs them.
type scanner struct {
	src  []byte
	pos  int
	open int // place of a comment or quote that is not closed, or -1
}

// skip passes white space and comments. A comment that is not closed ends the file.
func (s *scanner) skip() {
	for s.pos < len(s.src) {
		if class[s.src[s.pos]]&blank != 0 {
			s.pos++
		} else if !s.comment() {
			return
		}
	}
}

// separators passes white space, comments and commas.
func (s *scanner) separators() {
	for s.pos < len(s.src) {
		if c := s.src[s.pos]; c == ',' || class[c]&blank != 0 {
			s.pos++
		} else if !s.comment() {
			return
		}
	}
}

// comment passes the comment at pos, if there is one.
func (s *scanner) comment() bool {
	rest := s.src[s.pos:]
	if !startsComment(rest) {
		return false
	}
	closing := "\n"
	if rest[1] == '*' {
		closing = "*/"
	}
	n := bytes.Index(rest[2:], []byte(closing))
	switch {
	case n >= 0:
		s.pos += 2 + n + len(closing)
	case rest[1] == '*':
		s.open, s.pos = s.pos, len(s.src)
	default:
		s.pos = len(s.src)
	}
	return true
}

func startsComment(b []byte) bool {
	return len(b) > 1 && b[0] == '/' && (b[1] == '/' || b[1] == '*')
}

// peek skips to the next token and returns its first byte, 0 at the end.
func (s *scanner) peek() byte {
	s.skip()
	if s.pos == len(s.src) {
		return 0
	}
	return s.src[s.pos]
}

// accept passes the byte c, which is not 0, if it is the next token.
func (s *scanner) accept(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.pos++
	return true
}

// name returns the name at pos, bare or in quotes, and passes it. ok is false where
// none begins. The result is a part of src.
func (s *scanner) name() (name []byte, ok bool) {
	if s.pos < len(s.src) && s.src[s.pos] == '"' {
		n := bytes.IndexByte(s.src[s.pos+1:], '"')
		if n < 0 {
			s.open, s.pos = s.pos, len(s.src)
			return nil, false
		}
		name = s.src[s.pos+1 : s.pos+1+n]
		s.pos += n + 2
		return name, true
	}
	start := s.pos
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		if class[c]&stop != 0 || c == '/' && startsComment(s.src[s.pos:]) {
			break
		}
		s.pos++
	}
	return s.src[start:s.pos], s.pos > start
}

// isBare reports whether a name needs no quotes.
func isBare(name string) bool {
	s := scanner{src: []byte(name)}
	_, ok := s.name()
	return ok && s.pos == len(name) && name[0] != '"'
}

// property passes what follows the keyword property, up to and with the semicolon.
// A semicolon inside quotes that close on their line does not count.
func (s *scanner) property() bool {
	for ; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case ';':
			s.pos++
			return true
		case '"':
			rest := s.src[s.pos+1:]
			if n := bytes.IndexAny(rest, "\"\n"); n >= 0 && rest[n] == '"' {
				s.pos += n + 1
			}
		}
	}
	return false
}

// errorAt returns an error about the byte at offset at.
func (s *scanner) errorAt(at int, format string, args ...any) error {
	return textpos.At("bif", s.src, at, say.Errorf(format, args...))
}

// unexpected returns the error for a token that is not the one that should stand at
// pos, which is described by want.
func (s *scanner) unexpected(want string) error {
	s.skip()
	if s.pos < len(s.src) {
		return s.errorAt(s.pos, "found %q where %s should stand", s.glimpse(), want)
	}
	if s.open >= 0 {
		what := "a double quote"
		if s.src[s.open] == '/' {
			what = "a comment /*"
		}
		return s.errorAt(s.open, "%s is not closed: %w", what, io.ErrUnexpectedEOF)
	}
	return s.errorAt(s.pos, "the file ends where %s should stand; it may have been cut short: %w", want,
		io.ErrUnexpectedEOF)
}

// glimpse returns the token at pos, shortened, without passing it.
func (s *scanner) glimpse() string {
	t := *s
	word, ok := t.name()
	if !ok {
		word = s.src[s.pos:min(s.pos+1, len(s.src))]
	}
	return say.Short(word)
}
