package data_test

import (
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

func TestNatural(t *testing.T) {
	v := bn.Discrete("a, \"b\"", "q10", ">5", "10", " x", "2", "NA", "<5", "q2", "a\rb")
	c := data.Column{Var: v, States: []bn.State{0, 4, bn.Missing, 6, 3, 1, 2, 5, 7, 8}}.Natural()
	if want := []string{"<5", "2", "10", " x", "NA", "a\rb", "q2", "q10", ">5"}; c.Var.Name != v.Name ||
		!slices.Equal(c.Var.States, want) {
		t.Errorf("states %q of %q, want %q", c.Var.States, c.Var.Name, want)
	}
	var cells []string
	for row := range c.States {
		cells = append(cells, c.Text(row))
	}
	if want := []string{"q10", "2", "", "<5", " x", ">5", "10", "NA", "q2", "a\rb"}; !slices.Equal(cells, want) {
		t.Errorf("cells %q, want %q", cells, want)
	}
}

// Only states that a number puts in order are in an order that means something.
func TestSorted(t *testing.T) {
	for _, tt := range []struct {
		states string
		want   bool
	}{
		{"1 2 10", false}, {"-1 0.5 3", false}, {"<5 5-9 10-19 >19", false}, {"q1 q2 q10", false}, {"<50K >50K", false},
		{"5-9 10+", false},
		{"<=2 2..5 >5", false}, {"T1a T2a", false},
		{"high low medium", true}, {"no yes", true}, {"1 2 unknown", true}, {"I II III", true}, {"a1 b1", true},
		{"1a 1b", true}, {"<x >x", true},
		{"01a 1b", true}, {"a ab", true}, {"one", false},
	} {
		states := strings.Fields(tt.states)
		cells := make([]bn.State, len(states))
		for i := range cells {
			cells[i] = bn.State(i)
		}
		if got := (data.Column{Var: bn.Discrete("x", states...), States: cells}).Natural().Var; got.Sorted != tt.want {
			t.Errorf("%q: sorted by letters %v, want %v", got.States, got.Sorted, tt.want)
		}
	}
}
