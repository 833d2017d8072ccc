// Package regress estimates linear-Gaussian nodes from triangular factors of their cases,
// under weights that statements tie and a normal-inverse-gamma prior: N06 §4.3, types 12
// and 13.
package regress
