// Package data holds cases: a columnar [Table] of named columns, discrete ones
// as small integers and continuous ones as float64, with missing cells and row
// weights.
//
//	t, err := data.ReadCSVFile("patients.csv", nil)
//	...
//	counts, err := t.Count(net, nil)
//
// A table comes from CSV ([ReadCSVFile], [ReadCSV]), from structs or
// maps ([FromRecords]), a matrix ([FromMatrix]), cells ([FromCells]) or columns
// ([New]) in memory, or from a network ([Sample]). [Table.Distinct] condenses it to
// distinct rows with weights. [Table.Count] and [CountFamilies] make the counts that
// learning needs. [Cuts], [Quantiles], [EqualWidth], [Order] and [Merge] are
// fitted on training rows and applied to new ones by a [Discretization], which
// can be stored as JSON. [Table.Folds], [Table.StratifiedFolds] and [Table.Split] choose rows.
//
// A table does not change once made, and methods that return a table may share
// memory with the table they come from; slices given to or taken from a table
// must not be written to.
//
// Not here: gota frames (package bnkit), estimation (package learn).
package data
