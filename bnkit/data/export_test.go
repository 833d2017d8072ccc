package data

// What the tests of this package look at from outside.
var ErrConstant = errConstant
var ErrRange = errRange
