package sqldata

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A builder writes a statement from left to right, and with it its arguments.
type builder struct {
	strings.Builder
	cases *Cases
	args  []any
	shard string // in place of the table
}

func (c *Cases) builder() *builder {
	b := &builder{cases: c}
	if c.dialect.Numbered {
		b.args = slices.Clone(c.opts.Args)
	}
	return b
}

func (b *builder) quote(name string) string { return b.cases.dialect.quote(name) }

// from writes the table or query. Arguments that go by their places stand as often as it does.
func (b *builder) from() {
	from := b.cases.from
	if b.shard != "" {
		from = b.shard
	}
	if b.cases.first > 0 {
		from = fmt.Sprintf("(SELECT * FROM %s LIMIT %d) AS %s", from, b.cases.first, b.quote("part"))
	}
	b.WriteString(" FROM " + from)
	if !b.cases.dialect.Numbered {
		b.args = append(b.args, b.cases.opts.Args...)
	}
}

// shards calls write once for the table, or once for each of its shards, with UNION ALL between them.
func (b *builder) shards(write func()) {
	parts := b.cases.shards
	if len(parts) == 0 {
		parts = []string{""}
	}
	for i, part := range parts {
		if i > 0 {
			b.WriteString(" UNION ALL ")
		}
		b.shard = part
		write()
	}
	b.shard = ""
}

// sums is what is summed in each group: the rows, and their weights.
func (b *builder) sums() {
	b.WriteString("COUNT(*) AS " + b.quote("n"))
	b.times()
	if b.cases.opts.Weight != "" {
		b.WriteString(", SUM(" + b.quote(b.cases.mark+"w") + ") AS " + b.quote("s"))
	}
}

// inner writes the table with the given columns, and the weights, under names of ours.
func (b *builder) inner(columns []int) {
	if b.cases.draws != nil {
		b.hashed(columns)
		return
	}
	b.WriteString(" FROM (SELECT ")
	b.selected(columns)
	b.from()
	b.WriteString(") AS " + b.quote("cases"))
}

func (b *builder) selected(columns []int) {
	for i, column := range columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.expression(b.cases.columns[column])
		b.WriteString(" AS " + b.aliases([]int{column}))
	}
	if b.cases.opts.Weight != "" {
		b.WriteString(", ")
		b.weight()
	}
}

func (b *builder) weight() {
	fmt.Fprintf(b, "CAST(%s AS %s) AS %s", b.quote(b.cases.opts.Weight), b.cases.dialect.Double,
		b.quote(b.cases.mark+"w"))
}

// aliases are our names of columns.
func (b *builder) aliases(columns []int) string {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = b.quote(b.cases.mark + "c" + strconv.Itoa(column))
	}
	return strings.Join(names, ", ")
}

// markFor returns what our names have to begin with so that no column of the table has one of
// them: ClickHouse would read our name where the column is meant. Capitals make no difference.
func markFor(names []string) string {
	mark := ""
	for slices.ContainsFunc(names, func(name string) bool {
		rest, begins := strings.CutPrefix(strings.ToLower(name), mark)
		return begins && (rest == "w" || len(rest) > 1 && strings.Contains("cmx", rest[:1]) &&
			strings.Trim(rest[1:], "0123456789") == "")
	}) {
		mark += "_"
	}
	return mark
}

// expression writes a column as it is, or a CASE that gives the number of the bin: NULL for
// NULL and NaN, badBin for an infinite number. Numbers are compared as 64-bit floating point,
// as in memory; the cut points, which are ours, are written so that they read back the same.
func (b *builder) expression(c *column) {
	name := b.quote(c.name)
	d := b.cases.dialect
	if c.hash != nil {
		b.WriteString(c.hash.remainder(d.residue(c.name), len(c.variable.States)))
		return
	}
	if c.cuts == nil {
		if c.kind == text && d.Text != nil {
			name = d.Text(name)
		}
		b.WriteString(name)
		return
	}
	x := d.number(name, c.kind)
	fmt.Fprintf(b, "CASE WHEN %s IS NULL THEN NULL WHEN %s < %s THEN %d", name, x, literal(-math.MaxFloat64), badBin)
	below := "<="
	if c.cuts.LeftClosed {
		below = "<"
	}
	for bin, at := range c.cuts.Cuts {
		fmt.Fprintf(b, " WHEN %s %s %s THEN %d", x, below, literal(at), bin)
	}
	fmt.Fprintf(b, " WHEN %s <= %s THEN %d", x, literal(math.MaxFloat64), len(c.cuts.Cuts))
	if d.IsNaN != nil {
		fmt.Fprintf(b, " WHEN %s THEN NULL", d.IsNaN(x))
	}
	fmt.Fprintf(b, " ELSE %d END", badBin)
}
