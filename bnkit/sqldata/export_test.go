package sqldata

import "time"

// What the tests of this package look at from outside.
var ErrChanged = errChanged
var ErrNotSelect = errNotSelect
var ErrType = errType

type StatementError = statementError

// SetClock replaces the time of day.
func (c *Cases) SetClock(now func() time.Time) { c.now = now }
