package sqldata

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"bnlab/bnkit/bn"
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
	var open unknownCode
	for range 2 {
		err := c.groupsOnce(ctx, c.statement(sets, c.dialect.Packed, c.opts.MaxRows+1), start, add)
		if !errors.As(err, &open) {
			return err
		}
		// A text that means a state but is not written as it, or that means none.
		if err := c.meet(ctx, open.column); err != nil {
			return err
		}
	}
	return c.changed(fmt.Sprintf("column %q got new values", c.columns[open.column].name))
}

func (c *Cases) groupsOnce(ctx context.Context, s *statement, start func(), add func(group)) error {
	var states []bn.State
	totals := make([]int64, len(s.groupings))
	what := fmt.Sprintf("counts rows for %d groupings", len(s.groupings))
	return c.query(ctx, what, s.text, s.args, func(rows *sql.Rows) error {
		start()
		clear(totals)
		err := c.each(rows, func(row []any) error {
			i, err := s.which(row)
			if err != nil {
				return fmt.Errorf("sqldata: %w", err)
			}
			if states, err = c.states(states, s, &s.groupings[i], row); err != nil {
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
		if err := rows.Err(); err != nil {
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
	return fmt.Errorf("sqldata: %w: %s; open it again, or learn from a copy", ErrChanged, how)
}

// measure reads the number of rows of a group and their weight, which end a row.
func (c *Cases) measure(row []any) (n int64, weight float64, err error) {
	value := row[len(row)-1]
	if c.opts.Weight != "" {
		var ok bool
		if weight, ok = float(value); !ok {
			return 0, 0, fmt.Errorf("sqldata: a sum of weights is of the Go type %T", value)
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

// meet asks for the different values of a column, so that their states are known.
func (c *Cases) meet(ctx context.Context, column int) error {
	if col := c.columns[column]; col.cuts != nil {
		return col.infinite()
	}
	return c.groupsOnce(ctx, c.statement([][]int{{column}}, false, c.opts.MaxRows+1), func() {}, func(group) {})
}
