package dot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/dot"
	"bnlab/internal/textpos"
)

func ExampleWrite() {
	g, err := bn.ParseDAG("[rain][wet grass|rain]")
	if err != nil {
		log.Fatal(err)
	}
	if err := dot.Write(os.Stdout, g, nil); err != nil {
		log.Fatal(err)
	}
	// Output:
	// digraph {
	//   "rain";
	//   "wet grass";
	//   "rain" -> "wet grass";
	// }
}

var roundTrips = []struct {
	names   []string
	parents [][]int
}{
	{[]string{"A"}, [][]int{nil}},
	{[]string{"B", "A", "C"}, [][]int{{2, 1}, nil, nil}},
	{[]string{"blood pressure", `say "x"`, "é->{;}#//", "graph", "-1.5", "1a", "<b>", "a+b"},
		[][]int{nil, {0}, {1, 0}, nil, {3}, nil, {5}, nil}},
	{[]string{" ", "line\nbreak", "\r"}, [][]int{{1, 2}, {2}, nil}},
}

func TestRoundTrip(t *testing.T) {
	for _, c := range roundTrips {
		g, err := bn.NewDAG(c.names, c.parents)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := dot.Write(&b, g, nil); err != nil {
			t.Fatal(err)
		}
		got, err := dot.Read(&b, "")
		if err != nil || got.String() != g.String() {
			t.Errorf("read %v (%v), want %v", got, err, g)
		}
	}
}

var texts = []struct{ name, text, want string }{
	{"plain", "digraph { a -> b }", "[a][b|a]"},
	{"chain", "strict digraph asia { a -> b -> c; a->b }", "[a][b|a][c|b]"},
	{"groups", "digraph{ {a b} -> {c; d}\nsubgraph cluster_1 { label=x; e -> f } -> g; e }",
		"[a][b][c|a:b][d|a:b][e][f|e][g|e:f]"},
	{"attributes",
		`digraph "G" { rankdir=LR; node [shape=box, color="#ff0000"] edge[weight=2.5][style=dotted]; a [label=<<b>x</b> & y>]; a -> b [label="+" dir=forward]; }`, "[a][b|a]"},
	{"ports and joined texts", `digraph { a:n -> b:port:sw; "c" + "d" -> a }`, "[a|cd][b|a][cd]"},
	{"comments", "# 1 \"file\"\n// c\ndigraph /* { */ { a // -> x\n -> b\n# line\n}\n", "[a][b|a]"},
	{"numbers and letters", "digraph { -1.5 -> .5 -> 7; é_1 -> 7 }", "[-1.5][.5|-1.5][7|.5:é_1][é_1]"},
	{"keywords in quotes", `DIGRAPH { "node" -> "Graph" }`, "[node][Graph|node]"},
	{"backslashes stay", `digraph { "a\\b" -> "c\d" -> "\\" }`, `[a\\b][c\d|a\\b][\\|c\d]`},
	{"letters beyond ASCII", "digraph { € -> b }", "[€][b|€]"},
	{"a line that goes on", "digraph { \"a\\\nb\" -> \"q\\\"\" }", `[ab][q"|ab]`},
}

func TestRead(t *testing.T) {
	for _, c := range texts {
		g, err := dot.Read(strings.NewReader(c.text), "")
		if err != nil || g.String() != c.want {
			t.Errorf("%s: %v (%v), want %s", c.name, g, err, c.want)
		}
	}
}

// Graphviz reads the same nodes and edges. testdata/graphviz.json holds texts, those above and what Write makes of
// the round trips, with the nodes and edges that Graphviz 12.1.2 found in them (ParseBytes, FirstNode and FirstOut of
// github.com/goccy/go-graphviz v0.2.9). That module is no longer here to ask: see the import fence.
func TestReadAsGraphviz(t *testing.T) {
	file, err := os.ReadFile("testdata/graphviz.json")
	if err != nil {
		t.Fatal(err)
	}
	var answers []struct {
		Text  string
		Graph []string // sorted
	}
	if err := json.Unmarshal(file, &answers); err != nil || len(answers) < 15 {
		t.Fatalf("%d answers of Graphviz, error %v", len(answers), err)
	}
	for _, want := range answers {
		g, err := dot.Read(strings.NewReader(want.Text), "")
		if err != nil {
			t.Errorf("%q: %v", want.Text, err)
			continue
		}
		var got []string
		for v := range g.Len() {
			got = append(got, g.Name(v))
			for _, p := range g.Parents(v) {
				got = append(got, g.Name(p)+" -> "+g.Name(v))
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want.Graph) {
			t.Errorf("%q: read %q, Graphviz %q", want.Text, got, want.Graph)
		}
	}
	// What Write writes is among these texts still.
	known := 0
	for _, c := range roundTrips {
		g, err := bn.NewDAG(c.names, c.parents)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := dot.Write(&b, g, nil); err != nil {
			t.Fatal(err)
		}
		for _, want := range answers {
			if want.Text == b.String() {
				known++
			}
		}
	}
	if known < 4 {
		t.Errorf("Graphviz was asked about %d of the texts that Write writes, want 4 at least", known)
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		line, column     int
	}{
		{"empty", "", "the end of the file where digraph", 1, 1},
		{"undirected", "\n graph { a -- b }", "undirected", 2, 2},
		{"undirected edge", "digraph {\n a -- b }", "write ->", 2, 4},
		{"another language", "<xml/>", "where digraph", 1, 1},
		{"not closed", "digraph { a -> b", "the end of the file where", 1, 17},
		{"no nodes", "digraph { }", "no nodes", 1, 12},
		{"quotes", "digraph {\n\"a }", "quotes are not closed", 2, 1},
		{"comment", "digraph { /* a }", "not closed by */", 1, 11},
		{"angle", "digraph { a [label=<b] }", "angle brackets is not closed", 1, 20},
		{"name in angles", "digraph { <b> }", "put it in quotes", 1, 11},
		{"strange sign", "digraph { a ! b }", `found "!"`, 1, 13},
		{"hyphen", "digraph { x-ray }", `found "-"`, 1, 12},
		{"number and letters", "digraph { 1a }", "begins as a number", 1, 11},
		{"keyword", "digraph { a -> node }", "keyword", 1, 16},
		{"turned", "digraph { a -> b [dir=back] }", "dir=back", 1, 19},
		{"two graphs", "digraph { a } digraph { b }", "after the end", 1, 15},
		{"no end of an edge", "digraph { a -> ; }", "where a name should stand", 1, 16},
		{"empty name", `digraph { "" }`, "without a name", 1, 11},
		{"attribute", "digraph { a [=] }", "where a name should stand", 1, 14},
		{"deep", "digraph " + strings.Repeat("{", 100), "64 deep", 1, 73},
		{"many edges", "digraph { {" + many(3000) + "} -> {" + strings.ReplaceAll(many(3000), "n", "m") + "} }",
			"more than", 1, 0},
		{"not UTF-8", "digraph { a\xff }", "not UTF-8", 1, 11},
	} {
		_, err := dot.Read(strings.NewReader(c.text), "")
		var at *textpos.Error
		if !errors.As(err, &at) || !strings.Contains(err.Error(), c.want) || at.Line != c.line || c.column != 0 &&
			at.Column != c.column {
			t.Errorf("%s: error %v, want %q at %d:%d", c.name, err, c.want, c.line, c.column)
		}
	}
	_, err := dot.Read(strings.NewReader("digraph { a -> b -> a }"), "")
	var cycle *bn.CycleError
	if !errors.As(err, &cycle) {
		t.Errorf("a cycle: %v", err)
	}
	g, err := bn.NewDAG([]string{`a\`}, [][]int{nil})
	if err != nil {
		t.Fatal(err)
	}
	if err := dot.Write(&bytes.Buffer{}, g, nil); err == nil || !strings.Contains(err.Error(), "backslash") {
		t.Errorf("a backslash: %v", err)
	}
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "n%d ", i)
	}
	return b.String()
}

func TestWriteCPDAG(t *testing.T) {
	g, err := bn.ParseDAG("[A][C][B|A:C][D|A]")
	if err != nil {
		t.Fatal(err)
	}
	class := g.CPDAG()
	var b bytes.Buffer
	if err := dot.Write(&b, class.Member(), class.IsDirected); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "dir=none"); n != 1 || !strings.Contains(b.String(), `"A" -> "D" [dir=none]`) {
		t.Errorf("%d undirected edges in %s", n, b.String())
	}
	if _, err := dot.Read(&b, ""); err == nil || !strings.Contains(err.Error(), "dir=none") {
		t.Errorf("reading it: %v", err)
	}
}

// Whatever is read can be written, unless a name has a backslash, and is then read the same.
func FuzzRead(f *testing.F) {
	for _, c := range texts {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := dot.Read(bytes.NewReader(text), "")
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := dot.Write(&b, g, nil); err != nil {
			if strings.Contains(g.String(), `\`) || strings.Contains(g.String(), "\x00") {
				return
			}
			t.Fatal(err)
		}
		again, err := dot.Read(bytes.NewReader(b.Bytes()), "")
		if err != nil || again.String() != g.String() {
			t.Fatalf("read %v, written and read %v (%v)", g, again, err)
		}
	})
}
