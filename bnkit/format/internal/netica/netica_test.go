package netica

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/textpos"
)

// clinic is part of the chest clinic of S. L. Lauritzen and D. J. Spiegelhalter (Journal of
// the Royal Statistical Society B 50, 1988) in the manner of Netica: P(dyspnoea | either,
// bronchitis) is 0.9 with both, 0.7 with either alone, 0.8 with bronchitis alone, else 0.1.
const clinic = `// ~->[DNET-1]->~

// by hand
bnet ChestClinic {
AutoCompile = TRUE;
autoupdate = TRUE;
whenchanged = 1535042350;

visual V1 {
	defdispform = BELIEFBARS;
	nodefont = font {shape= "Arial"; size= 9;};
	NodeSet Node {BuiltIn = 1; Color = 0x00e1e1e1;};
	};

node TbOrCa {
	kind = NATURE;
	discrete = TRUE;
	chance = CHANCE;
	states = (True, False);
	parents = ();
	probs = 
		// True         False        
		  (0.0648,      0.9352);
	title = "Tuberculosis or \"cancer\"";
	comment = "a\n\
comment";
	whenchanged = 1;
	visual V1 {
		center = (126, 162);
		height = 2;
		};
	};

node Dyspnea {
	kind = NATURE;
	discrete = TRUE;
	states = (Present, Absent);
	parents = (TbOrCa, Bronchitis);
	probs = 
		// Present      Absent        // TbOrCa Bronchitis 
		(((0.9,         0.1),         // True   Present    
		  (0.7,         0.3)),        // True   Absent     
		 ((0.8,         0.2),         // False  Present    
		  (0.1,         0.9)));       // False  Absent     ;
	numcases = 1;
	};

node Bronchitis { kind = NATURE; discrete = TRUE; states = (Present, Absent); parents = (); probs = (0.45, 0.55); };

node Ward {
	chance = DETERMIN;
	states = (home, hospital);
	parents = (Dyspnea);
	functable = (hospital, #0);
	};

node Age {
	discrete = FALSE;
	levels = (-INFINITY, 18, 65, INFINITY);
	parents = ();
	probs = (0.2, 0.6, 0.2);
	};

node TITLE1 { kind = CONSTANT; discrete = FALSE; title = "A picture"; };
};
`

func TestClinic(t *testing.T) {
	f, err := Parse([]byte(clinic))
	if err != nil {
		t.Fatal(err)
	}
	if f.Name != "ChestClinic" || f.Labels["TbOrCa"] != `Tuberculosis or "cancer"` ||
		f.Comments["TbOrCa"] != "a\ncomment" || f.Positions["TbOrCa"] != (netdoc.Point{X: 126, Y: 162}) {
		t.Errorf("name %q, labels %q, comments %q, positions %v", f.Name, f.Labels, f.Comments, f.Positions)
	}
	lost := strings.Join(f.Lost, "\n")
	for _, want := range []string{`constant node "TITLE1"`, `deterministic node "Ward"`, `levels of "Age"`,
		"AutoCompile, numcases, visual, visual height, whenchanged"} {
		if !strings.Contains(lost, want) {
			t.Errorf("lost %q, want a sentence with %q", f.Lost, want)
		}
	}
	c, err := f.Network.Table("Dyspnea")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		either, bronchitis string
		want               float64
	}{{"True", "Present", 0.9}, {"True", "Absent", 0.7}, {"False", "Present", 0.8}, {"False", "Absent", 0.1}} {
		config, err := c.Config(bn.Given{"TbOrCa": x.either, "Bronchitis": x.bronchitis})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Row(config)[0]; got != x.want {
			t.Errorf("P(Dyspnea | TbOrCa=%s, Bronchitis=%s) = %v, want %v", x.either, x.bronchitis, got, x.want)
		}
	}
	ward, err := f.Network.Table("Ward")
	if err != nil {
		t.Fatal(err)
	}
	if ward.Row(0)[1] != 1 || ward.Row(1)[0] != 1 {
		t.Errorf("Ward is\n%v", ward)
	}
	v, err := f.Network.Index("Age")
	if err != nil {
		t.Fatal(err)
	}
	if s := f.Network.Variable(v).States; strings.Join(s, "|") != "< 18|18 to 65|>= 65" {
		t.Errorf("states of Age: %q", s)
	}
}

// TestLevels reads deterministic nodes whose table tells values: of a continuous node the
// interval with the value is meant, of a discrete one the state with this number.
func TestLevels(t *testing.T) {
	const season = "bnet n { node s { states = (dry, mid, wet); probs = (0.2, 0.3, 0.5); };\nnode f { parents = (s); "
	for _, x := range []struct {
		fields, states string
		want           []int // the state that is certain, by season
	}{
		{"discrete = FALSE; levels = (0, 10, 20, INFINITY); functable = (5, 10, 25.5)", "0 to 10|10 to 20|>= 20",
			[]int{0, 1, 2}},
		{"discrete = FALSE; levels = (0, 1, 2, 3); functable = (1, 2, 3)", "0 to 1|1 to 2|2 to 3", []int{1, 2, 2}},
		{"discrete = FALSE; levels = (3, 2, 1); functable = (3, 2, 1)", "3 to 2|2 to 1", []int{0, 0, 1}},
		{"discrete = FALSE; levels = (INFINITY, 2, -INFINITY); functable = (3, 2, 1)", ">= 2|< 2", []int{0, 0, 1}},
		{"discrete = FALSE; levels = (0, 1, 2); states = (lo, hi); functable = (hi, #0, 1.5)", "lo|hi", []int{1, 0, 1}},
		{"states = (a, b); levels = (20, 1); functable = (1, 20, #1)", "a|b", []int{1, 0, 1}},
		{"states = (a, b); functable = (1, 0, b)", "a|b", []int{1, 0, 1}},
	} {
		f, err := Parse([]byte(season + x.fields + "; }; };"))
		if err != nil {
			t.Errorf("%s: %v", x.fields, err)
			continue
		}
		if got := strings.Join(f.Network.Variable(1).States, "|"); got != x.states {
			t.Errorf("%s: states %s, want %s", x.fields, got, x.states)
		}
		for config, state := range x.want {
			if row := f.Network.CPT(1).Row(config); row[state] != 1 {
				t.Errorf("%s: row %d is %v, want state %d", x.fields, config, row, state)
			}
		}
	}
	for _, x := range []struct{ fields, want string }{
		{"discrete = FALSE; levels = (0, 10, 20); functable = (5, -1, 5)",
			`unknown state "-1" of node "f", which has 0 to 10, 10 to 20`},
		{"discrete = FALSE; levels = (0, 10, 20); functable = (5, 20.5, 5)", `unknown state "20.5"`},
		{"states = (a, b); levels = (20, 1); functable = (0, 1, 1)", `unknown state "0"`},
		{"states = (a, b); functable = (a, @undef, b)", "undefined entry"},
		{"states = (a, b); functable = (a, #2, b)", `unknown state "2"`},
		{"states = (a, b); functable = (a, b, -1)", `unknown state "-1"`},
		{"discrete = FALSE; levels = (5, 0, 0); probs = ()", "neither rise nor fall"},
		{"states = (a, b); functable = (a, #, b)", "number of a state"},
		{"discrete = FALSE; levels = (0, 10, 5); probs = ()", "neither rise nor fall: 10 stands before 5"},
		{"discrete = FALSE; levels = (0, 0, 5); probs = ()", "neither rise nor fall"},
		{"discrete = FALSE; levels = (0, ten); probs = ()", `"ten" where a number`},
		{"discrete = FALSE; levels = (0, 1, 2); states = (lo, mid, hi)", "has 3 levels and needs 4 for its 3 states"},
		{"states = (a, b); levels = (1, 2, 3)", "has 3 levels and needs 2"},
		{"states = (a, b); probs = (); probs = ()", "the field probs twice"},
	} {
		_, err := Parse([]byte(season + x.fields + "; }; };"))
		var at *textpos.Error
		if !errors.As(err, &at) || at.Line != 2 || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q in line 2", x.fields, err, x.want)
		}
	}
}

const dscClinic = `// by hand in the manner of bnlearn
belief network "unknown"
node either { type : discrete [ 2 ] = { "yes", "no" }; }
node bronc {
  name: "Bronchitis";
  type: discrete[2] = {"yes", "no"};
  position: (12, -3);
}
node dysp { type : discrete [ 2 ] = { "yes", "no" }; }
probability ( either ) { 0.0648, 0.9352; }
probability ( bronc ) { 0.45, 0.55; }
probability ( dysp | either, bronc ) {
  (0, 0) : 0.9, 0.1;
  (1, 0) : 0.8, 0.2;
  (0, 1) : 0.7, 0.3;
  default : 0.1, 0.9;
}
`

func TestDSC(t *testing.T) {
	f, err := Parse([]byte(dscClinic))
	if err != nil {
		t.Fatal(err)
	}
	if f.Name != "unknown" || f.Labels["bronc"] != "Bronchitis" ||
		f.Positions["bronc"] != (netdoc.Point{X: 12, Y: -3}) || len(f.Lost) > 0 {
		t.Errorf("name %q, labels %q, positions %v, lost %q", f.Name, f.Labels, f.Positions, f.Lost)
	}
	c, err := f.Network.Table("dysp")
	if err != nil {
		t.Fatal(err)
	}
	for config, want := range []float64{0.9, 0.7, 0.8, 0.1} { // either slowest, yes first
		if c.Row(config)[0] != want {
			t.Errorf("P(dysp | %v) = %v, want %v", c.ConfigNames(config), c.Row(config)[0], want)
		}
	}
	var b bytes.Buffer
	if lost, err := WriteDSC(&b, f); err != nil || len(lost) > 0 {
		t.Fatal(lost, err)
	}
	if want := "probability ( dysp | either, bronc ) {\n  (0, 0) : 0.9, 0.1;\n  (0, 1) : 0.7, 0.3;\n  (1, 0) : 0.8, " +
		"0.2;\n  (1, 1) : 0.1, 0.9;\n}\n"; !strings.Contains(b.String(), want) {
		t.Errorf("wrote\n%s\nwithout\n%s", b.String(), want)
	}
}

func TestWrite(t *testing.T) {
	n, err := bn.New("[x|a:b][a][b]", bn.Discrete("x", "p", "q"), bn.Discrete("a", "<5", "more"),
		bn.Discrete("b", "1", "2", "3"))
	if err != nil {
		t.Fatal(err)
	}
	if err := n.SetTable("x", "a b | p q\n<5 1 | 0.1 0.9\n<5 2 | 0.2 0.8\n<5 3 | 0.3 0.7\nmore 1 | 0.4 0.6\nmore 2 | "+
		"0.5 0.5\nmore 3 | 0.6 0.4"); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	lost, err := Write(&b, &netdoc.File{Network: n, Name: "my net"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"bnet my_net_x_ {\ntitle = \"my net\";",
		"states = (s_u003C_5_x_, more);\n\tstatetitles = (\"<5\", );",
		"parents = (a, b);\n\tprobs = (((0.1, 0.9),\n\t\t(0.2, 0.8),\n\t\t(0.3, 0.7)),\n\t\t((0.4, 0.6),\n\t\t(0.5, " +
			"0.5),\n\t\t(0.6, 0.4)));",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("wrote\n%s\nwithout\n%s", b.String(), want)
		}
	}
	if len(lost) != 2 || !strings.Contains(lost[0], "another order") ||
		!strings.Contains(lost[1], `"<5" as s_u003C_5_x_`) {
		t.Errorf("lost %q", lost)
	}
	f, err := Parse(b.Bytes())
	if err != nil || f.Name != "my net" || len(f.Lost) > 0 {
		t.Errorf("name %q, lost %q, %v", f.Name, f.Lost, err)
	}
}

const a = "bnet n {\nnode a { states = (no, yes); parents = (); probs = (0.4, 0.6); };\n"

const dsc = "belief network \"n\"\nnode a { type : discrete [2] = {\"no\", \"yes\"}; }\nnode b { type : discrete [3] " +
	"= {\"1\", \"2\", \"3\"}; }\n"

func TestRefuses(t *testing.T) {
	for _, x := range []struct {
		src          string
		line, column int
		want         string
		is           error
	}{
		{a + "node b { states = (x, y); parents = (a);\nprobs = (0.5, 0.5, 1); };};", 4, 1,
			`"b" has 3 numbers and needs 2 × 2`, nil},
		{a + "node b { states = (x, y); parents = (a);\nprobs = ((0.5, 0.5), (0.5, 0.6)); };};", 4, 1,
			`"b" given a=yes sum to 1.1`, nil},
		{a + "node b { states = (x, y); parents = (c); probs = (0.5, 0.5); };};", 3, 38, "no node of the file",
			bn.ErrUnknownVariable},
		{a + "node a { states = (x, y); };};", 3, 6, "in line 2 already", bn.ErrDuplicate},
		{a + "node b { };};", 3, 6, "no states", nil},
		{a + "node b { kind = DECISION; states = (x, y); };};", 3, 6, "kind DECISION", netdoc.ErrUnsupported},
		{a + "node b { kind = UTILITY; functable = (1, -3); };\nnode c { states = (x); parents = (b); probs = (1); " +
			"}; };", 4, 35, "is a utility node", netdoc.ErrUnsupported},
		{a + "node v_u0020_t { kind = UTILITY; };\nnode c { states = (x); parents = (v_u0020_t); }; };", 4, 35,
			`"v t" of "c" is a utility node`, netdoc.ErrUnsupported},
		{a + "node b { discrete = FALSE; };};", 3, 6, "no levels", bn.ErrNotDiscrete},
		{a + "node b { states = (x, y); parents = (, a); probs = (1, 0); };};", 3, 38, "a disconnected link",
			netdoc.ErrUnsupported},
		{a + "node b { states = (x, y); parents = (a, ); probs = (1, 0); };};", 3, 41, "a disconnected link",
			netdoc.ErrUnsupported},
		{a + "node b { states = (x, y); probs = (#2); };};", 3, 36, "unknown state: #2", bn.ErrUnknownState},
		{a + "node b { states = (x, y); functable = (z); };};", 3, 40, `"z" of node "b"`, bn.ErrUnknownState},
		{a + "node b { states = (x, y); equation = \"b () = 1\"; };};", 3, 27, "equation only", netdoc.ErrUnsupported},
		{a + "node b { delays = (1); };};", 3, 10, "delay", netdoc.ErrUnsupported},
		{a + "node b { numstates = 99999999; };};", 3, 6, "at most", nil},
		{a + "node b { states = (x y); };};", 3, 22, ", or )", nil},
		{a + "node b { title = \"x; };};", 3, 18, "not closed", nil},
		{a, 3, 1, "the file ends", nil},
		{a + "} x", 3, 3, "the end of the file", nil},
		{a + "node b { states = (x, y); probs = (40, 60); };};", 3, 36, "40 is not a probability", nil},
		{"x", 1, 1, "bnet (Netica) or belief network (DSC)", nil},
		{"bnet n { };", 1, 12, "no nodes", nil},
		{dsc + "probability ( a ) { 0.4, 0.6, 0.1; }", 4, 15, `"a" has 3 numbers`, nil},
		{dsc + "probability ( b | a ) { (0) : 1, 0; }", 4, 25, "2 numbers and needs 3", nil},
		{dsc + "probability ( b | a ) { (0) : 1, 0, 0; }", 4, 15, "1 rows and needs 2", nil},
		{dsc + "probability ( b | a ) { (2) : 1, 0, 0; }", 4, 25, "counted from 0 to 1", bn.ErrUnknownState},
		{dsc + "probability ( b | a ) { (0, 0) : 1, 0, 0; }", 4, 25, "2 states for 1 parents", nil},
		{dsc + "probability ( b | a ) { (0) : 1, 0, 0; (0) : 1, 0, 0; }", 4, 40, "twice", nil},
		{dsc + "probability ( b | c ) { }", 4, 19, "no node declares it", bn.ErrUnknownVariable},
		{dsc + "probability ( a ) { 0.5, 0.5; }\nprobability ( a ) { 0.5, 0.5; }", 5, 15, "a table already",
			bn.ErrDuplicate},
		{dsc + "node c { type : discrete [3] = { x, y }; }", 4, 27, "declares 3 states and lists 2", nil},
		{dsc + "node c { type : continuous; }", 4, 17, "tables only", bn.ErrNotDiscrete},
		{dsc + "probability ( b | a ) { default : 1, 0, 0; default : 0, 1, 0; }", 4, 44,
			"a line for all these rows already", nil},
		{dsc + "probability ( a ) { 0.5, 0.5; default : 0, 1; }", 4, 31, "a line for all these rows already", nil},
		{dsc + "probability ( a ) { default : 0, 1; 0.5, 0.5; }", 4, 37, "rows already", nil},
		{dsc + "probability ( a ) { 0.5, 0.5; () : 0.5, 0.5; }", 4, 31, "twice", nil},
		{wide(39), 42, 15, "more than", nil},
		{wide(62), 65, 15, "more than", nil},
	} {
		_, err := Parse([]byte(x.src))
		var at *textpos.Error
		if !errors.As(err, &at) || at.Line != x.line || at.Column != x.column ||
			!strings.Contains(err.Error(), x.want) || x.is != nil && !errors.Is(err, x.is) {
			t.Errorf("%q: %v, want line %d, column %d, %q", x.src, err, x.line, x.column, x.want)
		}
	}
}

// wide is a table of two to the power of parents rows in one line.
func wide(parents int) string {
	var b, given strings.Builder
	b.WriteString("belief network \"n\"\n")
	for i := range parents {
		name := strings.Repeat("x", i+1)
		b.WriteString("node " + name + " { type : discrete = { y, n }; }\n")
		given.WriteString(name + " ")
	}
	b.WriteString("node z { type : discrete = { y, n }; }\nprobability ( z | " + given.String() +
		") { default : 0.5, 0.5; }")
	return b.String()
}
