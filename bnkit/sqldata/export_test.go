package sqldata

import "time"

// What the tests of this package look at from outside.
var ErrChanged = errChanged
var ErrNotSelect = errNotSelect
var ErrType = errType

type StatementError = statementError

// Statement is what counts the rows for groupings over columns.
func (c *Cases) Statement(sets [][]int) string { return c.statement(sets, 1000).text }

// SetClock replaces the time of day.
func (c *Cases) SetClock(now func() time.Time) { c.now = now }
