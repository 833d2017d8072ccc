package sqldata

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// Preview returns n rows of the cases drawn at random without replacement, rarely a few fewer;
// all when there are no more. The same seed gives the same rows where the dialect has such a
// sample (Dialect.Sample) and the cases are a table, not a view or query, that has not changed;
// elsewhere the database draws others each time. It is to look at: learners need counts of all rows. Of 5,000 rows or
// more DuckDB's Cases also learn which states occur together, and join more groupings in later statements.
func (c *Cases) Preview(ctx context.Context, n int, seed uint64) (*data.Table, error) {
	if n < 1 {
		return nil, fmt.Errorf("sqldata: a preview of %d rows; ask for at least one", n)
	}
	at, err := c.findAll(nil)
	if err != nil {
		return nil, err
	}
	if c.sample != nil {
		return c.sample.preview(c, n, seed)
	}
	// A fifth more than is asked for, and some, are fewer than n once in a long while.
	share := (1.2*float64(n) + 30) / float64(max(c.rows, 1))
	where := " WHERE " + c.dialect.Random + " < " + literal(share)
	if share >= 1 {
		where = ""
	}
	var r *rows
	if share < 1 && c.dialect.Sample != nil && c.opts.Table != "" {
		r, err = c.draw(ctx, at, " "+c.dialect.Sample(100*share, seed))
		if refused := new(statementError); errors.As(err, &refused) && ctx.Err() == nil { // a view has no samples
			r, err = c.draw(ctx, at, where)
		}
	} else {
		r, err = c.draw(ctx, at, where)
	}
	if err != nil {
		return nil, err
	}
	t, err := c.table(at, r)
	if err != nil {
		return nil, err
	}
	order := rand.New(rand.NewPCG(seed, 0)).Perm(t.Rows())
	seen := newLook(t.Select(order[:min(len(order), mostLooked)]))
	c.mu.Lock()
	c.seen = seen
	c.mu.Unlock()
	if t.Rows() > n {
		chosen := order[:n]
		slices.Sort(chosen)
		t = t.Select(chosen)
	}
	if c.opts.Weight == "" {
		return t.WithWeights(nil)
	}
	return t, nil
}

// draw reads the columns of the rows that a clause after the table leaves.
func (c *Cases) draw(ctx context.Context, at []int, clause string) (*rows, error) {
	b := c.builder()
	b.WriteString("SELECT ")
	b.selected(at)
	b.from()
	fmt.Fprintf(b, "%s LIMIT %d", clause, c.opts.MaxRows+1)
	r := &rows{columns: make([][]bn.State, len(at))}
	states := make([]bn.State, len(at))
	c.passed(1)
	err := c.query(ctx, "draws rows", b.String(), b.args, func(rows *sql.Rows) error {
		r.clear()
		return c.each(rows, func(row []any) error {
			for i, column := range at {
				var err error
				if states[i], err = c.columns[column].state(row[i]); err != nil {
					return err
				}
			}
			weight := 1.0
			if c.opts.Weight != "" {
				var ok bool
				if weight, ok = float(row[len(at)]); !ok {
					return c.badWeight(row[len(at)])
				}
			}
			r.add(states, weight)
			return nil
		})
	})
	return r, err
}
