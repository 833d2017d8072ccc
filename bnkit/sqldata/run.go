package sqldata

import (
	"bnlab/bnkit/bn"
	"bnlab/internal/say"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// firstPause is what is waited before a statement is sent again; it doubles each time.
const firstPause = 50 * time.Millisecond

// query sends a statement and has its rows read, from the start again after a failure that may
// pass. what says what it does, as in "counts rows".
func (c *Cases) query(ctx context.Context, what, text string, args []any, read func(rows *sql.Rows) error) error {
	return c.send(ctx, false, what, text, args, read)
}

// send is query. A statement that can be divided is not sent again after the database had not the memory for it.
func (c *Cases) send(ctx context.Context, divisible bool, what, text string, args []any,
	read func(rows *sql.Rows) error) error {
	pause := firstPause
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return say.Errorf("sqldata: the statement that %s was not sent: %w", what, err)
		}
		if err := c.spend(attempt > 1); err != nil {
			return err
		}
		own, err := c.attempt(ctx, text, args, read)
		if err == nil {
			c.bill.mu.Lock()
			c.bill.done++
			c.bill.mu.Unlock()
			return nil
		}
		if own {
			return err
		}
		switch {
		case ctx.Err() != nil:
			err = errors.Join(ctx.Err(), err)
		case errors.Is(err, errTimeout), divisible && exhausted(err):
		case attempt <= c.opts.Retries && c.dialect.transient(err):
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
			pause *= 2
			continue
		}
		c.bill.mu.Lock()
		defer c.bill.mu.Unlock()
		return &statementError{What: what, SQL: text, Attempts: attempt, Done: c.bill.done, Err: err}
	}
}

// spend notes a statement, unless it is one too many.
func (c *Cases) spend(again bool) error {
	c.bill.mu.Lock()
	defer c.bill.mu.Unlock()
	if most := c.opts.MaxStatements; most > 0 && c.bill.cost.Statements >= most {
		return fmt.Errorf("sqldata: %w: %d statements were sent, and MaxStatements in Options allows no more; fewer "+
			"candidates or a larger MergeCells of the Dialect need fewer", bn.ErrTooLarge, c.bill.cost.Statements)
	}
	c.bill.cost.Statements++
	if again {
		c.bill.cost.Retries++
	}
	return nil
}

// errTimeout is the cause of a statement that was ended by Options.Timeout.
var errTimeout = say.Errorf("it ran longer than Timeout in Options allows: %w", context.DeadlineExceeded)

// An ownError is an error in what was read, not of the database.
type ownError struct{ error }

func (e ownError) Unwrap() error { return e.error }

// attempt sends a statement once. It reports whether the error is our own, in which case
// sending the statement again is of no use.
func (c *Cases) attempt(ctx context.Context, text string, args []any, read func(rows *sql.Rows) error) (own bool,
	err error) {
	if c.opts.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.opts.Timeout, errTimeout)
		defer cancel()
	}
	defer func() {
		if err != nil && !own && errors.Is(context.Cause(ctx), errTimeout) {
			err = say.Errorf("%w (%v)", errTimeout, err)
		}
	}()
	query := c.db.QueryContext
	if c.dialect.ReadOnly {
		tx, err := c.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return false, say.Errorf("beginning a read-only transaction (where the driver has none set ReadOnly of "+
				"the Dialect to false): %w", err)
		}
		defer tx.Rollback() // nothing was written
		query = tx.QueryContext
	} else if c.dialect.Begin != "" {
		conn, err := c.db.Conn(ctx)
		if err != nil {
			return false, err
		}
		defer conn.Close()
		if _, err := conn.ExecContext(ctx, c.dialect.Begin); err != nil {
			return false, say.Errorf("beginning a read-only transaction (for a database that has none empty Begin of "+
				"the Dialect): %w",
				err)
		}
		defer conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // nothing was written
		query = conn.QueryContext
	}
	rows, err := query(ctx, text, args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	if err := read(rows); err != nil {
		var mine ownError
		if errors.As(err, &mine) {
			return true, mine.error
		}
		return false, err
	}
	return false, rows.Err()
}

// each reads the rows of a statement into a slice that is used again, and bounds their number.
func (c *Cases) each(rows *sql.Rows, do func(row []any) error) error {
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	row, into := make([]any, len(names)), make([]any, len(names))
	for i := range row {
		into[i] = &row[i]
	}
	n, bytes := 0, int64(0)
	defer func() {
		c.bill.add(Cost{Rows: int64(n), Bytes: bytes})
	}()
	for rows.Next() {
		if n++; n > c.opts.MaxRows {
			return ownError{fmt.Errorf("sqldata: %w: a statement gives more than %d rows; raise MaxRows in Options, "+
				"or ask for fewer columns at once", bn.ErrTooLarge, c.opts.MaxRows)}
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for _, value := range row {
			bytes += int64(width(value))
		}
		if err := do(row); err != nil {
			return ownError{err}
		}
	}
	return rows.Err()
}
