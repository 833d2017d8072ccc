package bif

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Write writes the network. [Parse] reads it back the same: variables, states and
// parents in their order, and every number bit for bit, since each has the fewest
// digits that determine it. Rows stand in the order of bnlearn's files, the first
// parent varying fastest.
//
// A network that BIF cannot hold is refused before the first byte is written: one
// with a continuous variable, with a name that contains a double quote, or with a
// row that is no distribution.
func Write(w io.Writer, n *bn.Network) error {
	if err := check(n); err != nil {
		return err
	}
	if err := write(w, n); err != nil {
		return say.Errorf("bif: %w", err)
	}
	return nil
}

func write(w io.Writer, n *bn.Network) error {
	b := bufio.NewWriterSize(w, 1<<16)
	b.WriteString("network unknown {\n}\n")
	for v := range n.Len() {
		writeVariable(b, n.Variable(v))
	}
	for v := range n.Len() {
		writeTable(b, n.CPT(v))
	}
	return b.Flush()
}

// check returns an error for a network that cannot be written.
func check(n *bn.Network) error {
	for v := range n.Len() {
		variable := n.Variable(v)
		if !variable.IsDiscrete() {
			return say.Errorf("bif: %q: %w; BIF has tables only, so discretise it first", variable.Name,
				bn.ErrNotDiscrete)
		}
		for _, name := range append([]string{variable.Name}, variable.States...) {
			if strings.Contains(name, `"`) {
				return say.Errorf("bif: variable %q: the name %q contains a double quote, which BIF cannot write; "+
					"rename it (Network.Renamed)", variable.Name, name)
			}
		}
	}
	if err := n.Validate(); err != nil {
		return say.Errorf("bif: %w", err)
	}
	return nil
}

func writeVariable(b *bufio.Writer, v bn.Variable) {
	fmt.Fprintf(b, "variable %s {\n  type discrete [ %d ] { ", quote(v.Name), v.Cardinality())
	for i, s := range v.States {
		comma(b, i)
		b.WriteString(quote(s))
	}
	b.WriteString(" };\n}\n")
}

func writeTable(b *bufio.Writer, t *bn.CPT) {
	b.WriteString("probability ( ")
	b.WriteString(quote(t.Child.Name))
	states := make([][]string, len(t.Parents)) // by parent, ready to print
	for i, p := range t.Parents {
		b.WriteString([]string{" | ", ", "}[min(i, 1)])
		b.WriteString(quote(p.Name))
		for _, s := range p.States {
			states[i] = append(states[i], quote(s))
		}
	}
	b.WriteString(" ) {\n")
	configs := t.Configs()
	at := make([]int, len(t.Parents))
	for range configs.Len() {
		if len(at) == 0 {
			b.WriteString("  table ")
		} else {
			b.WriteString("  (")
			for i, s := range at {
				comma(b, i)
				b.WriteString(states[i][s])
			}
			b.WriteString(") ")
		}
		for i, x := range t.Row(configs.Index(at)) {
			comma(b, i)
			b.Write(strconv.AppendFloat(b.AvailableBuffer(), x, 'g', -1, 64))
		}
		b.WriteString(";\n")
		for i := range at { // the first parent varies fastest
			if at[i]++; at[i] < configs.Card(i) {
				break
			}
			at[i] = 0
		}
	}
	b.WriteString("}\n")
}

// comma separates item i from the one before.
func comma(b *bufio.Writer, i int) {
	if i > 0 {
		b.WriteString(", ")
	}
}

// quote puts a name in double quotes when it could not be read back otherwise.
func quote(name string) string {
	if isBare(name) {
		return name
	}
	return `"` + name + `"`
}
