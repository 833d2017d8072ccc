package graphml_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/graphml"
	"bnlab/internal/textpos"
)

func ExampleWrite() {
	g, err := bn.ParseDAG("[rain][wet grass|rain]")
	if err != nil {
		log.Fatal(err)
	}
	if err := graphml.Write(os.Stdout, g, nil); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
	//   <key id="label" for="node" attr.name="label" attr.type="string"/>
	//   <graph edgedefault="directed">
	//     <node id="n0"><data key="label">rain</data></node>
	//     <node id="n1"><data key="label">wet grass</data></node>
	//     <edge source="n0" target="n1"/>
	//   </graph>
	// </graphml>
}

func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		names   []string
		parents [][]int
	}{
		{[]string{"A"}, [][]int{nil}},
		{[]string{"B", "A", "C"}, [][]int{{2, 1}, nil, nil}},
		{[]string{"blood pressure", "é<&>\"'", "&amp;"}, [][]int{nil, {0}, {1, 0}}},
		{[]string{"]]>", " spaces ", "a\nb\tc\rd"}, [][]int{{1, 2}, {2}, nil}},
	} {
		g, err := bn.NewDAG(c.names, c.parents)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := graphml.Write(&b, g, nil); err != nil {
			t.Fatal(err)
		}
		got, err := graphml.Read(&b, "")
		if err != nil || got.String() != g.String() {
			t.Errorf("read %v (%v), want %v", got, err, g)
		}
	}
}

// Files as other tools write them.
func TestRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"NetworkX", `<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
<key id="d0" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="directed"><node id="A b"/><node id="C"/><edge source="A b" target="C"><data key="d0">0.5</data></edge></graph></graphml>`, "[A b][C|A b]"},
		{"igraph",
			`<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="v_name" for="node" attr.name="name" attr.type="string"/>
<graph id="G" edgedefault="directed"><node id="n0"><data key="v_name">rain</data></node><node id="n1"><data key="v_name">wet</data></node>
<edge source="n0" target="n1"></edge></graph></graphml>`, "[rain][wet|rain]"},
		{"yEd",
			`<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml"><key for="node" id="d6" yfiles.type="nodegraphics"/>
<graph edgedefault="directed" id="G"><node id="n0"><data key="d6"><y:ShapeNode><y:Fill color="#FFCC00"/><y:NodeLabel>
 rain<y:LabelModel><y:Smart distance="4.0"/></y:LabelModel></y:NodeLabel><y:NodeLabel>second</y:NodeLabel></y:ShapeNode></data></node>
<node id="n1"/><edge id="e0" source="n0" target="n1"/></graph><data key="d7"><y:Resources/></data></graphml>`,
			"[rain][n1|rain]"},
		{"edges before nodes, one directed by itself",
			`<graphml><graph edgedefault="undirected"><edge source="a" target="b" directed="true"/><node id="a"/><node id="b"/></graph></graphml>`, "[a][b|a]"},
		{"equal labels", `<graphml><key id="k" for="node" attr.name="label"/><graph edgedefault="directed">
<node id="a"><data key="k">x</data></node><node id="b"><data key="k">x</data></node>
<node id="c"><data key="k">y</data></node>
<edge source="a" target="b"/><edge source="b" target="c"/></graph></graphml>`, "[a][b|a][y|b]"},
		{"groups of yEd", `<graphml xmlns:y="http://www.yworks.com/xml/graphml"><graph edgedefault="directed">
<node id="n0" yfiles.foldertype="group"><data key="d6"><y:ProxyAutoBoundsNode><y:Realizers active="0"><y:GroupNode>
<y:NodeLabel>Tests</y:NodeLabel></y:GroupNode></y:Realizers></y:ProxyAutoBoundsNode></data>
<graph edgedefault="directed" id="n0:"><node id="n0::n0"><data key="d6"><y:NodeLabel>x-ray</y:NodeLabel></data></node>
<node id="n0::n1"/><edge source="n0::n0" target="n0::n1"/></graph></node>
<node id="n1"><data key="d6"><y:NodeLabel>ill</y:NodeLabel></data></node>
<edge source="n1" target="n0::n0"/></graph></graphml>`,
			"[x-ray|ill][n0::n1|x-ray][ill]"},
		{"comments and instructions",
			`<?xml version="1.0"?><!-- c --><graphml><?x y?><graph edgedefault="directed"><!-- <node id="z"/> --><node id="a"><desc>text</desc></node></graph></graphml><!-- end -->`, "[a]"},
	} {
		g, err := graphml.Read(strings.NewReader(c.text), "")
		if err != nil || g.String() != c.want {
			t.Errorf("%s: %v (%v), want %s", c.name, g, err, c.want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	graph := func(inner string) string {
		return "<graphml><graph edgedefault=\"directed\">\n" + inner + "</graph></graphml>"
	}
	for _, c := range []struct {
		name, text, want string
		line             int
	}{
		{"empty", "", "no element <graphml>", 1},
		{"cut off", "<graphml><graph>", "unexpected EOF", 1},
		{"another format", "<html></html>", "<html>, not <graphml>", 1},
		{"no graph", "<graphml></graphml>", "no <graph>", 1},
		{"no variables", "<graphml><graph edgedefault=\"directed\"/></graphml>", "no nodes", 1},
		{"two graphs", graph("")[:len(graph(""))-len("</graphml>")] + "<graph/></graphml>", "second <graph>", 2},
		{"document type", "<!DOCTYPE graphml [<!ENTITY a \"b\">]>\n" + graph(""), "document type", 1},
		{"encoding", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n" + graph(""),
			"the encoding ISO-8859-1 is not read; save the file as UTF-8", 1},
		{"entity", graph("<node id=\"a\">&lol;</node>"), "invalid character entity", 2},
		{"undirected", graph("<node id=\"a\"/><node id=\"b\"/>\n<edge source=\"a\" target=\"b\" directed=\"false\"/>"),
			`from "a" to "b" is undirected`, 3},
		{"undirected by default", "<graphml><graph><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" " +
			"target=\"b\"/></graph></graphml>", "undirected", 1},
		{"neither directed nor not", "<graphml><graph><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" " +
			"target=\"b\" directed=\"yes\"/></graph></graphml>", "undirected", 1},
		{"no id", graph("<node/>"), "without id", 2},
		{"id twice", graph("<node id=\"a\"/><node id=\"a\"/>"), `the id "a"`, 2},
		{"edge to nothing", graph("<node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/>\n"), "one of them is no node",
			3},
		{"edge of a group", graph("<node id=\"a\"><graph><node id=\"b\"/></graph></node>\n<node id=\"c\"/>\n" +
			"<edge source=\"c\" target=\"a\"/>\n"), `an edge of the group "a"`, 4},
		{"undirected in a group", graph("<node id=\"a\"><graph edgedefault=\"undirected\"><node id=\"b\"/>" +
			"<node id=\"c\"/><edge source=\"b\" target=\"c\"/></graph></node>"), "undirected", 2},
		{"only a group", graph("<node id=\"a\"><graph/></node>"), "no nodes", 2},
		{"hyperedge", graph("<hyperedge/>"), "hyperedge", 2},
		{"wrong end", graph("<node id=\"a\"></edge>"), "closed by", 2},
		{"more after the end", graph("<node id=\"a\"/>") + "<graphml/>", "after the end", 2},
		{"deep", graph("<node id=\"a\"><data>" + strings.Repeat("<x>", 100)), "64 deep", 2},
	} {
		_, err := graphml.Read(strings.NewReader(c.text), "")
		var at *textpos.Error
		if !errors.As(err, &at) || !strings.Contains(err.Error(), c.want) || at.Line != c.line {
			t.Errorf("%s: error %v, want %q in line %d", c.name, err, c.want, c.line)
		}
	}
	_, err := graphml.Read(strings.NewReader(
		graph(`<node id="a"/><node id="b"/><edge source="a" target="b"/><edge source="b" target="a"/>`)), "")
	var cycle *bn.CycleError
	if !errors.As(err, &cycle) {
		t.Errorf("a cycle: %v", err)
	}
	if err := graphml.Write(&bytes.Buffer{}, mustDAG(t, "a\x00"), nil); err == nil {
		t.Error("a name with a control character was written")
	}
}

func mustDAG(t *testing.T, names ...string) *bn.DAG {
	t.Helper()
	g, err := bn.NewDAG(names, make([][]int, len(names)))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestWriteCPDAG(t *testing.T) {
	g, err := bn.ParseDAG("[A][C][B|A:C][D|A]")
	if err != nil {
		t.Fatal(err)
	}
	class := g.CPDAG()
	var b bytes.Buffer
	if err := graphml.Write(&b, class.Member(), class.IsDirected); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), `directed="false"`); n != 1 ||
		!strings.Contains(b.String(), `source="A" target="D" directed="false"`) {
		t.Errorf("%d undirected edges in %s", n, b.String())
	}
	if _, err := graphml.Read(&b, ""); err == nil || !strings.Contains(err.Error(), "undirected") {
		t.Errorf("reading it: %v", err)
	}
}

// Whatever is read can be written and is then read the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte(
		`<graphml><key id="k" attr.name="label"/><graph edgedefault="directed"><node id="a"><data key="k">A &lt; b</data></node><node id="b"/><edge source="a" target="b"/></graph></graphml>`))
	f.Add([]byte(
		`<graphml><graph><node id="a"><data><y:NodeLabel xmlns:y="u">x</y:NodeLabel></data></node></graph></graphml>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := graphml.Read(bytes.NewReader(text), "")
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := graphml.Write(&b, g, nil); err != nil {
			t.Fatal(err)
		}
		again, err := graphml.Read(bytes.NewReader(b.Bytes()), "")
		if err != nil || fmt.Sprint(again) != fmt.Sprint(g) {
			t.Fatalf("read %v, written and read %v (%v)", g, again, err)
		}
	})
}
