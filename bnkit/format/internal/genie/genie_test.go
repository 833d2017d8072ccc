package genie

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/textpos"
)

// clinic is part of the chest clinic of S. L. Lauritzen and D. J. Spiegelhalter (Journal of
// the Royal Statistical Society B 50, 1988) in the manner of GeNIe: P(dyspnoea | either,
// bronchitis) is 0.9 with both, 0.7 with either alone, 0.8 with bronchitis alone, else 0.1.
const clinic = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- by hand -->
<smile version="1.0" id="Asia" numsamples="10000" discsamples="10000">
	<nodes>
		<cpt id="either" diagtype="observation" ranked="true">
			<state id="Nothing" />
			<state id="Disease" label="F6" fault="true" />
			<probabilities>0.9352 0.0648</probabilities>
		</cpt>
		<cpt id="bronc"><state id="Absent" /><state id="Present" /><probabilities>0.55 0.45</probabilities></cpt>
		<cpt id="dysp">
			<state id="Absent" /><state id="Present" />
			<parents>either bronc</parents>
			<probabilities>0.9 0.1 0.2 0.8 0.3 0.7 0.1 0.9</probabilities>
		</cpt>
		<deterministic id="ward">
			<state id="home" /><state id="day" /><state id="night" />
			<parents>dysp either</parents>
			<resultingstates>home day day night</resultingstates>
		</deterministic>
		<utility id="cost"><parents>dysp</parents><utilities>100 -20</utilities></utility>
	</nodes>
	<extensions>
		<genie version="1.0" app="GeNIe 2.1" name="Chest clinic">
			<node id="dysp"><name>Dyspnoea &amp; wheezing</name><position>50 60 131 120</position></node>
			<submodel id="s"><name>S</name>
				<node id="either"><name>either</name><comment>a
comment</comment></node>
				<node id="bronc" /><node id="ward" /><node id="cost" />
			</submodel>
		</genie>
	</extensions>
</smile>`

func TestClinic(t *testing.T) {
	f, err := Parse([]byte(clinic))
	if err != nil {
		t.Fatal(err)
	}
	if f.Name != "Chest clinic" || len(f.Labels) != 1 || f.Labels["dysp"] != "Dyspnoea & wheezing" ||
		f.Comments["either"] != "a\ncomment" || f.Positions["dysp"] != (netdoc.Point{X: 90.5, Y: 90}) {
		t.Errorf("name %q, labels %q, comments %q, positions %v", f.Name, f.Labels, f.Comments, f.Positions)
	}
	lost := strings.Join(f.Lost, "\n")
	for _, want := range []string{`utility node "cost"`, `deterministic nodes "ward"`,
		"diagtype, fault of states, label of states, ranked, submodels of the drawing"} {
		if !strings.Contains(lost, want) {
			t.Errorf("lost %q, want a sentence with %q", f.Lost, want)
		}
	}
	if first := f.Network.Variable(0).Name; first != "dysp" {
		t.Errorf("the first variable is %s, want the order of the drawing", first)
	}
	c, err := f.Network.Table("dysp")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		either, bronchitis string
		want               float64
	}{{"Disease", "Present", 0.9}, {"Disease", "Absent", 0.7}, {"Nothing", "Present", 0.8},
		{"Nothing", "Absent", 0.1}} {
		config, err := c.Config(bn.Given{"either": x.either, "bronc": x.bronchitis})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Row(config)[1]; got != x.want {
			t.Errorf("P(dysp | either=%s, bronc=%s) = %v, want %v", x.either, x.bronchitis, got, x.want)
		}
	}
	ward, err := f.Network.Table("ward")
	if err != nil {
		t.Fatal(err)
	}
	config, err := ward.Config(bn.Given{"dysp": "Present", "either": "Disease"})
	if err != nil {
		t.Fatal(err)
	}
	if ward.Row(config)[2] != 1 {
		t.Errorf("with both, %v", ward.Row(config))
	}
}

// fever has parents whose states stand in either order of strength.
const fever = `<smile version="1.0" id="N"><nodes>
<cpt id="flu"><state id="yes"/><state id="no"/><probabilities>0.1 0.9</probabilities></cpt>
<cpt id="rest"><state id="yes"/><state id="no"/><probabilities>0.5 0.5</probabilities></cpt>
<noisymax id="fever"><state id="yes"/><state id="no"/><parents>flu rest</parents>
<strengths>0 1 1 0</strengths><parameters>0.8 0.2 0 1 0.3 0.7 0 1 0.01 0.99</parameters></noisymax>
</nodes></smile>`

func TestNoisyMAX(t *testing.T) {
	f, err := Parse([]byte(fever))
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.Network.Table("fever")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		flu, rest string
		want      float64 // P(no fever), by hand
	}{{"yes", "no", 0.2 * 0.7 * 0.99}, {"yes", "yes", 0.2 * 0.99}, {"no", "no", 0.7 * 0.99}, {"no", "yes", 0.99}} {
		config, err := c.Config(bn.Given{"flu": x.flu, "rest": x.rest})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Row(config)[1]; math.Abs(got-x.want) > 1e-16 {
			t.Errorf("P(no fever | flu=%s, rest=%s) = %v, want %v", x.flu, x.rest, got, x.want)
		}
	}
	var b bytes.Buffer
	if lost, err := Write(&b, f); err != nil || len(lost) > 0 {
		t.Fatal(lost, err)
	}
	for _, want := range []string{`<noisymax id="fever">`, "<strengths>0 1 1 0</strengths>",
		"<parameters>0.8 0.2 0 1 0.3 0.7 0 1 0.01 0.99</parameters>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("wrote\n%s\nwithout %s", b.String(), want)
		}
	}
	// Another table is not that of the node any more.
	if err := f.Network.SetTable("fever", "flu rest | yes no\n * * | 0.5 0.5"); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	lost, err := Write(&b, f)
	if err != nil || len(lost) != 1 || !strings.Contains(lost[0], "no longer those of their noisy-MAX nodes") {
		t.Errorf("lost %q, %v", lost, err)
	}
	if strings.Contains(b.String(), "noisymax") {
		t.Error("the node is written in place of its new table")
	}
}

// TestParentsFirst writes a child that stands before its parent in the network.
func TestParentsFirst(t *testing.T) {
	n, err := bn.New("[x|a][a]", bn.Discrete("x", "0", "1"), bn.Discrete("a", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := Write(&b, &netdoc.File{Network: n}); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); !(strings.Index(s, `<cpt id="a">`) < strings.Index(s, `<cpt id="x">`)) {
		t.Errorf("SMILE wants parents above their children:\n%s", s)
	}
	f, err := Parse(b.Bytes())
	if err != nil || f.Network.Variable(0).Name != "x" {
		t.Errorf("the order of the variables is lost (%v)", err)
	}
}

// TestPartOfDrawing reads a drawing that does not show all nodes: none is lost with it.
func TestPartOfDrawing(t *testing.T) {
	f, err := Parse([]byte(head + `<cpt id="b"><state id="x"/><probabilities>1</probabilities></cpt></nodes>
<extensions><genie><node id="b"><name>B</name></node><node id="gone"/></genie></extensions></smile>`))
	if err != nil {
		t.Fatal(err)
	}
	if n := f.Network; n.Len() != 2 || n.Variable(0).Name != "a" || f.Labels["b"] != "B" {
		t.Errorf("read %v with labels %q", n.DAG(), f.Labels)
	}
}

func TestEquations(t *testing.T) {
	f, err := Parse([]byte(`<smile id="N"><nodes>
<equation id="x"><definition>x=Normal(1,2)</definition></equation>
<equation id="y"><parents>x</parents><definition>y = 0.5 - x*2 + Normal(0, 0.25)</definition></equation>
<equation id="z"><parents>x y</parents><definition>z=x-y</definition></equation>
</nodes></smile>`))
	if err != nil || len(f.Lost) > 0 || f.Name != "N" {
		t.Fatal(f, err)
	}
	g, h, k := f.Network.Gaussian(0), f.Network.Gaussian(1), f.Network.Gaussian(2)
	if g.Intercept[0] != 1 || g.Variance[0] != 4 || h.Intercept[0] != 0.5 || h.Weights[0][0] != -2 ||
		h.Variance[0] != 0.0625 || k.Weights[0][0] != 1 || k.Weights[0][1] != -1 || k.Variance[0] != 0 {
		t.Errorf("%v\n%v\n%v", g, h, k)
	}
	bounded,
		err := Parse(
		[]byte(`<smile><nodes><equation id="x"><definition lower="-20" upper="inf">x=Normal(1,2)</definition></equation>
<equation id="y"><definition lower="-inf" upper="inf">y=1</definition></equation><equation id="z"><definition upper="3">z=1</definition></equation></nodes></smile>`))
	if err != nil || len(bounded.Lost) != 1 ||
		!strings.Contains(bounded.Lost[0], `bounds of the equation nodes "x", "z" are not kept`) {
		t.Errorf("bounds: lost %v, %v", bounded, err)
	}
	var b bytes.Buffer
	if _, err := Write(&b, f); err != nil {
		t.Fatal(err)
	}
	if want := "<definition>y=0.5 - 2 * x + Normal(0, 0.25)</definition>"; !strings.Contains(b.String(), want) {
		t.Errorf("wrote\n%s\nwithout %s", b.String(), want)
	}
	net, err := bn.New("[a][x|a]", bn.Discrete("a", "0", "1"), bn.Continuous("x"))
	if err != nil {
		t.Fatal(err)
	}
	b.Reset()
	if _, err := Write(&b, &netdoc.File{Network: net}); !errors.Is(err, bn.ErrNotDiscrete) || b.Len() > 0 {
		t.Errorf("a continuous variable with a discrete parent: %v", err)
	}
}

const head = `<smile id="N"><nodes>
<cpt id="a"><state id="no"/><state id="yes"/><probabilities>0.4 0.6</probabilities></cpt>
`
const tail = `</nodes></smile>`

func TestRefuses(t *testing.T) {
	for _, x := range []struct {
		src  string
		line int
		want string
		is   error
	}{
		{head + `<cpt id="b"><state id="x"/><state id="y"/><parents>a</parents>` +
			"\n<probabilities>0.5 0.5 1</probabilities></cpt>" + tail, 4, `"b" has 3 numbers and needs 2 × 2`, nil},
		{head +
			`<cpt id="b"><state id="x"/><state id="y"/><parents>a</parents><probabilities>0.5 0.5 0.9 0.2</probabilities></cpt>` + tail, 3, `"b" given a=yes sum to 1.1`, nil},
		{head +
			`<cpt id="b"><state id="x"/><state id="y"/><parents>c</parents><probabilities>1 0</probabilities></cpt>` +
			tail, 3, "no node of the file", bn.ErrUnknownVariable},
		{head + `<cpt id="b"><state id="x"/><state id="y"/></cpt>` + tail, 3, "no <probabilities>", nil},
		{head + `<cpt id="b"/>` + tail, 3, "no <probabilities>", nil},
		{head + `<cpt/>` + tail, 3, "empty name", nil},
		{head + `<cpt id="a"/>` + tail, 3, "in line 2 already", bn.ErrDuplicate},
		{head + `<cpt id="b"><state id="x"/><parents>b</parents><probabilities>1</probabilities></cpt>` + tail, 3, "b",
			nil},
		{head + `<decision id="d"/>` + tail, 3, "decision node", netdoc.ErrUnsupported},
		{head + `<noisyadder id="d"/>` + tail, 3, "noisyadder node", netdoc.ErrUnsupported},
		{head +
			`<utility id="u"/><cpt id="b"><state id="x"/><parents>u</parents><probabilities>1</probabilities></cpt>` +
			tail, 3, "is a utility node", netdoc.ErrUnsupported},
		{head +
			`<noisymax id="m"><state id="x"/><state id="y"/><parents>a</parents><strengths>0</strengths><parameters>1 0 0 1 0 1</parameters></noisymax>` + tail, 3, "has 1 strengths and 6 parameters and needs 2 and 6", nil},
		{head +
			`<noisymax id="m"><state id="x"/><state id="y"/><parents>a</parents><strengths>0 q</strengths><parameters>1 0 0 1 0 1</parameters></noisymax>` + tail, 3, `"q" where the number of a state`, nil},
		{head +
			`<noisymax id="m"><state id="x"/><state id="y"/><parents>a</parents><strengths>0 0</strengths><parameters>1 0 0 1 0 1</parameters></noisymax>` + tail, 3, "order of strength", nil},
		{head +
			`<noisymax id="m"><state id="x"/><state id="y"/><parents>a</parents><strengths>0 1</strengths><parameters>1 0 0.5 0.5 0 1</parameters></noisymax>` + tail, 3, "weakest", nil},
		{head +
			`<noisymax id="m"><state id="x"/><state id="y"/><parents>q</parents><strengths/><parameters/></noisymax>` +
			tail, 3, "no node of the file", bn.ErrUnknownVariable},
		{head +
			`<deterministic id="d"><state id="x"/><parents>a</parents><resultingstates>x z</resultingstates></deterministic>` + tail, 3, `"z" of node "d"`, bn.ErrUnknownState},
		{head + `<equation id="e"><parents>a</parents><definition>e=1</definition></equation>` + tail, 3,
			`discrete parent "a"`, netdoc.ErrUnsupported},
		{head + `<equation id="e"><definition>` + "\ne=Uniform(0,1)</definition></equation>" + tail, 3, "Uniform(...)",
			netdoc.ErrUnsupported},
		{head + `<equation id="e"><definition>e=Normal(0,1)+Normal(0,1)</definition></equation>` + tail, 3,
			"one Normal", netdoc.ErrUnsupported},
		{head + `<equation id="e"><definition>e=Normal(0,-1)</definition></equation>` + tail, 3, "not negative",
			netdoc.ErrUnsupported},
		{head + `<equation id="e"><definition>f=1</definition></equation>` + tail, 3, `"f" where the name of the node`,
			nil},
		{head + `<equation id="e"><definition>e=1 1</definition></equation>` + tail, 3, "end of the equation", nil},
		{head + `<equation id="e"><definition>e=2*q</definition></equation>` + tail, 3, "no continuous parent",
			bn.ErrUnknownVariable},
		{head + `<cpt id="b"><state id="x"/><probabilities>1</probabilities>` +
			"\n<probabilities>1</probabilities></cpt>" + tail, 4,
			"a second <probabilities> in <cpt>, the first is in line 3", nil},
		{head + "</nodes>\n<nodes>" + tail, 4, "a second <nodes>", nil},
		{`<smile><dynamic/></smile>`, 1, "dynamic network", netdoc.ErrUnsupported},
		{`<smile/>`, 1, "no <nodes>", netdoc.ErrUnsupported},
		{`<BIF/>`, 1, "<smile> should stand", nil},
		{many(), 24, "more than", nil},
	} {
		_, err := Parse([]byte(x.src))
		var at *textpos.Error
		if !errors.As(err, &at) || at.Line != x.line || !strings.Contains(err.Error(), x.want) || x.is != nil &&
			!errors.Is(err, x.is) {
			t.Errorf("%q: %v, want line %d, %q", x.src, err, x.line, x.want)
		}
	}
}

// many is a noisy-MAX node whose table would have 2²³ entries, though its file is short.
func many() string {
	var b, parents strings.Builder
	b.WriteString("<smile><nodes>\n")
	for i := range 22 {
		name := strings.Repeat("x", i+1)
		b.WriteString(`<cpt id="` + name +
			`"><state id="y"/><state id="n"/><probabilities>0.5 0.5</probabilities></cpt>` + "\n")
		parents.WriteString(name + " ")
	}
	b.WriteString(`<noisymax id="m"><state id="y"/><state id="n"/><parents>` + parents.String() +
		"</parents><strengths>" + strings.Repeat("0 1 ", 22) + "</strengths><parameters>" +
		strings.Repeat("0.5 0.5 0 1 ", 22) + "0 1</parameters></noisymax>" + tail)
	return b.String()
}
