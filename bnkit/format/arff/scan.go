package arff

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"bnlab/bnkit/data"
	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// A token is a word, one of the signs { } and comma, or the end of the line, whose sign is 0.
type token struct {
	sign     byte
	word     string
	isWord   bool
	isQuoted bool
	at       int // from 0
}

// is reports whether the token is a keyword, in any case.
func (t token) is(keyword string) bool {
	return t.isWord && !t.isQuoted && strings.EqualFold(t.word, keyword)
}

func (t token) String() string {
	switch {
	case t.isWord:
		return fmt.Sprintf("%q", t.word)
	case t.sign == 0:
		return "the end of the line"
	}
	return string(t.sign)
}

// A scanner cuts a line into tokens.
type scanner struct {
	line   string
	number int // of the line, from 1
	at     int
}

func (s *scanner) fail(at int, format string, args ...any) error {
	return &textpos.Error{Format: "arff", Line: s.number, Column: at + 1, Err: say.Errorf(format, args...)}
}

// next returns the next token; a percent sign begins a comment.
func (s *scanner) next() (token, error) {
	for s.at < len(s.line) && s.line[s.at] <= ' ' {
		s.at++
	}
	start := s.at
	if start == len(s.line) || s.line[start] == '%' {
		s.at = len(s.line)
		return token{at: start}, nil
	}
	switch c := s.line[start]; c {
	case '{', '}', ',':
		s.at++
		return token{sign: c, at: start}, nil
	case '\'', '"':
		word, err := s.quoted(c)
		return token{word: word, isWord: true, isQuoted: true, at: start}, err
	}
	for s.at < len(s.line) && s.line[s.at] > ' ' && strings.IndexByte("{},", s.line[s.at]) < 0 {
		if strings.IndexByte("'\"%", s.line[s.at]) >= 0 {
			return token{}, s.fail(s.at, "%q within a word; put the whole name or value in quotes", s.line[s.at:s.at+1])
		}
		s.at++
	}
	return token{word: s.line[start:s.at], isWord: true, at: start}, nil
}

// quoted reads a text in quotes of one kind, in which a backslash stands before a character
// that would end it or cannot be seen.
func (s *scanner) quoted(quote byte) (string, error) {
	start := s.at
	var b strings.Builder
	for s.at++; s.at < len(s.line); s.at++ {
		switch c := s.line[s.at]; {
		case c == quote:
			s.at++
			return b.String(), nil
		case c == '\\' && s.at+1 < len(s.line):
			s.at++
			c = s.line[s.at]
			switch {
			case c >= '0' && c <= '7':
				return "", s.fail(s.at-1, `\%c is an octal escape, which is not read; write the character itself`, c)
			case c == 'n':
				c = '\n'
			case c == 'r':
				c = '\r'
			case c == 't':
				c = '\t'
			case strings.HasPrefix(s.line[s.at:], "u001E"): // the only one of its kind in Weka
				c = 0x1e
				s.at += len("001E")
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return "", s.fail(start, "the quotes are not closed on this line")
}

// checkText refuses a line that is not UTF-8.
func (s *scanner) checkText() error {
	if utf8.ValidString(s.line) {
		return nil
	}
	if strings.HasPrefix(strings.TrimLeft(s.line, " \t"), "%") { // a comment
		s.line = ""
		return nil
	}
	at := 0
	for at < len(s.line) {
		r, n := utf8.DecodeRuneInString(s.line[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return s.fail(at, "%w; save the file as UTF-8", data.ErrEncoding)
}
