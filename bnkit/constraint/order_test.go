package constraint_test

import (
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// found is a variable whose states were found in data, and stand by their letters.
func found(name string, states ...string) bn.Variable {
	v := bn.Discrete(name, states...)
	v.Sorted = true
	return v
}

// Statements about an order are refused where three states or more have none, parent or child.
func TestNoOrder(t *testing.T) {
	declared := bn.Discrete("y", "low", "medium", "high")
	for _, tt := range []struct {
		name string
		a, y bn.Variable
		want []string // none: accepted
	}{
		{"parent", found("a", "high", "low", "medium"), declared,
			[]string{"high < low < medium", `States: map[string][]string{"a": {"low", "medium", "high"}}`,
				`{name: "a", states: ["low", "medium", "high"]}`}},
		{"child", bn.Discrete("a", "0", "1"), found("y", "Mild", "None", "Severe"),
			[]string{`"y"`, "Mild < None < Severe", `{"None", "Mild", "Severe"}`}},
		{"names that say nothing", found("a", "blue", "green", "red"), declared,
			[]string{"blue < green < red", "put them in their order, lowest first"}},
		{"two", found("a", "f", "m"), found("y", "no", "yes"), nil},
		{"declared", bn.Discrete("a", "high", "low", "medium"), declared, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			net, err := bn.New("[a][b][y|a:b]", tt.a, bn.Discrete("b", "0", "1"), tt.y)
			if err != nil {
				t.Fatal(err)
			}
			influence, synergy := constraint.Influence{Parent: "a", Child: "y"},
				constraint.Synergy{Parents: []string{"a", "b"}, Child: "y"}
			for _, s := range []constraint.Constraint{influence, &influence, synergy, &synergy} {
				_, err := constraint.Compile(net, s)
				if errors.Is(err, constraint.ErrNoOrder) != (tt.want != nil) {
					t.Fatalf("%q: error %v, want one: %v", s, err, tt.want != nil)
				}
				for _, want := range tt.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%q: error %q lacks %q", s, err, want)
					}
				}
			}
			if _, err := influence.Violation(net); errors.Is(err, constraint.ErrNoOrder) != (tt.want != nil) {
				t.Errorf("violation: error %v", err)
			}
			if _, err := constraint.Compile(net, constraint.AtMost{Var: "y", States: tt.y.States[:1],
				P: .5}); err != nil {
				t.Errorf("a bound needs no order, but: %v", err)
			}
		})
	}
}

// Of two states, names that say the opposite of their letters, or nothing, are noted.
func TestDescribeOrder(t *testing.T) {
	for _, tt := range []struct {
		states  []string
		reverse bool
	}{
		{[]string{"high", "low"}, true}, {[]string{"large", "small"}, true}, {[]string{"High", "LOW"}, true},
		{[]string{"abnormal", "normal"}, true}, {[]string{"high", "normal"}, true}, {[]string{"adult", "child"}, true},
		{[]string{"no", "yes"}, false}, {[]string{"false", "true"}, false}, {[]string{"absent", "present"}, false},
		{[]string{"neg", "pos"}, false},
		{[]string{"no-recurrence", "recurrence"}, false}, {[]string{"Event", "no event"}, true},
		{[]string{"f", "m"}, true}, {[]string{"high", "yes"}, true},
	} {
		v := found("a", tt.states...)
		net, err := bn.New("[a][y|a]", v, bn.Discrete("y", "no", "yes"))
		if err != nil {
			t.Fatal(err)
		}
		_, note := constraint.Describe(net, constraint.Influence{Parent: "a", Child: "y"})
		if (note != "") != tt.reverse {
			t.Errorf("%v: note %q, want one: %v", tt.states, note, tt.reverse)
		}
		if tt.reverse && !strings.Contains(note, tt.states[0]+" < "+tt.states[1]) {
			t.Errorf("%v: the note %q does not say the order", tt.states, note)
		}
		v.Sorted = false
		declared, err := bn.New("[a][y|a]", v, bn.Discrete("y", "no", "yes"))
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range map[string]constraint.Constraint{
			"declared": constraint.Influence{Parent: "a", Child: "y"}, "unknown": constraint.Influence{Parent: "q",
				Child: "y"},
		} {
			if _, got := constraint.Describe(declared, s); got != "" {
				t.Errorf("%v, %s: note %q", tt.states, name, got)
			}
		}
	}
	net, err := bn.New("[x][a|x]", bn.Discrete("x", "0", "1"), found("a", "high", "low"))
	if err != nil {
		t.Fatal(err)
	}
	or := constraint.NoisyOR{Child: "a", Sets: [][]string{{"x"}}}
	if _, odd := constraint.Describe(net, or); odd == "" {
		t.Error("no note of a noisy-OR whose child is present when low")
	}
	or.Present = "high"
	if _, odd := constraint.Describe(net, &or); odd != "" {
		t.Error("a noisy-OR that names the state that is present needs no order")
	}
}
