package format_test

import (
	"fmt"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
)

// text prints a network as its tests compare it: each variable with its states and its parents, then its table, all in
// the order of the network.
func text(n *bn.Network) string {
	var b strings.Builder
	for v := range n.Len() {
		if v > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s %q", n.Variable(v).Name, n.Variable(v).States)
		for _, p := range parents(n, v) {
			fmt.Fprintf(&b, " |%s", p)
		}
		if t := n.CPT(v); t != nil {
			for _, p := range t.P {
				fmt.Fprintf(&b, " %.6g", p)
			}
			continue
		}
		g := n.Gaussian(v)
		fmt.Fprintf(&b, " %v %v %v", g.Intercept, g.Weights, g.Variance)
	}
	return b.String()
}

// oldXML is a file of XMLBIF 0.2, of JavaBayes, with the attributes of its root and the types of its variables.
func oldXML(version, kind string) string {
	variable := func(name string) string {
		return "<VARIABLE><NAME>" + name + "</NAME>" + kind + "<VALUE>t</VALUE><VALUE>f</VALUE></VARIABLE>"
	}
	return "<BIF " + version + "><NETWORK><NAME>dog</NAME>" + variable("out") + variable("bark") +
		"<PROBABILITY><FOR>out</FOR><TABLE>0.25 0.75</TABLE></PROBABILITY>" +
		"<PROBABILITY><FOR>bark</FOR><GIVEN>out</GIVEN><TABLE>0.7 0.01 0.3 0.99</TABLE></PROBABILITY></NETWORK></BIF>"
}

// unb is a variable of UnBBayes.
func unb(name string, states ...string) string {
	text := `<xbifns:variable type="DiscreteProbabilistic" xPos="1" yPos="2" name="` + name + `"><xbifns:description>` +
		name + `</xbifns:description>`
	for _, s := range states {
		text += `<xbifns:state name="` + s + `"/>`
	}
	return text + `</xbifns:variable>`
}

// unbTable is a table of UnBBayes.
func unbTable(name, parents, numbers string) string {
	text := `<xbifns:conditionalDistribution type="Discrete"><xbifns:owner name="` + name + `"/>`
	if parents != "" {
		text += `<xbifns:parents>`
		for i, p := range strings.Fields(parents) {
			text += fmt.Sprintf(`<xbifns:parent index="%d" name="%s"/>`, i, p)
		}
		text += `</xbifns:parents>`
	}
	text += `<xbifns:CPT>`
	for i, x := range strings.Fields(numbers) {
		text += fmt.Sprintf(`<xbifns:dependentParentIndex index="%d">%s</xbifns:dependentParentIndex>`, i, x)
	}
	return text + `</xbifns:CPT></xbifns:conditionalDistribution>`
}

const dsl = "net Unnamed\n{\n\tnode a\n\t{\n\t\tTYPE = CPT;\n\t\tHEADER =\n\t\t{\n\t\t\tID = a;\n\t\t\tNAME = " +
	"\"A\";\n\t\t};" +
	" PARENTS = (); DEFINITION = { NAMESTATES = (10%, \"q r\"); PROBABILITIES = (0.25, 0.75); }; };\n" +
	"node b { TYPE = CPT; HEADER = { ID = b; NAME = \"b\"; }; SCREEN = { POSITION = { CENTER_X = 3; CENTER_Y = 4; }; " +
	"COLOR = 1; }; PARENTS = (a); DEFINITION = { NAMESTATES = (p, q); PROBABILITIES = (0.1, 0.9, 1, 0); }; };\n" +
	"node d { TYPE = TRUTHTABLE; PARENTS = (b); DEFINITION = { NAMESTATES = (p, q); RESULTING_STATES = (q, p); " +
	"}; };\n};\n"

// TestFound reads what files of other tools hold, each in a few lines, as that tool means it.
func TestFound(t *testing.T) {
	for _, x := range []struct{ name, file, text, want, lost string }{
		// Netica.
		{"links in a drawing", "a.dne", "bnet n { node a { states = (x, y); probs = (0.25, 0.75); visual V1 { " +
			"center = (1, 2); " +
			"link 1 { path = ((3, 4), (5, 6)); }; link 2 { labelpos = 1; }; }; }; };", `a ["x" "y"] 0.25 0.75`, "link"},
		{"certain states of levels", "a.dne", "bnet n { node a { discrete = FALSE; levels = (0, 1, 2); probs = " +
			"(#1); }; };",
			`a ["0 to 1" "1 to 2"] 0 1`, ""},
		{"certain states of titles", "a.dne", "bnet n { node a { probs = (#1); statetitles = (\"p\", \"q\"); }; };",
			`a ["p" "q"] 0 1`, ""},
		{"certain states by number", "a.dne", "bnet n { node a { numstates = 3; probs = (#2); }; };",
			`a ["state0" "state1" "state2"] 0 0 1`, ""},
		{"certain states beside numbers", "a.dne", "bnet n { node a { states = (x, y); probs = (0.5, 0.5); }; " +
			"node b { states = (x, y, z); parents = (a); probs = ((0.25, 0.5, 0.25), (#0)); }; };",
			`a ["x" "y"] 0.5 0.5; b ["x" "y" "z"] |a 0.25 0.5 0.25 1 0 0`, ""},
		{"a gap in titles", "a.dne", "bnet n { node a { numstates = 3; statetitles = (\"p\", , \"q\"); probs = " +
			"(0.25, 0.5, " +
			"0.25); }; };", `a ["p" "state1" "q"] 0.25 0.5 0.25`, `are called "state1"`},
		{"a gap at the end of titles", "a.dne", "bnet n { node a { levels = (1, 2, 5); statetitles = (\"p\", " +
			"\"q\", ); " +
			"probs = (0.25, 0.5, 0.25); }; };", `a ["p" "q" "5"] 0.25 0.5 0.25`, `are called "5"`},
		{"impossible rows", "a.dne", "bnet n { node a { states = (x, y); probs = (0.5, 0.5); }; node b { states " +
			"= (x, y); " +
			"parents = (a); probs = ((@imposs), (0.1, 0.9)); }; node c { states = (x, y); parents = (a); probs " +
			"= ((0.1, " +
			"0.9), @undef); }; };", `a ["x" "y"] 0.5 0.5; b ["x" "y"] |a 0.5 0.5 0.1 0.9; c ["x" "y"] |a 0.1 ` +
			`0.9 0.5 0.5`,
			`2 rows were without probabilities in the tables of "b", "c"`},
		{"the last probability left out", "a.dne", "bnet n { node a { states = (x, y); probs = (0.3); }; node b " +
			"{ states = " +
			"(x, y, z); parents = (a); probs = ((0.1, 0.2), (0.5, 0.5)); }; };",
			`a ["x" "y"] 0.3 0.7; b ["x" "y" "z"] |a 0.1 0.2 0.7 0.5 0.5 0`, `The last probability of each row of "b"`},
		{"impossible entries", "a.dne", "bnet n { node a { states = (x, y); probs = (0.5, 0.5); }; node b { states = " +
			"(x, y); parents = (a); probs = (@imposs, @imposs, 0.1, 0.9); }; node c { states = (x, y); parents = " +
			"(a, b); probs = (#1, @imposs, @imposs, 0.25, 0.75, @undef, @undef); }; };",
			`a ["x" "y"] 0.5 0.5; b ["x" "y"] |a 0.5 0.5 0.1 0.9; c ["x" "y"] |a |b 0 1 0.5 0.5 0.25 0.75 0.5 0.5`,
			`3 rows were without probabilities in the tables of "b", "c"`},
		// Lines of old Macs.
		{"Netica for Mac", "a.dne", "// ~->[DNET-1]->~\r\r// File created by an old Mac\rbnet n {\rnode a {\r// " +
			"here\r" +
			"states = (x, y);\rprobs = (0.25, 0.75);\r};\r};\r", `a ["x" "y"] 0.25 0.75`, ""},
		{"BIF of a Mac", "a.bif", "// a comment\rvariable a { type discrete [ 2 ] { x, y }; }\r// " +
			"more\rprobability (a) { " +
			"table 0.25, 0.75; }\r", `a ["x" "y"] 0.25 0.75`, ""},
		{"Hugin of a Mac", "a.net", "% a comment\rnet { }\rnode a { states = (\"x\" \"y\"); }\r% " +
			"more\rpotential (a) { data = " +
			"(0.25 0.75); }\r", `a ["x" "y"] 0.25 0.75`, ""},
		// Hugin and GeNIe.
		{"a node called by a number", "a.net", "node 1 { states = (\"x\" \"y\"); } node 2 { states = (\"x\" " +
			"\"y\"); } potential " +
			"(1) { data = (0.25 0.75); } potential (2 | 1) { data = ((0 1)(1 0)); }",
			`1 ["x" "y"] 0.25 0.75; 2 ["x" "y"] |1 0 1 1 0`, ""},
		{"a mean of parents", "a.xdsl", `<smile version="1.0" id="n"><nodes><equation ` +
			`id="X"><definition>X=Normal(3,2)` +
			`</definition></equation><equation id="Y"><parents>X</parents><definition>Y=Normal(2*X + 1, ` +
			`0.5)</definition>` +
			`</equation><equation id="Z"><parents>X</parents><definition>Z=X-1+Normal(X*2,1)</definition></equation>` +
			`</nodes></smile>`, `X [] [3] [[]] [4]; Y [] |X [1] [[2]] [0.25]; Z [] |X [-1] [[3]] [1]`, ""},
		{"names of UnBBayes", "a.net", "node AtWar(a,b) { states = (\"x\" \"y\"); } node Hit(a) { states = " +
			"(\"x\" \"y\"); " +
			"} potential (AtWar(a,b)) { data = (0.25 0.75); } potential (Hit(a) | AtWar(a,b)) { data = ((0 1)(1 0)); }",
			`AtWar(a,b) ["x" "y"] 0.25 0.75; Hit(a) ["x" "y"] |AtWar(a,b) 0 1 1 0`, ""},
		// XMLBIF before 0.3, where the state of the child varies slowest: P(t|t), P(t|f), P(f|t), P(f|f).
		{"XMLBIF 0.2", "a.xml", oldXML(`VERSION="0.2"`, "<TYPE>discrete</TYPE>"),
			`out ["t" "f"] 0.25 0.75; bark ["t" "f"] |out 0.7 0.3 0.01 0.99`, ""},
		{"XMLBIF 0.2 without types", "a.xml", oldXML(`VERSION="0.2"`, ""),
			`out ["t" "f"] 0.25 0.75; bark ["t" "f"] |out 0.7 0.3 0.01 0.99`, ""},
		{"XMLBIF without a version", "a.xml", oldXML("", ""),
			`out ["t" "f"] 0.25 0.75; bark ["t" "f"] |out 0.7 0.3 0.01 0.99`, ""},
		// Tetrad: a row for each configuration, the first parent slowest; indices order states and parents.
		{"Tetrad", "a.xml", `<bayesNet><bnVariables><discreteVariable name="a" index="0" x="5" y="7"><value name="p" ` +
			`index="0"/><value name="q" index="1"/></discreteVariable><discreteVariable name="b" index="1" ` +
			`latent="yes">` +
			`<category name="s" index="1"/><category name="r" index="0"/></discreteVariable><discreteVariable ` +
			`name="c">` +
			`<value name="r"/><value name="s"/></discreteVariable></bnVariables><parents><parentsFor ` +
			`name="c"><parent ` +
			`name="b" index="1"/><parent name="a" index="0"/></parentsFor><parentsFor name="a"/></parents><cpts><cpt ` +
			`variable="a"><row>0.25 0.75</row></cpt><cpt variable="b"><row>0.5 0.5</row></cpt><cpt variable="c"><row>` +
			`0.1 0.9</row><row>0.2 0.8</row><row>0.3 0.7</row><row>0.4 0.6</row></cpt></cpts></bayesNet>`,
			`a ["p" "q"] 0.25 0.75; b ["r" "s"] 0.5 0.5; c ["r" "s"] |a |b 0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6`,
			`"b" is latent`},
		// UnBBayes: the first parent varies fastest after the child, so the network has them in reverse.
		{"UnBBayes 0.6", "a.xml", `<xbifns:XMLBIF version="0.6" xmlns:xbifns="http://unbbayes.sourceforge.net/xml/` +
			`XMLBIF_0_6.xsd"><xbifns:header><xbifns:name>N</xbifns:name></xbifns:header><xbifns:network>` +
			`<xbifns:variables>` + unb("a", "p", "q") + unb("b", "r", "s", "t") + unb("c", "u", "v") +
			`</xbifns:variables><xbifns:structure><xbifns:edge child="c" parent="b"/></xbifns:structure>` +
			`<xbifns:conditionalDistributionSet>` + unbTable("a", "", "0.25 0.75") + unbTable("b", "", "0.2 0.3 0.5") +
			unbTable("c", "a b", "0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4") +
			`</xbifns:conditionalDistributionSet></xbifns:network></xbifns:XMLBIF>`,
			`a ["p" "q"] 0.25 0.75; b ["r" "s" "t"] 0.2 0.3 0.5; ` +
				`c ["u" "v"] |b |a 0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4`, ""},
		{"UnBBayes 0.4", "a.xml", `<m:BIF VERSION="0" ` +
			`xmlns:m="http://localhost/xml/model.xsd"><m:HEADER><m:NAME>N</m:NAME>` +
			`</m:HEADER><m:NETWORK><m:VARIABLES><m:VAR NAME="a" TYPE="discrete" XPOS="1" ` +
			`YPOS="2"><m:LABEL>A</m:LABEL>` +
			`<m:STATENAME>p</m:STATENAME><m:STATENAME>q</m:STATENAME></m:VAR><m:VAR NAME="b" TYPE="discrete">` +
			`<m:STATENAME>p</m:STATENAME><m:STATENAME>q</m:STATENAME></m:VAR></m:VARIABLES><m:POTENTIAL><m:POT><m:PRIVATE ` +
			`NAME="a"/><m:CONDSET/><m:DPIS><m:DPI INDEXES="0">0.25</m:DPI><m:DPI ` +
			`INDEXES="0">0.75</m:DPI></m:DPIS></m:POT>` +
			`<m:POT><m:PRIVATE NAME="b"/><m:CONDSET><m:CONDLEM NAME="a"/></m:CONDSET><m:DPIS><m:DPI INDEXES="0">0.1` +
			`</m:DPI><m:DPI INDEXES="0">0.9</m:DPI><m:DPI INDEXES="1">1.0</m:DPI><m:DPI ` +
			`INDEXES="1">0.0</m:DPI></m:DPIS>` +
			`</m:POT></m:POTENTIAL></m:NETWORK></m:BIF>`, `a ["p" "q"] 0.25 0.75; b ["p" "q"] |a 0.1 0.9 1 0`, ""},
		// GeNIe before XDSL, by its extension and by its content.
		{"DSL", "a.dsl", dsl, `a ["10%" "q r"] 0.25 0.75; b ["p" "q"] |a 0.1 0.9 1 0; d ["p" "q"] |b 0 1 1 0`,
			`deterministic nodes "d"`},
		{"DSL by its content", "a.txt", dsl, `a ["10%" "q r"] 0.25 0.75; b ["p" "q"] |a 0.1 0.9 1 0; d ["p" ` +
			`"q"] |b 0 1 1 0`,
			""},
		// The UAI competitions, with a comment as aGrUM writes them.
		{"UAI", "a.uai", "BAYES\n3\n2 3 2\n3\n1 0 # a root\n1 1\n3 1 0 2\n\n2\n 0.25 0.75\n3\n0.2 0.3 " +
			"0.5\n12\n0.1 0.9 0.2 0.8 " +
			"0.3 0.7\n0.4 0.6 0.5 0.5 1 0\n", `x0 ["0" "1"] 0.25 0.75; x1 ["0" "1" "2"] 0.2 0.3 0.5; x2 ["0" ` +
			`"1"] |x1 |x0 ` +
			`0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 1 0`, "has no names"},
		// BIF as bnlearn writes it.
		{"levels of cut numbers", "a.bif", "network unknown {\n}\nvariable A {\n  type discrete [ 3 ] { " +
			"[-2.1_0.5], _0.5_2.3], " +
			"_2.3_4] };\n}\nvariable B {\n  type discrete [ 2 ] { a, b };\n}\nprobability ( A ) {\n  table " +
			"0.25, 0.5, 0.25;\n}\n" +
			"probability ( B | A ) {\n  ([-2.1_0.5]) 0.1, 0.9;\n  (_0.5_2.3]) 0.2, 0.8;\n  (_2.3_4]) 0.3, 0.7;\n}\n",
			`A ["[-2.1_0.5]" "_0.5_2.3]" "_2.3_4]"] 0.25 0.5 0.25; B ["a" "b"] |A 0.1 0.9 0.2 0.8 0.3 0.7`, ""},
		{"levels with any letters", "a.bif", "variable A {\n  type discrete [ 3 ] { no pain, a|b; c, say \"hi\" " +
			"};\n}\nvariable B {\n" +
			"  type discrete [ 2 ] { a, b };\n}\nprobability ( A ) {\n  table 0.25, 0.5, 0.25;\n}\nprobability " +
			"( B | A ) {\n" +
			"  (no pain) 0.1, 0.9;\n  (a|b; c) 0.2, 0.8;\n  (say \"hi\") 0.3, 0.7;\n}\n",
			`A ["no pain" "a|b; c" "say \"hi\""] 0.25 0.5 0.25; B ["a" "b"] |A 0.1 0.9 0.2 0.8 0.3 0.7`, ""},
		{"variables with any letters", "a.bif", "variable my age {\n  type discrete [ 2 ] { y, o " +
			"};\n}\nvariable a|b {\n  type " +
			"discrete [ 2 ] { y, o };\n}\nvariable say \"hi\"; {\n  type discrete [ 2 ] { y, o " +
			"};\n}\nprobability ( my age ) {\n" +
			"  table 0.25, 0.75;\n}\nprobability ( a|b | my age, say \"hi\"; ) {\n  (y, y) 0, 1;\n  (o, y) 1, " +
			"0;\n  (y, o) 0.5, " +
			"0.5;\n  (o, o) 0.125, 0.875;\n}\nprobability ( say \"hi\"; | my age ) {\n  (y) 0, 1;\n  (o) 1, 0;\n}\n",
			`my age ["y" "o"] 0.25 0.75; a|b ["y" "o"] |my age |say "hi"; 0 1 0.5 0.5 1 0 0.125 0.875; ` +
				`say "hi"; ["y" "o"] |my age 0 1 1 0`, ""},
		{"letters of Windows", "a.bif", "variable \xe4 { type discrete [ 2 ] { gr\xf6\xdfer, \x80 }; } " +
			"probability (\xe4) { table " +
			"0.25, 0.75; }", `ä ["größer" "€"] 0.25 0.75`, "read as Windows-1252"},
	} {
		f, err := read(t, x.file, x.text)
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if got := text(f.Network); got != x.want {
			t.Errorf("%s: %s\nwant %s", x.name, got, x.want)
		}
		if !strings.Contains(strings.Join(f.Lost, "\n"), x.lost) {
			t.Errorf("%s: %q, want %q among them", x.name, f.Lost, x.lost)
		}
	}
}
