package netdoc

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"bnlab/internal/say"
)

// Encode writes a name as an identifier: letters a to z and A to Z, digits and underscores, the first a letter. A name
// that is none ends in _x_. Between letters and digits a space becomes an underscore and a hyphen becomes two; any
// other character becomes its code point between underscores. Where the first is no letter, an s stands in front: "two
// words" is two_words_x_, "65 and over" s65_and_over_x_, "50-59" s50__59_x_ and "<50" s_u003C_50_x_. Decode gives the
// name back, and different names have different identifiers.
func Encode(name string) string {
	if isIdentifier(name) && Decode(name) == name {
		return name
	}
	var b strings.Builder
	letter := func(i int) bool { return i >= 0 && i < len(name) && isLetterOrDigit(name[i]) }
	for i, r := range name {
		switch between := letter(i-1) && letter(i+1); {
		case between && r == ' ' && !looksEscape("_"+name[i+1:min(i+6, len(name))]):
			b.WriteString("_")
		case between && r == '-':
			b.WriteString("__")
		case i == 0 && r == 's' && len(name) > 1 && !isLetter(name[1]): // it would be taken for the one in front
			escape(&b, r)
		case r < utf8.RuneSelf && isLetterOrDigit(byte(r)):
			b.WriteRune(r)
		default:
			escape(&b, r)
		}
	}
	if s := b.String(); s == "" || !isLetter(s[0]) {
		return "s" + s + mark
	}
	return b.String() + mark
}

// mark ends what Encode writes for a name that is no identifier.
const mark = "_x_"

// escaped is how versions before 0.2 wrote a name.
func escaped(name string) string {
	if isIdentifier(name) && !hasEscape(name) {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		rest := name[i:]
		switch {
		case r == '_' && looksEscape(rest):
			escape(&b, r)
		case i == 0 && r == 'u' && len(name) > 1 && !isLetterOrDigit(name[1]):
			escape(&b, r)
		case r < utf8.RuneSelf && isWord(byte(r)) && (i > 0 || isLetter(byte(r))):
			b.WriteRune(r)
		default:
			escape(&b, r)
		}
	}
	if s := b.String(); s == "" || !isLetter(s[0]) {
		return "u" + s
	}
	return b.String()
}

func escape(b *strings.Builder, r rune) { fmt.Fprintf(b, "_u%04X_", r) }

// Decode returns the name of an identifier that Encode made, or that versions before 0.2 made; any other is its own
// name.
func Decode(id string) string {
	if s, ok := strings.CutSuffix(id, mark); ok && s != "" {
		if s[0] == 's' && len(s) > 1 && !isLetter(s[1]) {
			s = s[1:]
		}
		if name, ok := unescaped(s, true); ok && Encode(name) == id {
			return name
		}
	}
	if !hasEscape(id) {
		return id
	}
	s := id
	if strings.HasPrefix(s, "u_") {
		s = s[1:]
	}
	if name, ok := unescaped(s, false); ok && escaped(name) == id {
		return name
	}
	return id
}

// unescaped reads code points between underscores, and where they are words, underscores as spaces and hyphens.
func unescaped(s string, words bool) (name string, ok bool) {
	var b strings.Builder
	for s != "" {
		switch {
		case s[0] == '_' && looksEscape(s):
			end := 2 + strings.IndexByte(s[2:], '_')
			if end < 6 || end > 8 {
				return "", false
			}
			code, err := strconv.ParseUint(s[2:end], 16, 32)
			if err != nil || !utf8.ValidRune(rune(code)) {
				return "", false
			}
			b.WriteRune(rune(code))
			s = s[end+1:]
		case words && strings.HasPrefix(s, "__"):
			b.WriteByte('-')
			s = s[2:]
		case words && s[0] == '_':
			b.WriteByte(' ')
			s = s[1:]
		default:
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return b.String(), b.Len() > 0
}

// hasEscape reports whether a name holds what looks like an escape.
func hasEscape(s string) bool {
	for i := range len(s) {
		if s[i] == '_' && looksEscape(s[i:]) {
			return true
		}
	}
	return false
}

// looksEscape reports whether s begins like _u0020, with or without the end of an escape.
func looksEscape(s string) bool {
	if len(s) < 6 || s[1] != 'u' {
		return false
	}
	for _, c := range []byte(s[2:6]) {
		if (c < '0' || c > '9') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

func isIdentifier(s string) bool {
	if s == "" || !isLetter(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isWord(s[i]) {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool        { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isLetterOrDigit(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }
func isWord(c byte) bool          { return isLetterOrDigit(c) || c == '_' }

// An Identifiers maps the names of a file to identifiers of at most Most bytes, 0 meaning
// any number, and remembers which it changed.
type Identifiers struct {
	Most    int
	changed []string
}

// Of returns the identifier of a name, the one numbered i among its neighbours. One that
// would be too long ends in its number, as in a_very_long_name_n7; Name needs the title then.
func (d *Identifiers) Of(name string, i int) string {
	id := Encode(name)
	if d.Most > 0 && len(id) > d.Most {
		suffix := fmt.Sprintf("_n%d", i)
		id = id[:d.Most-len(suffix)] + suffix
	}
	if id != name {
		d.changed = append(d.changed, fmt.Sprintf("%q as %s", say.Short(name), say.Short(id)))
	}
	return id
}

// Lost says which names stand as identifiers, "" when none does.
func (d *Identifiers) Lost(format string) string {
	if len(d.changed) == 0 {
		return ""
	}
	some := strings.Join(d.changed[:min(len(d.changed), 5)], ", ")
	if more := len(d.changed) - 5; more > 0 {
		some += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("Names in %s are identifiers. Others are written as such and read back as they were: %s.",
		format, some)
}

// Name returns the name of an identifier with a title, which tells the whole of a name
// that Of cut short.
func (d *Identifiers) Name(id, title string) string {
	for _, whole := range []string{Encode(title), escaped(title)} {
		if title == "" || d.Most == 0 || len(whole) <= d.Most {
			continue
		}
		if cut := strings.LastIndex(id, "_n"); cut > 0 && strings.HasPrefix(whole, id[:cut]) && len(id) == d.Most {
			if _, err := strconv.ParseUint(id[cut+2:], 10, 32); err == nil {
				return title
			}
		}
	}
	return Decode(id)
}

// EncodeIfRead encodes a name that Decode would take for an identifier of another.
func EncodeIfRead(name string) string {
	if Decode(name) != name {
		return Encode(name)
	}
	return name
}

// Interval names the state between two levels, which may be infinite and may fall.
func Interval(from, to string) string {
	switch {
	case strings.EqualFold(from, "-infinity"):
		return "< " + to
	case strings.EqualFold(to, "-infinity"):
		return "< " + from
	case strings.EqualFold(from, "infinity"):
		return ">= " + to
	case strings.EqualFold(to, "infinity"):
		return ">= " + from
	}
	return from + " to " + to
}
