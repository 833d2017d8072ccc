package netica

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// Write writes the network in DNET, with names, titles, comments and positions. [Parse]
// reads it back the same but for the order of its variables, every number bit for bit. It
// returns sentences on what the format has no place for, and an error, before the first byte,
// for a network that it cannot hold.
func Write(w io.Writer, f *netdoc.File) (lost []string, err error) {
	lost, err = f.Check(netdoc.Keeps{Format: "Netica", Name: true, Labels: true, Comments: true, Positions: true})
	if err != nil {
		return nil, err
	}
	n := f.Network
	x := writer{Writer: bufio.NewWriterSize(w, 1<<16), file: f, ids: make([]string, n.Len()),
		names: netdoc.Identifiers{Most: mostLetters}}
	for v := range n.Len() {
		x.ids[v] = x.names.Of(n.Variable(v).Name, v)
	}
	x.WriteString("// ~->[DNET-1]->~\n")
	if f.Name == "" {
		fmt.Fprintf(x, "bnet %s {\n", noName)
	} else {
		fmt.Fprintf(x, "bnet %s {\ntitle = %s;\n", x.names.Of(f.Name, 0), netdoc.Quote(f.Name))
	}
	for _, v := range n.DAG().Order() {
		x.node(v)
	}
	x.WriteString("};\n")
	if err := x.Flush(); err != nil {
		return nil, say.Errorf("netica: %w", err)
	}
	lost = append(lost, lostOrder(n)...)
	if s := x.names.Lost("Netica"); s != "" {
		lost = append(lost, s)
	}
	return lost, nil
}

// lostOrder says that variables stand in another order in the file.
func lostOrder(n *bn.Network) []string {
	if slices.IsSorted(n.DAG().Order()) {
		return nil
	}
	return []string{"The variables stand in another order in the file, each after its parents."}
}

type writer struct {
	*bufio.Writer
	file  *netdoc.File
	ids   []string // by variable
	names netdoc.Identifiers
}

// node writes variable v.
func (w *writer) node(v int) {
	n := w.file.Network
	variable := n.Variable(v)
	fmt.Fprintf(w, "\nnode %s {\n\tkind = NATURE;\n\tdiscrete = TRUE;\n\tchance = CHANCE;\n", w.ids[v])
	states := make([]string, variable.Cardinality())
	titles := make([]string, variable.Cardinality())
	changed := false
	for i, s := range variable.States {
		if states[i] = w.names.Of(s, i); states[i] != s {
			changed, titles[i] = true, netdoc.Quote(s)
		}
	}
	fmt.Fprintf(w, "\tstates = (%s);\n", strings.Join(states, ", "))
	if changed {
		fmt.Fprintf(w, "\tstatetitles = (%s);\n", strings.Join(titles, ", "))
	}
	parents := make([]string, len(n.DAG().Parents(v)))
	for i, p := range n.DAG().Parents(v) {
		parents[i] = w.ids[p]
	}
	fmt.Fprintf(w, "\tparents = (%s);\n\tprobs = (", strings.Join(parents, ", "))
	w.table(n.CPT(v))
	w.WriteString(");\n")
	title := w.file.Labels[variable.Name]
	if w.ids[v] != variable.Name && (title == "" || len(netdoc.Encode(variable.Name)) > mostLetters) {
		title = variable.Name // the whole of a name that was cut
	}
	if title != "" {
		fmt.Fprintf(w, "\ttitle = %s;\n", netdoc.Quote(title))
	}
	if c := w.file.Comments[variable.Name]; c != "" {
		fmt.Fprintf(w, "\tcomment = %s;\n", netdoc.Quote(c))
	}
	if at, ok := w.file.Positions[variable.Name]; ok {
		fmt.Fprintf(w, "\tvisual V1 {\n\t\tcenter = (%s, %s);\n\t\t};\n", netdoc.FormatNumber(at.X),
			netdoc.FormatNumber(at.Y))
	}
	w.WriteString("\t};\n")
}

// table writes the rows with one level of parentheses for each parent.
func (w *writer) table(t *bn.CPT) {
	configs := t.Configs()
	for config := range configs.Len() {
		if config > 0 {
			w.WriteString(",\n\t\t")
		}
		w.WriteString(strings.Repeat("(", netdoc.Edges(configs, config)))
		for i, x := range t.Row(config) {
			if i > 0 {
				w.WriteString(", ")
			}
			netdoc.WriteNumber(w.Writer, x)
		}
		w.WriteString(strings.Repeat(")", netdoc.Edges(configs, config+1)))
	}
}
