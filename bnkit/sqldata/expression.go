package sqldata

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"bnlab/bnkit/bn"
)

// raw writes the column as it is, or the number of its bin.
func (c *column) raw(b *builder) {
	if c.cuts == nil {
		b.WriteString(b.quote(c.name))
		return
	}
	c.cut(b, "NULL", badValue, func(bin int) int { return bin })
}

// cut writes a CASE that gives each number what its bin gives, and NaN what NULL gives. Numbers
// are compared as 64-bit floating point, as in memory; those of the cut points read back the same.
func (c *column) cut(b *builder, missing string, bad int, bin func(int) int) {
	d := b.cases.dialect
	x := "CAST(" + b.quote(c.name) + " AS " + d.Double + ")"
	fmt.Fprintf(b, "CASE WHEN %s IS NULL THEN %s WHEN %s < %s THEN %d", b.quote(c.name), missing, x, literal(-math.MaxFloat64), bad)
	below := "<="
	if c.cuts.LeftClosed {
		below = "<"
	}
	for i, at := range c.cuts.Cuts {
		fmt.Fprintf(b, " WHEN %s %s %s THEN %d", x, below, literal(at), bin(i))
	}
	fmt.Fprintf(b, " WHEN %s <= %s THEN %d", x, literal(math.MaxFloat64), bin(len(c.cuts.Cuts)))
	if d.IsNaN != nil {
		fmt.Fprintf(b, " WHEN %s THEN %s", d.IsNaN(x), missing)
	}
	fmt.Fprintf(b, " ELSE %d END", bad)
}

// codable reports whether the database can turn the column into numbers of states: the texts
// of its values must be known.
func (c *column) codable() bool { return c.cuts != nil || c.kind != number }

// code writes a CASE that gives the number of the state, the cardinality for a missing value
// and one more for what is no state. Texts are arguments.
func (c *column) code(b *builder) {
	missing := c.variable.Cardinality()
	if c.cuts != nil {
		c.cut(b, strconv.Itoa(missing), missing+1, func(bin int) int { return int(c.bins[bin]) })
		return
	}
	x := b.quote(c.name)
	if c.kind == truth {
		x = "CAST(" + x + " AS VARCHAR)"
	}
	when := "CASE " + x
	texts := c.known()
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		value := ""
		if c.kind == whole {
			n, err := strconv.ParseInt(text, 10, 64)
			if value = strconv.FormatInt(n, 10); err != nil || value != text {
				continue // no whole number prints so
			}
		} else {
			value = b.arg(text)
		}
		state := int(texts[text])
		if texts[text] == bn.Missing {
			state = missing
		}
		fmt.Fprintf(b, "%s WHEN %s THEN %d", when, value, state)
		when = ""
	}
	if when == "" {
		b.WriteString(" ELSE ")
		defer b.WriteString(" END")
	}
	fmt.Fprintf(b, "CASE WHEN %s IS NULL THEN %d ELSE %d END", x, missing, missing+1)
}

// known are the texts whose states are known: labels, signs for a missing value, and what has
// been met in the data.
func (c *column) known() map[string]bn.State {
	texts := make(map[string]bn.State)
	for _, text := range slices.Concat(c.labels(), c.missing, []string{""}) {
		if s, err := c.find(text); err == nil {
			texts[text] = s
		}
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	maps.Copy(texts, c.texts)
	return texts
}
