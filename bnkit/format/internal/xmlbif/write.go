package xmlbif

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
	lost, err = f.Check(netdoc.Keeps{Format: "XMLBIF", Name: true, Labels: true, Comments: true, Positions: true,
		AnyText: true})
	if err != nil {
		return nil, err
	}
	b := bufio.NewWriterSize(w, 1<<16)
	n := f.Network
	fmt.Fprintf(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BIF VERSION=\"0.3\">\n<NETWORK>\n<NAME>%s</NAME>\n",
		plain(f.Name))
	for v := range n.Len() {
		variable := n.Variable(v)
		fmt.Fprintf(b, "<VARIABLE TYPE=\"nature\">\n  <NAME>%s</NAME>\n", plain(variable.Name))
		for _, s := range variable.States {
			fmt.Fprintf(b, "  <OUTCOME>%s</OUTCOME>\n", plain(s))
		}
		if at, ok := f.Positions[variable.Name]; ok {
			fmt.Fprintf(b, "  <PROPERTY>position = (%s, %s)</PROPERTY>\n", netdoc.FormatNumber(at.X),
				netdoc.FormatNumber(at.Y))
		}
		for _, x := range []struct{ key, text string }{{"label", f.Labels[variable.Name]},
			{"comment", f.Comments[variable.Name]}} {
			if !netdoc.IsXML(x.text) {
				lost = append(lost, fmt.Sprintf("The %s of %q holds characters that XML cannot, and is left out.",
					x.key, say.Short(variable.Name)))
			} else if x.text != "" {
				fmt.Fprintf(b, "  <PROPERTY>%s = %s</PROPERTY>\n", x.key, netdoc.EscapeXML(x.text))
			}
		}
		b.WriteString("</VARIABLE>\n")
	}
	for v := range n.Len() {
		writeTable(b, n.CPT(v))
	}
	b.WriteString("</NETWORK>\n</BIF>\n")
	if err := b.Flush(); err != nil {
		return nil, say.Errorf("xmlbif: %w", err)
	}
	return lost, nil
}

// plain writes a name, encoded when it would not read back otherwise.
func plain(name string) string {
	if strings.TrimSpace(name) != name || !netdoc.IsXML(name) || netdoc.Decode(name) != name {
		name = netdoc.Encode(name)
	}
	return netdoc.EscapeXML(name)
}

// writeTable writes a definition, a line for each configuration.
func writeTable(b *bufio.Writer, t *bn.CPT) {
	fmt.Fprintf(b, "<DEFINITION>\n  <FOR>%s</FOR>\n", plain(t.Child.Name))
	for _, p := range t.Parents {
		fmt.Fprintf(b, "  <GIVEN>%s</GIVEN>\n", plain(p.Name))
	}
	b.WriteString("  <TABLE>")
	for config := range t.Configs().Len() {
		if len(t.Parents) > 0 {
			b.WriteString("\n   ")
		}
		for i, x := range t.Row(config) {
			if i > 0 || len(t.Parents) > 0 {
				b.WriteByte(' ')
			}
			netdoc.WriteNumber(b, x)
		}
	}
	b.WriteString("</TABLE>\n</DEFINITION>\n")
}
