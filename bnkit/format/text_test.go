package format_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format"
	"bnlab/bnkit/format/internal/netdoc"
)

// TestTextsThatEndAFile writes texts with which a reader would take the whole file for binary,
// or for one in Windows-1252: they are refused, encoded, or left out with a word.
func TestTextsThatEndAFile(t *testing.T) {
	for _, bad := range []string{"zero\x00byte", "no UTF-8 \xff"} {
		net := small(t)["asymmetric"]
		for what, f := range map[string]*format.File{
			"state":   {Network: one(t, "größer", bad)},
			"label":   {Network: net, Labels: map[string]string{"x": bad}},
			"comment": {Network: net, Comments: map[string]string{"x": bad}},
			"name":    {Network: net, Name: bad},
		} {
			for _, form := range format.Formats() {
				var b bytes.Buffer
				lost, err := form.Write(&b, f)
				if err != nil {
					if b.Len() > 0 {
						t.Errorf("%s, %s %q: half of a file before the error %v", form.Name, what, bad, err)
					}
					continue
				}
				again, err := form.Parse(b.Bytes())
				if err != nil {
					t.Errorf("%s, %s %q: %v", form.Name, what, bad, err)
					continue
				}
				if d := difference(f.Network, again.Network); d != "" {
					t.Errorf("%s, %s %q: %s", form.Name, what, bad, d)
				}
				kept := again.Name == f.Name && again.Labels["x"] == f.Labels["x"] &&
					again.Comments["x"] == f.Comments["x"]
				if !kept && len(lost) == 0 {
					t.Errorf("%s, %s %q: lost without a word", form.Name, what, bad)
				}
			}
		}
	}
}

// TestNowhere gives a variable a position that is none.
func TestNowhere(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		f := &format.File{Network: small(t)["asymmetric"], Positions: map[string]netdoc.Point{"x": {Y: x}}}
		for _, form := range format.Formats() {
			var b bytes.Buffer
			if _, err := form.Write(&b, f); err == nil && form.Name != "BIF" || b.Len() > 0 && err != nil {
				t.Errorf("%s: a position of %v gave %d bytes and the error %v", form.Name, x, b.Len(), err)
			}
		}
	}
}

// TestManyParents writes tables of more parents than readers take levels of parentheses.
func TestManyParents(t *testing.T) {
	for _, count := range []int{63, 64, 65, 200} {
		child := bn.Discrete("child", "no", "yes")
		vars, parents := []bn.Variable{}, make([][]int, count+1)
		names := make([]string, count+1)
		for p := range count {
			states := []string{"always"}
			if p == 1 || p == count-1 {
				states = []string{"low", "medium", "high"}
			}
			names[p] = fmt.Sprintf("p%d", p)
			vars = append(vars, bn.Discrete(names[p], states...))
			parents[count] = append(parents[count], p)
		}
		names[count] = child.Name
		g, err := bn.NewDAG(names, parents)
		if err != nil {
			t.Fatal(err)
		}
		net, err := bn.NewNetwork(g, append(vars, child))
		if err != nil {
			t.Fatal(err)
		}
		fill(net)
		for _, form := range format.Formats() {
			f, _ := through(t, form, &format.File{Network: net})
			if d := difference(net, f.Network); d != "" {
				t.Errorf("%s, %d parents: %s", form.Name, count, d)
			}
		}
	}
}

// TestPropertiesOfBIF: properties are lost, which is said; names with the word in them are not.
func TestPropertiesOfBIF(t *testing.T) {
	form, err := format.ByExtension(".bif")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := through(t, form, &format.File{Network: one(t, "property", "intellectual property tax")})
	if len(f.Lost) > 0 {
		t.Errorf("names: %v", f.Lost)
	}
	for _, text := range []string{
		"network n { }\nvariable a { type discrete [1] { x }; property position = (1, 2) ; }\nprobability (a) { " +
			"table 1; }",
		"network n {\n\tproperty author me ;\n}\nvariable a {\n  type discrete [1] { x };\n}\nprobability (a) { " +
			"table 1; }",
	} {
		f, err := form.Parse([]byte(text))
		if err != nil || len(f.Lost) != 1 {
			t.Errorf("%s: %v, %v", text, f, err)
		}
	}
}
