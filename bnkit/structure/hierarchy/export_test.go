package hierarchy

// What the tests of this package look at from outside.
var ErrNominal = errNominal
