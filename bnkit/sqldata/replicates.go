package sqldata

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"bnlab/bnkit/data"
	"bnlab/internal/say"
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
// families in those from … to−1 at once, by number: by family and then by replicate. In each a row counts as often as a
// Poisson number of mean 1 says that depends on its key (Options.Key), the seed and the number of the replicate only,
// so that it is the same in each database; rows with the same key share it. Replicates are thus of as many rows as
// there are on average (Oza and Russell 2001). A row's numbers in different replicates are independent, and in one
// replicate those of any four keys.
//
// One statement sums for Dialect.MaxSets groupings and 256 replicates, or for fewer, so that the numbers it fetches are
// no more than Options.MaxRows; what was counted in all of the 256 is kept for later calls. Without a Key count is nil,
// and so is the error. Errors are those of CountFamilies, one for rows with weights, which say more than how often to
// draw, and [data.ErrNoRows] for a replicate without rows, as few keys give: k keys one in e^k.
func (c *Cases) Replicates(ctx context.Context, n int, seed uint64) (weights []float64,
	count func(ctx context.Context, families []data.Family, opts *data.CountOptions, from, to int) (
		[][]data.FamilyCounts, error), err error) {
	switch {
	case c.opts.Key == "":
		return nil, nil, nil
	case n < 1 || n > mostReplicates:
		return nil, nil, fmt.Errorf("sqldata: %d replicates; give a number from 1 to %d", n, int(mostReplicates))
	case c.opts.Weight != "":
		return nil, nil, say.Errorf("sqldata: replicates are of rows that count once, and Options name the Weight %q; "+
			"leave out the Key, and the distinct rows are drawn here by their weights", c.opts.Weight)
	case c.sample != nil:
		return nil, nil, fmt.Errorf("sqldata: a plan has no replicates; plan the search itself, which costs as many " +
			"statements or fewer")
	}
	hashes := make([]*hash, n)
	for i := range hashes {
		hashes[i] = newHash(rand.NewPCG(seed, uint64(i)))
	}
	d := &drawer{cases: c, n: n}
	for draws := range slices.Chunk(hashes, mostDraws) {
		part := c.drawing(draws)
		d.parts = append(d.parts, part)
		found, err := part.drawn(ctx, [][]int{nil})
		if err != nil {
			return nil, nil, err
		}
		if len(found[0].n) == 0 {
			return nil, nil, fmt.Errorf("sqldata: %w to draw from", data.ErrNoRows)
		}
		weights = append(weights, found[0].n...)
	}
	if empty := slices.Index(weights, 0); empty >= 0 {
		return nil, nil, say.Errorf("sqldata: %w in replicate %d of %d: the %d rows have too few different keys in "+
			"%q; leave out the Key, and the distinct rows are drawn here", data.ErrNoRows, empty+1, n, c.rows,
			c.opts.Key)
	}
	d.kept = make([][]*drawnCells, len(d.parts))
	return weights, d.count, nil
}

// drawing returns the cases with sums for some replicates.
func (c *Cases) drawing(draws []*hash) *Cases {
	d := &Cases{db: c.db, dialect: c.dialect, opts: c.opts, from: c.from, shards: c.shards, mark: c.mark,
		columns: c.columns, index: c.index, rows: c.rows, bill: c.bill, draws: draws}
	if d.dialect.UnionAll {
		d.dialect.MaxSets = min(d.dialect.sets(), 8) // each writes the sums anew
	}
	return d
}

// A drawer counts in replicates, and keeps what it has counted for later calls.
type drawer struct {
	cases *Cases
	n     int
	parts []*Cases // for some replicates each

	mu   sync.Mutex
	kept [][]*drawnCells // by part, oldest first
}

// mostDrawn bounds the numbers that a drawer keeps: 128 MiB.
const mostDrawn = 1 << 24

// smallest returns the smallest of some tables that a family is a margin of, nil when there is none.
func smallest(tables []*drawnCells, members []int) *drawnCells {
	var best *drawnCells
	for _, t := range tables {
		if includes(t.members, members) && (best == nil || len(t.at) < len(best.at)) {
			best = t
		}
	}
	return best
}

// count counts families in the replicates from … to−1.
func (d *drawer) count(ctx context.Context, families []data.Family, opts *data.CountOptions, from, to int) (
	[][]data.FamilyCounts, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if from < 0 || to <= from || to > d.n {
		return nil, fmt.Errorf("sqldata: replicates %d to %d to count in; there are 0 to %d", from, to-1, d.n-1)
	}
	list := make([]*family, len(families))
	for i, f := range families {
		var err error
		if list[i], err = d.cases.family(f); err != nil {
			return nil, err
		}
	}
	a := &drawnCall{drawer: d, list: list, out: make([][]data.FamilyCounts, len(families)),
		skip: opts != nil && opts.SkipMissing, from: from, to: to}
	for p := from / mostDraws; p*mostDraws < to; p++ {
		if err := a.countPart(ctx, p); err != nil {
			return nil, err
		}
	}
	return a.out, nil
}

// A drawnCall is a call of count.
type drawnCall struct {
	*drawer
	list     []*family
	out      [][]data.FamilyCounts // by family and replicate, so far
	skip     bool
	from, to int
}

// countPart adds the counts in the replicates of a part. A statement is for so few groupings, or else for so few of
// the replicates, that the numbers fetched are no more than Options.MaxRows.
func (a *drawnCall) countPart(ctx context.Context, p int) error {
	d, list := a.drawer, a.list
	c, part, kept := d.cases, d.parts[p], d.kept[p]
	lo, hi := max(a.from-p*mostDraws, 0), min(a.to-p*mostDraws, len(part.draws))
	all := hi-lo == len(part.draws)
	if !all {
		part, kept = c.drawing(part.draws[lo:hi]), nil
	}
	filled := make([]bool, len(list))
	fill := func(q *Cases, tables []*drawnCells) error {
		for i, f := range list {
			t := smallest(tables, f.members)
			if filled[i] || t == nil {
				continue
			}
			got, err := q.fillDrawn(f, t, a.skip)
			if err != nil {
				return err
			}
			a.out[i] = append(a.out[i], got...)
		}
		return nil
	}
	mark := func(tables []*drawnCells) {
		for i, f := range list {
			filled[i] = filled[i] || smallest(tables, f.members) != nil
		}
	}
	if err := fill(part, kept); err != nil {
		return err
	}
	mark(kept)
	var sets [][]int
	seen := make(map[string]bool)
	for i, f := range list {
		if name := fmt.Sprint(f.members); !filled[i] && !seen[name] {
			seen[name] = true
			sets = append(sets, f.members)
		}
	}
	open := merge(sets, c.cards(), c.dialect.MergeCells)
	width := len(part.draws)
	// All parts ask for as many at once: the first one knows how many.
	return d.parts[0].batches(open, float64(c.opts.MaxRows/width), func(batch [][]int, done int) error {
		few := width
		if len(batch) == 1 {
			few = int(max(1, min(float64(width), float64(c.opts.MaxRows)/part.most(batch[0]))))
		}
		var found []*drawnCells
		for draws := range slices.Chunk(part.draws, few) {
			q := part
			if few < width {
				q = c.drawing(draws)
			}
			var err error
			if found, err = q.drawn(ctx, batch); err != nil {
				return err
			}
			if err = fill(q, found); err != nil {
				return err
			}
		}
		mark(found)
		if all && few == width {
			d.keep(p, found)
		}
		first := a.from / mostDraws
		c.progress((p-first)*len(open)+done, ((a.to-1)/mostDraws-first+1)*len(open))
		return nil
	})
}

// keep keeps the last of what was counted for a part.
func (d *drawer) keep(p int, found []*drawnCells) {
	all := append(d.kept[p], found...)
	size, from := 0, len(all)
	for ; from > 0; from-- {
		if size += len(all[from-1].n); size > mostDrawn/len(d.parts) {
			break
		}
	}
	d.kept[p] = slices.Clone(all[from:])
}
