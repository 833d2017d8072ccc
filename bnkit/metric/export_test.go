package metric

// What the tests of this package look at from outside.
var ErrOneClass = errOneClass
var ErrTooLarge = errTooLarge
