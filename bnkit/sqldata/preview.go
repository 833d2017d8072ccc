package sqldata

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// Preview returns n rows of the cases drawn at random without replacement, or a few fewer, all
// when there are no more. The same seed gives the same rows where the dialect has such a
// sample (Dialect.Sample) and the cases are a table that has not changed; elsewhere the database draws
// others each time. It is to look at: learners need counts of all rows.
func (c *Cases) Preview(ctx context.Context, n int, seed uint64) (*data.Table, error) {
	if n < 1 {
		return nil, fmt.Errorf("sqldata: a preview of %d rows; ask for at least one", n)
	}
	at, err := c.findAll(nil)
	if err != nil {
		return nil, err
	}
	b := c.builder()
	b.WriteString("SELECT ")
	for i, col := range c.columns {
		if i > 0 {
			b.WriteString(", ")
		}
		col.raw(b)
		b.WriteString(" AS " + alias("k", i))
	}
	if c.opts.Weight != "" {
		fmt.Fprintf(b, `, CAST(%s AS %s) AS "w"`, b.quote(c.opts.Weight), c.dialect.Double)
	}
	b.from()
	// A fifth more than is asked for, and some, leave fewer than n once in a long while.
	share := (1.2*float64(n) + 30) / float64(max(c.rows, 1))
	switch {
	case share >= 1:
	case c.dialect.Sample != nil && c.opts.Table != "":
		b.WriteString(" " + c.dialect.Sample(100*share, seed))
	default:
		fmt.Fprintf(b, " WHERE %s < %s", c.dialect.Random, literal(share))
	}
	fmt.Fprintf(b, " LIMIT %d", c.opts.MaxRows+1)
	r := &rows{columns: make([][]bn.State, len(at))}
	states := make([]bn.State, len(at))
	err = c.query(ctx, "draws rows", b.String(), b.args, func(rows *sql.Rows) error {
		r.clear()
		return c.each(rows, func(row []any) error {
			for i, col := range c.columns {
				var err error
				if states[i], err = col.state(row[i]); err != nil {
					return err
				}
			}
			weight := 1.0
			if c.opts.Weight != "" {
				weight, _ = float(row[len(row)-1])
			}
			r.add(states, weight)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	t, err := c.table(at, r)
	if err != nil {
		return nil, err
	}
	if t.Rows() > n {
		chosen := rand.New(rand.NewPCG(seed, 0)).Perm(t.Rows())[:n]
		slices.Sort(chosen)
		t = t.Select(chosen)
	}
	if c.opts.Weight == "" {
		return t.WithWeights(nil)
	}
	return t, nil
}
