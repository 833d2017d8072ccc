package matfile

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"bnlab/internal/say"
)

// A Class is the kind of a MATLAB array, numbered as in the file.
type Class uint8

// The classes a file can name. Those without a comment are numbers.
const (
	Cell           Class = 1
	Struct         Class = 2
	Object         Class = 3 // not read
	Char           Class = 4
	Sparse         Class = 5 // not read
	Double         Class = 6
	Single         Class = 7
	Int8           Class = 8
	Uint8          Class = 9
	Int16          Class = 10
	Uint16         Class = 11
	Int32          Class = 12
	Uint32         Class = 13
	Int64          Class = 14
	Uint64         Class = 15
	FunctionHandle Class = 16 // not read
	Opaque         Class = 17 // not read: strings, tables and other classes of MATLAB's own
)

var classNames = [...]string{"class 0", "cell", "struct", "object", "char", "sparse", "double", "single", "int8",
	"uint8", "int16",
	"uint16", "int32", "uint32", "int64", "uint64", "function handle", "opaque"}

// String returns MATLAB's name of the class.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return fmt.Sprintf("class %d", uint8(c))
}

func (c Class) numeric() bool { return Double <= c && c <= Uint64 }

// An Array is a MATLAB array. Elements stand column by column: the first index
// varies fastest. Which of the slices holds them depends on the class; the others
// are nil.
type Array struct {
	Class   Class
	Dims    []int     // rows, columns, further sizes; at least two
	Logical bool      // true and false, as 1 and 0 in Real
	Real    []float64 // numbers of any class, exactly
	Imag    []float64 // imaginary parts; nil when there are none
	Chars   []uint16  // characters, in UTF-16 as MATLAB keeps them
	Cells   []*Array  // of a cell its elements; of a struct len(Fields) values for each element
	Fields  []string  // names of a struct's fields, in their order
}

// Len returns the number of elements, the product of Dims.
func (a *Array) Len() int {
	n := 1
	for _, d := range a.Dims {
		n *= d
	}
	return n
}

// Rows and Columns return the sizes of a matrix; further sizes count as columns.
func (a *Array) Rows() int { return a.Dims[0] }

// Columns returns Len / Rows, or 0 of an empty array.
func (a *Array) Columns() int {
	if a.Rows() == 0 {
		return 0
	}
	return a.Len() / a.Rows()
}

// String says what the array is, not what is in it, such as "1x54 struct".
func (a *Array) String() string {
	class := a.Class.String()
	if a.Logical {
		class = "logical"
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(a.Dims), "[]"), " ", "x") + " " + class
}

// Field returns a field of a struct of one element.
func (a *Array) Field(name string) (*Array, error) {
	if a.Class == Struct && a.Len() != 1 {
		return nil, say.Errorf("matfile: %v: field %q of which element? use FieldAt", a, name)
	}
	return a.FieldAt(0, name)
}

// FieldAt returns a field of element i, counted from 0, of an array of structs.
func (a *Array) FieldAt(i int, name string) (*Array, error) {
	if a.Class != Struct {
		return nil, say.Errorf("matfile: %v has no field %q, since it is no struct", a, name)
	}
	if i < 0 || i >= a.Len() {
		return nil, say.Errorf("matfile: %v has no element %d (counted from 0)", a, i)
	}
	at := slices.Index(a.Fields, name)
	if at < 0 {
		return nil, say.Errorf("matfile: %v has no field %q (fields: %s)", a, name, say.List(a.Fields))
	}
	return a.Cells[i*len(a.Fields)+at], nil
}

// Number returns the only element of an array of numbers.
func (a *Array) Number() (float64, error) {
	if len(a.Real) != 1 || a.Imag != nil {
		return 0, say.Errorf("matfile: %v is not one real number", a)
	}
	return a.Real[0], nil
}

// Text returns a row of characters as a string. Half a surrogate pair becomes
// U+FFFD.
func (a *Array) Text() (string, error) {
	if a.Class != Char || len(a.Chars) > 0 && a.Rows() != 1 {
		return "", say.Errorf("matfile: %v is not a row of characters", a)
	}
	return string(utf16.Decode(a.Chars)), nil
}
