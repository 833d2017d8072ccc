package hugin

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// Write writes the network with names, labels, comments and positions. [Parse] reads it
// back the same, every number bit for bit. It returns sentences on what the format has no
// place for, and an error, before the first byte, for a network that it cannot hold.
func Write(w io.Writer, f *netdoc.File) (lost []string, err error) {
	lost, err = f.Check(netdoc.Keeps{Format: "Hugin net", Name: true, Labels: true, Comments: true, Positions: true,
		Gauss: true})
	if err != nil {
		return nil, err
	}
	b := bufio.NewWriterSize(w, 1<<16)
	n := f.Network
	var names netdoc.Identifiers
	ids := make(map[string]string, n.Len())
	for v := range n.Len() {
		ids[n.Variable(v).Name] = names.Of(n.Variable(v).Name, v)
	}
	b.WriteString("net\n{\n")
	if f.Name != "" {
		fmt.Fprintf(b, "  name = %s;\n", netdoc.Quote(f.Name))
	}
	b.WriteString("  node_size = (80 40);\n}\n")
	for v := range n.Len() {
		writeNode(b, f, n.Variable(v), ids)
	}
	for v := range n.Len() {
		if t := n.CPT(v); t != nil {
			writeTable(b, t, ids)
		} else {
			writeNormals(b, n.Gaussian(v), parentIDs(n, v, ids), ids)
		}
	}
	if err := b.Flush(); err != nil {
		return nil, say.Errorf("hugin: %w", err)
	}
	if s := names.Lost("Hugin net"); s != "" {
		lost = append(lost, s)
	}
	return lost, nil
}

func writeNode(b *bufio.Writer, f *netdoc.File, v bn.Variable, ids map[string]string) {
	if !v.IsDiscrete() {
		b.WriteString("continuous ")
	}
	id := ids[v.Name]
	fmt.Fprintf(b, "node %s\n{\n", id)
	label := f.Labels[v.Name]
	if label == "" && id != v.Name {
		label = v.Name
	}
	if label != "" {
		fmt.Fprintf(b, "  label = %s;\n", netdoc.Quote(label))
	}
	if at, ok := f.Positions[v.Name]; ok {
		fmt.Fprintf(b, "  position = (%s %s);\n", netdoc.FormatNumber(at.X), netdoc.FormatNumber(at.Y))
	}
	if c := f.Comments[v.Name]; c != "" {
		fmt.Fprintf(b, "  HR_Desc = %s;\n", netdoc.Quote(c))
	}
	if v.IsDiscrete() {
		b.WriteString("  states = (")
		for i, s := range v.States {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(netdoc.Quote(s))
		}
		b.WriteString(");\n")
	}
	b.WriteString("}\n")
}

// parentIDs are the identifiers of the parents of v, in the order of the graph.
func parentIDs(n *bn.Network, v int, ids map[string]string) []string {
	var out []string
	for _, p := range n.DAG().Parents(v) {
		out = append(out, ids[n.Variable(p).Name])
	}
	return out
}

func writeHead(b *bufio.Writer, child string, parents []string) {
	bar := ""
	if len(parents) > 0 {
		bar = " | "
	}
	fmt.Fprintf(b, "potential (%s%s%s)\n{\n  data = (", child, bar, strings.Join(parents, " "))
}

// writeTable writes a potential with one level of parentheses for each parent.
func writeTable(b *bufio.Writer, t *bn.CPT, ids map[string]string) {
	parents := make([]string, len(t.Parents))
	for i, p := range t.Parents {
		parents[i] = ids[p.Name]
	}
	writeHead(b, ids[t.Child.Name], parents)
	configs := t.Configs()
	for config := range configs.Len() {
		if config > 0 {
			b.WriteString("\n          ")
		}
		b.WriteString(strings.Repeat("(", netdoc.Edges(configs, config)))
		for i, x := range t.Row(config) {
			if i > 0 {
				b.WriteByte(' ')
			}
			netdoc.WriteNumber(b, x)
		}
		b.WriteString(strings.Repeat(")", netdoc.Edges(configs, config+1)))
	}
	b.WriteString(");\n}\n")
}

// writeNormals writes the potential of a continuous node.
func writeNormals(b *bufio.Writer, g *bn.LinearGaussian, parents []string, ids map[string]string) {
	writeHead(b, ids[g.Child.Name], parents)
	continuous := make([]string, len(g.Continuous))
	for i, p := range g.Continuous {
		continuous[i] = ids[p.Name]
	}
	for config := range g.Intercept {
		if config > 0 {
			b.WriteString("\n          ")
		}
		fmt.Fprintf(b, "normal (%s, %s)", netdoc.Sum(g.Intercept[config], g.Weights[config], continuous),
			netdoc.FormatNumber(g.Variance[config]))
	}
	b.WriteString(");\n}\n")
}
