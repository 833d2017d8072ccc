package knowledge_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
)

const priced = `network: "[a][b|a]"
variables:
  - {name: a, states: [low, high]}
  - {name: b, states: [low, high]}
statements:
  - influence: {parent: a, child: b, sign: positive}
    source: a guideline
    price: 12.5
  - fixed: {of: a, p: {high: 0.3}}
    price: 1e-3
`

// TestPrices reads statements at a price, checks them against the network, and writes them as they stood.
func TestPrices(t *testing.T) {
	k, err := knowledge.Parse("k.yaml", []byte(priced))
	if err != nil {
		t.Fatal(err)
	}
	want := []constraint.Constraint{
		constraint.AtPrice{Statement: constraint.Influence{Parent: "a", Child: "b"}, Price: 12.5},
		constraint.AtPrice{Statement: constraint.Fixed{Var: "a", P: map[string]float64{"high": 0.3}}, Price: 0.001},
	}
	if diff := cmp.Diff(want, k.Statements()); diff != "" {
		t.Errorf("statements (-want +read):\n%s", diff)
	}
	net, err := k.Network()
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Check(net); err != nil {
		t.Error(err)
	}
	b, err := k.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := knowledge.Parse("k.yaml", b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(k, back, sameFile); diff != "" || !strings.Contains(string(b), "    price: 12.5\n") {
		t.Errorf("written and read back (-first +second):\n%s\n%s", diff, b)
	}
	if got := knowledge.NoisyOR.Select(k.Statements()); len(got) != 1 {
		t.Errorf("a learner without influences takes %v", got)
	}
}

func TestPriceErrors(t *testing.T) {
	const influence = "statements:\n- influence: {parent: a, child: b, sign: positive}\n  price: "
	for text, want := range map[string]string{
		"0":                  `line 3, column 10, statement 1: "price" is 0; give a positive number`,
		"-2":                 `"price" is -2; give a positive number`,
		"dear":               "a finite number",
		".inf":               "a finite number",
		`"2"`:                "a finite number",
		"2\n  strength: 0.5": "a strength and a price are two ways",
	} {
		if _, err := knowledge.Parse("k.yaml", []byte(influence+text+"\n")); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for _, p := range []float64{0, -1, math.Inf(1), math.NaN()} {
		k := &knowledge.File{Entries: entries(constraint.AtPrice{Statement: constraint.Influence{Parent: "a",
			Child: "b"}, Price: p})}
		if b, err := k.Marshal(); err == nil || !strings.Contains(err.Error(), "give a positive number") {
			t.Errorf("a price of %v is written: %s, %v", p, b, err)
		}
	}
	k, err := knowledge.Parse("k.yaml", []byte(strings.Replace(priced, "child: b", "child: c", 1)))
	if err != nil {
		t.Fatal(err)
	}
	net, err := k.Network()
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Check(net); err == nil || !strings.Contains(err.Error(), `"c"`) ||
		!strings.Contains(err.Error(), "line 6") {
		t.Errorf("a child that is not there: %v", err)
	}
}
