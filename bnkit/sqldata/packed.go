package sqldata

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
)

const (
	// leastPacked are the rows from which columns are packed; fewer are counted in no time.
	leastPacked = 100_000
	// packedUses is how often each column is grouped by, on average, to be worth the time that its codes take.
	packedUses = 2
	// wordBits are those of a whole number that are used, and mostCodes the states that a database looks up fast.
	wordBits  = 62
	mostCodes = 64
)

// A packing has the states of texts numbered by the database, once for each row, and several columns in each of a few
// whole numbers. A grouping is then by bits of these, and not by many texts:
//
//	SELECT GROUPING(c0, c1, …), c0, c1, …, COUNT(*)
//	FROM (SELECT (m0 & 63) AS c0, (m0 & 960) AS c1, …
//	      FROM (SELECT list_position([…], "HISTORY") + list_position([…], "CVP") * 4 … AS m0, … FROM table)) AS cases
//	GROUP BY GROUPING SETS ((c0), (c1, c2), …)
//
// The number of a state is one more than its place, that of NULL follows, and 0 and NULL stand for other texts.
type packing struct {
	words []word
	keys  []key
	parts [][]place // by grouping, then column
}

// A word is the columns that one whole number holds, and where.
type word struct{ columns, shifts []int }

// A key is some bits of a word: those of a grouping's columns.
type key struct {
	word int
	bits int64
}

// A place is where a column is found in the row of a statement: a column of its, and bits in that.
type place struct{ key, shift, width int }

// errUncoded says that a text is none of the states to the letter: it may be a missing cell, or a state with white
// space around it, or none, which only the text tells.
var errUncoded = errors.New("a text is none of the states")

// packed is statement with packed columns, or nil where that cannot be done or is not worth its while.
func (c *Cases) packed(sets [][]int, limit int) *statement {
	if c.dialect.code == nil || c.dialect.UnionAll || len(c.shards) > 0 || c.draws != nil || c.rows < leastPacked ||
		c.uncoded.Load() {
		return nil
	}
	columns := slices.Compact(slices.Sorted(slices.Values(slices.Concat(sets...))))
	uses := 0
	for _, set := range sets {
		uses += len(set)
	}
	if len(columns) == 0 || uses < packedUses*len(columns) {
		return nil
	}
	for _, i := range columns {
		if !c.columns[i].codes() {
			return nil
		}
	}
	s := &statement{fold: -1, pack: c.newPacking(columns, sets)}
	for i := range s.pack.keys {
		s.columns = append(s.columns, i)
	}
	for _, parts := range s.pack.parts {
		var keys []int
		for _, p := range parts {
			keys = append(keys, p.key)
		}
		s.sets = append(s.sets, slices.Compact(slices.Sorted(slices.Values(keys))))
	}
	b := c.builder()
	s.groupingSets(b)
	fmt.Fprintf(b, " LIMIT %d", limit)
	s.text, s.args = b.String(), b.args
	return s
}

// codes reports whether the states of a column can be numbered by the database.
func (c *column) codes() bool {
	return c.kind == text && c.cuts == nil && c.after == nil && c.hash == nil && !c.continuous &&
		len(c.variable.States) <= mostCodes &&
		!slices.ContainsFunc(c.variable.States, func(s string) bool { return strings.ContainsRune(s, 0) })
}

// newPacking gives each column bits of a word, and each grouping a key for each word with columns of its.
func (c *Cases) newPacking(columns []int, sets [][]int) *packing {
	p := &packing{}
	at := make(map[int]place) // by column; key is the word
	used := wordBits
	for _, i := range columns {
		width := bits.Len(uint(len(c.columns[i].variable.States) + 1))
		if used+width > wordBits {
			p.words, used = append(p.words, word{}), 0
		}
		w := &p.words[len(p.words)-1]
		w.columns, w.shifts = append(w.columns, i), append(w.shifts, used)
		at[i] = place{len(p.words) - 1, used, width}
		used += width
	}
	known := make(map[key]int)
	for _, set := range sets {
		of := make([]int64, len(p.words))
		for _, i := range set {
			of[at[i].key] |= (1<<at[i].width - 1) << at[i].shift
		}
		parts := make([]place, len(set))
		for k, i := range set {
			parts[k] = at[i]
			own := key{parts[k].key, of[parts[k].key]}
			if _, ok := known[own]; !ok {
				known[own] = len(p.keys)
				p.keys = append(p.keys, own)
			}
			parts[k].key = known[own]
		}
		p.parts = append(p.parts, parts)
	}
	return p
}

// from writes the table with the keys, and the weights, under names of ours.
func (p *packing) from(b *builder) {
	c := b.cases
	name := func(word int) string { return b.quote(c.mark + "m" + strconv.Itoa(word)) }
	b.WriteString(" FROM (SELECT ")
	for i, k := range p.keys {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "(%s & %d) AS %s", name(k.word), k.bits, b.aliases([]int{i}))
	}
	if c.opts.Weight != "" {
		b.WriteString(", " + b.quote(c.mark+"w"))
	}
	b.WriteString(" FROM (SELECT ")
	for i, w := range p.words {
		if i > 0 {
			b.WriteString(", ")
		}
		for k, column := range w.columns {
			if k > 0 {
				b.WriteString(" + ")
			}
			col := c.columns[column]
			fmt.Fprintf(b, "%s * %d", c.dialect.code(b.quote(col.name), col.variable.States), int64(1)<<w.shifts[k])
		}
		b.WriteString(" AS " + name(i))
	}
	if c.opts.Weight != "" {
		b.WriteString(", ")
		b.weight()
	}
	b.from()
	b.WriteString(") AS " + b.quote("packed") + ") AS " + b.quote("cases"))
}

// states writes the states of a row of a grouping to dst.
func (p *packing) states(dst []bn.State, c *Cases, s *statement, row []any, grouping int, columns []int) ([]bn.State,
	error) {
	dst = dst[:0]
	for k, at := range p.parts[grouping] {
		value := row[s.tags+at.key]
		if value == nil {
			return nil, ownError{errUncoded}
		}
		word, ok := integer(value)
		if !ok {
			return nil, fmt.Errorf("sqldata: a packed number is of the Go type %T", value)
		}
		code, states := int(word>>at.shift&(1<<at.width-1)), len(c.columns[columns[k]].variable.States)
		switch {
		case code == 0 || code > states+1:
			return nil, ownError{errUncoded}
		case code == states+1:
			dst = append(dst, bn.Missing)
		default:
			dst = append(dst, bn.State(code-1))
		}
	}
	return dst, nil
}
