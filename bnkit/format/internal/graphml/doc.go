// Package graphml reads and writes graphs as GraphML, the XML format of Gephi, yEd, Cytoscape,
// igraph and NetworkX.
//
// GraphML holds the variables and arcs of a network, not its states and tables.
//
// What is read: one graph with nodes and directed edges. The name of a variable is the node's
// datum whose key is named label or name, as Gephi and igraph write it, or the label that yEd
// draws, or else its id, as where two nodes have one label; other data are skipped. A node with a graph within, a
// group of yEd, is no variable, and its nodes are. Parents stand in the order of the edges.
// Files are taken as hostile: no entities, no document type, at most [maxBytes] and
// [maxDepth].
//
// Not here: networks with their tables (packages bif and the formats beside it),
// hyperedges.
package graphml

// maxBytes and maxDepth bound what is read: bytes of a file, and elements within elements.
const (
	maxBytes = 64 << 20
	maxDepth = 64
)
