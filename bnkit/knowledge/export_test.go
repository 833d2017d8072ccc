package knowledge

// What the tests of this package look at from outside.
type Error = syntaxError
