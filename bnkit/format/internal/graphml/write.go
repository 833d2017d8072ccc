package graphml

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Write writes a graph, its arcs that are not directed as directed="false"; nil for isDirected means that
// all are. [Read] reads a directed graph back the same. Write returns an error, before it writes anything, for a
// name that XML cannot hold: one that is not UTF-8 or has a control character.
func Write(w io.Writer, g *bn.DAG, isDirected func(parent, child int) bool) error {
	for v := range g.Len() {
		if err := writable(g.Name(v)); err != nil {
			return err
		}
	}
	id := ids(g)
	b := bufio.NewWriter(w)
	b.WriteString(xml.Header)
	b.WriteString(`<graphml xmlns="http://graphml.graphdrawing.org/xmlns">` + "\n")
	b.WriteString(`  <key id="label" for="node" attr.name="label" attr.type="string"/>` + "\n")
	b.WriteString(`  <graph edgedefault="directed">` + "\n")
	for v := range g.Len() {
		fmt.Fprintf(b, "    <node id=\"%s\"><data key=\"label\">%s</data></node>\n", id[v], escape(g.Name(v)))
	}
	for child := range g.Len() {
		for _, parent := range g.Parents(child) {
			way := ""
			if isDirected != nil && !isDirected(parent, child) {
				way = ` directed="false"`
			}
			fmt.Fprintf(b, "    <edge source=\"%s\" target=\"%s\"%s/>\n", id[parent], id[child], way)
		}
	}
	b.WriteString("  </graph>\n</graphml>\n")
	if err := b.Flush(); err != nil {
		return say.Errorf("graphml: %w", err)
	}
	return nil
}

// ids are the names of the variables, which tools without labels show, or numbers when one of
// the names is no XML name token.
func ids(g *bn.DAG) []string {
	id := make([]string, g.Len())
	for v := range id {
		id[v] = g.Name(v)
		if strings.ContainsFunc(id[v], func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-:", r)
		}) {
			for v := range id {
				id[v] = fmt.Sprintf("n%d", v)
			}
			return id
		}
	}
	return id
}

func writable(name string) error {
	bad := func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
	}
	if !utf8.ValidString(name) || slices.ContainsFunc([]rune(name), bad) {
		return say.Errorf("graphml: the name %q cannot stand in XML (a control character, or not UTF-8); rename the "+
			"variable", name)
	}
	return nil
}

func escape(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // a buffer does not fail
	return b.String()
}
