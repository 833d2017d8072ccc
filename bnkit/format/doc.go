// Package format reads and writes Bayesian networks in the formats of other tools, chosen
// by the extension of the file, or by what it holds.
//
//	f, err := format.Read("asia.xdsl")
//	for _, s := range f.Lost { fmt.Println(s) } // what was not read
//	lost, err := format.Write("asia.net", f)   // lost: what Hugin net has no place for
//
// ReadGraph and WriteGraph do the same for a graph alone, as DOT or GraphML.
//
// The formats are BIF (package bif), XMLBIF, Hugin net, XDSL of GeNIe, and
// DNET of Netica and DSC (netica). What each can hold is in docs/formats.md.
//
// A File is the network with what people wrote beside it: labels, comments, positions, and
// noisy-MAX nodes as such. Nothing is lost without a sentence that says so. Files may come
// from strangers: sizes, nesting and entities are bounded, and every error in a text has its
// line and column.
package format
