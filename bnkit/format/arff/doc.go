// Package arff reads and writes tables of cases as ARFF, the attribute-relation files of Weka
// and OpenML.
//
//	t, err := arff.Read("weather.arff", nil)
//	...
//	err = arff.Write("train.arff", t)
//
// A nominal attribute is a discrete variable with the declared states in their order; numeric,
// real and integer attributes are continuous; a string attribute is discrete, with the texts
// that occur as its states. Rows may be dense or sparse, and may have weights.
//
// It follows Weka's description of the format (Paynter and others 2002; instance weights as in
// Weka 3.5.8), and is stricter where Weka's reader would guess: an empty cell, and a quote or
// a percent sign within a word, are errors.
//
// Not here: dates, relational attributes, XRFF.
package arff
