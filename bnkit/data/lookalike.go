package data

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"bnlab/internal/english"
	"bnlab/internal/say"
)

// faces gives letters of Cyrillic and Greek, and dashes, that most fonts draw as one of ASCII that one.
var faces = sync.OnceValue(func() map[rune]rune {
	m := make(map[rune]rune)
	for _, pair := range [][2]string{
		{"асеіјорԛѕԝхуһԁ", "aceijopqswxyhd"}, {"АВЕІЈКМНОРԚЅТԜХУ", "ABEIJKMHOPQSTWXY"}, // Cyrillic
		{"ονρ", "ovp"}, {"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"}, // Greek
		{"\u2010\u2011\u2012\u2013\u2212", "-----"},
	} {
		ascii := []rune(pair[1])
		for i, r := range []rune(pair[0]) {
			m[r] = ascii[i]
		}
	}
	return m
})

// face is what a text looks like: composed letters, spaces of one kind, without what is not drawn, and look-alikes as
// one letter.
func face(s string) string {
	as := faces()
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r), r == '\u034f', unicode.Is(unicode.Variation_Selector, r):
			return -1 // a zero-width space or joiner, a soft hyphen, a mark of direction
		case as[r] != 0:
			return as[r]
		}
		return r
	}, norm.NFKC.String(s))
	return norm.NFC.String(s) // an accent over a letter that is another now
}

// alike returns the first two of different texts that look the same, and how many more there are that look like one
// before them.
func alike(texts []string) (a, b string, more int) {
	plain := true
	for _, s := range texts {
		plain = plain && isASCII(s)
	}
	if plain {
		return "", "", 0
	}
	seen := make(map[string]string, len(texts))
	for _, s := range texts {
		f := face(s)
		first, ok := seen[f]
		switch {
		case !ok:
			seen[f] = s
		case a == "":
			a, b = first, s
		default:
			more++
		}
	}
	return a, b, more
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// noteAlike tells of columns and of states that look the same, once.
func (p *csvParser) noteAlike() {
	if p.line == 0 { // cells in memory, which somebody has read before
		return
	}
	var names []string
	for i := range p.cols {
		c := &p.cols[i]
		if c.unread() {
			continue
		}
		names = append(names, c.name)
		if c.kind != csvText || c.rule == csvDeclared || c.alike {
			continue
		}
		if a, b, more := alike(c.texts); a != b {
			c.alike = true
			p.note("column %q: the states %s; make them one if they mean one", c.name, twins(a, b, more))
		}
	}
	if a, b, more := alike(names); a != b && (p.before == 0 || p.emit == nil) {
		p.note("the columns %s", twins(a, b, more))
	}
}

// twins says where two texts differ that look the same.
func twins(a, b string, more int) string {
	x, y := []rune(a), []rune(b)
	at := 0
	for at < min(len(x), len(y)) && x[at] == y[at] {
		at++
	}
	letter := func(of []rune) string {
		if at == len(of) {
			return "nothing"
		}
		return fmt.Sprintf("U+%04X", of[at])
	}
	text := say.Sprintf("%q and %q look the same: character %d is %s in one and %s in the other", say.Short(a),
		say.Short(b), at+1, letter(x), letter(y))
	if more > 0 {
		text += fmt.Sprintf(" (and so do %s more)", english.Count(more, "pair"))
	}
	return text
}
