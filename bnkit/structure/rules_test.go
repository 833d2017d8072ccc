package structure_test

import (
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure"
)

func binaries(names ...string) []bn.Variable {
	vars := make([]bn.Variable, len(names))
	for i, name := range names {
		vars[i] = bn.Discrete(name, "no", "yes")
	}
	return vars
}

func TestRulesThatContradict(t *testing.T) {
	vars := binaries("a", "b", "c", "d")
	ab, bc, ca := structure.Arc{From: "a", To: "b"}, structure.Arc{From: "b", To: "c"},
		structure.Arc{From: "c", To: "a"}
	var cycle *bn.CycleError
	var rule *structure.RuleError
	for _, test := range []struct {
		name  string
		rules structure.Rules
		says  string
		is    error // sentinel
		as    any
	}{
		{"cycle", structure.Rules{Required: []structure.Arc{ab, bc, ca}}, "a → b → c → a", nil, &cycle},
		{"both", structure.Rules{Required: []structure.Arc{ab}, Forbidden: []structure.Arc{ab}},
			"a → b: it is both required and forbidden", nil, &rule},
		{"tiers", structure.Rules{Required: []structure.Arc{ca}, Tiers: [][]string{{"a"}, {"b", "c"}}},
			"c → a: it is required, and points from tier 2 to tier 1", nil, &rule},
		{"twice in tiers", structure.Rules{Tiers: [][]string{{"a"}, {"b", "a"}}}, `"a" is in tier 1 and in tier 2`,
			bn.ErrDuplicate, nil},
		{"unknown", structure.Rules{Forbidden: []structure.Arc{{From: "a", To: "z"}}},
			`forbidden arcs: unknown variable "z" (there are: "a", "b", "c", "d")`, bn.ErrUnknownVariable, nil},
		{"unknown in tier", structure.Rules{Tiers: [][]string{{"a"}, {"z"}}}, "tier 2", bn.ErrUnknownVariable, nil},
		{"itself", structure.Rules{Required: []structure.Arc{{From: "a", To: "a"}}}, "itself", nil, nil},
		{"limit", structure.Rules{MaxParents: 1, Required: []structure.Arc{{From: "a", To: "d"}, {From: "b", To: "d"}}},
			`"d" has 2 required parents, "a", "b", and MaxParents is 1`, nil, &rule},
		{"negative limit", structure.Rules{MaxParents: -1}, "MaxParents is -1", nil, nil},
		{"start with a forbidden arc", structure.Rules{Forbidden: []structure.Arc{ab}, Start: dag(t, "[a][b|a][c][d]")},
			"a → b: the start graph has it", nil, &rule},
		{"start without a required arc", structure.Rules{Required: []structure.Arc{ab}, Start: dag(t, "[a][b][c][d]")},
			"a → b: it is required, and the start graph lacks it", nil, &rule},
		{"start above the limit", structure.Rules{MaxParents: 1, Start: dag(t, "[a][b][c|a:b][d]")},
			`"c" has 2 parents`, nil, &rule},
		{"start of others", structure.Rules{Start: dag(t, "[a][b][c][e]")}, `"e"`, bn.ErrUnknownVariable, nil},
		{"start of fewer", structure.Rules{Start: dag(t, "[a][b][c]")}, `"d"`, bn.ErrUnknownVariable, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.rules.Bind(vars)
			if err == nil {
				t.Fatal("no error")
			}
			t.Log(err)
			if !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v does not say %q", err, test.says)
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("%v is not %v", err, test.is)
			}
			if test.as != nil && !errors.As(err, test.as) {
				t.Errorf("%v is no %T", err, test.as)
			}
		})
	}
}

func TestRulesBind(t *testing.T) {
	vars := binaries("a", "b", "c", "d")
	l, err := (&structure.Rules{
		Required:  []structure.Arc{{From: "b", To: "a"}, {From: "b", To: "a"}},
		Forbidden: []structure.Arc{{From: "c", To: "d"}},
		Tiers:     [][]string{{"b"}, {"a", "c"}},
		Start:     dag(t, "[d][c|d][b][a|b:c]"),
	}).Bind(vars)
	if err != nil {
		t.Fatal(err)
	}
	for from := range 4 {
		for to := range 4 {
			name := vars[from].Name + vars[to].Name
			forbidden := from == to || name == "cd" || name == "ab" || name == "cb" // d is in no tier
			if l.Allowed(from, to) == forbidden {
				t.Errorf("allowed %s is %v", name, !forbidden)
			}
			if l.IsRequired(from, to) != (name == "ba") {
				t.Errorf("required %s is %v", name, l.IsRequired(from, to))
			}
		}
	}
	if l.MaxParents != 3 {
		t.Errorf("the limit is %d", l.MaxParents)
	}
	if len(l.Start[0]) != 2 || len(l.Start[2]) != 1 || l.Start[2][0] != 3 {
		t.Errorf("the start is %v", l.Start)
	}
	if _, err := (*structure.Rules)(nil).Bind(vars); err != nil {
		t.Error(err)
	}
}
