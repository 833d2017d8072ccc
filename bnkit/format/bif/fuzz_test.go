package bif

import (
	"bytes"
	"errors"
	"math"
	"os"
	"testing"

	"bnlab/internal/textpos"
)

// FuzzParse checks that no input panics, that every error is a textpos.Error inside the
// input, and that what is read is a valid network that writes and reads back the same.
func FuzzParse(f *testing.F) {
	for _, file := range []string{"../../../testdata/networks/asia.bif", "../../../testdata/networks/sprinkler.bif"} {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	for _, s := range []string{
		"", "network x { property a; }", "variable a { type continuous; }",
		ab + "probability (a) { table 0.4, 0.6; }\nprobability (b | a) { (no) 0.7, 0.2, 0.1; (yes) 0.0, 0.25, 0.75; }",
		ab + "probability (a) { table 4e-1 .6; } probability (b a) { table 0.7 0 0.2 0.25 0.1 0.75; }",
		"probability (b|a) { default 0.7,0.2,0.1; } probability (a) { () 0.4, 0.6; } // x\n /* y */" + ab,
		`variable "a b" { type discrete { "<5" 5-12 "}{" }; property "x;y"; } probability ("a b") { table 0.3 0.3000001 0.4; }`,
		"variable x { type discrete [ 999999999 ] { a }; } probability (x) { table 1; }",
		"\xef\xbb\xbfvariable \xff { type discrete [1] { \x00 }; } probability (\xff) { default 1.0000001 }",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		n, err := parseNetwork(src)
		if err != nil {
			var e *textpos.Error
			ends := bytes.Count(src, []byte("\n")) + bytes.Count(src, []byte("\r"))
			if !errors.As(err, &e) || e.Line < 1 || e.Line > 1+ends || e.Column < 1 ||
				e.Column > 3*len(src)+1 { // a letter of Windows-1252 takes up to three bytes
				t.Fatalf("%#v has no place in the input", err)
			}
			return
		}
		if err := n.Validate(); err != nil {
			t.Fatal(err)
		}
		for v := range n.Len() {
			for _, p := range n.CPT(v).P {
				if math.IsNaN(p) || math.Signbit(p) {
					t.Fatalf("the table of %s holds %v", n.Variable(v).Name, p)
				}
			}
		}
		var b bytes.Buffer
		if err := Write(&b, n); err != nil {
			t.Fatal(err)
		}
		again, err := parseNetwork(b.Bytes())
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		if d := difference(n, again); d != "" {
			t.Fatalf("%s\n%s", d, b.String())
		}
	})
}
