package sqldata

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A statement counts rows for several groupings at once.
type statement struct {
	text    string
	args    []any
	sets    [][]int        // the columns of each grouping, ascending
	columns []int          // all of them, ascending
	tags    int            // cells of a row before those of the columns; they tell the groupings apart
	tagOf   map[string]int // grouping by its tags; nil when there is one grouping
	union   bool           // a row has the columns of its grouping first, not all columns
	fold    int            // the column that says the fold, which then stands before the others; −1 for none
	pack    *packing       // nil when columns stand for themselves, and else these are the packing's keys
}

// statement writes the statement for groupings over the given columns. The names of the
// database stand in the innermost SELECT only; those of the others are ours.
func (c *Cases) statement(sets [][]int, limit int) *statement {
	s := &statement{sets: sets, columns: slices.Compact(slices.Sorted(slices.Values(slices.Concat(sets...)))), fold: -1}
	if last := len(c.columns) - 1; c.columns[last].hash != nil {
		s.fold = last
	}
	b := c.builder()
	if len(c.shards) == 0 && (!c.dialect.UnionAll || len(sets) == 1) {
		s.groupingSets(b)
	} else {
		s.unionAll(b)
	}
	fmt.Fprintf(b, " LIMIT %d", limit)
	s.text, s.args = b.String(), b.args
	return s
}

// maxGrouping is the number of columns that GROUPING takes in every dialect.
const maxGrouping = 31

// groupingSets writes
//
//	SELECT GROUPING(c0, c1, …), c0, c1, …, COUNT(*) FROM (SELECT … FROM table) GROUP BY GROUPING SETS ((c0, c3), …)
func (s *statement) groupingSets(b *builder) {
	b.WriteString("SELECT ")
	if len(s.sets) > 1 {
		s.tagOf = make(map[string]int)
		for part := range slices.Chunk(s.columns, maxGrouping) {
			fmt.Fprintf(b, "GROUPING(%s) AS %s, ", b.aliases(part), b.quote("g"+strconv.Itoa(s.tags)))
			s.tags++
		}
		for i, set := range s.sets {
			s.tagOf[s.tag(set)] = i
		}
	}
	if len(s.columns) > 0 {
		b.WriteString(b.aliases(s.columns) + ", ")
	}
	b.sums()
	if s.pack != nil {
		s.pack.from(b)
	} else {
		b.inner(s.columns)
	}
	if len(s.columns) == 0 {
		return
	}
	b.WriteString(" GROUP BY ")
	if len(s.sets) == 1 {
		b.WriteString(b.aliases(s.columns))
		return
	}
	b.WriteString("GROUPING SETS (")
	for i, set := range s.sets {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(" + b.aliases(set) + ")")
	}
	b.WriteByte(')')
}

// tag is what GROUPING gives for a grouping: a bit for each column, the first one the most
// significant, which is 1 when it is not grouped by.
func (s *statement) tag(set []int) string {
	var tag []byte
	for part := range slices.Chunk(s.columns, maxGrouping) {
		bits := int64(0)
		for _, column := range part {
			bits <<= 1
			if _, in := slices.BinarySearch(set, column); !in {
				bits |= 1
			}
		}
		tag = append(strconv.AppendInt(tag, bits, 10), ' ')
	}
	return string(tag)
}

// unionAll writes SELECT 0, c0, c3, NULL, …, COUNT(*) … UNION ALL SELECT 1, …, each from every shard.
func (s *statement) unionAll(b *builder) {
	s.union, s.tags, s.tagOf = true, 1, make(map[string]int)
	width := 0
	for _, set := range s.sets {
		width = max(width, len(set))
	}
	for i, set := range s.sets {
		s.tagOf[strconv.Itoa(i)+" "] = i
		if i > 0 {
			b.WriteString(" UNION ALL ")
		}
		b.shards(func() {
			first := set
			if at := len(set) - 1; at >= 0 && set[at] == s.fold { // a number may not stand where others have texts
				first = append([]int{s.fold}, set[:at]...)
			}
			fmt.Fprintf(b, "SELECT %d AS %s, ", i, b.quote("g0"))
			if len(set) > 0 {
				b.WriteString(b.aliases(first) + strings.Repeat(", NULL", width-len(set)) + ", ")
			}
			b.sums()
			b.inner(set)
			if len(set) > 0 {
				b.WriteString(" GROUP BY " + b.aliases(set))
			}
		})
	}
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
			return 0, fmt.Errorf("sqldata: the number of a grouping is of the Go type %T", value)
		}
		tag = append(strconv.AppendInt(tag, n, 10), ' ')
	}
	i, ok := s.tagOf[string(tag)]
	if !ok {
		return 0, say.Errorf("sqldata: a row is of the grouping %s, which was not asked for; does the Dialect fit "+
			"the database?", tag)
	}
	return i, nil
}

// value returns what a row of a grouping has in the i-th of its columns.
func (s *statement) value(row []any, grouping, i int) any {
	if set := s.sets[grouping]; s.union && set[len(set)-1] == s.fold {
		return row[s.tags+(i+1)%len(set)]
	}
	if s.union {
		return row[s.tags+i]
	}
	at, _ := slices.BinarySearch(s.columns, s.sets[grouping][i])
	return row[s.tags+at]
}

// states writes the states of a row of a grouping to dst.
func (c *Cases) states(dst []bn.State, s *statement, row []any, grouping int) ([]bn.State, error) {
	dst = dst[:0]
	for i, column := range s.sets[grouping] {
		state, err := c.columns[column].state(s.value(row, grouping, i))
		if err != nil {
			return nil, err
		}
		dst = append(dst, state)
	}
	return dst, nil
}
