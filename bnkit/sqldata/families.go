package sqldata

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// A family is what has to be counted for a [data.Family].
type family struct {
	members []int // columns, ascending
	stride  []int // of a member's state in the counts
	size    int
	counts  data.FamilyCounts
}

// maxCells bounds the counts of one family (8 GiB of them).
const maxCells = 1 << 30

// CountFamilies counts the rows for all families. Families over the same columns are counted
// once, those that are margins of others are summed here, and those of earlier calls are kept
// (Options.CacheCells). The rest takes one statement for every Dialect.MaxSets groupings, after
// groupings were joined by Dialect.MergeCells; of wide families only the combinations of states
// that occur are fetched.
//
// States are numbered as in Variables. Without opts a missing cell in a column of the families
// is an error ([data.ErrMissing]). It returns an error for an unknown column
// ([bn.ErrUnknownVariable]) or state ([bn.ErrUnknownState]), a family with more than 2^30 counts, a table
// with another number of rows than when it was opened ([errChanged]), more statements or rows
// than Options allow ([bn.ErrTooLarge]), and a [*statementError] for what the database refuses.
func (c *Cases) CountFamilies(ctx context.Context, families []data.Family,
	opts *data.CountOptions) ([]data.FamilyCounts, error) {
	return c.countFamilies(ctx, families, opts, nil)
}

// countFamilies counts in a part, in all rows for nil.
func (c *Cases) countFamilies(ctx context.Context, families []data.Family, opts *data.CountOptions,
	p *part) ([]data.FamilyCounts, error) {
	if opts == nil {
		opts = &data.CountOptions{}
	}
	list := make([]*family, len(families))
	sets := make([][]int, len(families))
	for i, f := range families {
		var err error
		if list[i], err = c.family(f); err != nil {
			return nil, err
		}
		if sets[i] = list[i].members; p != nil {
			sets[i] = p.set(sets[i])
		}
	}
	found, err := c.count(ctx, sets)
	if err != nil {
		return nil, err
	}
	out := make([]data.FamilyCounts, len(families))
	if p != nil {
		own := make(map[*cells]*cells)
		for i, t := range found {
			if own[t] == nil {
				own[t] = p.own(t)
			}
			found[i] = own[t]
		}
	}
	margins := make(map[string]*cells)
	digits := make(map[*cells][][]bn.State)
	for i, f := range list {
		name := fmt.Sprint(f.members)
		m := margins[name]
		if m == nil {
			if digits[found[i]] == nil {
				digits[found[i]] = found[i].digits()
			}
			m = found[i].margin(f.members, digits[found[i]])
			margins[name] = m
		}
		if err := c.fill(f, m, opts.SkipMissing); err != nil {
			return nil, err
		}
		out[i] = f.counts
	}
	return out, nil
}

// family finds the columns of a family.
func (c *Cases) family(f data.Family) (*family, error) {
	names := append([]string{f.Child}, f.Parents...)
	at := make([]int, len(names))
	cards := make([]int, len(names))
	for i, name := range names {
		var err error
		if at[i], err = c.find(name); err != nil {
			return nil, err
		}
		if slices.Contains(names[:i], name) {
			return nil, say.Errorf("sqldata: family of %q: %w: the parent %q is named twice or is the child", f.Child,
				bn.ErrDuplicate, name)
		}
		if c.columns[at[i]].continuous {
			return nil, say.Errorf("sqldata: family of %q: column %q: %w, and is not counted", f.Child, name,
				bn.ErrNotDiscrete)
		}
		cards[i] = c.columns[at[i]].variable.Cardinality()
	}
	out := &family{members: slices.Sorted(slices.Values(at))}
	var err error
	if out.counts.Configs, err = bn.NewConfigs(cards[1:]...); err != nil {
		return nil, say.Errorf("sqldata: family of %q: %w", f.Child, err)
	}
	if out.counts.Configs.Len() > maxCells/cards[0] {
		return nil, say.Errorf("sqldata: the family of %q has %d configurations of %d states, too many to count",
			f.Child, out.counts.Configs.Len(), cards[0])
	}
	if _, err := c.newCells(out.members); err != nil {
		return nil, say.Errorf("sqldata: family of %q: %w", f.Child, err)
	}
	out.size = out.counts.Configs.Len() * cards[0]
	for _, m := range out.members {
		stride := 1
		if i := slices.Index(at, m); i > 0 {
			stride = out.counts.Configs.Stride(i-1) * cards[0]
		}
		out.stride = append(out.stride, stride)
	}
	return out, nil
}

// find returns the column of a variable.
func (c *Cases) find(name string) (int, error) {
	if i, ok := c.index[name]; ok {
		return i, nil
	}
	names := make([]string, len(c.columns))
	for i, col := range c.columns {
		names[i] = col.variable.Name
	}
	return 0, say.Errorf("sqldata: %w: no column %q (there are: %s)", bn.ErrUnknownVariable, name,
		say.List(names))
}

func missingCell(column string) error {
	return &data.ValueError{Name: column,
		Err: fmt.Errorf("%w; set CountOptions.SkipMissing to leave such rows out", data.ErrMissing)}
}

// fill writes the counts of a family.
func (c *Cases) fill(f *family, t *cells, skip bool) error {
	n := make([]float64, f.size)
	for _, x := range t.list {
		at, rest, whole := 0, x.at, true
		for i := len(f.members) - 1; i >= 0; i-- {
			s := rest % t.cards[i]
			rest /= t.cards[i]
			if s == t.cards[i]-1 {
				if !skip {
					return missingCell(c.columns[f.members[i]].name)
				}
				whole = false
			}
			at += int(s) * f.stride[i]
		}
		if whole {
			n[at] += x.n
		} else {
			f.counts.Skipped += x.n
		}
	}
	f.counts.N = n
	return nil
}

// count returns counts that include each of the sets of columns.
func (c *Cases) count(ctx context.Context, sets [][]int) ([]*cells, error) {
	found := make([]*cells, len(sets))
	var open [][]int
	asked := make(map[string]bool)
	c.mu.Lock()
	for i, set := range sets {
		if found[i] = c.cache.find(set); found[i] != nil || asked[fmt.Sprint(set)] {
			continue
		}
		asked[fmt.Sprint(set)] = true
		open = append(open, set)
	}
	c.mu.Unlock()
	cards := c.cards()
	c.mu.Lock()
	seen := c.seen
	c.mu.Unlock()
	merged, bySeen := merge(open, cards, c.dialect.MergeCells), false
	if most := c.dialect.occurring; seen != nil && most > 0 && c.dialect.MergeCells > 0 {
		if fewer := seen.merge(open, cards, float64(most)); len(fewer) < len(merged) {
			merged, bySeen = fewer, true
		}
	}
	open = merged
	var fresh store
	err := c.batches(open, math.Inf(1), func(batch [][]int, done int) error {
		got, err := c.countBatch(ctx, batch)
		if err != nil {
			return err
		}
		c.mu.Lock()
		for _, t := range got {
			fresh.add(t, len(t.list)+fresh.size)
			c.cache.add(t, c.opts.CacheCells)
		}
		c.mu.Unlock()
		c.progress(done, len(open))
		return nil
	})
	if bySeen && err != nil && (errors.Is(err, bn.ErrTooLarge) || exhausted(err)) { // more occur than were foreseen
		c.mu.Lock()
		c.seen = nil
		c.mu.Unlock()
		return c.count(ctx, sets)
	}
	if err != nil {
		return nil, err
	}
	for i, set := range sets {
		if found[i] == nil {
			found[i] = fresh.find(set)
		}
	}
	return found, nil
}

// batches has the sets counted, so many at once as one statement takes and as have no more cells together than given,
// or one set. After the database had not the memory for several it is asked for half as many.
func (c *Cases) batches(sets [][]int, cells float64, count func(batch [][]int, done int) error) error {
	for done := 0; done < len(sets); {
		n, sum := 0, 0.0
		for most := min(c.setsAtOnce(), len(sets)-done); n < most; n++ {
			if sum += c.most(sets[done+n]); n > 0 && sum > cells {
				break
			}
		}
		err := count(sets[done:done+n], done+n)
		switch {
		case err == nil:
			done += n
		case n > 1 && exhausted(err):
			c.fewerAtOnce(n / 2)
		default:
			return err
		}
	}
	return nil
}

// most is how many cells of a set may occur.
func (c *Cases) most(set []int) float64 { return min(product(set, c.cards(), 1), float64(c.rows)) }

// setsAtOnce is the number of groupings for one statement: the dialect's, or fewer after the database had not the
// memory for as many.
func (c *Cases) setsAtOnce() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.atOnce > 0 {
		return c.atOnce
	}
	return c.dialect.sets()
}

func (c *Cases) fewerAtOnce(most int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.atOnce == 0 || most < c.atOnce { // others may have failed with fewer by now
		c.atOnce = most
	}
}

// progress tells how many groupings are done.
func (c *Cases) progress(done, of int) {
	if c.opts.Progress == nil {
		return
	}
	c.bill.telling.Lock()
	defer c.bill.telling.Unlock()
	c.opts.Progress(done, of, c.Cost())
}

// countBatch counts for the sets of columns by one statement.
func (c *Cases) countBatch(ctx context.Context, sets [][]int) ([]*cells, error) {
	out := make([]*cells, len(sets))
	for i, set := range sets {
		var err error
		if out[i], err = c.newCells(set); err != nil {
			return nil, say.Errorf("sqldata: %w", err)
		}
	}
	start := func() {
		for _, t := range out {
			t.list = t.list[:0]
		}
	}
	if err := c.groups(ctx, sets, start, func(g group) { out[g.grouping].add(g.states, g.weight) }); err != nil {
		return nil, err
	}
	for _, t := range out {
		t.tidy()
	}
	return out, nil
}
