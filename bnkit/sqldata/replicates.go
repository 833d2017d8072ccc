package sqldata

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// poisson are, for a hash below prime, the numbers below which a row is drawn 0, 1, 2, … times: prime times the
// distribution function of Poisson's law of mean 1, rounded. No row is drawn more than twelve times.
var poisson = [...]uint64{790015084, 1580030168, 1975037710, 2106706891, 2139624186, 2146207645, 2147304888,
	2147461637, 2147481231, 2147483408, 2147483625, 2147483645}

const (
	mostDraws      = 256 // replicates that one statement counts for
	mostReplicates = 1e6
)

// Replicates draws n bootstrap replicates of the rows, in the database, and returns their total weights and what counts
// families in all of them at once: by family and then by replicate. In each a row counts as often as a Poisson number
// of mean 1 says that depends on its key (Options.Key), the seed and the number of the replicate only, so that it is
// the same in each database; rows with the same key share it. Replicates are thus of as many rows as there are on
// average (Oza and Russell 2001). A row's numbers in different replicates are independent, and in one replicate those
// of any four keys.
//
// One statement sums for all groupings and 256 replicates, and what was counted is kept for later calls. Without a Key
// count is nil, and so is the error. Errors are those of CountFamilies, and one for rows with weights, which say more
// than how often to draw.
func (c *Cases) Replicates(ctx context.Context, n int, seed uint64) (weights []float64,
	count func(ctx context.Context, families []data.Family, opts *data.CountOptions) ([][]data.FamilyCounts, error),
	err error) {
	switch {
	case c.opts.Key == "":
		return nil, nil, nil
	case n < 1 || n > mostReplicates:
		return nil, nil, fmt.Errorf("sqldata: %d replicates; give a number from 1 to %d", n, int(mostReplicates))
	case c.opts.Weight != "":
		return nil, nil, fmt.Errorf("sqldata: replicates are of rows that count once, and Options name the Weight %q; "+
			"leave out the Key, and the distinct rows are drawn here by their weights", c.opts.Weight)
	case c.sample != nil:
		return nil, nil, fmt.Errorf("sqldata: a plan has no replicates; plan the search itself, which costs as many " +
			"statements or fewer")
	}
	hashes := make([]*hash, n)
	for i := range hashes {
		hashes[i] = newHash(rand.NewPCG(seed, uint64(i)))
	}
	var parts []*Cases // for some replicates each
	for draws := range slices.Chunk(hashes, mostDraws) {
		d := &Cases{db: c.db, dialect: c.dialect, opts: c.opts, from: c.from, shards: c.shards, mark: c.mark,
			columns: c.columns, index: c.index, rows: c.rows, bill: c.bill, draws: draws}
		if d.dialect.UnionAll {
			d.dialect.MaxSets = min(d.dialect.sets(), 8) // each writes the sums anew
		}
		parts = append(parts, d)
		found, err := d.drawn(ctx, [][]int{nil})
		if err != nil {
			return nil, nil, err
		}
		if len(found[0].n) == 0 {
			return nil, nil, fmt.Errorf("sqldata: %w to draw from", data.ErrNoRows)
		}
		weights = append(weights, found[0].n...)
	}
	return weights, (&drawer{cases: c, parts: parts}).count, nil
}

// A drawer counts in replicates, and keeps what it has counted for later calls.
type drawer struct {
	cases *Cases
	parts []*Cases // for some replicates each

	mu   sync.Mutex
	kept []*union // oldest first
}

// A union is a grouping that was counted in all replicates.
type union struct {
	members []int
	parts   []*drawnCells
}

// mostDrawn bounds the numbers that a drawer keeps: 128 MiB.
const mostDrawn = 1 << 24

// of returns the smallest of some unions that a family is a margin of, nil when there is none.
func of(unions []*union, members []int) *union {
	var best *union
	for _, u := range unions {
		if includes(u.members, members) && (best == nil || len(u.parts[0].at) < len(best.parts[0].at)) {
			best = u
		}
	}
	return best
}

// count counts families in all replicates.
func (d *drawer) count(ctx context.Context, families []data.Family, opts *data.CountOptions) (
	[][]data.FamilyCounts, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.cases
	list := make([]*family, len(families))
	var sets [][]int
	seen := make(map[string]bool)
	for i, f := range families {
		var err error
		if list[i], err = c.family(f); err != nil {
			return nil, err
		}
		if name := fmt.Sprint(list[i].members); !seen[name] && of(d.kept, list[i].members) == nil {
			seen[name] = true
			sets = append(sets, list[i].members)
		}
	}
	all := d.kept
	open := merge(sets, c.cards(), c.dialect.MergeCells)
	for batch := range slices.Chunk(open, d.parts[0].dialect.sets()) {
		fresh := make([]*union, len(batch))
		for i, set := range batch {
			fresh[i] = &union{members: set}
		}
		for _, part := range d.parts {
			found, err := part.drawn(ctx, batch)
			if err != nil {
				return nil, err
			}
			for i, t := range found {
				fresh[i].parts = append(fresh[i].parts, t)
			}
		}
		all = append(all, fresh...)
		c.progress(len(all)-len(d.kept), len(open))
	}
	out := make([][]data.FamilyCounts, len(families))
	for i, f := range list {
		u := of(all, f.members)
		for p, part := range d.parts {
			got, err := part.fillDrawn(f, u.parts[p], opts != nil && opts.SkipMissing)
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], got...)
		}
	}
	size := 0
	d.kept = nil
	for _, u := range slices.Backward(all) {
		for _, t := range u.parts {
			size += len(t.n)
		}
		if size > mostDrawn {
			break
		}
		d.kept = append(d.kept, u)
	}
	slices.Reverse(d.kept)
	return out, nil
}

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
	err := c.query(ctx, what, s.text, s.args, func(rows *sql.Rows) error {
		slots := make([]map[uint64]int, len(sets))
		totals := make([]int64, len(sets))
		for i, set := range sets {
			t, err := c.newCells(set)
			if err != nil {
				return ownError{fmt.Errorf("sqldata: %w", err)}
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
