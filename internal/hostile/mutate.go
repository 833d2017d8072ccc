package main

import (
	"bytes"
	"math/rand/v2"
	"strings"
)

// mutate changes a file in one to four places.
func mutate(rng *rand.Rand, file []byte) []byte {
	b := bytes.Clone(file)
	for range 1 + rng.IntN(4) {
		if len(b) == 0 {
			b = []byte(" ")
		}
		i := rng.IntN(len(b))
		j := min(len(b), i+1+rng.IntN(1+rng.IntN(64)))
		switch rng.IntN(9) {
		case 0:
			b[i] ^= 1 << rng.IntN(8)
		case 1:
			b[i] = byte(rng.IntN(256))
		case 2:
			b = append(b[:i:i], b[j:]...)
		case 3:
			b = append(b[:j:j], b[i:]...)
		case 4:
			b = append(b[:j:j], append(bytes.Repeat(b[i:j], 1+rng.IntN(1000)), b[j:]...)...)
		case 5:
			b = b[:i]
		case 6:
			k := rng.IntN(len(b))
			b = append(b[:i:i], append(bytes.Clone(file[min(k, len(file)):]), b[i:]...)...)
		default:
			token := tokens[rng.IntN(len(tokens))]
			if rng.IntN(20) == 0 {
				token = strings.Repeat(token, 1+rng.IntN(20_000))
			}
			if rng.IntN(2) == 0 { // in the place of what was there
				i, j = word(b, i)
			} else {
				j = i
			}
			b = append(b[:i:i], append([]byte(token), b[j:]...)...)
		}
	}
	return b[:min(len(b), 1<<20)]
}

// word is the place of the letters and digits around i.
func word(b []byte, i int) (from, to int) {
	isPart := func(c byte) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("+-._", c) >= 0
	}
	from, to = i, i
	for from > 0 && isPart(b[from-1]) {
		from--
	}
	for to < len(b) && isPart(b[to]) {
		to++
	}
	return from, to
}

// tokens are what has meant something to some reader, and what has harmed some terminal.
var tokens = []string{
	"\x1b[2J", "\x1b]0;t\a", "\x00", "\u009b31m", "\u202e", "\u2028", "\ufeff", "\xff\xfe", "\r", "\n", "\n\n",
	"-1", "0", "1e999", "NaN", "Inf", "-0", "1e-400", "0x10", "9999999999999999999", "4294967296", "65536",
	"1,5", "NA", "?", "{", "}", "(", ")", "[", "]", "<", ">", "&", ";", "\"", "'", "\\", "\\u0000", "/*", "*/",
	"//", "%", "#", "|", ":", ",", "<!--", "-->", "<![CDATA[", "]]>", "&lt;", "&#0;", "<!ENTITY a \"b\">",
	"null", "true", "[]", "{}", "- ", "? ", "&a", "*a", "!!str ", "probability", "variable", "node", "states",
	"data", "default", "table", "@data", "@attribute", "node a -> node a", "infinity", "\u043e", "e\u0301",
	"\u200b", "\t",
}
