package format

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/dot"
	"bnlab/bnkit/format/internal/graphml"
	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// A graphFormat holds the variables and arcs of a network, not its states and tables.
type graphFormat struct {
	read func(r io.Reader, file string) (*bn.DAG, error)
	// write writes the graph, arcs that are not directed as lines.
	write func(w io.Writer, g *bn.DAG, isDirected func(parent, child int) bool) error
}

// graphByExtension returns the graph format of a file's extension.
func graphByExtension(path string) (graphFormat, error) {
	switch extension := strings.ToLower(filepath.Ext(path)); extension {
	case ".dot", ".gv":
		return graphFormat{dot.Read, dot.Write}, nil
	case ".graphml":
		return graphFormat{graphml.Read, graphml.Write}, nil
	default:
		return graphFormat{}, say.Errorf("the extension %q of a graph is none of .dot, .gv, .graphml", extension)
	}
}

// ReadGraph reads a graph in the format of the file's extension: DOT of Graphviz (.dot, .gv), or
// GraphML of Gephi, yEd, Cytoscape, igraph and NetworkX (.graphml). Variables stand in the order of
// their first appearance, parents in that of the edges.
//
// It returns a [*SyntaxError] with line and column for a text that is not in the format, and for a graph
// with undirected edges; and the errors of [bn.NewDAG], such as [*bn.CycleError] for a cycle.
func ReadGraph(path string) (*bn.DAG, error) {
	form, err := graphByExtension(path)
	if err != nil {
		return nil, say.Errorf("format: reading %s: %w", path, err)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, say.Errorf("format: %w", err)
	}
	defer file.Close()
	return form.read(file, path)
}

// WriteGraph writes a DAG, or a Markov equivalence class with its undirected arcs, in the format of the
// file's extension; see [ReadGraph], which reads a DAG back the same. It returns an error for a
// name that the format cannot hold, such as one with a control character. An error leaves the file as it was.
func WriteGraph[G *bn.DAG | *bn.CPDAG](path string, graph G) error {
	form, err := graphByExtension(path)
	if err != nil {
		return say.Errorf("format: writing %s: %w", path, err)
	}
	var dag *bn.DAG
	var isDirected func(parent, child int) bool // nil: all are
	switch g := any(graph).(type) {
	case *bn.DAG:
		dag = g
	case *bn.CPDAG:
		if g != nil {
			dag, isDirected = g.Member(), g.IsDirected
		}
	}
	if dag == nil {
		return say.Errorf("format: writing %s: there is no graph to write", path)
	}
	err = atomicfile.Write(path, func(w io.Writer) error { return form.write(w, dag, isDirected) })
	if err != nil {
		return say.Errorf("format: %w", err)
	}
	return nil
}
