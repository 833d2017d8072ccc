package learn

// What the tests of this package look at from outside.
var ErrGradient = errGradient
var ErrNoCases = errNoCases

type GradientError = gradientError
