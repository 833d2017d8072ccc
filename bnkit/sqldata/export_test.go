package sqldata

// What the tests of this package look at from outside.
var ErrChanged = errChanged
var ErrNotSelect = errNotSelect
var ErrType = errType

type StatementError = statementError
