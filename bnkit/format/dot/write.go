package dot

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/internal/atomicfile"
)

// Write writes a DAG, or a Markov equivalence class with its undirected arcs as dir=none, which
// Graphviz draws as lines. [Read] reads a DAG back the same, variables and parents in their order;
// it refuses undirected arcs. Write returns an error, before it writes anything, for a name that DOT cannot
// hold: one that is not UTF-8, has a NUL, or has a backslash, which Graphviz takes for the
// start of an escape.
func Write[G *bn.DAG | *bn.CPDAG](w io.Writer, g G) error {
	switch g := any(g).(type) {
	case *bn.DAG:
		if g != nil {
			return write(w, g, func(parent, child int) bool { return true })
		}
	case *bn.CPDAG:
		if g != nil {
			return write(w, g.Member(), g.IsDirected)
		}
	}
	return fmt.Errorf("dot: there is no graph to write")
}

// WriteFile writes the graph to a file; see [Write]. An error leaves the file as it was.
func WriteFile[G *bn.DAG | *bn.CPDAG](path string, g G) error {
	if err := atomicfile.Write(path, func(w io.Writer) error { return Write(w, g) }); err != nil {
		return fmt.Errorf("dot: %w", err)
	}
	return nil
}

func write(w io.Writer, g *bn.DAG, isDirected func(parent, child int) bool) error {
	for v := range g.Len() {
		if name := g.Name(v); !utf8.ValidString(name) || strings.ContainsAny(name, "\\\x00") {
			return fmt.Errorf("dot: the name %q has a backslash or a NUL, or is not UTF-8, which DOT cannot hold; "+
				"rename the variable", name)
		}
	}
	b := bufio.NewWriter(w)
	b.WriteString("digraph {\n")
	for v := range g.Len() {
		fmt.Fprintf(b, "  %s;\n", quote(g.Name(v)))
	}
	for child := range g.Len() {
		for _, parent := range g.Parents(child) {
			way := ""
			if !isDirected(parent, child) {
				way = " [dir=none]"
			}
			fmt.Fprintf(b, "  %s -> %s%s;\n", quote(g.Name(parent)), quote(g.Name(child)), way)
		}
	}
	b.WriteString("}\n")
	if err := b.Flush(); err != nil {
		return fmt.Errorf("dot: %w", err)
	}
	return nil
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `\"`) + `"` }
