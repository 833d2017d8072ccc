package genie

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// Write writes the network with names, labels, comments, positions and noisy-MAX nodes.
// [Parse] reads it back the same, every number of a table bit for bit. It returns sentences
// on what the format has no place for, and an error, before the first byte, for a network
// that it cannot hold: one with a continuous variable that has discrete parents.
func Write(w io.Writer, f *netdoc.File) (lost []string, err error) {
	lost, err = f.Check(netdoc.Keeps{Format: "XDSL", Name: true, Labels: true, Comments: true, Positions: true,
		NoisyMAX: true, Gauss: true, AnyText: true})
	if err != nil {
		return nil, err
	}
	n := f.Network
	for v := range n.Len() {
		if g := n.Gaussian(v); g != nil && len(g.Discrete) > 0 {
			return nil, say.Errorf("genie: %q: %w, and has the discrete parent %q, which no equation node that is "+
				"written here can have; write a Hugin net", n.Variable(v).Name, bn.ErrNotDiscrete, g.Discrete[0].Name)
		}
	}
	b := bufio.NewWriterSize(w, 1<<16)
	x := writer{Writer: b, file: f, ids: make(map[string]string, n.Len())}
	for v := range n.Len() {
		x.ids[n.Variable(v).Name] = x.names.Of(n.Variable(v).Name, v)
	}
	id := "Network1"
	if f.Name != "" {
		id = netdoc.Encode(f.Name)
	}
	fmt.Fprintf(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<smile version=\"1.0\" id=\"%s\" "+
		"numsamples=\"10000\">\n<nodes>\n", id)
	for _, v := range n.DAG().Order() {
		x.node(v)
	}
	fmt.Fprintf(b, "</nodes>\n<extensions>\n<genie version=\"1.0\" app=\"bnlab\" name=\"%s\">\n",
		netdoc.EscapeXML(x.text("name", "the network", f.Name)))
	x.drawing()
	b.WriteString("</genie>\n</extensions>\n</smile>\n")
	if err := b.Flush(); err != nil {
		return nil, say.Errorf("genie: %w", err)
	}
	lost = append(lost, x.lost...)
	if s := x.names.Lost("XDSL"); s != "" {
		lost = append(lost, s)
	}
	return lost, nil
}

type writer struct {
	*bufio.Writer
	file  *netdoc.File
	ids   map[string]string
	names netdoc.Identifiers
	lost  []string
}

// node writes the definition of variable v.
func (w *writer) node(v int) {
	n := w.file.Network
	id := w.ids[n.Variable(v).Name]
	m := w.file.Noisy(v)
	kind := "cpt"
	switch {
	case n.Gaussian(v) != nil:
		kind = "equation"
	case m != nil:
		kind = "noisymax"
	}
	fmt.Fprintf(w, "<%s id=\"%s\">\n", kind, id)
	for i, s := range n.Variable(v).States {
		fmt.Fprintf(w, "  <state id=\"%s\" />\n", w.names.Of(s, i))
	}
	if parents := n.DAG().Parents(v); len(parents) > 0 {
		w.WriteString("  <parents>")
		for i, p := range parents {
			if i > 0 {
				w.WriteByte(' ')
			}
			w.WriteString(w.ids[n.Variable(p).Name])
		}
		w.WriteString("</parents>\n")
	}
	switch kind {
	case "cpt":
		w.numbers("probabilities", n.CPT(v).P)
	case "noisymax":
		w.noisy(m)
	case "equation":
		w.equation(id, n.Gaussian(v))
	}
	fmt.Fprintf(w, "</%s>\n", kind)
}

func (w *writer) numbers(element string, p []float64) {
	fmt.Fprintf(w, "  <%s>", element)
	for i, x := range p {
		if i > 0 {
			w.WriteByte(' ')
		}
		netdoc.WriteNumber(w.Writer, x)
	}
	fmt.Fprintf(w, "</%s>\n", element)
}

func (w *writer) noisy(m *netdoc.NoisyMAX) {
	var strengths []string
	var flat []float64
	for p, order := range m.Strengths {
		for k, s := range order {
			strengths = append(strengths, fmt.Sprint(s))
			flat = append(flat, m.Effects[p][k]...)
		}
	}
	fmt.Fprintf(w, "  <strengths>%s</strengths>\n", strings.Join(strengths, " "))
	w.numbers("parameters", append(flat, m.Leak...))
}

// equation writes id=0.3 + 0.9 * x + Normal(0, 0.2).
func (w *writer) equation(id string, g *bn.LinearGaussian) {
	var parents []string
	for _, p := range g.Continuous {
		parents = append(parents, w.ids[p.Name])
	}
	noise := ""
	if g.Variance[0] > 0 {
		noise = " + Normal(0, " + netdoc.FormatNumber(math.Sqrt(g.Variance[0])) + ")"
	}
	fmt.Fprintf(w, "  <definition>%s=%s%s</definition>\n", id, netdoc.Sum(g.Intercept[0], g.Weights[0], parents), noise)
}

// drawing writes the nodes in the order of the variables, in boxes of 80 by 40.
func (w *writer) drawing() {
	n := w.file.Network
	depth := make([]int, n.Len())
	inLayer := make([]int, n.Len()+1)
	for _, v := range n.DAG().Order() {
		for _, p := range n.DAG().Parents(v) {
			depth[v] = max(depth[v], depth[p]+1)
		}
	}
	for v := range n.Len() {
		name := n.Variable(v).Name
		label := w.text("label", name, w.file.Labels[name])
		if label == "" && netdoc.IsXML(name) {
			label = name
		}
		at, ok := w.file.Positions[name]
		if !ok {
			at = netdoc.Point{X: float64(100 + 120*inLayer[depth[v]]), Y: float64(60 + 100*depth[v])}
			inLayer[depth[v]]++
		}
		fmt.Fprintf(w, "<node id=\"%s\">\n  <name>%s</name>\n", w.ids[name], netdoc.EscapeXML(label))
		for _, l := range looks {
			fmt.Fprintf(w, "  %s\n", l)
		}
		fmt.Fprintf(w, "  <position>%.0f %.0f %.0f %.0f</position>\n", math.Floor(at.X-40), math.Floor(at.Y-20),
			math.Ceil(at.X+40), math.Ceil(at.Y+20))
		if c := w.text("comment", name, w.file.Comments[name]); c != "" {
			fmt.Fprintf(w, "  <comment>%s</comment>\n", netdoc.EscapeXML(c))
		}
		w.WriteString("</node>\n")
	}
}

// text returns a text that XML can hold, and "" with a sentence for another.
func (w *writer) text(what, of, text string) string {
	if netdoc.IsXML(text) {
		return text
	}
	w.lost = append(w.lost, fmt.Sprintf("The %s of %q holds characters that XML cannot, and is left out.", what,
		say.Short(of)))
	return ""
}
