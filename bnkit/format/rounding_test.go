package format_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/format"
)

// read reads a text as a file of the name.
func read(t testing.TB, name, text string) (*format.File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return format.Read(path)
}

// TestRounding reads tables whose rows are off by rounding, in each format: what comes out is 1/3, and a sentence
// says how many rows were off, and by how much.
func TestRounding(t *testing.T) {
	const (
		row  = "0.333333 0.333333 0.333333"
		list = "0.333333, 0.333333, 0.333333"
	)
	files := map[string]string{
		"a.bif": "variable a { type discrete [ 3 ] { x, y, z }; } probability (a) { table " + list + "; }",
		"a.xml": "<BIF VERSION=\"0.3\"><NETWORK><NAME>n</NAME><VARIABLE TYPE=\"nature\"><NAME>a</NAME>" +
			"<OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME><OUTCOME>z</OUTCOME></VARIABLE>" +
			"<DEFINITION><FOR>a</FOR><TABLE>" + row + "</TABLE></DEFINITION></NETWORK></BIF>",
		"a.net": "node a { states = (\"x\" \"y\" \"z\"); } potential (a) { data = (" + row + "); }",
		"a.xdsl": "<smile version=\"1.0\" id=\"n\"><nodes><cpt id=\"a\"><state id=\"x\"/><state id=\"y\"/>" +
			"<state id=\"z\"/><probabilities>" + row + "</probabilities></cpt></nodes></smile>",
		"a.dne": "bnet n { node a { states = (x, y, z); probs = (" + list + "); }; };",
		"a.dsc": "belief network \"n\" node a { type : discrete [ 3 ] = { \"x\", \"y\", \"z\" }; } " +
			"probability (a) { " + list + "; }",
	}
	for name, text := range files {
		f, err := read(t, name, text)
		if err != nil {
			t.Error(err)
			continue
		}
		want := "1 row was off by rounding, by 1e-06 at most, and divided by its sum."
		if !slices.Contains(f.Lost, want) {
			t.Errorf("%s: %q, want %q among them", name, f.Lost, want)
		}
		for _, p := range f.Network.CPT(0).P {
			if math.Abs(p-1./3) > 1e-15 {
				t.Errorf("%s: %v, want 1/3 each", name, f.Network.CPT(0).P)
				break
			}
		}
		// No rounding makes 0.9333333 of 1.
		_, err = read(t, name, strings.Replace(text, "0.333333", "0.266667", 1))
		if err == nil || !strings.Contains(err.Error(), "0.933333") {
			t.Errorf("%s: a row that sums to 0.933333: %v", name, err)
		}
	}
}

// TestRowsWithoutNumbers reads rows of NaN, as bnlearn wrote them for a configuration without cases.
func TestRowsWithoutNumbers(t *testing.T) {
	const head = "variable a { type discrete [ 2 ] { n, y }; } variable b { type discrete [ 2 ] { n, y }; } " +
		"probability (a) { table 0.5, 0.5; } probability (b | a) { "
	net := "node a { states = (\"n\" \"y\"); } node b { states = (\"n\" \"y\"); } potential (a) { data = (1 3); } " +
		"potential (b | a) { data = ((%) (1 3)); }"
	for _, x := range []struct {
		name, text string
		want       []float64
		lost       string
	}{
		{"a.bif", head + "(n) NaN, NaN; (y) 0.25, 0.75; }", []float64{0.5, 0.5, 0.25, 0.75},
			`1 row was without probabilities in the tables of "b"`},
		{"a.bif", head + "(n) NaN, NaN; (y) 0.25, 0.75; default 0.1, 0.9; }", []float64{0.1, 0.9, 0.25, 0.75}, ""},
		{"a.bif", head + "table NaN, 0.25, NaN, 0.75; }", []float64{0.5, 0.5, 0.25, 0.75}, `of "b"`},
		{"a.net", strings.Replace(net, "%", "NaN NaN", 1), []float64{0.5, 0.5, 0.25, 0.75}, `of "b"`},
		{"a.net", strings.Replace(net, "%", "0 0", 1), []float64{0.5, 0.5, 0.25, 0.75}, `of "b"`},
		{"a.net", strings.Replace(net, "%", "10 90", 1), []float64{0.1, 0.9, 0.25, 0.75}, "3 rows were of counts"},
		{"a.net", strings.Replace(net, "%", "2.5 7.5", 1), []float64{0.25, 0.75, 0.25, 0.75}, "3 rows were of counts"},
	} {
		f, err := read(t, x.name, x.text)
		if err != nil {
			t.Errorf("%s: %v", x.text, err)
			continue
		}
		if !slices.Equal(f.Network.CPT(1).P, x.want) {
			t.Errorf("%s: %v, want %v", x.text, f.Network.CPT(1).P, x.want)
		}
		if !strings.Contains(strings.Join(f.Lost, "\n"), x.lost) || x.lost == "" && len(f.Lost) > 0 {
			t.Errorf("%s: %q, want %q", x.text, f.Lost, x.lost)
		}
	}
	for _, row := range []string{"0.5 0.6", "0.5 NaN", "-1 2"} {
		if _, err := read(t, "a.net", strings.Replace(net, "%", row, 1)); err == nil {
			t.Errorf("the row %s is taken for a distribution", row)
		}
	}
}
