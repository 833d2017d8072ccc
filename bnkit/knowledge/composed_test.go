package knowledge_test

import (
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
)

// TestComposedNames: a file whose names are composed otherwise than those of the network, or of each other, means the
// same; a name that is there as it stands comes first.
func TestComposedNames(t *testing.T) {
	const one, two = "caf\u00e9", "cafe\u0301"
	statements := `
statements:
- {influence: {parent: "` + two + `", child: sleep, sign: negative, given: {"na\u0131ve": "no"}}}
- {at-most: {of: sleep, given: {"` + two + `": "tr\u00e8s"}, states: ["e\u0301tat"], p: 0.5}}
- {fixed: {of: "` + two + `", p: {"tre\u0300s": 0.25}}}
`
	k, err := knowledge.Parse("k.yaml", []byte(`
network: "[`+one+`][na\u0131ve][sleep|`+one+`:na\u0131ve]"
variables:
- {name: "`+two+`", states: ["peu", "tre\u0300s"]}
- {name: "na\u0131ve", states: ["no", "yes"]}
- {name: sleep, states: [bad, "\u00e9tat"]}
`+statements))
	if err != nil {
		t.Fatal(err)
	}
	net, err := k.Network()
	if err != nil {
		t.Fatal(err)
	}
	if name := net.Variable(0).Name; name != one {
		t.Errorf("the variable is named %+q, want the structure's %+q", name, one)
	}
	if err := k.Check(net); err != nil {
		t.Error(err)
	}
	// P(état | très) = P(étát | très, …) ≤ 0.5 in both configurations, and no more: 0 where cases say so.
	p, err := constraint.Compile(net, k.Statements()...)
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, net.Layout().Len())
	for i := range n {
		n[i] = float64(1 + i%2*9) // a tenth of the first state, nine of the second
	}
	theta := make([]float64, len(n))
	if err := p.Maximize(theta, n); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		cell, of int
		p        float64
	}{
		{net.Layout().Cell(0, 0, 1), 0, 0.25}, {net.Layout().Cell(2, 2, 1), 2, 0.5},
		{net.Layout().Cell(2, 3, 1), 2, 0.5},
	} {
		if got := theta[want.cell]; !(got > want.p-1e-9 && got < want.p+1e-9) {
			t.Errorf("cell %d of variable %d is %v, want %v", want.cell, want.of, got, want.p)
		}
	}

	// Both spellings in one network: each is itself.
	both, err := bn.New("["+one+"]["+two+"]", bn.Discrete(one, "a", "b"), bn.Discrete(two, "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	for v, name := range []string{one, two} {
		bounds, err := constraint.Fixed{Var: name, P: map[string]float64{"a": 0.25}}.Bind(both)
		if err != nil || bounds[0].Links[0].Var != v {
			t.Errorf("%+q: %v, %v", name, bounds, err)
		}
	}
}

// TestComposedCells: cells of data match the values and states of a variable.
func TestComposedCells(t *testing.T) {
	v := knowledge.Variable{Name: "a", States: []string{"no", "ja"},
		Values: map[string][]string{"no": {"e\u0301t\u00e9"}, "ja": {"\u00e9"}}}
	for cell, want := range map[string]bn.State{"\u00e9te\u0301": 0, "e\u0301": 1, "\u00e9": 1} {
		if s, err := v.State(cell); err != nil || s != want {
			t.Errorf("%+q: %d, %v, want %d", cell, s, err, want)
		}
	}
	if _, err := v.State("e"); err == nil {
		t.Error("e is no é")
	}
}
