package knowledge_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit/knowledge"
)

// FuzzParse: any bytes give a file or an error, no panic; and a file that was read is
// written, read back the same, and checked without a panic.
func FuzzParse(f *testing.F) {
	b, err := os.ReadFile("testdata/classes.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(heart))
	for _, seed := range []string{
		"title: a", "- a", "{", "a: &a [*a]", "statements: [{influence: {parent: 1, child: ~, sign: negative}}]",
		"title: |\n a\n", "title: >\n a\n b\n",
		"title: \"\\x41\\u00e9\\U0001F642\\/\"", "variables: [{name: a, states: [x, y], from: [1e-5]}]", "? a\n: b",
		"---\n---\n", "title: 'it''s'\r\n",
		"statements:\n- fixed: {of: a, p: {x: .5}}\n  source: a\n", "title:\n  a\n\n  b", "{title: a, network: '[a]'}",
		"\t", "a: - b", "[[[[", "title: \"a\n  b\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := knowledge.Parse("k.yaml", b)
		if err != nil {
			return
		}
		if net, err := k.Network(); err == nil && net.Layout().Len() < 1000 && len(k.Entries) < 10 {
			k.Check(net)
		}
		text, err := k.Marshal()
		if err != nil {
			return // nothing but a key without statements
		}
		back, err := knowledge.Parse("k.yaml", text)
		if err != nil {
			t.Fatalf("written, but not read back: %v\n%s", err, text)
		}
		if diff := cmp.Diff(k, back, sameFile); diff != "" {
			t.Fatalf("written and read back (-first +second):\n%s\n%s", diff, text)
		}
	})
}
