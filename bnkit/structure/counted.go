package structure

import (
	"context"
	"slices"
	"sync/atomic"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/internal/count"
)

// counted is a source with the counts of families that were asked for, up to a budget.
type counted struct {
	count.Counter
	src   data.Source
	total float64            // weight of all rows
	set   map[string]float64 // of those in which a variable was set
	kept  *cache[familyCounts]
	room  atomic.Int64 // counts that may still be kept
	none  bool         // nothing is kept
}

type familyCounts struct {
	n    []float64
	rows float64
}

// newCounted returns the counts of the families of vars in src, which has these variables in any
// order.
func newCounted(src data.Source, vars []bn.Variable, missing Missing, workers int) (*counted, error) {
	c := &counted{src: src, total: src.TotalWeight(), kept: newCache[familyCounts](keptScores)}
	c.room.Store(keptCounts)
	t, ok := src.(*data.Table)
	if ok {
		c.set = make(map[string]float64)
		for _, regime := range t.Regimes() {
			for _, name := range regime.Set {
				c.set[name] += regime.Rows.TotalWeight()
			}
		}
	}
	if !ok || intervened(src) {
		c.Counter = count.NewSource(src, vars, missing != RefuseMissing)
		return c, nil
	}
	t, err := t.Keep(names(vars, all(len(vars)))...)
	if err != nil {
		return nil, err
	}
	c.Counter = count.NewTable(t, vars, workers)
	return c, nil
}

// of is the weight of the rows that tell of the family of a variable: those in which it was not set.
func (c *counted) of(child bn.Variable) float64 { return max(c.total-c.set[child.Name], 0) }

// count hands out what is kept and counts the rest.
func (c *counted) count(ctx context.Context, families []count.Family, workers int,
	do func(i int, n []float64, rows float64)) error {
	if c.none {
		return explainMissing(c.Counter.Count(ctx, families, workers, do))
	}
	var missed []int
	var ask []count.Family
	var buffer [64]byte
	for i, f := range families {
		if got, ok := c.kept.get(f.Child, f.Key(buffer[:0])); ok {
			do(i, got.n, got.rows)
			continue
		}
		missed, ask = append(missed, i), append(ask, f)
	}
	if len(ask) == 0 {
		return ctx.Err()
	}
	err := c.Counter.Count(ctx, ask, workers, func(i int, n []float64, rows float64) {
		if c.room.Add(-int64(len(n))) >= 0 {
			var buffer [64]byte
			c.kept.put(ask[i].Child, ask[i].Key(buffer[:0]), familyCounts{slices.Clone(n), rows})
		}
		do(missed[i], n, rows)
	})
	return explainMissing(err)
}
