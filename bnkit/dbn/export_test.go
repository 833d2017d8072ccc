package dbn

// What the tests of this package look at from outside.
var ErrTime = errTime

var ErrOrder = errOrder
