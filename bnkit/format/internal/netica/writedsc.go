package netica

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// WriteDSC writes the network in DSC, with names, labels and positions; see [Write].
func WriteDSC(w io.Writer, f *netdoc.File) (lost []string, err error) {
	lost, err = f.Check(netdoc.Keeps{Format: "DSC", Name: true, Labels: true, Positions: true})
	if err != nil {
		return nil, err
	}
	n := f.Network
	b := bufio.NewWriterSize(w, 1<<16)
	var names netdoc.Identifiers
	ids := make([]string, n.Len())
	for v := range n.Len() {
		ids[v] = names.Of(n.Variable(v).Name, v)
	}
	fmt.Fprintf(b, "belief network %s\n", netdoc.Quote(netdoc.EncodeIfRead(f.Name)))
	order := n.DAG().Order()
	for _, v := range order {
		variable := n.Variable(v)
		fmt.Fprintf(b, "node %s {\n", ids[v])
		label := f.Labels[variable.Name]
		if label == "" && ids[v] != variable.Name {
			label = variable.Name
		}
		if label != "" {
			fmt.Fprintf(b, "  name : %s;\n", netdoc.Quote(label))
		}
		if at, ok := f.Positions[variable.Name]; ok {
			fmt.Fprintf(b, "  position : (%s, %s);\n", netdoc.FormatNumber(at.X), netdoc.FormatNumber(at.Y))
		}
		states := make([]string, variable.Cardinality())
		for i, s := range variable.States {
			states[i] = netdoc.Quote(s)
		}
		fmt.Fprintf(b, "  type : discrete [ %d ] = { %s };\n}\n", len(states), strings.Join(states, ", "))
	}
	for _, v := range order {
		t := n.CPT(v)
		fmt.Fprintf(b, "probability ( %s", ids[v])
		for i, p := range n.DAG().Parents(v) {
			b.WriteString([]string{" | ", ", "}[min(i, 1)] + ids[p])
		}
		b.WriteString(" ) {\n")
		states := make([]int, len(t.Parents))
		for config := range t.Configs().Len() {
			if len(states) > 0 {
				t.Configs().States(states, config)
				b.WriteString("  (" + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(states)), ", "), "[]") +
					") : ")
			} else {
				b.WriteString("  ")
			}
			for i, x := range t.Row(config) {
				if i > 0 {
					b.WriteString(", ")
				}
				netdoc.WriteNumber(b, x)
			}
			b.WriteString(";\n")
		}
		b.WriteString("}\n")
	}
	if err := b.Flush(); err != nil {
		return nil, say.Errorf("netica: %w", err)
	}
	lost = append(lost, lostOrder(n)...)
	if s := names.Lost("DSC"); s != "" {
		lost = append(lost, s)
	}
	return lost, nil
}
