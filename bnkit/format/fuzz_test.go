package format_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/format"
)

// fuzz checks that no input panics, that every error has a place in the input, and that what
// is read is a valid network that writes and reads back the same, nothing being lost.
func fuzz(f *testing.F, extension string, seeds ...string) {
	form, err := format.ByExtension(extension)
	if err != nil {
		f.Fatal(err)
	}
	for _, n := range small(f) {
		var b bytes.Buffer
		if form.Write == nil {
			break
		}
		if _, err := form.Write(&b, &format.File{Network: n}); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := form.Parse(src)
		if err != nil {
			var e *format.SyntaxError
			ends := bytes.Count(src, []byte("\n")) + bytes.Count(src, []byte("\r"))
			if !errors.As(err, &e) || e.Line < 1 || e.Line > 1+ends || e.Column < 1 ||
				e.Column > 3*len(src)+1 {
				t.Fatalf("%#v has no place in the input", err)
			}
			return
		}
		n := file.Network
		if err := n.Validate(); err != nil {
			t.Fatal(err)
		}
		for v := range n.Len() {
			if c := n.CPT(v); c != nil {
				for _, p := range c.P {
					if math.IsNaN(p) || math.Signbit(p) {
						t.Fatalf("the table of %s holds %v", n.Variable(v).Name, p)
					}
				}
			}
		}
		for _, p := range file.Positions {
			if math.IsNaN(p.X) || math.IsNaN(p.Y) {
				t.Fatal("a position is not a number")
			}
		}
		if form.Write == nil || n.Layout().Len() > 1<<16 {
			return // as correct, and slow
		}
		again, lost := through(t, form, file)
		if d := difference(n, again.Network); d != "" {
			t.Fatal(d)
		}
		for _, s := range append(lost, again.Lost...) {
			if !strings.Contains(s, "identifiers") && !strings.Contains(s, "another order") &&
				!strings.Contains(s, "characters that XML") && !strings.Contains(s, "no names") {
				t.Fatalf("its own file lost something: %s", s)
			}
		}
		if len(again.NoisyMAX) != len(file.NoisyMAX) {
			t.Fatalf("%d noisy-MAX nodes became %d", len(file.NoisyMAX), len(again.NoisyMAX))
		}
	})
}

func FuzzXMLBIF(f *testing.F) {
	fuzz(f, ".xml",
		`<BIF VERSION="0.3"><NETWORK><NAME>x</NAME><VARIABLE `+
			`TYPE="nature"><NAME>a</NAME><OUTCOME>0</OUTCOME><OUTCOME>1</OUTCOME><PROPERTY>position = (1, `+
			`2)</PROPERTY></VARIABLE><DEFINITION><FOR>a</FOR><TABLE>.25 <!-- c --> `+
			`75e-2</TABLE></DEFINITION></NETWORK></BIF>`,
		`<!DOCTYPE BIF [<!ELEMENT BIF `+
			`ANY>]><BIF><NETWORK><VARIABLE><NAME>a&#32;</NAME><VALUE>&amp;</VALUE><PROPERTY>label = `+
			`&#9;l</PROPERTY></VARIABLE><VARIABLE TYPE="utility"><NAME>u</NAME></VARIABLE></NETWORK></BIF>`,
		`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, `<?xml version="1.0" encoding="latin1"?><BIF><NETWORK/></BIF>`)
}

func FuzzHugin(f *testing.F) {
	fuzz(f, ".net",
		"net { node_size = (80 40); name = \"n\"; } node a { states = (\"x\" \"y\"); label = \"L\"; position = (1 "+
			"2); HR_Desc = \"d\"; } potential (a) { data = (0.25 0.75); }",
		"class C { inputs = (); outputs = (a); node a { states = (\"x\" \"\"); } utility U { } potential (a) { } "+
			"potential (U | a) { data = (10 -3); } }",
		"continuous node x { } discrete node a { states = (0 1); } continuous node y { } potential (x | a) { data = "+
			"(normal (0, 1) normal (-1.5, 0.25)); } potential (y | x a) { data = (normal (1 + 2*x, 1) normal (- x * "+
			"3, 0)); } potential (a) { data = (0.5 0.5); }",
		"node a { states = (\"x\\\"\\\\\" \"y\"); } % c\npotential (a) { data = ((0.5 0.5)); experience = (10); "+
			"model_data = (f()); }",
		"decision d { }", "node a { states = (\"x", "potential (a | b) { }", "instance i : C ();")
}

func FuzzGeNIe(f *testing.F) {
	fuzz(f, ".xdsl",
		`<smile version="1.0" id="N"><nodes><cpt id="a"><state id="x"/><state id="y"/><probabilities>.25 `+
			`.75</probabilities></cpt><noisymax id="m"><state id="p"/><state `+
			`id="q"/><parents>a</parents><strengths>1 0</strengths><parameters>0.8 0.2 0 1 0.01 `+
			`0.99</parameters></noisymax><deterministic id="d"><state id="p"/><state `+
			`id="q"/><parents>m</parents><resultingstates>q `+
			`p</resultingstates></deterministic></nodes><extensions><genie name="T"><node `+
			`id="m"><name>M</name><position>1 2 3 4</position></node><submodel><node id="a"/></submodel><node `+
			`id="d"><comment>c</comment></node></genie></extensions></smile>`,
		`<smile><nodes><equation id="x"><definition>x=Normal(0,1)</definition></equation><equation `+
			`id="y"><parents>x</parents><definition>y=0.5-2*x+Normal(1,0.5)</definition></equation></nodes></smile>`,
		`<smile><nodes><mau id="u"/><decision id="d"/></nodes></smile>`, `<smile><dynamic/></smile>`, `<smile/>`)
}

func FuzzNetica(f *testing.F) {
	seeds := []string{
		"// ~->[DNET-1]->~\nbnet n { autoupdate = TRUE; visual V1 { font = font {size = 9;}; }; node a { kind = " +
			"NATURE; discrete = TRUE; states = (x, y); parents = (); probs = (0.25, 0.75); title = \"A\"; visual V1 " +
			"{ center = (1, 2); }; }; node b { states = (p, q); statetitles = (, \"Q q\"); parents = (a); functable " +
			"= (#1, p); }; };",
		"bnet n { node a { discrete = FALSE; levels = (-INFINITY, 0, 1.5, INFINITY); probs = (0.2, 0.3, 0.5); }; " +
			"node c { kind = CONSTANT; }; node b { states = (p, q); parents = (a); probs = (#0, (0.5, 0.5), (1, 0)); " +
			"}; };",
		"bnet n { node a { numstates = 3; }; };", "bnet n { node a { states = (a b); }; };",
		"bnet n { node a { kind = DECISION; }; };", "bnet n { node a { probs = (@imposs); }; };",
		"belief network \"n\"\nnode a { name: \"A\"; type : discrete [ 2 ] = { \"x\", \"y\" }; position: (1, 2); " +
			"}\nnode b { type: discrete [2] = {\"p\", \"q\"}; }\nprobability ( b | a ) { (1) : 0.2, 0.8; default : " +
			"0.5, 0.5; }\nprobability ( a ) { 0.25, 0.75; }",
		"belief network\nnode a { type : discrete [ 3 ] = { x, y }; }", "belief network \"",
		"belief network n node a { type: discrete = {x}; } probability(a) { (): 1; }",
	}
	fuzz(f, ".dne", seeds...)
}

func FuzzDSC(f *testing.F) {
	fuzz(f, ".dsc", "belief network \"n\"\nnode a { type : discrete [ 2 ] = { \"x\", \"y\" }; }\nnode b { type : "+
		"discrete [ 2 ] = { \"x\", \"y\" }; }\nprobability ( a ) { 0.25, 0.75; }\nprobability ( b | a ) { (0) : "+
		"0.25, 0.75; (1) : 1, 0; }",
		"bnet n { node a { states = (x, y); probs = (0.5, 0.5); }; };")
}

func FuzzUAI(f *testing.F) {
	fuzz(f, ".uai", "BAYES 2 2 3 2 1 0 2 0 1 2 .25 .75 6 0.1 0.2 0.7 NaN NaN NaN", "BAYES\n1\n1\n1\n1 0\n\n1\n 1 # c",
		"MARKOV 1 2 1 1 0 2 1 3", "BAYES 999999999", "BAYES 1 65535 1 1 0 1 1")
}

func FuzzDSL(f *testing.F) {
	fuzz(f, ".dsl", dsl, "net N { node a { TYPE = CPT; DEFINITION = { NAMESTATES = (x, , y%);", "net N { HEADER "+
		"= { NAME = \"T\"; }; "+
		"node u { TYPE = TABLE; }; node a { TYPE = TRUTHTABLE; DEFINITION = { NAMESTATES = (x); "+
		"RESULTING_STATES = (0); }; }; };")
}

// FuzzOtherXML reads what other tools call XMLBIF, or write as XML of their own.
func FuzzOtherXML(f *testing.F) {
	fuzz(f, ".xml", oldXML(`VERSION="0.2"`, "<TYPE>discrete</TYPE>"), oldXML("", ""),
		`<XMLBIF version="0.6"><network><variables>`+unb("a", "p", "q")+unb("c", "u", "v")+
			`</variables><conditionalDistributionSet>`+unbTable("a", "", "0.25 0.75")+unbTable("c", "a", "0 1 1 0")+
			`</conditionalDistributionSet></network></XMLBIF>`,
		`<bayesNet><bnVariables><discreteVariable name="a" x="5" y="7"><value name="p" index="1"/><value `+
			`name="q" index="0"/>`+
			`</discreteVariable></bnVariables><parents><parentsFor name="a"/></parents><cpts><cpt `+
			`variable="a"><row>0.25 0.75`+
			`</row></cpt></cpts></bayesNet>`)
}
