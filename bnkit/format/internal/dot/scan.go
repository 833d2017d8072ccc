package dot

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// A token is a word, a sign ({ } [ ] ; , : = + -> --), or the end, whose sign is empty.
type token struct {
	sign   string
	word   string
	isWord bool
	plain  bool // a word without quotes, so it may be a keyword
	html   bool // a text in angle brackets
	at     int
}

// is reports whether the token is a keyword, in any case.
func (t token) is(keyword string) bool { return t.plain && strings.EqualFold(t.word, keyword) }

func (t token) String() string {
	switch {
	case t.isWord:
		return fmt.Sprintf("%q", t.word)
	case t.sign == "":
		return "the end of the file"
	}
	return t.sign
}

// A scanner cuts text into tokens.
type scanner struct {
	text string
	at   int
}

func (s *scanner) fail(at int, format string, args ...any) error {
	return textpos.At("dot", []byte(s.text), at, say.Errorf(format, args...))
}

// space skips white space, comments, and lines of a preprocessor.
func (s *scanner) space() error {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch {
		case strings.ContainsRune(" \t\r\n\f\v", rune(rest[0])):
			s.at++
		case strings.HasPrefix(rest, "\ufeff") && s.at == 0:
			s.at += len("\ufeff")
		case strings.HasPrefix(rest, "//"), rest[0] == '#' && (s.at == 0 || s.text[s.at-1] == '\n'):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			s.at += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return s.fail(s.at, "the comment is not closed by */")
			}
			s.at += end + 4
		default:
			return nil
		}
	}
	return nil
}

// next returns the next token.
func (s *scanner) next() (token, error) {
	if err := s.space(); err != nil {
		return token{}, err
	}
	if s.at == len(s.text) {
		return token{at: s.at}, nil
	}
	start, rest := s.at, s.text[s.at:]
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "->"), strings.HasPrefix(rest, "--"):
		s.at += 2
		return token{sign: rest[:2], at: start}, nil
	case strings.IndexByte("{}[];,:=+", c) >= 0:
		s.at++
		return token{sign: rest[:1], at: start}, nil
	case c == '"':
		word, err := s.quoted()
		return token{word: word, isWord: true, at: start}, err
	case c == '<':
		word, err := s.html()
		return token{word: word, isWord: true, html: true, at: start}, err
	case c == '-' || c == '.' || c >= '0' && c <= '9':
		n := numeral(rest)
		if n == 0 {
			return token{}, s.fail(start, "found %q where a name, an arrow or a sign should stand", rest[:1])
		}
		s.at += n
		if n < len(rest) && isLetter(rest[n]) {
			return token{}, s.fail(start, "the name %q begins as a number; put it in quotes", rest[:n+1]+"…")
		}
		return token{word: rest[:n], isWord: true, at: start}, nil
	case isLetter(c):
		n := 1
		for n < len(rest) && (isLetter(rest[n]) || rest[n] >= '0' && rest[n] <= '9') {
			n++
		}
		s.at += n
		if !utf8.ValidString(rest[:n]) {
			return token{}, s.fail(start, "the name %q is not UTF-8", rest[:n])
		}
		return token{word: rest[:n], isWord: true, plain: true, at: start}, nil
	default:
		return token{}, s.fail(start, "found %q where a name, an arrow or a sign should stand; a name with other "+
			"than letters, digits and _ goes in quotes", string([]rune(rest[:min(4, len(rest))])[:1]))
	}
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// numeral is the length of a number such as -1, .5 or 2.50, 0 when there is none.
func numeral(s string) int {
	n := 0
	if n < len(s) && s[n] == '-' {
		n++
	}
	digits, point := 0, false
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '.' && !point) {
		if s[n] == '.' {
			point = true
		} else {
			digits++
		}
		n++
	}
	if digits == 0 {
		return 0
	}
	return n
}

// html reads a text in angle brackets, with others within.
func (s *scanner) html() (string, error) {
	start, depth := s.at, 0
	for ; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '<':
			depth++
		case '>':
			depth--
		}
		if depth == 0 {
			s.at++
			return s.text[start:s.at], nil
		}
	}
	return "", s.fail(start, "the text in angle brackets is not closed")
}

// quoted reads a text in quotes: \" stands for a quote, a backslash at the end of a line joins
// it with the next, and any other backslash stays as it is.
func (s *scanner) quoted() (string, error) {
	start := s.at
	var b strings.Builder
	for s.at++; s.at < len(s.text); s.at++ {
		switch rest := s.text[s.at:]; {
		case rest[0] == '"':
			s.at++
			if !utf8.ValidString(b.String()) {
				return "", s.fail(start, "the name %q is not UTF-8", b.String())
			}
			return b.String(), nil
		case strings.HasPrefix(rest, `\"`):
			b.WriteByte('"')
			s.at++
		case strings.HasPrefix(rest, `\\`):
			b.WriteString(`\\`)
			s.at++
		case strings.HasPrefix(rest, "\\\n"):
			s.at++
		case strings.HasPrefix(rest, "\\\r\n"):
			s.at += 2
		default:
			b.WriteByte(rest[0])
		}
	}
	return "", s.fail(start, "the quotes are not closed")
}
