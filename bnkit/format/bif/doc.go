// Package bif reads and writes Bayesian networks in BIF, the text format of the
// Bayesian network repositories (F. G. Cozman, The Interchange Format for Bayesian
// Networks, version 0.15), as bnlearn, pgmpy and JavaBayes write it.
//
// A file holds one network: a block for each variable, then one for each table.
//
//	network unknown {
//	}
//	variable smoke {
//	  type discrete [ 2 ] { yes, no };
//	}
//	variable lung {
//	  type discrete [ 2 ] { yes, no };
//	}
//	probability ( smoke ) {
//	  table 0.5, 0.5;
//	}
//	probability ( lung | smoke ) {
//	  (yes) 0.1, 0.9;
//	  (no) 0.01, 0.99;
//	}
//
// In a probability block the child stands first, its parents follow; the bar and
// the commas may be left out. A row names a state of each parent and lists the
// probabilities of the child's states in their declared order. Rows stand in any
// order; a line "default 0.2, 0.8;" serves the configurations without a row.
//
// A "table" line gives a whole table. When the child has parents, its numbers run
// as in JavaBayes and pgmpy: first the probability of the child's first state in
// every configuration (the first parent varies slowest, the last fastest), then of
// its second state, and so on. For P(light | out) with states true, false:
//
//	table 0.6, 0.05, 0.4, 0.95;
//
// is P(true | true), P(true | false), P(false | true), P(false | false). A table
// in the other order is refused with a hint when it does not sum to 1; a row for
// each configuration cannot be misread.
//
// Names are any run of bytes without white space, quotes and , ; | { } ( ) [ ], so
// <5, 12+ and 5-12 are names; others stand in double quotes (there is no way to
// write a name that contains a double quote). Comments are // to the end of the
// line and /* to */. A "property" is skipped to its semicolon, and the name of the
// network is skipped too, since a [bn.Network] has none.
//
// Deviation: the format allows any text between blocks. Here only comments may
// stand there, so that a misspelt keyword is an error and no block is lost.
//
// Not here: continuous variables, which BIF does not define, and XMLBIF. format.Write and bnkit.WriteNetwork write
// a file by its name.
package bif
