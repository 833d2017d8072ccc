// Package factor holds dense tables over discrete variables and the few
// operations that exact inference is made of.
//
// A [Factor] is a function of variables that are known by number: a flat slice
// in which the first variable varies slowest and the last fastest, as in the
// parent configurations of package bn.
//
//	joint := factor.Product(nil, prior, likelihood)
//	evidence := factor.SumOut(nil, joint, cause)
//
// Each operation writes to a factor given as dst, whose variables may stand in any
// order, or makes one when dst is nil. What is done many times on factors of the
// same shapes is planned once: a [Contraction] is the sum of a product with its
// loops laid out, works on plain slices and does not allocate.
//
// Operations panic on variables that do not fit together, since those are errors
// of the program and never of data.
//
// Not here: names, evidence and orders of elimination (package infer).
package factor
