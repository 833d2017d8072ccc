package knowledge_test

import (
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
)

// heart declares a network of three causes, one of them nominal.
const heart = `title: heart disease
network: "[age][sex][town][ill|age:sex:town]"
variables:
  - {name: age, states: [young, old]}
  - {name: sex, states: [female, male]}
  - {name: town, states: [Rome, Bern, Ulm], nominal: true}
  - {name: ill, states: [no, yes]}
statements:
`

func check(t *testing.T, statements string) error {
	t.Helper()
	k, err := knowledge.Parse("heart.yaml", []byte(heart+statements))
	if err != nil {
		t.Fatal(err)
	}
	net, err := k.Network()
	if err != nil {
		t.Fatal(err)
	}
	return k.Check(net)
}

// TestCheck: the statements begin in line 9.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, statements string
		is               error
		want             []string
	}{
		{"unknown parent", "- influence: {parent: aeg, child: ill, sign: positive}\n", bn.ErrUnknownVariable,
			[]string{
				`heart.yaml, line 9, column 23, statement 1: unknown variable "aeg" (did you mean "age"?); the variables are age, sex, town, ill`}},
		{"unknown state", "- at-most:\n    of: ill\n    states: [Yes]\n    p: 0.4\n", bn.ErrUnknownState,
			[]string{
				`line 11, column 14, statement 1: unknown state "Yes" of "ill" (did you mean "yes"?); its states are no, yes`}},
		{"unknown state given", "- at-most: {of: ill, given: {town: Rom}, states: [yes], p: 0.4}\n", bn.ErrUnknownState,
			[]string{`line 9, column 36, statement 1: unknown state "Rom" of "town" (did you mean "Rome"?)`}},
		{"unknown state with a number", "- fixed: {of: ill, p: {maybe: 0.4}}\n", bn.ErrUnknownState,
			[]string{`line 9, column 24, statement 1: unknown state "maybe" of "ill"; its states are no, yes`}},
		{"unknown in a set", "- noisy-or: {child: ill, sets: [[age, sex], [twon]]}\n", bn.ErrUnknownVariable,
			[]string{`line 9, column 46, statement 1: unknown variable "twon" (did you mean "town"?)`}},
		{"unknown in a cell", "- share-cells: {groups: [[{of: ill, state: ja}]]}\n", bn.ErrUnknownState,
			[]string{`line 9, column 44, statement 1: unknown state "ja" of "ill"`}},
		{"no parent", "- influence: {parent: ill, child: age, sign: positive}\n", nil,
			[]string{"line 9, column 3, statement 1: ", `"ill" is no parent of "age"`}},
		{"nominal parent", "- influence: {parent: age, child: ill, sign: positive}\n- influence: {parent: town, " +
			"child: ill, sign: positive}\n", nil,
			[]string{"line 10, column 3, statement 2: ",
				`the order of the states of "town", which is declared nominal; leave out nominal: true and list its states lowest first, or leave out the statement`}},
		{"nominal synergy", "- synergy: {parents: [age, town], child: ill}\n", nil,
			[]string{"line 9", `"town", which is declared nominal`}},
		{"two wrong", "- influence: {parent: aeg, child: ill, sign: positive}\n- at-most: {of: ill, states: [yes], " +
			"p: 2}\n", nil,
			[]string{"statement 1: unknown variable", "line 10, column 3, statement 2: ", "give a number from 0 to 1"}},
		{"contradiction", "- at-most: {of: ill, states: [yes], p: 0.4}\n- influence: {parent: age, child: ill, sign: " +
			"positive}\n- at-least: {of: ill, given: {age: old}, states: [yes], p: 0.5}\n", constraint.ErrInfeasible,
			[]string{"heart.yaml, line 9, column 3: ", "statements contradict each other",
				"(statement 1 in line 9, statement 3 in line 11)"}},
		{"margin", "- influence: {parent: age, child: ill, sign: positive, margin: 0.6}\n- influence: {parent: sex, " +
			"child: ill, sign: positive, margin: 0.6}\n", constraint.ErrInfeasible,
			// young women, young men, old men: two steps in [0, 1]
			[]string{"(statement 1 in line 9, statement 2 in line 10)", "0.5"}},
		{"signs of a synergy", "- influence: {parent: age, child: ill, sign: positive}\n- influence: {parent: sex, " +
			"child: ill, sign: negative}\n- synergy: {parents: [age, sex], child: ill}\n", nil,
			[]string{"statement 1 in line 9", "statement 2 in line 10", "statement 3 in line 11"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := check(t, test.statements)
			var where *knowledge.Error
			if !errors.As(err, &where) || where.File != "heart.yaml" {
				t.Fatalf("Check = %v, want a *knowledge.Error about heart.yaml", err)
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("Check = %v, want one that wraps %v", err, test.is)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("Check says\n%v\nwant\n%s", err, want)
				}
			}
		})
	}
	if err := check(t, "- influence: {parent: age, child: ill, sign: positive}\n- noisy-or: {child: ill, sets: "+
		"[[age], [sex, town]]}\n"); err != nil {
		t.Errorf("Check of statements that hold together = %v", err)
	}
}

// TestCheckOther: statements alone, from a program, against any network.
func TestCheckOther(t *testing.T) {
	k := &knowledge.File{Entries: []knowledge.Entry{
		{Statement: constraint.Influence{Parent: "age", Child: "ill"}},
		{Statement: &constraint.AtMost{Var: "ill", States: []string{"yse"}, P: 0.4}},
		{Statement: stranger{}},
	}}
	net, err := bn.New("[age][ill|age]", bn.Discrete("age", "young", "old"), bn.Discrete("ill", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	err = k.Check(net)
	if want :=
		`knowledge: statement 2: unknown state "yse" of "ill" (did you mean "yes"?); its states are no, yes`; err == nil || err.Error() != want {
		t.Errorf("Check says\n%v\nwant\n%s", err, want)
	}
	for _, none := range []constraint.Constraint{nil, (*constraint.Influence)(nil)} {
		k.Entries[1].Statement = none
		if err := k.Check(net); err == nil || !strings.Contains(err.Error(), "statement 2: there is no statement") {
			t.Errorf("Check of an entry without a statement = %v", err)
		}
		if got := k.Sentences()[1]; got != "" {
			t.Errorf("the sentence of no statement is %q", got)
		}
	}
	if err := k.Check(nil); err == nil {
		t.Error("Check against no network gave no error")
	}
	if _, err := k.Network(); err == nil || !strings.Contains(err.Error(), "declares no structure") {
		t.Errorf("Network of statements alone = %v", err)
	}
}
