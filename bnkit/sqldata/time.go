package sqldata

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"
)

const (
	firstProbe  = 10_000                 // rows
	enoughProbe = 200 * time.Millisecond // for the statements to tell more of rows than of what else there is
	probed      = 8                      // groupings of the last probe
	mostProbed  = 12                     // columns of one
)

// Time estimates how long the statements of a cost take, such as that of a plan ([Cases.Plan]). It sends a few small
// ones and takes their times: of one that groups a single row, of ones that group ever more rows, until they take a
// fifth of a second, and of one that groups as many rows in eight ways, by as many columns as are merged to one
// grouping. So it knows what a statement, a row of a scan and a row of a grouping take, and adds them up:
//
//	time = statements · t + rows · (scans · s + groupings · g)
//
// It is an estimate: other work on the server, caches, more parallel plans for more rows and the time to fetch many
// cells make a difference, so that it may be off by a factor of two or more. With Shards the probes group all rows.
// Probes are in Cost, each as a whole scan however few rows it reads, and count towards MaxStatements.
// Errors are those of counting, and one for a plan, which has no database to probe.
func (c *Cases) Time(ctx context.Context, of Cost) (time.Duration, error) {
	if c.sample != nil {
		return 0, errors.New("sqldata: a plan has no database to probe; ask the Cases that it was made from, as in " +
			"cases.Time(ctx, plan.Cost())")
	}
	sets := c.probes()
	if len(sets) == 0 || c.rows == 0 {
		return 0, errors.New("sqldata: there are no rows or no columns with states to time statements by")
	}
	if _, err := c.probe(ctx, sets[:1], 1); err != nil { // connects
		return 0, err
	}
	fixed, err := c.probe(ctx, sets[:1], 1)
	if err != nil {
		return 0, err
	}
	rows, took := int64(0), time.Duration(0)
	for rows = min(firstProbe, c.rows); ; rows = min(8*rows, c.rows) {
		if len(c.shards) > 0 {
			rows = c.rows
		}
		if took, err = c.probe(ctx, sets[:1], rows); err != nil {
			return 0, err
		}
		if rows == c.rows || took >= enoughProbe {
			break
		}
	}
	scan, group := max(0, float64(took-fixed))/float64(rows), 0.0
	if more := len(sets) - 1; more > 0 && !c.dialect.UnionAll && len(c.shards) == 0 {
		many, err := c.probe(ctx, sets, rows)
		if err != nil {
			return 0, err
		}
		group = min(scan, max(0, float64(many-took))/float64(rows)/float64(more))
		scan -= group
	}
	all := float64(of.Statements)*float64(fixed) + float64(c.rows)*(float64(of.Scans)*scan+float64(of.Groupings)*group)
	if !(all < math.MaxInt64) {
		return math.MaxInt64, nil // 292 years
	}
	return time.Duration(all), nil
}

// probes are groupings as wide as those that are merged: of neighbouring columns with states.
func (c *Cases) probes() [][]int {
	var columns []int
	for i, col := range c.columns {
		if !col.continuous {
			columns = append(columns, i)
		}
	}
	var sets [][]int
	for i := range columns {
		set := columns[i : i+1]
		for j := i + 2; j <= min(len(columns), i+mostProbed); j++ {
			if product(columns[i:j], c.cards(), 0) > float64(c.dialect.MergeCells) {
				break
			}
			set = columns[i:j]
		}
		if len(sets) < probed {
			sets = append(sets, set)
		}
	}
	return sets
}

// probe takes the time of a statement that groups some rows.
func (c *Cases) probe(ctx context.Context, sets [][]int, rows int64) (time.Duration, error) {
	d := &Cases{db: c.db, dialect: c.dialect, opts: c.opts, from: c.from, shards: c.shards, mark: c.mark,
		columns: c.columns, index: c.index, rows: c.rows, bill: c.bill}
	if len(c.shards) == 0 && rows < c.rows {
		d.first = rows
	}
	d.uncoded.Store(c.uncoded.Load())
	s := d.packed(sets, c.opts.MaxRows+1)
	if s == nil {
		s = d.statement(sets, c.opts.MaxRows+1)
	}
	c.scanned(sets)
	now := time.Now
	if c.now != nil {
		now = c.now
	}
	start := now()
	err := d.query(ctx, fmt.Sprintf("takes the time of grouping %d rows", rows), s.text, s.args,
		func(rows *sql.Rows) error { return d.each(rows, func([]any) error { return nil }) })
	return now().Sub(start), err
}
