package bnkit

// What the tests of this package look at from outside.
var (
	ErrEmptyFrame  = errEmptyFrame
	ErrNoIntervals = errNoIntervals
	VersionOf      = versionOf
)
