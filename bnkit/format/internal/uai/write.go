package uai

import (
	"bufio"
	"fmt"
	"io"

	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// Write writes the network, each number bit for bit; names are lost, which it says. It returns an error, before the
// first byte, for a network that the format cannot hold.
func Write(w io.Writer, f *netdoc.File) (lost []string, err error) {
	lost, err = f.Check(netdoc.Keeps{Format: "UAI", AnyText: true})
	if err != nil {
		return nil, err
	}
	n := f.Network
	b := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(b, "BAYES\n%d\n", n.Len())
	for v := range n.Len() {
		if v > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprint(b, n.Variable(v).Cardinality())
	}
	fmt.Fprintf(b, "\n%d\n", n.Len())
	for v := range n.Len() {
		parents := n.DAG().Parents(v)
		fmt.Fprint(b, len(parents)+1)
		for _, p := range parents {
			fmt.Fprintf(b, " %d", p)
		}
		fmt.Fprintf(b, " %d\n", v)
	}
	for v := range n.Len() {
		t := n.CPT(v)
		fmt.Fprintf(b, "\n%d\n", len(t.P))
		for config := range t.Configs().Len() {
			for _, x := range t.Row(config) {
				b.WriteByte(' ')
				netdoc.WriteNumber(b, x)
			}
			b.WriteByte('\n')
		}
	}
	if err := b.Flush(); err != nil {
		return nil, say.Errorf("uai: %w", err)
	}
	return append(lost, "UAI has no names; variables and states are numbered from 0, in the order of the network."), nil
}
