package bif

import (
	"bytes"
	"strings"
)

// Names that need double quotes here stand without them in the files of bnlearn, which writes each name as it is:
// levels of cut numbers such as [-2.1_0.5], and names with spaces, bars, semicolons and quotes. They end at a comma
// and at what closes their list, since bnlearn writes an underscore for a comma, brace or parenthesis in a level.

// rawStates returns the states between pos and the next brace, which commas separate, when they are as many as
// were declared; end is the place of the brace.
func (s *scanner) rawStates(declared int) (states []string, end int) {
	n := bytes.IndexByte(s.src[s.pos:], '}')
	if n < 0 || declared < 1 {
		return nil, 0
	}
	text := withoutComments(s.src[s.pos : s.pos+n])
	if bytes.Count(text, []byte(","))+1 != declared {
		return nil, 0
	}
	for _, part := range bytes.Split(text, []byte(",")) {
		state := unquote(strings.TrimSpace(string(part)))
		if state == "" {
			return nil, 0
		}
		states = append(states, state)
	}
	return states, s.pos + n
}

// withoutComments blanks comments that begin a text or follow white space.
func withoutComments(text []byte) []byte {
	s := scanner{src: text, open: -1}
	var out []byte
	for s.pos < len(text) {
		if from := s.pos; (from == 0 || class[text[from-1]]&blank != 0) && s.comment() {
			out = append(out, ' ')
			continue
		}
		out = append(out, text[s.pos])
		s.pos++
	}
	return out
}

// unquote takes off the double quotes that enclose a name.
func unquote(name string) string {
	if len(name) > 1 && name[0] == '"' && strings.IndexByte(name[1:], '"') == len(name)-2 {
		return name[1 : len(name)-1]
	}
	return name
}

// rawState passes a state as bnlearn writes it: one of the parent's that is not a bare name, up to a comma or, when
// it is the last in its row, a parenthesis.
func (s *scanner) rawState(parent *variable) (int, bool) {
	line := s.src[s.pos:]
	if n := bytes.IndexAny(line, "\r\n"); n >= 0 {
		line = line[:n]
	}
	for at, c := range line {
		if c != ',' && c != ')' {
			continue
		}
		name := bytes.TrimSpace(line[:at])
		if state, ok := parent.find(name); ok && !isBare(string(name)) {
			s.pos += at
			return state, true
		}
		if c == ',' {
			break
		}
	}
	return 0, false
}

// rawName passes the name of a variable block, which ends at its brace on the same line.
func (s *scanner) rawName() (name []byte, ok bool) {
	line := s.src[s.pos:]
	n := bytes.IndexAny(line, "{\r\n")
	if n < 0 || line[n] != '{' {
		return nil, false
	}
	if name = bytes.TrimSpace(line[:n]); len(name) == 0 {
		return nil, false
	}
	s.pos += n
	return name, true
}

// rawVariable passes the name of a declared variable that is not a bare name, up to a comma, a bar or the parenthesis
// that closes the head of a probability block.
func (p *parser) rawVariable() (int, bool) {
	if !p.odd {
		return 0, false
	}
	for at, c := range p.src[p.pos:] {
		switch c {
		case ',', '|', ')':
			name := bytes.TrimSpace(p.src[p.pos : p.pos+at])
			if i, ok := p.index[string(name)]; ok && !isBare(string(name)) {
				p.pos += at
				return i, true
			}
		case '{', '\n', '\r':
			return 0, false
		}
	}
	return 0, false
}
