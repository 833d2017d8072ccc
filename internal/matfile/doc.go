// Package matfile reads MATLAB files of version 5: what MATLAB's save -v6 and
// save -v7 write, and most other programs that write .mat files.
//
//	vars, err := matfile.ReadFile("data.mat", nil, "meta", "data")
//	x, err := vars["meta"].Field("nvoxels") // a struct's field, an *Array again
//
// An [Array] is a MATLAB array of any class: numbers, characters, cells, structs,
// nested as they come. Only the variables asked for are kept; the others are
// passed over, so a class that cannot be read hurts only who asks for it.
//
// The reader is strict. Every length is checked against the element it lies in,
// memory grows with the bytes that arrive and not with what a header claims, and
// what is kept is bounded by [Settings], inflated content too. What is wrong is
// said by a [FormatError] with the byte at which it is wrong.
//
// Not here: version 4, version 7.3 (which is HDF5), sparse arrays, objects of
// MATLAB classes, function handles, writing.
//
// Source: The MathWorks, MAT-File Format, chapter "MAT-File Level 5 Format".
package matfile
