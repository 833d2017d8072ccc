package hugin

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/textpos"
)

// clinic is part of the chest clinic of S. L. Lauritzen and D. J. Spiegelhalter (Journal of
// the Royal Statistical Society B 50, 1988), whose P(dyspnoea | either, bronchitis) is 0.9,
// 0.7 with either alone, 0.8 with bronchitis alone and 0.1 with none.
const clinic = `% written by hand in the manner of the Hugin tool
class Chest_Clinic
{
    inputs = ();
    outputs = ();
    node_size = (80 36);

    node E
    {
	label = "Tuberculosis \"or\" cancer";
	position = (125 165);
	states = ("yes" "no");
	HR_Desc = "a comment";
	HR_Group = "0";
    }
    node B { states = ("yes" "no"); }
    discrete node D
    {
	states = ("yes" "no");
    }
    utility Cost { }

    potential (E) { data = ( 0.0648 0.9352 ); }
    potential (B) { data = ( 0.45 0.55 ); experience = ( 100 ); }
    potential (D | E B)
    {
	data = ((( 0.9 0.1 )	%  E=yes  B=yes
		 ( 0.7 0.3 ))	%  E=yes  B=no
		(( 0.8 0.2 )	%  E=no  B=yes
		 ( 0.1 0.9 )));	%  E=no  B=no
    }
    potential (Cost | D) { data = ( 100 -20 ); }
}
`

func TestClinic(t *testing.T) {
	f, err := Parse([]byte(clinic))
	if err != nil {
		t.Fatal(err)
	}
	if f.Name != "Chest_Clinic" || f.Labels["E"] != `Tuberculosis "or" cancer` || f.Comments["E"] != "a comment" ||
		f.Positions["E"] != (netdoc.Point{X: 125, Y: 165}) {
		t.Errorf("name %q, labels %q, comments %q, positions %v", f.Name, f.Labels, f.Comments, f.Positions)
	}
	if lost := strings.Join(f.Lost, "\n"); !strings.Contains(lost, `utility node "Cost"`) ||
		!strings.Contains(lost, "HR_Group, experience") {
		t.Errorf("lost %q", f.Lost)
	}
	c, err := f.Network.Table("D")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		either, bronchitis string
		want               float64
	}{{"yes", "yes", 0.9}, {"yes", "no", 0.7}, {"no", "yes", 0.8}, {"no", "no", 0.1}} {
		config, err := c.Config(bn.Given{"E": x.either, "B": x.bronchitis})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Row(config)[0]; got != x.want {
			t.Errorf("P(D=yes | E=%s, B=%s) = %v, want %v", x.either, x.bronchitis, got, x.want)
		}
	}
}

const mixed = `net { node_size = (80 40); }
continuous node hours { }
node light { states = ("on" "off"); }
continuous node bill { label = "The bill"; }
potential (light) { data = (0.25 0.75); }
potential (hours) { data = (normal (-2.5, 4)); }
potential (bill | light hours) {
  data = (normal (3 + 0.5 * hours, 0.04)
          normal (1 - hours, 0.01));
}
`

func TestContinuous(t *testing.T) {
	f, err := Parse([]byte(mixed))
	if err != nil {
		t.Fatal(err)
	}
	v, err := f.Network.Index("bill")
	if err != nil {
		t.Fatal(err)
	}
	g := f.Network.Gaussian(v)
	if g.Intercept[0] != 3 || g.Weights[0][0] != 0.5 || g.Variance[0] != 0.04 || g.Intercept[1] != 1 ||
		g.Weights[1][0] != -1 || g.Variance[1] != 0.01 {
		t.Errorf("%v", g)
	}
	var b bytes.Buffer
	if lost, err := Write(&b, f); err != nil || len(lost) > 0 {
		t.Fatal(lost, err)
	}
	if want := "potential (bill | light hours)\n{\n  data = (normal (3 + 0.5 * hours, 0.04)\n          normal (1 - 1 " +
		"* hours, 0.01));\n}\n"; !strings.Contains(b.String(), want) {
		t.Errorf("wrote\n%s\nwithout\n%s", b.String(), want)
	}
	again, err := Parse(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if h := again.Network.Gaussian(v); h.String() != g.String() {
		t.Errorf("%v reads back as %v", g, h)
	}
}

// TestManyWeights reads a file of 250 kB that stands for 6 million weights.
func TestManyWeights(t *testing.T) {
	var b, parents strings.Builder
	b.WriteString("node a { states = (" + strings.Repeat(`"" `, 2000) + "); }\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "continuous node x%d { } potential (x%d) { data = normal(0,1); }\n", i, i)
		fmt.Fprintf(&parents, " x%d", i)
	}
	b.WriteString("continuous node y { }\npotential (y | a" + parents.String() + ") {\ndata = (" +
		strings.Repeat("normal(0,1) ", 2000) + "); }")
	_, err := Parse([]byte(b.String()))
	var at *textpos.Error
	if !errors.As(err, &at) || at.Line != 3004 || !strings.Contains(err.Error(), "more than 4194304 entries") {
		t.Errorf("%v", err)
	}
}

const ab = "node a { states = (\"no\" \"yes\"); }\nnode b { states = (1 2 3); }\n"

func TestRefuses(t *testing.T) {
	for _, x := range []struct {
		src          string
		line, column int
		want         string
		is           error
	}{
		{ab + "potential (a) { data = (0.4 0.6 0.1); }", 3, 17, `"a" has 3 numbers and needs 1 × 2`, nil},
		{ab + "potential (a) { data = (); }", 3, 17, "has 0 numbers", nil},
		{ab + "potential (b | a) { data = (1 0 0); }", 3, 21, "a has 2 states", nil},
		{ab + "potential (b | a) { data = ((1 0 0)(0.5 0.25 0.28)); }", 3, 21,
			`"b" given a=yes sum to 1.03, not 1; mend the row, since rounding`, nil},
		{ab + "potential (a) { data = (0.4\n x); }", 4, 2, `"x" where a number`, nil},
		{ab + "potential (a) { data = (4 -6); }", 3, 27, "-6 is not a probability", nil},
		{ab + "potential (a) { data = (0.4 0.6)\n}", 4, 1, "; should stand", nil},
		{ab + "potential (a) { data = (0.4 0.6); data = (0.4 0.6); }", 3, 35, "data twice", nil},
		{ab + "potential (a) { }\npotential (a) { }", 4, 12, "in line 3 already", bn.ErrDuplicate},
		{ab + "potential (c) { }", 3, 12, "no node declares", bn.ErrUnknownVariable},
		{ab + "potential (a | c) { }", 3, 16, `"a" has it as a parent`, bn.ErrUnknownVariable},
		{ab + "potential (a | b) { }\npotential (b | a) { }", 3, 12, "cycle", nil},
		{ab + "potential (a b) { }", 3, 1, "over 2 nodes", netdoc.ErrUnsupported},
		{ab + "potential (a) { model_data = (Noisy(0.5)); }", 3, 17, "expression only", netdoc.ErrUnsupported},
		{ab + "node a { states = (x); }", 3, 6, "in line 1 already", bn.ErrDuplicate},
		{ab + "node c { }", 3, 6, "no states", nil},
		{ab + "node c { states = (\"x\" \"x\"); }", 3, 6, `"x" twice`, bn.ErrDuplicate},
		{ab + "node c { states = (\"x); }", 3, 20, "not closed", nil},
		{ab + "decision c { }", 3, 1, `decision node "c"`, netdoc.ErrUnsupported},
		{ab + "utility c { }\npotential (a | c) { }", 4, 16, "is a utility node", netdoc.ErrUnsupported},
		{ab + "instance i : C (x = y) { }", 3, 1, "instance of another class", netdoc.ErrUnsupported},
		{"class A { }\nclass B { }", 2, 1, `"A" and "B"`, netdoc.ErrUnsupported},
		{"class A {\n", 2, 1, "the file ends", nil},
		{ab + "continuous node c { }\npotential (b | c) { data = (1 0 0); }", 4, 16, `"c" of the discrete node "b"`,
			bn.ErrNotDiscrete},
		{ab + "continuous node c { }\npotential (c | a) { data = (normal (0, 1)); }", 4, 21,
			"has 1 normal distributions and needs 2", nil},
		{ab + "continuous node c { }\npotential (c) { data = (normal (0, -1)); }", 4, 25, "variance", nil},
		{ab + "continuous node c { }\npotential (c) { data = (normal (a, 1)); }", 4, 33, "no continuous parent",
			bn.ErrUnknownVariable},
		{ab + "continuous node c { }\npotential (c) { data = (0.5); }", 4, 25, "normal ( mean, variance )", nil},
		{ab + "continuous node c { }\npotential (c) { data = (normal (exp(1), 1)); }", 4, 33, "exp(...)",
			netdoc.ErrUnsupported},
		{ab + "potential (a) { data = (1 1 1); }", 3, 17, "has 3 numbers", nil},
		{ab + "node c { states = (x y); state_values = (0 - 1); }", 3, 46, `found "1" where a number`, nil},
		{ab + "node c { states = (x y); state_values = (0 ten); }", 3, 44, `found "ten" where a number`, nil},
		{ab + "continuous node c { }\ncontinuous node d { }\npotential (d | c) { data = (normal (0, 2 * c)); }", 5, 40,
			"a variance that depends on a parent", netdoc.ErrUnsupported},
		{ab + "node c { colour = ); }", 3, 19, `found ")"`, nil},
		{"% nothing", 1, 10, "no nodes", nil},
		{"node a { states = (x y); } ?", 1, 28, "net, node, potential or class", nil},
		{"a\x00b", 1, 2, "encrypted", netdoc.ErrUnsupported},
	} {
		_, err := Parse([]byte(x.src))
		var at *textpos.Error
		if !errors.As(err, &at) || at.Line != x.line || at.Column != x.column ||
			!strings.Contains(err.Error(), x.want) || x.is != nil && !errors.Is(err, x.is) {
			t.Errorf("%q: %v, want line %d, column %d, %q", x.src, err, x.line, x.column, x.want)
		}
	}
}

// TestIntervals names the states of interval and number nodes that Hugin leaves without names,
// and takes a table of ones as one without numbers.
func TestIntervals(t *testing.T) {
	f, err := Parse([]byte("node a { states = (\"\" \"\" \"\"); subtype = interval; state_values = (-infinity -1.5 9 " +
		"infinity); }\r\n" +
		"node b { state_values = (0 10); subtype = number; states = (\"none\" \"\"); }\nnode c { states = (\"\" " +
		"\"\"); }\n" +
		"potential (a) { data = (0.2 0.3 0.5); }\npotential (b | a) { data = ((1 1) (1 1) (1 1)); }"))
	if err != nil {
		t.Fatal(err)
	}
	for v, want := range []string{"< -1.5|-1.5 to 9|>= 9", "none|10", "state1|state2"} {
		if got := strings.Join(f.Network.Variable(v).States, "|"); got != want {
			t.Errorf("states %q, want %q", got, want)
		}
	}
	lost := strings.Join(f.Lost, "\n")
	for _, want := range []string{`States of "a" have no names; they are called "< -1.5", "-1.5 to 9", ">= 9".`,
		`no numbers for "b", "c"`, "state_values, subtype"} {
		if !strings.Contains(lost, want) {
			t.Errorf("lost %q, want a sentence with %q", f.Lost, want)
		}
	}
	if row := f.Network.CPT(1).Row(2); row[0] != 0.5 || row[1] != 0.5 {
		t.Errorf("ones are read as %v", row)
	}
}

// TestNames writes a name that is no identifier with the name itself as its label.
func TestNames(t *testing.T) {
	n, err := bn.New("[two words]", bn.Discrete("two words", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if lost, err := Write(&b, &netdoc.File{Network: n}); err != nil || len(lost) != 1 {
		t.Fatal(lost, err)
	}
	if s := b.String(); !strings.Contains(s, "node two_words_x_\n{\n  label = \"two words\";") {
		t.Errorf("wrote\n%s", s)
	}
}

func TestWindows1252(t *testing.T) {
	f, err := Parse([]byte("node a { label = \"\x84gr\xf6\xdfer\x93\"; states = (x y); } potential (a) { data = (0.5 " +
		"0.5); }"))
	if err != nil {
		t.Fatal(err)
	}
	if f.Labels["a"] != "„größer“" || len(f.Lost) != 1 {
		t.Errorf("label %q, lost %q", f.Labels["a"], f.Lost)
	}
}
