package dot

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Write writes a graph, its arcs that are not directed as dir=none, which Graphviz draws as lines; nil for
// isDirected means that all are. [Read] reads a directed graph back the same. Write returns an error, before it
// writes anything, for a name that DOT cannot hold: one that is not UTF-8, has a NUL, or has a backslash, which
// Graphviz takes for the start of an escape.
func Write(w io.Writer, g *bn.DAG, isDirected func(parent, child int) bool) error {
	for v := range g.Len() {
		if name := g.Name(v); !utf8.ValidString(name) || strings.ContainsAny(name, "\\\x00") {
			return say.Errorf("dot: the name %q has a backslash or a NUL, or is not UTF-8, which DOT cannot hold; "+
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
			if isDirected != nil && !isDirected(parent, child) {
				way = " [dir=none]"
			}
			fmt.Fprintf(b, "  %s -> %s%s;\n", quote(g.Name(parent)), quote(g.Name(child)), way)
		}
	}
	b.WriteString("}\n")
	if err := b.Flush(); err != nil {
		return say.Errorf("dot: %w", err)
	}
	return nil
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `\"`) + `"` }
