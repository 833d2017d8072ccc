package sqldata

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// drawnCells are counts over some columns in several replicates.
type drawnCells struct {
	*cells           // numbers cells; its list is not used
	at     []uint64  // cells that occur
	n      []float64 // by cell and replicate
}

// drawn counts for the sets of columns by one statement.
func (c *Cases) drawn(ctx context.Context, sets [][]int) ([]*drawnCells, error) {
	s := c.statement(sets, c.opts.MaxRows+1)
	c.scanned(sets)
	out := make([]*drawnCells, len(sets))
	width := len(c.draws)
	what := fmt.Sprintf("counts rows of %d replicates for %d groupings", width, len(sets))
	err := c.send(ctx, len(sets) > 1, what, s.text, s.args, func(rows *sql.Rows) error {
		slots := make([]map[uint64]int, len(sets))
		totals := make([]int64, len(sets))
		for i, set := range sets {
			t, err := c.newCells(set)
			if err != nil {
				return ownError{say.Errorf("sqldata: %w", err)}
			}
			out[i], slots[i] = &drawnCells{cells: t}, make(map[uint64]int)
		}
		var states []bn.State
		err := c.each(rows, func(row []any) error {
			i, err := s.which(row)
			if err != nil {
				return err
			}
			if states, err = c.states(states, s, row, i); err != nil {
				return err
			}
			number, t := uint64(0), out[i]
			for k, state := range states {
				number = number*t.cards[k] + min(uint64(state), t.cards[k]-1)
			}
			slot, ok := slots[i][number]
			if !ok {
				slot = len(t.at)
				slots[i][number] = slot
				t.at, t.n = append(t.at, number), append(t.n, make([]float64, width)...)
			}
			sums := row[len(row)-1-width:]
			for k, value := range sums {
				n, ok := integer(value)
				if !ok && value != nil { // of no rows
					return fmt.Errorf("sqldata: a number of rows is of the Go type %T", value)
				}
				if k == 0 {
					totals[i] += n
				} else {
					t.n[slot*width+k-1] += float64(n)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, total := range totals {
			if total != c.rows {
				return ownError{c.changed(fmt.Sprintf("it had %d rows and has %d", c.rows, total))}
			}
		}
		return nil
	})
	return out, err
}

// fillDrawn returns the counts of a family by replicate.
func (c *Cases) fillDrawn(f *family, t *drawnCells, skip bool) ([]data.FamilyCounts, error) {
	width := len(c.draws)
	sums, skipped := make([]float64, f.size*width), make([]float64, width)
	for slot, number := range t.at {
		at, whole := 0, true
		for i, next := len(t.members)-1, len(f.members)-1; i >= 0; i-- {
			state := number % t.cards[i]
			number /= t.cards[i]
			if next < 0 || f.members[next] != t.members[i] {
				continue
			}
			if state == t.cards[i]-1 {
				if !skip {
					return nil, missingCell(c.columns[t.members[i]].name)
				}
				whole = false
			} else {
				at += int(state) * f.stride[next]
			}
			next--
		}
		to := skipped
		if whole {
			to = sums[at*width : (at+1)*width]
		}
		for k, n := range t.n[slot*width : (slot+1)*width] {
			to[k] += n
		}
	}
	out := make([]data.FamilyCounts, width)
	for k := range out {
		n := make([]float64, f.size)
		for at := range n {
			n[at] = sums[at*width+k]
		}
		out[k] = data.FamilyCounts{Configs: f.counts.Configs, N: n, Skipped: skipped[k]}
	}
	return out, nil
}

// draw writes the name of the i-th hash of a row.
func (b *builder) draw(i int) string { return b.quote(b.cases.mark + "m" + strconv.Itoa(i)) }

// times writes how often a row is drawn in each replicate, summed.
func (b *builder) times() {
	for i := range b.cases.draws {
		b.WriteString(", SUM(CASE")
		for k, below := range poisson {
			fmt.Fprintf(b, " WHEN %s < %d THEN %d", b.draw(i), below, k)
		}
		fmt.Fprintf(b, " ELSE %d END) AS %s", len(poisson), b.quote("r"+strconv.Itoa(i)))
	}
}

// hashed writes the table with the given columns and the hashes of each row:
//
//	FROM (SELECT c0, …, ((a * x0 + b) % p …) AS m0, … FROM (SELECT … AS c0, …, … AS x0 FROM table)) AS cases
func (b *builder) hashed(columns []int) {
	c := b.cases
	x := b.quote(c.mark + "x0")
	b.WriteString(" FROM (SELECT ")
	if len(columns) > 0 {
		b.WriteString(b.aliases(columns) + ", ")
	}
	for i, h := range c.draws {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(h.value(x) + " AS " + b.draw(i))
	}
	b.WriteString(" FROM (SELECT ")
	if b.selected(columns); len(columns) > 0 {
		b.WriteString(", ")
	}
	b.WriteString(c.dialect.residue(c.opts.Key) + " AS " + x)
	b.from()
	fence := c.dialect.fence
	if b.shard != "" { // which group their rows themselves
		fence = ""
	}
	b.WriteString(fence + ") AS " + b.quote("keyed") + fence + ") AS " + b.quote("cases"))
}
