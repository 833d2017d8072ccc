package format_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format"
)

// TestUAI writes networks as UAI and reads them back: the graph and the numbers are the same bit for bit, names are
// numbers.
func TestUAI(t *testing.T) {
	for name, n := range small(t) {
		path := filepath.Join(t.TempDir(), "a.uai")
		lost, err := format.Write(path, &format.File{Network: n})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.Contains(strings.Join(lost, " "), "UAI has no names") {
			t.Errorf("%s: %q does not say that names are lost", name, lost)
		}
		f, err := format.Read(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for v := range n.Len() {
			if !slices.Equal(f.Network.DAG().Parents(v), n.DAG().Parents(v)) ||
				!slices.Equal(f.Network.CPT(v).P, n.CPT(v).P) {
				t.Errorf("%s: variable %d came back as %v", name, v, f.Network.CPT(v))
			}
		}
	}
}

func TestEvidence(t *testing.T) {
	n, err := bn.New("[a][b|a]", bn.Discrete("a", "no", "yes"), bn.Discrete("b", "p", "q", "r"))
	if err != nil {
		t.Fatal(err)
	}
	f := &format.File{Network: n}
	path := filepath.Join(t.TempDir(), "a.uai.evid")
	for text, want := range map[string][]bn.Given{
		"2 0 1 1 2\n":           {{"a": "yes", "b": "r"}},
		"1 1 0":                 {{"b": "p"}},
		"0\n":                   {{}},
		"1\n2 0 1 1 2\n":        {{"a": "yes", "b": "r"}},
		"2\n1 0 0\n1 1 2\n":     {{"a": "no"}, {"b": "r"}},
		"2\n0 1 1 2\n":          {{"a": "yes", "b": "r"}}, // one case on two lines
		"1 2 0 1 1 2\n":         {{"a": "yes", "b": "r"}}, // the number of cases on their line
		"1 # seen\r0 1 # yes\r": {{"a": "yes"}},
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := f.ReadEvidence(path)
		if err != nil || !slices.EqualFunc(got, want, func(a, b bn.Given) bool { return maps.Equal(a, b) }) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
		if err := f.WriteEvidence(path, want); err != nil {
			t.Error(err)
		}
		again, err := f.ReadEvidence(path)
		if err != nil || !slices.EqualFunc(again, want, func(a, b bn.Given) bool { return maps.Equal(a, b) }) {
			t.Errorf("%v written and read: %v, %v", want, again, err)
		}
	}
	for text, want := range map[string]string{
		"1 2 0": "a whole number from 0 to 1", "1 0 2": "a state of variable 0", "2 0 1 0 1": "duplicate",
		"9 0 1": "cut short", "": "the file ends", "1 0 1 5": "after the last case", "x": "how many variables",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := f.ReadEvidence(path); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v, %v, want %q", text, got, err, want)
		}
	}
	for _, e := range []bn.Given{{"c": "no"}, {"a": "maybe"}} {
		if err := f.WriteEvidence(path, []bn.Given{e}); err == nil {
			t.Errorf("%v is written", e)
		}
	}
}
