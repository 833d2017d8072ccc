package parquet

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/instant"
	"bnlab/internal/limit"
	"bnlab/internal/say"
)

// A column is a column of the table while it is read. It holds states, or numbers when number
// is set; a column of whole numbers starts with states and turns to numbers when too many
// differ.
type column struct {
	name    string
	at      int // of the file's columns
	kind    kind
	scale   int // digits behind the point of a decimal
	rule    rule
	opts    *Options
	missing map[string]bool
	rows    int    // of the table
	sure    bool   // another column has as many
	letters *int64 // bytes that names of states may still take, of all columns
	batch   any    // the memory of batches, a *batch

	number bool
	states []bn.State
	values []float64
	texts  []string // by state
	index  map[string]bn.State
	wholes map[int64]bn.State // the states of whole numbers, and of times in microseconds since 1970
	whole  []int64            // by state
}

// width is the memory that a cell takes, at most.
func (c *column) width() int64 {
	if c.number || c.kind != text && c.kind != boolean && c.rule == guess {
		return 8
	}
	return 2
}

// nameBytes is the memory that the name of a state takes beside its letters.
const nameBytes = 64

// declare sets the states of the column.
func (c *column) declare(states []string) error {
	if err := bn.Discrete(c.name, states...).Validate(); err != nil {
		return say.Errorf("the list of states of column %q: %w", c.name, err)
	}
	c.rule = declared
	c.texts = slices.Clone(states)
	for i, s := range states {
		c.index[s] = bn.State(i)
	}
	return nil
}

// gap stores a missing cell.
func (c *column) gap(row int) error {
	switch {
	case c.rule == weight:
		return c.wrong(row, "", data.ErrWeight)
	case c.number:
		c.values[row] = math.NaN()
	default:
		c.states[row] = bn.Missing
	}
	return nil
}

func (c *column) wrong(row int, value string, err error) error {
	return &data.ValueError{Row: row + 1, Name: c.name, Value: value, Err: err}
}

// putText stores a cell that is text.
func (c *column) putText(row int, cell []byte) error {
	if !c.number {
		if s, ok := c.index[string(cell)]; ok {
			c.states[row] = s
			return nil
		}
	}
	word := string(cell)
	switch {
	case c.missing[word]:
		return c.gap(row)
	case !utf8.ValidString(word):
		return c.wrong(row, word, data.ErrEncoding)
	case !c.number:
		return c.putState(row, word)
	}
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return c.wrong(row, word, data.ErrNumber)
	}
	return c.putNumber(row, x)
}

// putState stores a cell with a state that may be new.
func (c *column) putState(row int, word string) error {
	s, ok := c.index[word]
	if !ok {
		if c.rule == declared {
			_, err := bn.Discrete(c.name, c.texts...).StateIndex(word)
			return c.wrong(row, word, err)
		}
		if len(c.texts) == bn.MaxStates {
			return c.wrong(row, word, fmt.Errorf("more than %d different values; leave the column out by "+
				"Options.Drop if it is no variable", bn.MaxStates))
		}
		if *c.letters -= int64(len(word)) + nameBytes; *c.letters < 0 {
			return c.wrong(row, say.Short(word), &limit.Error{What: "the names of states", Most: c.opts.part(),
				Unit: "bytes", Option: "Options.MaxBytes"})
		}
		s = bn.State(len(c.texts))
		c.texts = append(c.texts, word)
		c.index[word] = s
	}
	c.states[row] = s
	return nil
}

func (c *column) putBool(row int, cell bool) error {
	if c.number {
		x := 0.0
		if cell {
			x = 1
		}
		return c.putNumber(row, x)
	}
	return c.putState(row, strconv.FormatBool(cell))
}

// putWhole stores a whole number, or a time in microseconds since 1970.
func (c *column) putWhole(row int, x int64) error {
	if c.number {
		return c.putNumber(row, c.numberOf(x))
	}
	if s, ok := c.wholes[x]; ok {
		c.states[row] = s
		return nil
	}
	if c.rule == guess && len(c.whole) >= max(c.opts.MaxNumericStates, 0) {
		c.toNumbers(row)
		return c.putNumber(row, c.numberOf(x))
	}
	word := ""
	switch c.kind {
	case day, moment:
		word = instant.Text(time.UnixMicro(x), c.kind == day)
	default:
		word = strconv.FormatInt(x, 10)
	}
	if err := c.putState(row, word); err != nil {
		return err
	}
	c.wholes[x] = c.states[row]
	c.whole = append(c.whole, x)
	return nil
}

// numberOf is the number that a whole number stands for: itself, or the seconds of a time.
func (c *column) numberOf(x int64) float64 {
	if c.kind == day || c.kind == moment {
		return instant.Seconds(x)
	}
	return float64(x)
}

// toNumbers turns the states of the rows so far into numbers.
func (c *column) toNumbers(rows int) {
	c.number, c.values = true, make([]float64, len(c.states), cap(c.states))
	for row, s := range c.states[:rows] {
		if s == bn.Missing {
			c.values[row] = math.NaN()
		} else {
			c.values[row] = c.numberOf(c.whole[s])
		}
	}
	c.states = nil
}

func (c *column) putNumber(row int, x float64) error {
	switch {
	case math.IsNaN(x):
		return c.gap(row)
	case math.IsInf(x, 0):
		return c.wrong(row, strconv.FormatFloat(x, 'g', -1, 64), data.ErrNumber)
	case c.rule == weight && !(x >= 0):
		return c.wrong(row, strconv.FormatFloat(x, 'g', -1, 64), data.ErrWeight)
	case c.number:
		c.values[row] = x
		return nil
	}
	x += 0 // −0 + 0 = 0
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return c.putState(row, strconv.FormatFloat(x, 'f', -1, 64))
	}
	return c.putState(row, strconv.FormatFloat(x, 'g', -1, 64))
}

// finish returns the column of the table. A column of which nothing is known is continuous.
func (c *column) finish() data.Column {
	if !c.number && len(c.texts) == 0 {
		c.toNumbers(len(c.states))
	}
	if c.number {
		return data.Column{Var: bn.Continuous(c.name), Values: c.values}
	}
	found := data.Column{Var: bn.Discrete(c.name, c.texts...), States: c.states}
	if c.rule == declared || c.kind == boolean {
		return found
	}
	return found.Natural()
}
