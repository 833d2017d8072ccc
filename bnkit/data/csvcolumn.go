package data

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bnlab/bnkit/bn"
)

// csvKind is how a cell is stored at the moment.
type csvKind uint8

const (
	csvText    csvKind = iota // as a state: the position of its text
	csvNumber                 // as a float64
	csvSkip                   // not at all
	csvUnnamed                // as a number that stands for its text, to tell whether cells differ
)

// csvRule is what is known of a column beforehand.
type csvRule uint8

const (
	csvGuess csvRule = iota
	csvDeclared
	csvDiscrete
	csvContinuous
	csvWeight
)

// A csvColumn is a column while it is read. A column whose nature is to be
// guessed starts with states; it turns to numbers when there are too many
// different ones.
type csvColumn struct {
	kind   csvKind
	dict   dictionary
	states []bn.State // len is the room there is
	values []float64
	hashes []uint64 // 0 for an empty cell

	name    string
	rule    csvRule
	texts   []string            // by state
	index   map[string]bn.State // by text; nil while they are few
	numbers []float64           // by state: its value, when it is a number
	numeric int                 // how many states are numbers
	part    bool                // one of them is not whole
	word    *ValueError         // the first cell that is no number
	gaps    bool                // a cell is missing, of those that were states
	dressed bool                // a text is a number with signs about it
	alike   bool                // it was said that states look the same
	tally   []int               // by state: its cells, as far as they were counted
}

func (c *csvColumn) init() {
	c.dict.init()
}

// fewTexts are found as fast one by one as by a map, which takes more memory than
// all else of a column in a wide file.
const fewTexts = 8

// findText returns the state of a text.
func (c *csvColumn) findText(text []byte) (bn.State, bool) {
	if c.index != nil {
		s, ok := c.index[string(text)]
		return s, ok
	}
	for s, known := range c.texts {
		if known == string(text) {
			return bn.State(s), true
		}
	}
	return 0, false
}

// addText gives a text that is not there the next state.
func (c *csvColumn) addText(text string) bn.State {
	s := bn.State(len(c.texts))
	c.texts = append(c.texts, text)
	if c.index != nil {
		c.index[text] = s
	} else if len(c.texts) > fewTexts {
		c.index = make(map[string]bn.State)
		for s, text := range c.texts {
			c.index[text] = bn.State(s)
		}
	}
	return s
}

func (c *csvColumn) grow(rows, room int) {
	switch c.kind {
	case csvText:
		c.states = regrow(c.states, rows, room)
	case csvNumber:
		c.values = regrow(c.values, rows, room)
	case csvUnnamed:
		c.hashes = regrow(c.hashes, rows, room)
	}
}

func regrow[T any](old []T, rows, room int) []T {
	s := make([]T, room)
	copy(s, old[:rows])
	return s
}

// cell stores a cell of the row that is being read.
func (p *csvParser) cell(c *csvColumn, cell []byte) error {
	switch c.kind {
	case csvText:
		key := p.key(cell)
		if s, ok := c.dict.find(key, cell); ok {
			c.states[p.row] = s
			return nil
		}
		return p.newText(c, key, cell)
	case csvNumber:
		return p.number(c, p.row, cell)
	case csvUnnamed:
		c.hashes[p.row] = hashOf(cell)
	}
	return nil
}

// key is what the dictionary knows a cell by.
func (p *csvParser) key(cell []byte) uint64 {
	if len(cell) >= 8 {
		return longKey(cell)
	}
	return shortKey(cell, p.comma)
}

func (p *csvParser) trim(cell []byte) []byte {
	if p.opts.KeepSpace {
		return cell
	}
	return bytes.TrimSpace(cell)
}

// number stores a cell of a column of numbers.
func (p *csvParser) number(c *csvColumn, row int, cell []byte) error {
	if x, ok := p.parse(cell); ok && !p.numberGaps && c.rule != csvWeight {
		c.values[row] = x
		return nil
	}
	return p.oddNumber(c, row, cell)
}

// oddNumber stores a cell of a column of numbers that is no plain number.
func (p *csvParser) oddNumber(c *csvColumn, row int, cell []byte) error {
	text := p.trim(cell)
	if p.missing[string(text)] {
		if c.rule == csvWeight {
			return ErrWeight
		}
		c.values[row] = math.NaN()
		return nil
	}
	x, ok := p.parse(text)
	switch {
	case ok && c.rule == csvWeight && !(x >= 0):
		return ErrWeight
	case ok:
		c.values[row] = x
		return nil
	case !utf8.Valid(text):
		return errText
	case c.rule == csvGuess:
		return p.mixed(c, p.wordError(c, cell))
	}
	return ErrNumber
}

// newText stores a cell that the dictionary does not hold yet.
func (p *csvParser) newText(c *csvColumn, key uint64, cell []byte) error {
	if p.settled {
		return errUnsettled
	}
	text := p.trim(cell)
	if !utf8.Valid(text) {
		return errText
	}
	if c.rule == csvDeclared {
		if _, whole := c.findText(cell); whole {
			text = cell
		}
	}
	s, known := c.findText(text)
	switch {
	case known:
	case p.missing[string(text)]:
		s, c.gaps = bn.Missing, true
	case c.rule == csvDeclared:
		v := bn.Variable{Name: c.name, States: c.texts}
		equal, err := v.StateIndex(string(text)) // 1.0 is 1
		if err != nil {
			if equal = p.plainState(c, text); equal < 0 {
				return unknownState(v)
			}
		}
		s = bn.State(equal)
	default:
		x, isNumber := p.parse(text)
		if c.rule == csvGuess {
			if !isNumber {
				how := dressed(string(text))
				if c.word == nil || how != bare && !c.dressed {
					c.word = p.wordError(c, cell)
				}
				if c.dressed = c.dressed || how != bare; how == spoiled {
					return errSpoiled()
				}
			}
			equal := -1
			if isNumber {
				equal = c.equalNumber(text, x)
			}
			if equal >= 0 {
				s = bn.State(equal)
				if plainer(string(text), c.texts[s], x) {
					c.rename(s, string(text))
				}
				break
			}
			if isNumber && c.numeric >= p.opts.MaxNumericStates {
				if c.word != nil {
					return p.mixed(c, c.word)
				}
				c.toNumbers(p.row, p.cap)
				c.values[p.row] = x
				return nil
			}
		}
		if len(c.texts) == bn.MaxStates {
			return fmt.Errorf("more than %d different values; leave the column out by CSVOptions.Drop if it is no "+
				"variable", bn.MaxStates)
		}
		s = c.addText(string(text))
		if !isNumber {
			x = math.NaN()
		}
		c.numbers = append(c.numbers, x)
		if isNumber {
			c.numeric++
			c.part = c.part || x != math.Trunc(x)
		}
	}
	c.dict.add(key, cell, s)
	c.states[p.row] = s
	return nil
}

// equalNumber returns the state of a number that is written in another way, as 1 and 1.0 are, −1 if there is none.
// 01 and 1e2 may be codes.
func (c *csvColumn) equalNumber(text []byte, x float64) int {
	if mayBeCode(string(text)) {
		return -1
	}
	for s, y := range c.numbers {
		if x == y && !mayBeCode(c.texts[s]) {
			return s
		}
	}
	return -1
}

// plainState returns the only declared state that is an equal number where others are codes, as 01 beside 1 is, −1 if
// there is none.
func (p *csvParser) plainState(c *csvColumn, text []byte) int {
	x, ok := p.parse(text)
	if !ok || mayBeCode(string(text)) {
		return -1
	}
	found := -1
	for s, name := range c.texts {
		if y, ok := p.parse([]byte(name)); ok && x == y && !mayBeCode(name) {
			if found >= 0 {
				return -1
			}
			found = s
		}
	}
	return found
}

// mayBeCode reports whether a number is written with a zero before its digits, an exponent or a plus.
func mayBeCode(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return strings.ContainsAny(digits, "eE+") ||
		len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'
}

// plainer reports whether text is the better name of a number, whatever the order of the rows.
func plainer(text, than string, x float64) bool {
	plain := strconv.FormatFloat(x, 'f', -1, 64)
	return than != plain && (text == plain || len(text) < len(than) || len(text) == len(than) && text < than)
}

// rename gives a state another name; the one that it had still finds it.
func (c *csvColumn) rename(s bn.State, text string) {
	c.texts[s] = text
	if c.index != nil {
		c.index[text] = s
	}
}

func (p *csvParser) wordError(c *csvColumn, cell []byte) *ValueError {
	return &ValueError{File: p.file, Line: p.line, Row: p.rowNumber(), Name: c.name, Value: string(cell)}
}

// toNumbers turns the states so far into numbers.
func (c *csvColumn) toNumbers(rows, room int) {
	c.values = make([]float64, room)
	for row, s := range c.states[:rows] {
		if s == bn.Missing {
			c.values[row] = math.NaN()
		} else {
			c.values[row] = c.numbers[s]
		}
	}
	c.kind, c.states = csvNumber, nil
}

// holdsNumbers reports whether the column, when all is read, is one of numbers.
func (c *csvColumn) holdsNumbers() bool {
	return c.kind == csvNumber || c.rule == csvGuess && c.word == nil && (c.part || len(c.texts) == 0)
}

// finish returns the column of the table.
func (c *csvColumn) finish(rows int) Column {
	if c.kind == csvText && c.holdsNumbers() {
		c.toNumbers(rows, rows)
	}
	if c.kind == csvNumber {
		return Column{Var: bn.Continuous(c.name), Values: fit(c.values, rows)}
	}
	found := Column{Var: bn.Discrete(c.name, c.texts...), States: fit(c.states, rows)}
	if c.rule == csvDeclared {
		return found
	}
	return found.Natural()
}

// fit cuts s to its rows, and frees room that is more than a quarter too much.
func fit[T any](s []T, rows int) []T {
	if cap(s) > rows+rows/4 {
		return slices.Clone(s[:rows])
	}
	return s[:rows:rows]
}
