package sqldata

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// A group is what one row of a statement says: how many rows have these states.
type group struct {
	grouping int
	states   []bn.State // valid during the call only
	weight   float64
}

// groups counts the rows for groupings over the given columns by one statement. start is
// called first, and again when the statement is sent again: what was added before is void.
func (c *Cases) groups(ctx context.Context, sets [][]int, start func(), add func(group)) error {
	if c.sample != nil {
		start()
		if err := ctx.Err(); err != nil {
			return say.Errorf("sqldata: the plan ended: %w", err)
		}
		c.sample.groups(c, sets, add)
		return nil
	}
	c.scanned(sets)
	if s := c.packed(sets, c.opts.MaxRows+1); s != nil {
		err := c.sendGroups(ctx, s, sets, start, add)
		if !errors.Is(err, errUncoded) {
			return err
		}
		c.uncoded.Store(true)
		c.passed(1)
	}
	return c.sendGroups(ctx, c.statement(sets, c.opts.MaxRows+1), sets, start, add)
}

// sendGroups sends the statement of groups.
func (c *Cases) sendGroups(ctx context.Context, s *statement, sets [][]int, start func(), add func(group)) error {
	var states []bn.State
	totals := make([]int64, len(sets))
	what := fmt.Sprintf("counts rows for %d groupings", len(sets))
	return c.send(ctx, len(sets) > 1, what, s.text, s.args, func(rows *sql.Rows) error {
		start()
		clear(totals)
		err := c.each(rows, func(row []any) error {
			i, err := s.which(row)
			if err != nil {
				return err
			}
			if s.pack != nil {
				states, err = s.pack.states(states, c, s, row, i, sets[i])
			} else {
				states, err = c.states(states, s, row, i)
			}
			if err != nil {
				return err
			}
			n, weight, err := c.measure(row)
			if err != nil {
				return err
			}
			totals[i] += n
			add(group{i, states, weight})
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
}

func (c *Cases) changed(how string) error {
	return say.Errorf("sqldata: %w: %s; open it again, or learn from a copy", errChanged, how)
}

// measure reads the number of rows of a group and their weight, which end a row.
func (c *Cases) measure(row []any) (n int64, weight float64, err error) {
	value := row[len(row)-1]
	if c.opts.Weight != "" {
		var ok bool
		if weight, ok = float(value); !ok || !(weight >= 0) || math.IsInf(weight, 0) {
			return 0, 0, c.badWeight(value)
		}
		value = row[len(row)-2]
	}
	n, ok := integer(value)
	if !ok {
		return 0, 0, fmt.Errorf("sqldata: a number of rows is of the Go type %T", value)
	}
	if c.opts.Weight == "" {
		weight = float64(n)
	}
	return n, weight, nil
}

// badWeight returns the error for a weight, or a sum of weights, that is negative or not finite.
func (c *Cases) badWeight(value any) error {
	text := "NULL"
	if value != nil {
		text = fmt.Sprint(value)
	}
	return &data.ValueError{Name: c.opts.Weight, Value: text, Err: data.ErrWeight}
}
