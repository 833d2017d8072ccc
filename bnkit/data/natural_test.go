package data_test

import (
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

func TestNatural(t *testing.T) {
	v := bn.Discrete("a, \"b\"", "q10", ">5", "10", " x", "2", "NA", "<5", "q2", "a\rb")
	c := data.Natural(data.Column{Var: v, States: []bn.State{0, 4, bn.Missing, 6, 3, 1, 2, 5, 7, 8}})
	if want := []string{"<5", "2", "10", " x", "NA", "a\rb", "q2", "q10", ">5"}; c.Var.Name != v.Name || !slices.Equal(c.Var.States, want) {
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
