package format

// What the tests of this package look at from outside.
var ByExtension = byExtension

type Format = fileFormat

// Formats are those that are written, with names.
func Formats() []Format {
	var list []Format
	for _, f := range formats() {
		if f.Write != nil && f.Name != "UAI" {
			list = append(list, f)
		}
	}
	return list
}

// AllFormats are those that are read.
var AllFormats = formats

var ErrUnknownFormat = errUnknownFormat
