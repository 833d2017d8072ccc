package bif

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/internal/limit"
	"bnlab/internal/numtest"
	"bnlab/internal/textpos"
)

// ab declares two variables, a {no, yes} and b {low, mid, high}, in five lines.
const ab = "network n {}\nvariable a { type discrete [ 2 ] { no, yes }; }\n" +
	"variable b {\n  type discrete [ 3 ] { low, mid, high };\n}\n"

func mustParse(t *testing.T, src string) *bn.Network {
	t.Helper()
	n, err := parseNetwork([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestParseDialects(t *testing.T) {
	rows := [][]float64{{0.7, 0.2, 0.1}, {0, 0.25, 0.75}}
	for _, c := range []struct{ name, src string }{
		{"bnlearn", ab + "probability ( a ) {\n  table 0.4, 0.6;\n}\nprobability ( b | a ) {\n  (no) 0.7, 0.2, " +
			"0.1;\n  (yes) 0.0, 0.25, 0.75;\n}\n"},
		{"rows in another order", ab + "probability (a) { table 0.4, 0.6; } probability (b|a) { (yes) 0, 0.25, 0.75; " +
			"(no) 0.7, 0.2, 0.1; }"},
		{"no white space", ab + "probability(a){table 0.4,0.6;}probability(b|a){(no)0.7,0.2,0.1;(yes)0,0.25,0.75;}"},
		{"neither bar nor commas", ab + "probability (a) { table 0.4 0.6; } probability (b a) { (no) 0.7 0.2 0.1; " +
			"(yes) 0 0.25 0.75; }"},
		{"full table, child slowest", ab + "probability (a) { table 0.4 0.6; } probability (b a) { table 0.7 0 0.2 " +
			"0.25 0.1 0.75; }"},
		{"default line", ab + "probability (a) { default 0.4 0.6; } probability (b | a) { default 0.7 0.2 0.1; (yes) " +
			"0 0.25 0.75; }"},
		{"default line last", ab + "probability (a) { () 0.4 0.6; } probability (b | a) { (yes) 0 0.25 0.75; default " +
			"0.7 0.2 0.1; }"},
		{"exponents and long numbers", ab + "probability (a) { table 4e-1 6.0E-01; } probability (b | a) { (no) " +
			"7.e-1 +.2 0.1000000000000000000000; (yes) 0e5 2500e-4 0.000000075e7; }"},
		{"comments", "// first\n/* second\n{ } \" */" + ab + "probability /* x */ (a // y )\n) { table 0.4, /* third " +
			"*/ 0.6; // end\n } probability (b|a) { (no/**/) 0.7,0.2/**/,0.1; //\n (yes) 0, 0.25, 0.75; } //"},
		{"properties", "network x { property author = \"A; B\" ; property it's 5\" wide; }\n" +
			"variable a { property \"position = (1, 2)\"; type discrete[2]{ no yes }; property p http://x; " +
			"}\nvariable b { type discrete { low, mid, high } }\n" +
			"probability (a) { property x = }{; table 0.4, 0.6; } probability (b|a) { (no) 0.7,0.2,0.1; (yes) 0, " +
			"0.25, 0.75; property done ; }"},
		{"quotes",
			`network "my net" { } variable "a" { type discrete [2] { "no" "yes" }; } variable "b" { type discrete[3] { "low" "mid" "high" } ; }
			probability ("a") { table 0.4 0.6 ; } probability ("b" "a") { ("no") 0.7 0.2 0.1; ("yes") 0 0.25 0.75 ; }`},
		{"no network block", strings.TrimPrefix(ab, "network n {}\n") +
			"probability (a) { table 0.4, 0.6; } probability (b|a) { (no) 0.7,0.2,0.1; (yes) 0, 0.25, 0.75; }"},
		{"probabilities before variables", "probability (b|a) { property }{; (no) 0.7,0.2,0.1; (yes) 0, 0.25, 0.75; " +
			"// }\n } probability (a) { table 0.4, 0.6; }" + ab},
		{"Windows lines and a byte order mark", "\xef\xbb\xbf" + strings.ReplaceAll(ab+"probability (a) {\n table "+
			"0.4, 0.6;\n}\n probability (b|a)\n {\n (no) 0.7,0.2,0.1;\n(yes) 0, 0.25, 0.75;\n}", "\n", "\r\n")},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := mustParse(t, c.src)
			if got, want := n.String(), "[a][b|a]"; got != want {
				t.Fatalf("network %s, want %s", got, want)
			}
			if got, want := n.Variable(1).String(), "b {low, mid, high}"; got != want {
				t.Errorf("variable %s, want %s", got, want)
			}
			if p := n.CPT(0).Row(0); p[0] != 0.4 || p[1] != 0.6 {
				t.Errorf("P(a) = %v", p)
			}
			for config, want := range rows {
				for state, p := range n.CPT(1).Row(config) {
					if p != want[state] { // a decimal has one nearest float64
						t.Errorf("P(b | a) row %d = %v, want %v", config, n.CPT(1).Row(config), want)
						break
					}
				}
			}
		})
	}
}

// TestParseFullTable takes the table of the dog problem (Charniak 1991) as it is
// written in JavaBayes' example and in pgmpy's documentation.
func TestParseFullTable(t *testing.T) {
	n := mustParse(t, `network "Dog-Problem" { //5 variables and 5 probability distributions
}
variable  "bowel-problem" { //2 values
	type discrete[2] {  "true"  "false" };
	property "position = (335, 99)" ;
}
variable  "dog-out" { type discrete[2] {  "true"  "false" }; property "position = (300, 195)" ; }
variable  "family-out" { type discrete[2] {  "true"  "false" }; }
probability (  "bowel-problem" ) { table 0.01 0.99 ; }
probability (  "dog-out"  "bowel-problem"  "family-out" ) { //3 variable(s) and 8 values
	table 0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7 ;
}
probability (  "family-out" ) { table 0.15 0.85 ; }`)
	dog, err := n.Table("dog-out")
	if err != nil {
		t.Fatal(err)
	}
	for config, want := range []float64{0.99, 0.97, 0.9, 0.3} {
		if got := dog.Row(config)[0]; got != want {
			t.Errorf("P(dog-out | configuration %d) = %v, want %v", config, got, want)
		}
	}
}

// TestParseFullTableIsIndexedByName has cardinalities that all differ.
func TestParseFullTableIsIndexedByName(t *testing.T) {
	src := "variable x { type discrete [2] {f t}; } variable y { type discrete [3] {0 1 2}; } variable z { type " +
		"discrete [4] {p q r s}; }" +
		"probability (x) { table 0.5 0.5; } probability (y) { table 0.2 0.3 0.5; } probability (z | x, y) { table "
	want := func(x, y, z int) float64 { // rows sum to 1: 0.1, 0.2, 0.3, 0.4 rotated
		return float64((x+2*y+z)%4+1) / 10
	}
	for z := range 4 {
		for x := range 2 {
			for y := range 3 {
				src += fmt.Sprint(want(x, y, z), ", ")
			}
		}
	}
	n := mustParse(t, src+"; }")
	table := n.CPT(2)
	for x := range 2 {
		for y := range 3 {
			config, err := table.Config(bn.Given{"x": n.Variable(0).States[x], "y": fmt.Sprint(y)})
			if err != nil {
				t.Fatal(err)
			}
			for z, got := range table.Row(config) {
				if got != want(x, y, z) {
					t.Errorf("P(z=%d | x=%d, y=%d) = %v, want %v", z, x, y, got, want(x, y, z))
				}
			}
		}
	}
}

func TestParseNames(t *testing.T) {
	n := mustParse(t, `variable N/A { type discrete [7] { <5, 5-12, 12+, a=b, x:y#*, "two words", "}{//" }; }
		variable "tall | short" { type discrete [2] { é, '\xff' }; }
		probability (N/A) { table 0.1 0.1 0.1 0.1 0.1 0.1 0.4; }
		probability ("tall | short", N/A) { (<5) 1 0; (5-12) 1 0; (12+) 1 0; (a=b) 0 1; ("x:y#*") 0 1; ("two words") 0 1; ("}{//") 0 1; }`)
	want := []string{"<5", "5-12", "12+", "a=b", "x:y#*", "two words", "}{//"}
	for i, s := range n.Variable(0).States {
		if s != want[i] {
			t.Errorf("state %d is %q, want %q", i, s, want[i])
		}
	}
	if got := n.CPT(1).Row(3)[1]; got != 1 || n.Variable(1).Name != "tall | short" {
		t.Errorf("P(%s = 2nd | a=b) = %v, want 1", n.Variable(1).Name, got)
	}
}

func TestIsBare(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "<5": true, "N/A": true, "a/": true, "é": true, "x'": true, "*": true, "\xff": true, "\x00": true,
		"table": true,
		"":      false, " a": false, "a b": false, "a,b": false, "a;": false, "(a": false, "a}": false, "[": false,
		"a|b":  false,
		"a//b": false, "/*": false, "\"a\"": false, "a\"": false, "a\n": false,
	} {
		if got := isBare(name); got != want {
			t.Errorf("isBare(%q) = %v, want %v", name, got, want)
		}
	}
}

// TestParseStateLookup has names that begin with one another, unusual row orders and
// enough states for the map, where the guess of the next row's states must not err.
func TestParseStateLookup(t *testing.T) {
	const states = 40
	var src strings.Builder
	for _, v := range []string{"x", "y", "z"} {
		fmt.Fprintf(&src, "variable %s { type discrete [%d] {", v, map[string]int{"x": states, "y": states, "z": 2}[v])
		for s := range map[string]int{"x": states, "y": states, "z": 2}[v] {
			fmt.Fprintf(&src, " %s", strings.Repeat("s", s+1))
		}
		src.WriteString(" }; }\n")
	}
	uniform := strings.Repeat(fmt.Sprint(1.0/states, " "), states)
	fmt.Fprintf(&src, "probability (x) { table %s; } probability (y) { table %s; } probability (z | x y) {\n", uniform,
		uniform)
	p := func(x, y int) float64 { return float64(x*states+y) / (states * states) }
	for i := range states * states {
		at := i * 1009 % (states * states) // 1009 is prime: every row once, in disorder
		x, y := at/states, at%states
		fmt.Fprintf(&src, "(%s, %s) %v, %v;\n", strings.Repeat("s", x+1), strings.Repeat("s", y+1), p(x, y), 1-p(x, y))
	}
	src.WriteString("}")
	n := mustParse(t, src.String())
	for x := range states {
		for y := range states {
			if got := n.CPT(2).Row(x*states + y)[0]; got != p(x, y) {
				t.Fatalf("row (%d, %d) = %v, want %v", x, y, got, p(x, y))
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	const a = "probability (a) { table 0.4, 0.6; }\n" // line 6 after ab
	for _, c := range []struct {
		name, src    string
		line, column int
		is           error // nil for any
		message      string
	}{
		{"empty", "", 1, 1, io.ErrUnexpectedEOF, "the file holds no network"},
		{"only comments", " // x\n/* y */\n", 1, 1, io.ErrUnexpectedEOF, "the file holds no network"},
		{"only a network", "network x {\n}\n", 3, 1, nil, "the file has no variable blocks"},
		{"xml", "<?xml version=\"1.0\"?>\n<BIF>", 1, 1, nil, "only the text format BIF is read, not XMLBIF"},
		{"UTF-16", "\xff\xfen\x00e\x00", 1, 1, nil, "the file is in UTF-16; save it as UTF-8"},
		{"misspelt keyword", ab + "probabilty (a) { table 0.4, 0.6; }", 6, 1, nil,
			`found "probabilty" where network, variable or probability should stand`},
		{"two networks", ab + "network m { }", 6, 1, nil, "a second network begins; a file holds one"},
		{"stray brace", ab + "}", 6, 1, nil, `found "}" where network, variable`},
		{"comment not closed", ab + "  /* x", 6, 3, io.ErrUnexpectedEOF, "a comment /* is not closed"},
		{"quote not closed", ab + "variable \"c {", 6, 10, io.ErrUnexpectedEOF, "a double quote is not closed"},
		{"property not closed", "network x { property y }", 1, 25, io.ErrUnexpectedEOF,
			"the ; that ends a property should stand"},

		{"variable without a name", "variable { type discrete [1] {x}; }", 1, 10, nil,
			`found "{" where the name of a variable should stand`},
		{"empty name", "variable \"\" { }", 1, 10, nil, "a variable has an empty name"},
		{"variable twice", ab + " variable a { type discrete [ 1 ] { x }; }", 6, 11, bn.ErrDuplicate,
			`variable "a" has a block in line 2 already`},
		{"variable without a type", "variable x { }", 1, 10, nil,
			`variable "x" has no type; write for example type discrete [ 2 ] { no, yes };`},
		{"two types", "variable x { type discrete {a}; type discrete {b}; }", 1, 33, nil, `variable "x" has two types`},
		{"continuous", "variable height {\n  type continuous;\n}", 2, 8, bn.ErrNotDiscrete,
			`"height": variable is continuous; BIF has tables only, so discretise it`},
		{"other type", "variable x { type real; }", 1, 19, nil, `found "real" where discrete should stand`},
		{"state twice", "variable x { type discrete [2] { a, a }; }", 1, 37, bn.ErrDuplicate,
			`variable "x" has the state "a" twice`},
		{"empty state", "variable x { type discrete [1] { \"\" }; }", 1, 34, nil, `a state of "x" has an empty name`},
		{"no states", "variable x { type discrete [0] { }; }", 1, 29, nil, `variable "x" has no states`},
		{"fewer states than declared", "variable x { type discrete [ 3 ] { a, b }; }", 1, 30, nil,
			`variable "x" declares 3 states and lists 2`},
		{"state with a space", "variable x { type discrete [ 2 ] { a b c d, e, f }; }", 1, 30, nil,
			`declares 2 states and lists 6 (a name with a space needs double quotes)`},
		{"huge number of states", "variable x { type discrete [ 999999999 ] { a, b }; }", 1, 30, nil,
			`declares 999999999 states and lists 2`},
		{"absurd number of states", "variable x { type discrete [ two ] { a, b }; }", 1, 30, nil,
			`declares two states and lists 2`},
		{"no number of states", "variable x { type discrete [ ] { a, b }; }", 1, 30, nil,
			`found "]" where the number of states should stand`},
		{"no states block", "variable x { type discrete [2]; }", 1, 31, nil, `found ";" where { should stand`},
		{"row in a variable", "variable x { (a) 1; }", 1, 14, nil, `found "(" where type, property or } should stand`},

		{"unknown variable", ab + a + "probability (b | A) { }", 7, 18, bn.ErrUnknownVariable,
			`unknown variable "A": no variable block declares it`},
		{"no variable", ab + "probability ( ) { }", 6, 14, nil, "the probability block names no variable"},
		{"parent twice", ab + a + "probability (b | a, a) { }", 7, 21, bn.ErrDuplicate,
			`variable "a" appears twice in the head of a probability block`},
		{"own parent", ab + "probability (a | a) { }", 6, 18, bn.ErrDuplicate, `variable "a" appears twice in the head`},
		{"two bars", ab + a + "probability (b | a | a) { }", 7, 20, nil,
			`found "|" where a variable or ) should stand`},
		{"block twice", ab + a + a, 7, 14, nil, `variable "a" has a probability block in line 6 already`},
		{"no block", ab + a, 3, 10, nil, `variable "b" has no probability block`},
		{"no block, not even a first one", ab, 2, 10, nil, `variable "a" has no probability block`},
		{"head not closed", ab + "probability (a { table 0.4 0.6; }", 6, 16, nil,
			`found "{" where a variable or ) should stand`},
		{"no head", ab + "probability { }", 6, 13, nil, `found "{" where ( should stand`},
		{"no body", ab + "probability (a)\nvariable c", 7, 1, nil, `found "variable" where { should stand`},

		{"row missing", ab + a + "probability (b | a) { (yes) 1 0 0; }", 7, 14, nil,
			`rows missing: 1 of 2; the first is that of "b" given a=no`},
		{"all rows missing", ab + a + "probability (b | a) { }           ", 7, 14, nil, `rows missing: 2 of 2`},
		{"root row missing", ab + "probability (a) { }          ", 6, 14, nil,
			`rows missing: 1 of 1; the first is that of "a"; `},
		{"row twice", ab + a + "probability (b | a) { (no) 1 0 0;\n (no) 1 0 0; }", 8, 2, nil,
			`the row of "b" given a=no appears twice`},
		{"row after a table", ab + a + "probability (b | a) { table 1 1 0 0 0 0;\n (no) 1 0 0; }", 8, 2, nil,
			`the row of "b" given a=no appears twice`},
		{"table after a row", ab + a + "probability (b | a) { (no) 1 0 0;\n table 1 1 0 0 0 0; }", 8, 2, nil,
			`the table of "b" is set already`},
		{"two tables", ab + "probability (a) { table 1 0; table 1 0; }", 6, 30, nil, `the table of "a" is set already`},
		{"two defaults", ab + "probability (a) { default 1 0; default 1 0; }", 6, 32, nil,
			`the table of "a" is set already`},
		{"unknown state", ab + a + "probability (b | a) { (no) 1 0 0; (Yes) 1 0 0; }", 7, 36, bn.ErrUnknownState,
			`unknown state "Yes" of the parent "a" (states: no, yes)`},
		{"state that only begins like one", ab + a + "probability (b | a) { (no) 1 0 0; (yesterday) 1 0 0; }", 7, 36,
			bn.ErrUnknownState, `unknown state "yesterday"`},
		{"too few states", ab + a + "probability (b | a) { () 1 0 0; }", 7, 24, nil,
			`a row of "b" names the states of its parents, one for each of (a)`},
		{"too many states", ab + a + "probability (b | a) { (no, no) 1 0 0; }", 7, 28, nil,
			`a row of "b" names the states of its parents, one for each of (a)`},
		{"state for a root", ab + "probability (a) { (no) 1 0; }", 6, 20, nil,
			`"a" has no parents whose states a row could name; write table`},
		{"state with a space, not quoted", "variable x { type discrete { \"two words\", one }; } variable y { type " +
			"discrete { a }; } probability (x) { table 1 0; }\nprobability (y | x) { (two word) 1; }", 2, 24,
			bn.ErrUnknownState, `unknown state "two" of the parent "x" (states: two words, one)`},
		{"bracket for a state", ab + a + "probability (b | a) { ([) 1 0 0; }", 7, 24, nil,
			`found "[" where a state should stand`},
		{"row not closed", ab + a + "probability (b | a) { (no; 1 0 0; }", 7, 26, nil,
			`found ";" where ) should stand`},
		{"word in a block", ab + a + "probability (b | a) { rows (no) 1 0 0; }", 7, 23, nil,
			`found "rows" where a row ( ... ), table, default or } should stand`},

		{"sum", ab + a + "probability (b | a) {\n  (no) 0.5, 0.2, 0.2;\n}", 8, 3, nil,
			`the probabilities of "b" given a=no sum to 0.8999999999999999, not 1`},
		{"sum of a root", ab + "probability (a) { table 0.4, 0.7; }", 6, 19, nil,
			`the probabilities of "a" sum to 1.1, not 1`},
		{"sum of a default", ab + "probability (a) { default 0.4, 0.7; }", 6, 19, nil,
			`the probabilities of "a" by default sum to 1.1, not 1`},
		{"sum just outside", ab + "probability (a) { table 0.4, 0.600003; }", 6, 19, nil, `sum to 1.000003, not 1`},
		{"above 1", ab + "probability (a) { table 0.4, 1.6; }", 6, 30, nil,
			`1.6 is not a probability; the numbers of P(a) lie between 0 and 1`},
		{"below 0", ab + a + "probability (b | a) { (no) 0.4, 1, -0.4; }", 7, 36, nil,
			`-0.4 is not a probability; the numbers of P(b | a)`},
		{"NaN", ab + "probability (a) { table 0.4, NaN; }", 6, 19, nil, `NaN among the probabilities of "a"`},
		{"infinity", ab + "probability (a) { table 0.4, 1e999; }", 6, 30, nil,
			`found "1e999" where a number should stand`},
		{"hexadecimal", ab + "probability (a) { table 0x1p-1, 0.5; }", 6, 25, nil,
			`found "0x1p-1" where a number should stand`},
		{"decimal comma", ab + "probability (a) { table 0,4 0,6; }", 6, 27, nil, "4 is not a probability"},
		{"two points", ab + "probability (a) { table 0.4.5, 0.6; }", 6, 25, nil,
			`found "0.4.5" where a number should stand`},
		{"too few numbers", ab + "probability (a) { table 0.4; }", 6, 28, nil,
			"1 of the 2 numbers that a line of P(a) needs"},
		{"too many numbers", ab + a + "probability (b | a) { (no) 1 0 0 0; }", 7, 34, nil,
			"more numbers than the 3 that a line of P(b | a) needs"},
		{"too few numbers in a full table", ab + a + "probability (b | a) { table 1 0 0; }", 7, 34, nil,
			"3 of the 6 numbers that a line of P(b | a) needs"},
		{"full table the other way round", ab + a + "probability (b | a) { table 0.5 0.2 0.3 0.1 0.1 0.8; }", 7, 23,
			nil, "not 1; the line lists one configuration after the other"},
		{"full table, wrong both ways", ab + a + "probability (b | a) { table 0.5 0.2 0.3 0.1 0.1 0.7; }", 7, 23, nil,
			"not 1"},
		{"semicolon missing", ab + a + "probability (b | a) {\n  (no) 1 0 0\n  (yes) 1 0 0;\n}", 9, 3, nil,
			`found "(" where ; should stand`},
		{"quoted number", ab + "probability (a) { table \"0.4\", 0.6; }", 6, 25, nil,
			`found "0.4" where a number should stand`},

		{"cycle", ab + "probability (a | b) { (low) 1 0; default 0 1; }\nprobability (b | a) { default 1 0 0; }", 6, 14,
			nil, "the arcs form a cycle: a → b → a"},
		{"error in a block before its variables", "probability (a) { table 0.4, 0.7; }\n" + ab, 1, 19, nil,
			"sum to 1.1"},
		{"unknown variable in a block before the variables", "probability (b | c) { table 0.4, 0.7; }\n" + ab, 1, 18,
			bn.ErrUnknownVariable, `unknown variable "c"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := parseNetwork([]byte(c.src))
			if err == nil {
				t.Fatalf("no error, network %v", n)
			}
			var e *textpos.Error
			if !errors.As(err, &e) {
				t.Fatalf("%T is no *textpos.Error: %v", err, err)
			}
			if e.Line != c.line || e.Column != c.column {
				t.Errorf("line %d, column %d, want %d, %d: %v", e.Line, e.Column, c.line, c.column, err)
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v does not wrap %v", err, c.is)
			}
			if !strings.Contains(err.Error(), c.message) {
				t.Errorf("%v does not contain %q", err, c.message)
			}
			if prefix := fmt.Sprintf("bif: line %d, column %d: ", e.Line, e.Column); !strings.HasPrefix(err.Error(),
				prefix) {
				t.Errorf("%v does not begin with %q", err, prefix)
			}
		})
	}
}

func TestParseCycle(t *testing.T) {
	_, err := parseNetwork([]byte(ab + "probability (a | b) { default 1 0; }\nprobability (b | a) { default 1 0 0; }"))
	var cycle *bn.CycleError
	if !errors.As(err, &cycle) || strings.Join(cycle.Path, " ") != "a b a" {
		t.Errorf("%v wraps no cycle a b a", err)
	}
}

// TestParseTruncated cuts a file at every byte: no prefix is a network, and none
// panics. After the last semicolon of a file only its last brace is left to miss.
func TestParseTruncated(t *testing.T) {
	src := ab + "probability (a) { table 0.4, 0.6; }\nprobability (b | a) { /* x */ (\"no\") 0.7, 0.2, 0.1; (yes) 0, " +
		"0.25, 0.75; property z; }"
	mustParse(t, src)
	for i := range len(src) {
		if _, err := parseNetwork([]byte(src[:i])); err == nil {
			t.Errorf("the first %d bytes are no error:\n%s", i, src[:i])
		}
	}
}

// TestParseHostile gives short files that declare huge tables.
func TestParseHostile(t *testing.T) {
	var many strings.Builder // 40 variables, the last with 39 or 40 binary parents
	for v := range 41 {
		fmt.Fprintf(&many, "variable v%d { type discrete [2] {0 1}; }\n", v)
	}
	head := func(parents int) string {
		s := "probability (v0 |"
		for p := range parents {
			s += fmt.Sprintf(" v%d", p+1)
		}
		return s + ") {"
	}
	var chain strings.Builder // many tables of moderate size, each left to default
	for v := 20; v <= 40; v++ {
		fmt.Fprintf(&chain, "probability (v%d |", v)
		for p := range 19 {
			fmt.Fprintf(&chain, " v%d", p)
		}
		chain.WriteString(") { default 1 0; }\n")
	}
	for _, c := range []struct{ name, src, message string }{
		{"40 parents", many.String() + head(40) + " (0 0) 1 0; }", "v0"},
		{"39 parents", many.String() + head(39) + " (0 0) 1 0; }", "more numbers than the rest of the file can hold"},
		{"39 parents and a default", many.String() + head(39) + " default 1 0; }",
			"default lines fill: more than 4194304 entries"},
		{"a default after a property", many.String() + head(39) + " property }; default 1 0; }", "default lines fill"},
		{"a default in a property", many.String() + head(39) + " property default; }",
			"more numbers than the rest of the file can hold"},
		{"many defaults", many.String() + chain.String(), "default lines fill: more than 4194304 entries"},
		{"a default in quotes and in a comment", many.String() + head(39) + " \"default\" /* default */ }",
			"more numbers than the rest of the file can hold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := parseNetwork([]byte(c.src))
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("error %v, want one with %q", err, c.message)
			}
			// 8 bytes for each of maxDefaultCells, twice for garbage and slack.
			if used := after.TotalAlloc - before.TotalAlloc; used > 2*8*limit.Cells {
				t.Errorf("%d bytes allocated", used)
			}
		})
	}
	t.Run("many parents with one state", func(t *testing.T) {
		var b strings.Builder
		const n = 20000
		for v := range n {
			fmt.Fprintf(&b, "variable v%d { type discrete [1] {x}; } probability (v%d) { table 1; }\n", v, v)
		}
		b.WriteString("variable y { type discrete [1] {x}; } probability (y |")
		for v := range n {
			fmt.Fprintf(&b, " v%d", v)
		}
		b.WriteString(") { table 1; }")
		mustParse(t, b.String())
	})
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"0", 0}, {"1", 1}, {"0.5", 0.5}, {".5", 0.5}, {"1.", 1}, {"-0", 0}, {"+1", 1}, {"-.25", -0.25},
		{"0.1", 0.1}, {"0.3", 0.3}, {"0.7777777", 0.7777777}, {"1e-05", 1e-5}, {"1E+2", 100},
		{"0.9999999999999999", 0.9999999999999999},               // above 2^53 as an integer
		{"0.9007199254740991", 0.9007199254740991},               // 2^53 - 1
		{"0.9007199254740993", 0.9007199254740993},               // 2^53 + 1, a tie for integers
		{"0.30000000000000004", 0.30000000000000004},             // 17 digits
		{"0.00000000000000000000000000001", 1e-29},               // a long fraction
		{"0.333333333333333333333333333333333333333", 1.0 / 3.0}, // more digits than a uint64
		{"18446744073709551616", 18446744073709551616},           // 2^64
		{"0.0000000000000000001", 1e-19},                         // 20 digits, 19 after the point
		{"5e-324", 5e-324}, {"1e-400", 0}, {"2.2250738585072011e-308", 2.2250738585072011e-308},
	} {
		s := scanner{src: []byte(c.text + ";"), open: -1}
		got, ok := s.number()
		if !ok || got != c.want || math.Signbit(got) != (c.want < 0) || s.pos != len(c.text) {
			t.Errorf("number(%s) = %v, %v, at %d, want %v", c.text, got, ok, s.pos, c.want)
		}
	}
	for _, text := range []string{"", ".", "-", "e5", "1e", "1.2.3", "nano", "inf", "Infinity", "0x10", "1_000",
		"1e999",
		"1a", "--1", "\"1\""} {
		s := scanner{src: []byte(text + ";"), open: -1}
		if got, ok := s.number(); ok {
			t.Errorf("number(%q) = %v, want none", text, got)
		}
	}
}

func TestTestdata(t *testing.T) {
	asia, err := ReadFile("../../../testdata/networks/asia.bif")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := asia.String(),
		"[asia][tub|asia][smoke][lung|smoke][bronc|smoke]"+
			"[either|tub:lung][xray|either][dysp|either:bronc]"; got != want {
		t.Errorf("asia is %s, want %s", got, want)
	}
	if asia.FreeParameters() != 18 {
		t.Errorf("asia has %d free parameters, want 18", asia.FreeParameters())
	}
	// Sums over all 2^8 states. P(either) = 1 - P(no tub) P(no lung) by hand:
	// 1 - (0.99·0.99 + 0.01·0.95)(0.5·0.99 + 0.5·0.9) = 1 - 0.9896·0.945.
	either := marginal(asia, "either")
	numtest.Close(t, either[1], 1-0.9896*0.945, 1e-12, 0)
	// P(xray) = 0.05 + (0.98 - 0.05) P(either).
	numtest.Close(t, marginal(asia, "xray")[1], 0.05+0.93*either[1], 1e-12, 0)

	sprinkler, err := ReadFile("../../../testdata/networks/sprinkler.bif")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sprinkler.String(), "[cloudy][sprinkler|cloudy][rain|cloudy][grass|sprinkler:rain]"; got != want {
		t.Errorf("sprinkler is %s, want %s", got, want)
	}
	// P(wet) by hand, cloudy: 0.1·0.2·0.9 + 0.9·0.8·0.9 + 0.1·0.8·0.99 = 0.7452;
	// clear: 0.5·0.8·0.9 + 0.5·0.2·0.9 + 0.5·0.2·0.99 = 0.549.
	numtest.Close(t, marginal(sprinkler, "grass")[1], (0.7452+0.549)/2, 1e-12, 0)
}

// marginal sums the joint distribution.
func marginal(n *bn.Network, name string) []float64 {
	target, _ := n.Index(name)
	sum := make([]float64, n.Variable(target).Cardinality())
	states := make([]int, n.Len())
	var walk func(v int, p float64)
	walk = func(v int, p float64) {
		if v == n.Len() {
			sum[states[target]] += p
			return
		}
		order := n.DAG().Order()[v]
		t := n.CPT(order)
		var given []int
		for _, parent := range n.DAG().Parents(order) {
			given = append(given, states[parent])
		}
		for s, q := range t.Row(t.Configs().Index(given)) {
			states[order] = s
			walk(v+1, p*q)
		}
	}
	walk(0, 1)
	return sum
}
