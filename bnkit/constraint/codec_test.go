package constraint_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func TestMarshalEveryType(t *testing.T) {
	want := append(statements(),
		// not the same as nil
		constraint.ShareAcross{Var: "X", Given: []bn.Given{}, Groups: [][]string{}, Alpha: []float64{}},
		constraint.ShareWeights{Var: "C", Groups: [][]string{{"A", "B"}}},
		constraint.ProportionalWeights{Var: "C", Weights: map[string]float64{"A": 1, "B": -2}},
		constraint.ShareWeightsAcross{Var: "C", ForEach: []string{"Y"}},
	)
	b, err := constraint.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := constraint.Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d statements, want %d", len(got), len(want))
	}
	for i := range got {
		if f, ok := want[i].(constraint.Formula); ok {
			f.Equal = nil // functions are not stored
			want[i] = f
		}
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("read back as %#v, want %#v", got[i], want[i])
		}
	}
}

func TestNamesInFiles(t *testing.T) {
	for name, s := range map[string]constraint.Constraint{
		"fixed":                constraint.Fixed{},
		"share-states":         constraint.ShareStates{},
		"proportional":         constraint.Proportional{},
		"share-sums":           constraint.ShareSums{},
		"share-ratios":         constraint.ShareRatios{},
		"share-across":         &constraint.ShareAcross{},
		"share-cells":          constraint.ShareCells{},
		"share-tables":         constraint.ShareTables{},
		"share-hierarchy":      constraint.ShareHierarchy{},
		"share-sums-across":    constraint.ShareSumsAcross{},
		"share-ratios-across":  constraint.ShareRatiosAcross{},
		"order-sums":           constraint.OrderSums{},
		"at-most":              constraint.AtMost{},
		"at-least":             constraint.AtLeast{},
		"linear-sum":           &constraint.LinearSum{},
		"influence":            constraint.Influence{},
		"formula":              constraint.Formula{},
		"share-weights":        constraint.ShareWeights{},
		"proportional-weights": constraint.ProportionalWeights{},
		"share-weights-across": constraint.ShareWeightsAcross{},
	} {
		b, err := constraint.Marshal([]constraint.Constraint{s})
		if err != nil {
			t.Fatal(err)
		}
		if want := `[{"type":"` + name + `",`; !strings.HasPrefix(string(b), want) {
			t.Errorf("%T is written as %s, want %s…", s, b, want)
		}
	}
}

// A term is one flat object, and a relation its sign.
func TestLinearSumInFiles(t *testing.T) {
	b, err := constraint.Marshal([]constraint.Constraint{constraint.LinearSum{
		Terms:    []constraint.Term{{Cell: constraint.Cell{Var: "Y", State: "1"}, Factor: 2}},
		Relation: constraint.NoMore,
		Value:    0.5,
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(b),
		`[{"type":"linear-sum","statement":{"Terms":[{"Var":"Y","State":"1","Factor":2}],"Relation":"≤","Value":0.5}}]`; got != want {
		t.Errorf("written as %s, want %s", got, want)
	}
}

type wish struct{ constraint.Fixed }

func TestMarshalErrors(t *testing.T) {
	for name, test := range map[string]struct {
		statement constraint.Constraint
		says      string
	}{
		"type of the user's own": {wish{}, "constraint_test.wish"},
		"nil":                    {nil, "nil"},
		"nil pointer":            {(*constraint.Fixed)(nil), "*constraint.Fixed"},
		"not a number":           {constraint.AtMost{Var: "X", States: []string{"a"}, P: math.NaN()}, "P(X=a) ≤ NaN"},
		"unknown relation":       {constraint.LinearSum{Relation: 7}, "relation 7"},
	} {
		if _, err := constraint.Marshal([]constraint.Constraint{test.statement}); err == nil ||
			!strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: the error %v does not say %q", name, err, test.says)
		}
	}
}

func TestUnmarshalIsStrict(t *testing.T) {
	for _, test := range []struct{ name, text, says string }{
		{"unknown type", `[{"type":"wish","statement":{}}]`, `statement 1: unknown type "wish"`},
		{"unknown field", `[{"type":"fixed","statement":{"Var":"X","P":{"a":1},"Colour":"red"}}]`, "Colour"},
		{"unknown field of the list", `[{"type":"fixed","statement":{},"note":1}]`, "note"},
		{"unknown field of a term", `[{"type":"linear-sum","statement":{"Terms":[{"Var":"X","Weight":2}]}}]`, "Weight"},
		{"a function", `[{"type":"formula","statement":{"Text":"t","Equal":[]}}]`, "Equal"},
		{"unknown relation", `[{"type":"linear-sum","statement":{"Relation":"<"}}]`, `relation "<"`},
		{"no statement", `[{"type":"fixed"}]`, "statement 1 (fixed)"},
		{"cut off", `[{"type":"fixed","statement":{"Var":"X"`, "reading statements"},
		{"text behind", `[] []`, "behind"},
		{"garbage behind", `[] x`, "behind"},
	} {
		if _, err := constraint.Unmarshal([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: the error %v does not say %q", test.name, err, test.says)
		}
	}
}

// FuzzUnmarshal reads arbitrary bytes. What can be read can be written, reads back as the
// same sentences, and binds or says why not.
func FuzzUnmarshal(f *testing.F) {
	for _, s := range statements() {
		b, err := constraint.Marshal([]constraint.Constraint{s})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`[{"type":"share-tables","statement":null},{"type":"fixed","statement":{"P":{"a":1e400}}}]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := constraint.Unmarshal(b)
		if err != nil {
			return
		}
		written, err := constraint.Marshal(list)
		if err != nil {
			t.Fatalf("%v after reading %q", err, b)
		}
		again, err := constraint.Unmarshal(written)
		if err != nil {
			t.Fatalf("%v after writing %q", err, written)
		}
		net := statementNet(t, false)
		for i, s := range list {
			if again[i].String() != s.String() {
				t.Errorf("%q was read back as %q", s, again[i])
			}
			bounds, err := s.Bind(net)
			if err != nil {
				continue
			}
			for _, bound := range bounds {
				if bound.Shares == nil {
					checkBound(t, net, s, bound)
				}
			}
		}
	})
}
