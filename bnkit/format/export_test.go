package format

// What the tests of this package look at from outside.
var ByExtension = byExtension

type Format = fileFormat

var Formats = formats

var ErrUnknownFormat = errUnknownFormat
