// Package dot reads and writes graphs in DOT, the language of Graphviz.
//
// DOT holds the variables and arcs of a network, not its states and tables.
//
// What is read: one digraph, with chains (a -> b -> c), groups ({a b} -> c), subgraphs and
// ports. The name of a variable is its node's id; attributes, labels too, are skipped.
// Variables stand in the order of their first appearance, parents in that of the edges; an
// edge given twice counts once.
//
// Not here: layout and drawing (package viz), networks with their tables (package bif).
package dot
