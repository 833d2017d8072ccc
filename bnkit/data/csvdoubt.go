package data

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/internal/english"
	"bnlab/internal/say"
)

// dressing is what keeps the text of a cell from being a number as it stands.
type dressing uint8

const (
	bare     dressing = iota // it is a number, or no number at all
	comma                    // 1,5 and 1,000
	clothed                  // $5.00, 5 %, 1 000, −1
	infinite                 // inf
	spoiled                  // #VALUE!, an error of a spreadsheet
)

// numberly is a number with a comma or separators of thousands, a sign of money before or after it or a percent sign.
var numberly = sync.OnceValue(func() *regexp.Regexp {
	const sign, money, space = `[+\x{2212}-]?`, `[$€£¥]?`, `[ \x{a0}\x{202f}]?`
	return regexp.MustCompile(`^` + sign + money + space + sign +
		`(\d+|\d{1,3}([,.'’ \x{a0}\x{202f}]\d{3})+)?([.,]\d+)?([eE][+-]?\d+)?` + space + `[%‰$€£¥]?$`)
})

// dressed returns how a text is dressed that is not a number as it stands.
func dressed(text string) dressing {
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case "inf", "infinity", "1.#inf":
		return infinite
	case "#value!", "#ref!", "#div/0!", "#name?", "#num!":
		return spoiled
	}
	if len(text) > 40 || !strings.ContainsAny(text, "0123456789") || !numberly().MatchString(text) {
		return bare
	}
	if _, ok := parseDecimal([]byte(text)); ok {
		return comma
	}
	return clothed
}

// parse reads a number with the decimal point of the file.
func (p *csvParser) parse(b []byte) (float64, bool) {
	if p.decimal {
		return parseDecimal(b)
	}
	return parseNumber(b)
}

// parseDecimal reads a number whose decimal point is a comma, in which there is no point.
func parseDecimal(b []byte) (float64, bool) {
	at := bytes.IndexByte(b, ',')
	if at < 0 {
		if bytes.IndexByte(b, '.') >= 0 {
			return 0, false
		}
		return parseNumber(b)
	}
	if bytes.IndexByte(b, '.') >= 0 {
		return 0, false
	}
	var room [64]byte
	text := append(room[:0], b...)
	text[at] = '.'
	return parseNumber(text)
}

// count adds to the tally of the cells of states.
func (c *csvColumn) count(states []bn.State) {
	for len(c.tally) < len(c.texts) {
		c.tally = append(c.tally, 0)
	}
	for _, s := range states {
		if s != bn.Missing {
			c.tally[s]++
		}
	}
}

// doubt returns an error for a column of states that may be one of numbers: most of its cells are numbers, of which one
// is not whole or is dressed, and the rest words, in the given rows and those counted
// before. The error is about the first word.
func (p *csvParser) doubt(c *csvColumn, rows int) error {
	if c.kind != csvText || c.rule != csvGuess || c.word == nil {
		return nil
	}
	if !c.part && !c.dressed {
		return nil
	}
	c.count(c.states[:rows])
	numbers, words, odd := 0, 0, false
	for s, text := range c.texts {
		switch _, isNumber := p.parse([]byte(text)); {
		case isNumber:
			numbers += c.tally[s]
			odd = odd || c.numbers[s] != math.Trunc(c.numbers[s])
		case dressed(text) != bare:
			numbers += c.tally[s]
			odd = true
		default:
			words += c.tally[s]
		}
	}
	if !odd || numbers <= words {
		return nil
	}
	if c.word.Value == c.name {
		c.word.Err = errHeaderAgain
		return c.word
	}
	c.word.Err = say.Errorf("%w, and %d of %s are; %s", ErrNumber, numbers, english.Count(numbers+words, "cell"),
		p.remedy(c.word.Value, words, numbers+words))
	return c.word
}

// errSpoiled refuses an error of a spreadsheet, which is a value of nothing.
func errSpoiled() error {
	return fmt.Errorf("%w, but an error of the spreadsheet; correct the cell, or name the value in CSVOptions.Missing",
		ErrNumber)
}

// mixed refuses a column of many numbers and some words, of which rows before this one hold some.
func (p *csvParser) mixed(c *csvColumn, word *ValueError) error {
	if word.Value == c.name {
		word.Err = errHeaderAgain
		return word
	}
	words := 0
	if c.kind == csvText {
		c.tally = nil
		c.count(c.states[:p.row])
		for s, text := range c.texts {
			if _, ok := p.parse([]byte(text)); !ok {
				words += c.tally[s]
			}
		}
	}
	word.Err = say.Errorf("%w, but the column has more than %d different numbers; %s", ErrNumber,
		max(p.opts.MaxNumericStates, 0), p.remedy(word.Value, words, p.before+p.row))
	return word
}

// remedy says what to do about a word among numbers, the likely thing first: words in a quarter of the cells and more
// are no signs for a missing value.
func (p *csvParser) remedy(word string, words, cells int) string {
	const discrete = "the column in CSVOptions.Discrete"
	switch dressed(strings.TrimSpace(word)) {
	case comma:
		if p.decimal {
			break
		}
		return "if the comma is the decimal point set CSVOptions.Decimal to ',', otherwise take it out, or name " +
			discrete
	case clothed:
		return "take out what is not part of the number, or name " + discrete
	case infinite, spoiled:
		return "name the value in CSVOptions.Missing, or " + discrete
	}
	if p.decimal && dressed(word) == bare && strings.Contains(word, ".") {
		if _, ok := parseNumber([]byte(word)); ok {
			return "the decimal point of the file is taken to be a comma; set CSVOptions.Decimal to '.' if it is " +
				"not, otherwise correct the cell"
		}
	}
	if 4*words >= cells && words > 1 {
		return "name " + discrete + " if it holds text, or the value in CSVOptions.Missing"
	}
	return "name the value in CSVOptions.Missing, or " + discrete
}
