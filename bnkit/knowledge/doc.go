// Package knowledge reads and writes knowledge files: the structure of a network, its variables and
// how data columns map to them, and constraints on the parameters (statements), each with its
// source.
//
//	title: recurrence of breast cancer
//	network: "[age][grade][recurrence|age:grade]"
//	variables:
//	  - {name: age, states: [below 50, 50 and over], from: [50]}
//	  - {name: grade, states: [low, high], column: deg-malig, values: {low: [1, 2], high: [3]}}
//	  - {name: recurrence, states: [no, yes]}
//	statements:
//	  - influence: {parent: age, child: recurrence, sign: positive}
//	    source: Y13 §5
//	  - at-most: {of: recurrence, states: [yes], given: {grade: low}, p: 0.5}
//
// [Read] returns a [File]; pass its statements to the methods of package learn:
//
//	k, err := knowledge.Read("breast.yaml")
//	net, err := k.Network()
//	err = k.Check(net)
//	method := learn.MAP{Pseudocount: 1, Constraints: k.Statements()}
//
// The file is plain YAML: maps, lists, and scalars; no anchors, aliases, tags or merge keys.
// A class of statement has the key under which package constraint stores it, and its fields
// are those of the Go type in lower case with hyphens, but for Var, which is "of", and for
// lists of parent configurations, which are "wherever". Names are taken as they are written:
// 1 is the state "1", 1.50 the state "1.50".
//
// Not here: frames (bnkit.Encode turns columns into the declared states), and learning.
package knowledge
