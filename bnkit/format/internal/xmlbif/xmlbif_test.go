package xmlbif

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/textpos"
)

// dog is the network of E. Charniak, Bayesian networks without tears, AI Magazine 12 (1991),
// figure 2, in the form in which the page of the format shows it: the first GIVEN slowest.
const dog = `<?xml version="1.0"?>
<!DOCTYPE BIF [
	<!ELEMENT BIF ( NETWORK )*>
	      <!ATTLIST BIF VERSION CDATA #REQUIRED>
	<!ELEMENT NAME (#PCDATA)>
]>
<BIF VERSION="0.3">
<NETWORK>
<NAME>Dog-Problem</NAME>
<!-- Variables -->
<VARIABLE TYPE="nature"><NAME>light-on</NAME><OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME>
	<PROPERTY>position = (73, 165)</PROPERTY></VARIABLE>
<VARIABLE TYPE="nature"><NAME>bowel-problem</NAME><OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME> dog-out </NAME><OUTCOME> true</OUTCOME><OUTCOME>false</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>hear-bark</NAME><OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>family-out</NAME><OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME></VARIABLE>
<DEFINITION><FOR>light-on</FOR><GIVEN>family-out</GIVEN><TABLE>0.6 0.4 0.05 0.95</TABLE></DEFINITION>
<DEFINITION><FOR>bowel-problem</FOR><TABLE>0.01 0.99</TABLE></DEFINITION>
<DEFINITION><FOR>dog-out</FOR><GIVEN>bowel-problem</GIVEN><GIVEN>family-out</GIVEN>
	<TABLE>0.99 0.01 0.97 0.03 <!-- bowel problem above --> 0.9 0.1 0.3 0.7</TABLE></DEFINITION>
<DEFINITION><FOR>hear-bark</FOR><GIVEN>dog-out</GIVEN><TABLE>0.7 0.3 0.01 0.99</TABLE></DEFINITION>
<DEFINITION><FOR>family-out</FOR><TABLE>0.15 0.85</TABLE></DEFINITION>
</NETWORK>
</BIF>`

func TestDogProblem(t *testing.T) {
	f, err := Parse([]byte(dog))
	if err != nil {
		t.Fatal(err)
	}
	if f.Name != "Dog-Problem" || len(f.Lost) != 0 || f.Positions["light-on"] != (netdoc.Point{X: 73, Y: 165}) {
		t.Errorf("name %q, lost %v, positions %v", f.Name, f.Lost, f.Positions)
	}
	c, err := f.Network.Table("dog-out")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct { // Charniak's P(do | fo bp) and so on
		bowel, family string
		want          float64
	}{{"true", "true", 0.99}, {"false", "true", 0.90}, {"true", "false", 0.97}, {"false", "false", 0.3}} {
		config, err := c.Config(bn.Given{"bowel-problem": x.bowel, "family-out": x.family})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Row(config)[0]; got != x.want {
			t.Errorf("P(dog-out | bowel-problem=%s, family-out=%s) = %v, want %v", x.bowel, x.family, got, x.want)
		}
	}
}

// head declares a with two states and b with three.
const head = `<BIF><NETWORK>
<VARIABLE TYPE="nature"><NAME>a</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>b</NAME><OUTCOME>1</OUTCOME><OUTCOME>2</OUTCOME><OUTCOME>3</OUTCOME></VARIABLE>
`

const tail = `</NETWORK></BIF>`

func TestRefuses(t *testing.T) {
	for _, x := range []struct {
		src  string
		line int
		want string
		is   error
	}{
		{head + "<DEFINITION><FOR>a</FOR>\n<TABLE>0.4\n 0.6 0.1</TABLE></DEFINITION>" + tail, 5,
			`"a" has 3 numbers and needs 1 × 2`, nil},
		{head + "<DEFINITION><FOR>b</FOR><GIVEN>a</GIVEN><TABLE>1 0 0</TABLE></DEFINITION>" + tail, 4, "a has 2 states",
			nil},
		{head + "<DEFINITION><FOR>b</FOR><GIVEN>a</GIVEN><TABLE>1 0 0 0.5 0.25 0.28</TABLE></DEFINITION>" + tail, 4,
			`"b" given a=yes sum to 1.03`, nil},
		{head + "<DEFINITION><FOR>b</FOR><GIVEN>a</GIVEN><TABLE>0.1 0.5 0.2 0.25 0.7 0.25</TABLE></DEFINITION>" + tail,
			4, "varying slowest", nil},
		{head + "<DEFINITION><FOR>a</FOR><TABLE>0.4\n x</TABLE></DEFINITION>" + tail, 5, `"x" where a number`, nil},
		{head + "<DEFINITION><FOR>a</FOR><TABLE>0.4\n NaN</TABLE></DEFINITION>" + tail, 4, `NaN among the probabilities of "a"`, nil},
		{head + "<DEFINITION><FOR>a</FOR><TABLE>40 60</TABLE></DEFINITION>" + tail, 4, "40 is not a probability", nil},
		{head + "<DEFINITION><FOR>c</FOR><TABLE>1</TABLE></DEFINITION>" + tail, 4, `"c": no <VARIABLE>`,
			bn.ErrUnknownVariable},
		{head + "<DEFINITION><FOR>a</FOR>\n<GIVEN>c</GIVEN></DEFINITION>" + tail, 5, `"a" has it as a parent`,
			bn.ErrUnknownVariable},
		{head + "<DEFINITION><FOR>a</FOR><GIVEN>b</GIVEN><GIVEN>b</GIVEN></DEFINITION>" + tail, 4, "twice",
			bn.ErrDuplicate},
		{head + "<DEFINITION><FOR>a</FOR><GIVEN>a</GIVEN></DEFINITION>" + tail, 4, "a", nil},
		{head +
			"<DEFINITION><FOR>a</FOR><GIVEN>b</GIVEN></DEFINITION>\n" +
			"<DEFINITION><FOR>b</FOR><GIVEN>a</GIVEN></DEFINITION>" + tail, 4, "cycle", nil},
		{head + "<DEFINITION><FOR>a</FOR></DEFINITION>\n<DEFINITION><FOR>a</FOR></DEFINITION>" + tail, 5,
			"in line 4 already", bn.ErrDuplicate},
		{head + "<VARIABLE><NAME>a</NAME></VARIABLE>" + tail, 4, "in line 2 already", bn.ErrDuplicate},
		{head + "<VARIABLE><NAME>c</NAME><OUTCOME>x</OUTCOME><OUTCOME>x</OUTCOME></VARIABLE>" + tail, 4,
			`"c" has the state "x" twice`, bn.ErrDuplicate},
		{head + "<VARIABLE><NAME>c</NAME></VARIABLE>" + tail, 4, "no states", nil},
		{head + "<VARIABLE><OUTCOME>c</OUTCOME></VARIABLE>" + tail, 4, "empty name", nil},
		{head + `<VARIABLE TYPE="decision"><NAME>c</NAME></VARIABLE>` + tail, 4, "type decision",
			netdoc.ErrUnsupported},
		{head + `<VARIABLE TYPE="continuous"><NAME>c</NAME></VARIABLE>` + tail, 4, "tables only", bn.ErrNotDiscrete},
		{head + "<DEFINITION><TABLE>1</TABLE></DEFINITION>" + tail, 4, "names no variable", nil},
		{head + "<DEFINITION><FOR>a</FOR><FOR>b</FOR></DEFINITION>" + tail, 4, "FOR one variable", nil},
		{head + "<TABLE/>" + tail, 4, "<TABLE> has no place in <NETWORK>", nil},
		{head + "<DEFINITION><FOR>a</FOR><TABLE>0.5 0.5</TABLE>\n<TABLE>1 0</TABLE></DEFINITION>" + tail, 5,
			"a second <TABLE> in <DEFINITION>, the first is in line 4", nil},
		{head + "<VARIABLE><NAME>c</NAME>\n<name>d</name></VARIABLE>" + tail, 5, "a second <name>", nil},
		{head + "<NAME>c</NAME>\n<NAME>d</NAME>" + tail, 5, "a second <NAME>", nil},
		{head + "<DEFINITION><FOR>a</FOR><TABLE>0.5\n<B>1</B> 0.5</TABLE></DEFINITION>" + tail, 5,
			"<B> has no place among the numbers of <TABLE>", nil},
		{"<BIF/>", 1, "one <NETWORK>", nil},
		{"<smile/>", 1, "<BIF> should stand", nil},
		{"<BIF><NETWORK/></BIF>", 1, "no nodes", nil},
		{unspelled(44, 3, 1), 46, "more than", nil},
		{unspelled(20, 2, 2), 23, "more than", nil}, // two tables of 2²¹ entries, each of which would pass
	} {
		_, err := Parse([]byte(x.src))
		var at *textpos.Error
		if !errors.As(err, &at) || at.Line != x.line || !strings.Contains(err.Error(), x.want) || x.is != nil &&
			!errors.Is(err, x.is) {
			t.Errorf("%q: %v, want line %d, %q", x.src[max(0, len(x.src)-150):], err, x.line, x.want)
		}
	}
}

// unspelled declares parents, a line each, and then children of all of them without tables.
func unspelled(parents, states, children int) string {
	b := strings.Builder{}
	b.WriteString("<BIF><NETWORK>\n")
	given, outcomes := "", "<OUTCOME>1</OUTCOME><OUTCOME>2</OUTCOME><OUTCOME>3</OUTCOME>"[:len(
		"<OUTCOME>1</OUTCOME>")*states]
	for i := range parents {
		name := strings.Repeat("x", i+1)
		b.WriteString("<VARIABLE><NAME>" + name + "</NAME>" + outcomes + "</VARIABLE>\n")
		given += "<GIVEN>" + name + "</GIVEN>"
	}
	for i := range children {
		name := strings.Repeat("y", i+1)
		b.WriteString("<VARIABLE><NAME>" + name + "</NAME>" + outcomes + "</VARIABLE><DEFINITION><FOR>" + name +
			"</FOR>" + given + "</DEFINITION>\n")
	}
	return b.String() + tail
}

func TestLost(t *testing.T) {
	f, err := Parse(
		[]byte(head +
			`<VARIABLE TYPE="utility"><NAME>u</NAME></VARIABLE><DEFINITION><FOR>u</FOR><GIVEN>a</GIVEN><TABLE>10 -3</TABLE></DEFINITION><PROPERTY>author = me</PROPERTY>` + tail))
	if err != nil {
		t.Fatal(err)
	}
	lost := strings.Join(f.Lost, "\n")
	for _, want := range []string{`utility node "u"`, `no numbers for "a", "b"`, "properties of the network"} {
		if !strings.Contains(lost, want) {
			t.Errorf("lost %q, want a sentence with %q", f.Lost, want)
		}
	}
}

func TestWrite(t *testing.T) {
	f, err := Parse([]byte(dog))
	if err != nil {
		t.Fatal(err)
	}
	f.Labels = map[string]string{"dog-out": "Is <the dog> out?"}
	f.Comments = map[string]string{"dog-out": "two\nlines", "light-on": "\x01"}
	var b bytes.Buffer
	lost, err := Write(&b, f)
	if err != nil {
		t.Fatal(err)
	}
	if len(lost) != 1 || !strings.Contains(lost[0], `comment of "light-on"`) {
		t.Errorf("lost %q", lost)
	}
	const want = `<DEFINITION>
  <FOR>dog-out</FOR>
  <GIVEN>bowel-problem</GIVEN>
  <GIVEN>family-out</GIVEN>
  <TABLE>
    0.99 0.01
    0.97 0.03
    0.9 0.1
    0.3 0.7</TABLE>
</DEFINITION>
`
	if !strings.Contains(b.String(), want) {
		t.Errorf("wrote\n%s\nwithout\n%s", b.String(), want)
	}
	again, err := Parse(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if again.Labels["dog-out"] != f.Labels["dog-out"] || again.Comments["dog-out"] != "two\nlines" ||
		again.Name != f.Name {
		t.Errorf("labels %q, comments %q, name %q", again.Labels, again.Comments, again.Name)
	}
	for _, n := range []func() (*bn.Network, error){
		func() (*bn.Network, error) { return bn.New("[x]", bn.Continuous("x")) },
		func() (*bn.Network, error) { return bn.New("[x]", bn.Discrete("x", "\xff")) },
		func() (*bn.Network, error) { return nil, nil },
	} {
		net, err := n()
		if err != nil {
			t.Fatal(err)
		}
		b.Reset()
		if _, err := Write(&b, &netdoc.File{Network: net}); err == nil || b.Len() > 0 {
			t.Errorf("error %v after %d bytes, want an error before the first", err, b.Len())
		}
	}
}
