package knowledge_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
)

// everyClass is what testdata/classes.yaml says, typed by hand: a statement of each class.
func everyClass() []constraint.Constraint {
	en, es, it := bn.Given{"lang": "en"}, bn.Given{"lang": "es"}, bn.Given{"lang": "it"}
	return []constraint.Constraint{
		constraint.Fixed{Var: "pain", Given: en, P: map[string]float64{"yes": 0.9}},
		constraint.ShareStates{Var: "dice", Groups: [][]string{{"1", "2"}, {"3", "4"}}, Alpha: []float64{3, 3}},
		constraint.Proportional{Var: "cold", Given: en, Weights: map[string]float64{"a": 2, "b": 1}},
		constraint.ShareSums{Var: "heart", Groups: [][]string{{"a"}, {"b", "c"}}},
		constraint.ShareRatios{Var: "words", Given: it, Groups: [][]string{{"a", "b"}, {"c", "d"}}},
		constraint.ShareAcross{Var: "verb", Given: []bn.Given{es, it}, ForEach: []string{"region"},
			Groups: [][]string{{"low"}}},
		constraint.ShareCells{Groups: [][]constraint.Cell{{{Var: "noun", Given: en, State: "low"},
			{Var: "noun", Given: es, State: "high"}}}},
		constraint.ShareTables{Vars: []string{"x1", "x2"}},
		constraint.ShareHierarchy{Var: "w", Levels: []constraint.Level{{States: []string{"radio"}},
			{Given: []bn.Given{es, it}, States: []string{"casa"}}}},
		constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "c", Given: it, States: []string{"noun", "name"}},
			{Var: "c", Given: es, States: []string{"noun"}}}},
		constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "d", Given: it, States: []string{"a", "b"}},
			{Var: "d", Given: es, States: []string{"a", "b"}}}},
		constraint.OrderSums{Var: "adv", Groups: [][]string{{"adverb"}, {"verb", "noun"}}, Factor: 2},
		constraint.AtMost{Var: "top", States: []string{"a"}, P: 0.4},
		constraint.AtLeast{Var: "low", States: []string{"a"}, P: 0.1},
		constraint.LinearSum{Terms: []constraint.Term{
			{Cell: constraint.Cell{Var: "cure", Given: en, State: "yes"}},
			{Cell: constraint.Cell{Var: "cure", Given: es, State: "yes"}, Factor: -1},
		}, Relation: constraint.NoLess, Value: 0.1},
		constraint.Influence{Parent: "region", Child: "load", Sign: constraint.Negative, Margin: 0.05, Given: en},
		constraint.Synergy{Parents: []string{"lang", "region"}, Child: "risk", Sub: true, Margin: 1e-3},
		constraint.NoisyOR{Child: "ill", Sets: [][]string{{"lang", "region"}, {"dice"}}, Present: "yes"},
		constraint.NoisyMAX{Child: "ache", Sets: [][]string{{"lang"}, {"region"}},
			Idle: bn.Given{"lang": "en", "region": "south"}, Min: true},
		constraint.ShareWeights{Var: "p1", Groups: [][]string{{"rate1", "rate2"}}},
		constraint.ProportionalWeights{Var: "p2", Weights: map[string]float64{"rate1": 1, "rate2": 0.2,
			constraint.Intercept: -3}},
		constraint.ShareWeightsAcross{Var: "p3", Given: []bn.Given{en, es}, Parents: []string{"rate1"}},
		constraint.Between{Var: "mid", Given: en, States: []string{"a"}, Low: 0.2, High: 0.4},
		constraint.Influence{Parent: "lang", Child: "mid", Over: []string{"es", "it"}},
		constraint.SignWeights{Var: "p4", Given: en, Parents: []string{"rate1", "rate2"}, Sign: constraint.Negative},
		constraint.BoundWeights{Var: "p4", Given: es, Parents: []string{"rate1"}, AtLeast: new(0.0), AtMost: new(0.4)},
	}
}

// TestEveryClass reads, checks, writes and reads again a statement of each class.
func TestEveryClass(t *testing.T) {
	k, err := knowledge.Read("testdata/classes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(everyClass(), k.Statements()); diff != "" {
		t.Errorf("statements (-typed +read):\n%s", diff)
	}
	first := k.Entries[0]
	if first.Source != "nine patients of ten" || first.Mark != "P" || first.Strength != 1 ||
		first.Line() != 36 {
		t.Errorf("the words beside the first statement are %q, %q, %v in line %d", first.Source, first.Mark,
			first.Strength, first.Line())
	}
	if got, want := k.Entries[1].Source, "two lines\nof text\n"; got != want {
		t.Errorf("a source of two lines is %q, want %q", got, want)
	}
	if got, want := k.Sentences()[12], "P(top=a) ≤ 0.4"; got != want {
		t.Errorf("sentence 13 is %q, want %q", got, want)
	}
	net, err := k.Network()
	if err != nil {
		t.Fatal(err)
	}
	if net.Len() != len(k.Variables) || net.Gaussian(net.Len()-1) == nil {
		t.Errorf("a network of %d variables, want %d, the last continuous", net.Len(), len(k.Variables))
	}
	if err := k.Check(net); err != nil {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "k.yaml")
	if err := k.Write(path); err != nil {
		t.Fatal(err)
	}
	back, err := knowledge.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(k, back, sameFile); diff != "" {
		t.Errorf("written and read back (-first +second):\n%s", diff)
	}
}

// TestNoClassIsMissing compares with the list of types that package constraint stores, as it
// stands in its source: files have all but formulas.
func TestNoClassIsMissing(t *testing.T) {
	b, err := os.ReadFile("../constraint/codec.go")
	if err != nil {
		t.Fatal(err)
	}
	stored := regexp.MustCompile(`stored\[\w+\]\("([a-z-]+)"\)`).FindAllStringSubmatch(string(b), -1)
	if len(stored) < 22 {
		t.Fatalf("%d types found in codec.go; has the list moved?", len(stored))
	}
	file, err := os.ReadFile("testdata/classes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stored {
		if s[1] == "at-price" {
			continue // a price stands beside a statement
		}
		if s[1] != "formula" && !strings.Contains(string(file), "  - "+s[1]+":") {
			t.Errorf("testdata/classes.yaml has no %q; add the class to classes, to the file, and to docs/knowledge.md",
				s[1])
		}
	}
}

// TestPointers writes statements that are pointers like their values.
func TestPointers(t *testing.T) {
	value := constraint.Influence{Parent: "a", Child: "b"}
	var texts [2]string
	for i, s := range []constraint.Constraint{value, &value} {
		b, err := (&knowledge.File{Entries: []knowledge.Entry{{Statement: s}}}).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(b)
	}
	if want := "statements:\n  - influence: {parent: a, child: b, sign: positive}\n"; texts[0] != want ||
		texts[1] != want {
		t.Errorf("written as %q and %q, want %q", texts[0], texts[1], want)
	}
}

func entries(list ...constraint.Constraint) []knowledge.Entry {
	out := make([]knowledge.Entry, len(list))
	for i, s := range list {
		out[i].Statement = s
	}
	return out
}
