package nb

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible writes the characters of s that command a terminal instead of being shown as
// Go's escapes: control characters, marks of the direction of writing, separators of
// lines and bytes that are no UTF-8. Those in keep stay. Names and states come from
// files, and a file must not colour, erase or rearrange what is shown.
func visible(s, keep string) string {
	if strings.IndexFunc(s, commands) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || commands(r) && !strings.ContainsRune(keep, r) {
			quoted := strconv.QuoteToASCII(s[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

func commands(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}
