package sqldata

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
)

// A grouping is one GROUP BY of a statement, over the columns members, ascending.
type grouping struct {
	members []int
	keys    []int // into statement.keys
}

// A key is what the database groups by: one column, or the states of some packed into a number,
//
//	Σ state · Π (cardinality + 2 of the members after),
//
// where the cardinality stands for missing, and the number after it for what is no state.
type key struct {
	members []int
	packed  bool
}

// maxPacked bounds a packed key, so that it is a 32-bit integer in the database.
const maxPacked = 1 << 31

// A statement counts rows for several groupings.
type statement struct {
	text      string
	args      []any
	keys      []key
	groupings []grouping
	tags      int            // columns before the keys that tell the groupings apart
	tagOf     map[string]int // grouping by its tags
	union     bool           // the keys of each grouping come first, not those of all
}

// A builder writes a statement from left to right, and with it its arguments.
type builder struct {
	strings.Builder
	cases *Cases
	args  []any
}

func (c *Cases) builder() *builder {
	b := &builder{cases: c}
	if c.dialect.isNumbered() {
		b.args = slices.Clone(c.opts.Args) // the user has numbered them from 1
	}
	return b
}

// arg adds an argument and returns its placeholder.
func (b *builder) arg(value any) string {
	b.args = append(b.args, value)
	return b.cases.dialect.placeholder(len(b.args))
}

func (b *builder) quote(name string) string { return b.cases.dialect.quote(name) }

// from writes the table or query.
func (b *builder) from() {
	b.WriteString(" FROM " + b.cases.from)
	if !b.cases.dialect.isNumbered() {
		b.args = append(b.args, b.cases.opts.Args...)
	}
}

// count is what is summed in each group: the rows, and their weights.
func (b *builder) count() {
	b.WriteString(`COUNT(*) AS "n"`)
	if b.cases.opts.Weight != "" {
		b.WriteString(`, SUM("w") AS "s"`)
	}
}

func alias(letter string, i int) string { return `"` + letter + strconv.Itoa(i) + `"` }

// statement writes the statement for the groupings over the given columns. The database's
// names stand in the innermost SELECT only. Packed: where columns allow it, by packed keys.
func (c *Cases) statement(sets [][]int, packed bool, limit int) *statement {
	s := &statement{}
	place := make(map[string]int)
	for _, members := range sets {
		g := grouping{members: members}
		for _, k := range c.keys(members, packed) {
			name := fmt.Sprint(k.members)
			at, ok := place[name]
			if !ok {
				at = len(s.keys)
				place[name] = at
				s.keys = append(s.keys, k)
			}
			g.keys = append(g.keys, at)
		}
		s.groupings = append(s.groupings, g)
	}
	b := c.builder()
	if c.dialect.Batch == GroupingSets || len(sets) == 1 {
		s.groupingSets(b)
	} else {
		s.unionAll(b)
	}
	fmt.Fprintf(b, " LIMIT %d", limit)
	s.text, s.args = b.String(), b.args
	return s
}

// keys are what a grouping over the members is by.
func (c *Cases) keys(members []int, packed bool) []key {
	var keys []key
	room := 0
	for _, m := range members {
		col := c.columns[m]
		states := col.variable.Cardinality() + 2
		switch {
		case !packed || !col.codable():
			keys = append(keys, key{members: []int{m}})
			room = 0
		case room < states:
			keys = append(keys, key{members: []int{m}, packed: true})
			room = maxPacked / states
		default:
			last := &keys[len(keys)-1]
			last.members = append(last.members, m)
			room /= states
		}
	}
	return keys
}

// maxGrouping is the number of columns that GROUPING takes in each dialect.
const maxGrouping = 31

// groupingSets writes SELECT GROUPING(…), keys, COUNT(*) FROM (…) GROUP BY GROUPING SETS (…).
func (s *statement) groupingSets(b *builder) {
	b.WriteString("SELECT ")
	names := make([]string, len(s.keys))
	for i := range s.keys {
		names[i] = alias("k", i)
	}
	if len(s.groupings) > 1 {
		s.tagOf = make(map[string]int)
		for part := range slices.Chunk(names, maxGrouping) {
			fmt.Fprintf(b, "GROUPING(%s) AS %s, ", strings.Join(part, ", "), alias("g", s.tags))
			s.tags++
		}
		for i, g := range s.groupings {
			s.tagOf[s.tag(g.keys)] = i
		}
	}
	b.WriteString(strings.Join(names, ", ") + ", ")
	b.count()
	s.inner(b, names, s.all())
	if len(s.groupings) == 1 {
		b.WriteString(" GROUP BY " + strings.Join(names, ", "))
		return
	}
	b.WriteString(" GROUP BY GROUPING SETS (")
	for i, g := range s.groupings {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteByte('(')
		for j, k := range g.keys {
			if j > 0 {
				b.WriteString(", ")
			}
			b.WriteString(names[k])
		}
		b.WriteByte(')')
	}
	b.WriteByte(')')
}

// tag is what GROUPING gives for a grouping by some keys: a bit for each key, the first one the
// most significant, which is 1 when it is not grouped by.
func (s *statement) tag(keys []int) string {
	var tag []byte
	for lo := 0; lo < len(s.keys); lo += maxGrouping {
		bits := int64(0)
		for k := lo; k < min(lo+maxGrouping, len(s.keys)); k++ {
			bits <<= 1
			if !slices.Contains(keys, k) {
				bits |= 1
			}
		}
		tag = append(strconv.AppendInt(tag, bits, 10), ' ')
	}
	return string(tag)
}

// unionAll writes SELECT 0, keys, NULL …, COUNT(*) … UNION ALL SELECT 1, …; the keys of each
// grouping stand first.
func (s *statement) unionAll(b *builder) {
	s.union, s.tags, s.tagOf = true, 1, make(map[string]int)
	width := 0
	for i, g := range s.groupings {
		s.tagOf[strconv.Itoa(i)+" "] = i
		width = max(width, len(g.keys))
	}
	for i, g := range s.groupings {
		if i > 0 {
			b.WriteString(" UNION ALL ")
		}
		names := make([]string, len(g.keys))
		fmt.Fprintf(b, `SELECT %d AS "g0"`, i)
		for j := range width {
			name := "NULL"
			if j < len(g.keys) {
				names[j] = alias("k", j)
				name = names[j]
			}
			b.WriteString(", " + name)
		}
		b.WriteString(", ")
		b.count()
		s.inner(b, names, g.keys)
		b.WriteString(" GROUP BY " + strings.Join(names, ", "))
	}
}

// all are the numbers of all keys.
func (s *statement) all() []int {
	list := make([]int, len(s.keys))
	for i := range list {
		list[i] = i
	}
	return list
}

// inner writes the table with the keys as columns of the given names. Packed keys take one
// more SELECT, so that each column is turned into numbers once.
func (s *statement) inner(b *builder, names []string, keys []int) {
	c := b.cases
	packed := slices.ContainsFunc(keys, func(k int) bool { return s.keys[k].packed })
	b.WriteString(" FROM (SELECT ")
	for i, k := range keys {
		if i > 0 {
			b.WriteString(", ")
		}
		switch key := s.keys[k]; {
		case key.packed:
			b.WriteString(c.pack(key))
		case packed:
			b.WriteString(alias("c", key.members[0]))
		default:
			c.columns[key.members[0]].raw(b)
		}
		b.WriteString(" AS " + names[i])
	}
	weight := ""
	if c.opts.Weight != "" {
		weight = fmt.Sprintf(`CAST(%s AS %s)`, b.quote(c.opts.Weight), c.dialect.Double)
	}
	if !packed {
		if weight != "" {
			b.WriteString(", " + weight + ` AS "w"`)
		}
		b.from()
		b.WriteString(`) AS "cases"`)
		return
	}
	if weight != "" {
		b.WriteString(`, "w"`)
	}
	b.WriteString(" FROM (SELECT ")
	written := make(map[int]bool)
	for _, k := range keys {
		for _, m := range s.keys[k].members {
			if written[m] {
				continue
			}
			if len(written) > 0 {
				b.WriteString(", ")
			}
			written[m] = true
			if s.keys[k].packed {
				c.columns[m].code(b)
			} else {
				c.columns[m].raw(b)
			}
			b.WriteString(" AS " + alias("c", m))
		}
	}
	if weight != "" {
		b.WriteString(", " + weight + ` AS "w"`)
	}
	b.from()
	b.WriteString(`) AS "codes") AS "cases"`)
}

// pack writes the number of a packed key.
func (c *Cases) pack(k key) string {
	var b strings.Builder
	stride := 1
	for i := len(k.members) - 1; i >= 0; i-- {
		if b.Len() > 0 {
			b.WriteString(" + ")
		}
		b.WriteString(alias("c", k.members[i]))
		if stride > 1 {
			fmt.Fprintf(&b, " * %d", stride)
		}
		stride *= c.columns[k.members[i]].variable.Cardinality() + 2
	}
	return b.String()
}

// which returns the grouping of a row.
func (s *statement) which(row []any) (int, error) {
	if s.tagOf == nil {
		return 0, nil
	}
	var tag []byte
	for _, value := range row[:s.tags] {
		n, ok := integer(value)
		if !ok {
			return 0, fmt.Errorf("the number of a grouping is of the Go type %T", value)
		}
		tag = append(strconv.AppendInt(tag, n, 10), ' ')
	}
	i, ok := s.tagOf[string(tag)]
	if !ok {
		return 0, fmt.Errorf("a row is of the grouping %s, which was not asked for", tag)
	}
	return i, nil
}

// key returns the value of the i-th key of a grouping.
func (s *statement) key(row []any, g *grouping, i int) any {
	if s.union {
		return row[s.tags+i]
	}
	return row[s.tags+g.keys[i]]
}

// An unknownCode is a value that the statement had no number for.
type unknownCode struct{ column int }

func (e unknownCode) Error() string {
	return fmt.Sprintf("column %d has a value that is no state", e.column+1)
}

// states writes the states of a row's grouping to dst, in the order of its members.
func (c *Cases) states(dst []bn.State, s *statement, g *grouping, row []any) ([]bn.State, error) {
	dst = dst[:0]
	for i, k := range g.keys {
		key := s.keys[k]
		value := s.key(row, g, i)
		if !key.packed {
			state, err := c.columns[key.members[0]].state(value)
			if err != nil {
				return nil, err
			}
			dst = append(dst, state)
			continue
		}
		number, ok := integer(value)
		if !ok {
			return nil, fmt.Errorf("sqldata: a packed number is of the Go type %T", value)
		}
		at := len(dst)
		dst = append(dst, make([]bn.State, len(key.members))...)
		for j := len(key.members) - 1; j >= 0; j-- {
			col := c.columns[key.members[j]]
			states := int64(col.variable.Cardinality())
			state := number % (states + 2)
			number /= states + 2
			switch {
			case state == states:
				dst[at+j] = bn.Missing
			case state > states:
				return nil, unknownCode{key.members[j]}
			default:
				dst[at+j] = bn.State(state)
			}
		}
	}
	return dst, nil
}
