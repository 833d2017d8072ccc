package netdoc

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"bnlab/internal/num"
	"bnlab/internal/say"
)

// A Token is a word of a text format.
type Token struct {
	Kind Kind
	Text string // of a string what stands between the quotes, escapes resolved
	At   int    // its place
}

// A Kind is a kind of token: one of those below, or the character itself.
type Kind byte

const (
	End    Kind = 0
	Word   Kind = 'a' // letters, digits and underscores
	Number Kind = '0' // begins with a digit, a point or a sign
	String Kind = '"'
)

// A Scanner cuts a text into words. After an error inside a word, as a quote that is not
// closed, only End comes, and Unexpected returns that error.
type Scanner struct {
	Text
	// Line begins a comment to the end of the line, such as "%"; Block says whether /* */ are comments.
	Line  string
	Block bool

	pos    int
	peeked *Token
	failed error
}

// Peek returns the next token without passing it.
func (s *Scanner) Peek() Token {
	if s.peeked == nil {
		t := s.scan()
		s.peeked = &t
	}
	return *s.peeked
}

// Next returns the next token and passes it.
func (s *Scanner) Next() Token {
	if s.peeked != nil {
		t := *s.peeked
		s.peeked = nil
		return t
	}
	return s.scan()
}

// Accept passes the next token if it is of the kind.
func (s *Scanner) Accept(k Kind) bool {
	if s.Peek().Kind != k {
		return false
	}
	s.peeked = nil
	return true
}

// Expect passes a token of the kind, or returns an error that says what should stand there.
func (s *Scanner) Expect(k Kind, want string) (Token, error) {
	t := s.Next()
	if t.Kind != k {
		return t, s.Unexpected(t, want)
	}
	return t, nil
}

// Unexpected returns the error for a token that is not what should stand at its place.
func (s *Scanner) Unexpected(t Token, want string) error {
	switch {
	case s.failed != nil:
		return s.failed
	case t.Kind == End:
		return s.ErrorAt(t.At, "the file ends where %s should stand", want)
	}
	return s.ErrorAt(t.At, "found %q where %s should stand", say.Short(t.Text), want)
}

// Failed returns the error of a string or comment that is not closed, nil when there is none.
func (s *Scanner) Failed() error { return s.failed }

func (s *Scanner) scan() Token {
	if !s.skip() {
		return Token{At: len(s.Src)}
	}
	at, c := s.pos, s.Src[s.pos]
	switch {
	case c == '"':
		return s.quoted()
	case isLetter(c) || c == '_':
		s.run(isWord)
		return Token{Word, string(s.Src[at:s.pos]), at}
	case isDigit(c) || c == '.', (c == '-' || c == '+') && at+1 < len(s.Src) &&
		(isDigit(s.Src[at+1]) || s.Src[at+1] == '.'):
		hex := false // so far, as in 0x1e
		for s.pos++; s.pos < len(s.Src); s.pos++ {
			c, before := s.Src[s.pos], s.Src[s.pos-1]
			hex = hex || before|0x20 == 'x'
			exponent := before|0x20 == 'e' && !hex
			if !isWord(c) && c != '.' && !((c == '-' || c == '+') && exponent) {
				break
			}
		}
		return Token{Number, string(s.Src[at:s.pos]), at}
	}
	s.pos++
	if c >= 0x80 { // a character beyond ASCII, with the letters that follow
		s.run(func(c byte) bool { return c >= 0x80 || isWord(c) })
		return Token{Kind('?'), string(s.Src[at:s.pos]), at}
	}
	return Token{Kind(c), string(s.Src[at:s.pos]), at}
}

func (s *Scanner) run(part func(byte) bool) {
	for s.pos < len(s.Src) && part(s.Src[s.pos]) {
		s.pos++
	}
}

// skip passes white space and comments and reports whether anything follows.
func (s *Scanner) skip() bool {
	for s.failed == nil && s.pos < len(s.Src) {
		rest := s.Src[s.pos:]
		switch {
		case rest[0] == ' ' || rest[0] >= '\t' && rest[0] <= '\r':
			s.pos++
		case s.Line != "" && bytes.HasPrefix(rest, []byte(s.Line)):
			if n := bytes.IndexByte(rest, '\n'); n >= 0 {
				s.pos += n + 1
			} else {
				s.pos = len(s.Src)
			}
		case s.Block && len(rest) > 1 && rest[0] == '/' && rest[1] == '*':
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				s.failed = s.ErrorAt(s.pos, "the comment that begins here is not closed")
				return false
			}
			s.pos += n + 4
		default:
			return true
		}
	}
	return false
}

// quoted reads a string. A backslash makes the next character part of it; \n, \r and \t
// are ends of lines and a tab, and a backslash before the end of a line continues it.
func (s *Scanner) quoted() Token {
	at := s.pos
	var b strings.Builder
	for s.pos++; s.pos < len(s.Src); s.pos++ {
		c := s.Src[s.pos]
		if c == '"' {
			s.pos++
			return Token{String, b.String(), at}
		}
		if c == '\\' && s.pos+1 < len(s.Src) {
			s.pos++
			switch c = s.Src[s.pos]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case '\r':
				if s.pos+1 < len(s.Src) && s.Src[s.pos+1] == '\n' {
					s.pos++
				}
				continue
			case '\n':
				continue
			}
		}
		b.WriteByte(c)
	}
	s.failed = s.ErrorAt(at, "the string that begins here is not closed")
	return Token{At: at}
}

// Quote writes a string as Scanner reads it.
func Quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(text) + `"`
}

// Skip passes a value that nothing is read from, up to and with the closing character, which
// stands outside of all parentheses, braces and brackets.
func (s *Scanner) Skip(closing Kind) error {
	depth := 0
	for {
		t := s.Next()
		switch {
		case t.Kind == closing && depth == 0:
			return nil
		case t.Kind == End:
			return s.Unexpected(t, strconv.Quote(string(closing)))
		case t.Kind == '(' || t.Kind == '{' || t.Kind == '[':
			if depth++; depth > MaxDepth {
				return s.ErrorAt(t.At, "nested deeper than %d", MaxDepth)
			}
		case t.Kind == ')' || t.Kind == '}' || t.Kind == ']':
			if depth--; depth < 0 {
				return s.Unexpected(t, strconv.Quote(string(closing)))
			}
		}
	}
}

// List reads "( a (b, c) ... )", nested or not, with or without commas, and calls item for
// each token inside that is no parenthesis or comma.
func (s *Scanner) List(item func(Token) error) error {
	if _, err := s.Expect('(', "("); err != nil {
		return err
	}
	for depth := 1; depth > 0; {
		switch t := s.Next(); t.Kind {
		case '(':
			if depth++; depth > MaxDepth {
				return s.ErrorAt(t.At, "nested deeper than %d", MaxDepth)
			}
		case ')':
			depth--
		case ',':
		case End:
			return s.Unexpected(t, ")")
		default:
			if err := item(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// Levels reads a list of numbers as they are written, -infinity and infinity among them.
func (s *Scanner) Levels() ([]string, error) {
	var out []string
	sign := ""
	err := s.List(func(t Token) error {
		_, number := ParseNumber(t.Text)
		switch infinite := strings.EqualFold(t.Text, "infinity"); {
		case sign == "" && (t.Kind == '-' || t.Kind == '+'):
			sign = t.Text
			return nil
		case !infinite && !(number && sign == ""):
			return s.Unexpected(t, "a number")
		}
		out, sign = append(out, strings.TrimPrefix(sign, "+")+t.Text), ""
		return nil
	})
	return out, err
}

// ParseNumber reads a decimal number. Only digits, point, signs and e are admitted, so that
// nan, inf and 0x1 are no numbers.
func ParseNumber(text string) (float64, bool) {
	for i := range len(text) {
		if c := text[i]; !isDigit(c) && c != '.' && c != '+' && c != '-' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	return x + 0, err == nil // + 0 turns -0 into 0
}

// Probability reads a number between 0 and 1 from a token, up to rounding, or NaN.
func (s *Scanner) Probability(t Token) (float64, error) {
	x, ok := ParseProbability(t.Text)
	if t.Kind != Number && t.Kind != Word || !ok {
		return 0, s.Unexpected(t, "a number")
	}
	if !num.NearProbability(x) && x == x {
		return 0, s.ErrorAt(t.At, "%s is not a probability; tables hold numbers between 0 and 1", say.Short(t.Text))
	}
	return x, nil
}

// Weight reads a number that is not negative, up to rounding, or NaN.
func (s *Scanner) Weight(t Token) (float64, error) {
	x, ok := ParseProbability(t.Text)
	if t.Kind != Number && t.Kind != Word || !ok {
		return 0, s.Unexpected(t, "a number")
	}
	if x < -num.RowTolerance {
		return 0, s.ErrorAt(t.At, "%s is not a probability or a weight; tables hold numbers from 0", say.Short(t.Text))
	}
	return x, nil
}

// ParseProbability is ParseNumber, and NaN for what tools write where no case was seen.
func ParseProbability(text string) (float64, bool) {
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case "nan", "na", "1.#ind", "1.#qnan":
		return math.NaN(), true
	}
	return ParseNumber(text)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
