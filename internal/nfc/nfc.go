// Package nfc finds names that are written with other code points: é as one letter, or as e and an accent.
package nfc

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Find returns the one of the names that is meant: itself where it is there, else the only one that is equal in
// Unicode's composed normal form (NFC).
func Find[T any](list []T, name func(T) string, want string) (at int, ok bool) {
	for i, x := range list {
		if name(x) == want {
			return i, true
		}
	}
	if isASCII(want) {
		return 0, false
	}
	composed := norm.NFC.String(want)
	at = -1
	for i, x := range list {
		if s := name(x); !isASCII(s) && norm.NFC.String(s) == composed {
			if at >= 0 {
				return 0, false // which of them is anyone's guess
			}
			at = i
		}
	}
	return max(at, 0), at >= 0
}

// Name is Find among texts; it returns the text as it stands there.
func Name(list []string, want string) (string, bool) {
	at, ok := Find(list, func(s string) string { return s }, want)
	if !ok {
		return "", false
	}
	return list[at], true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
