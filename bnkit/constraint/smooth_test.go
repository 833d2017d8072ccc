package constraint_test

import (
	"fmt"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// oddsDouble states that the odds of W=a against W=b double from Y=0 to Y=1:
// x₂·x₁ = 2·x₀·x₃ for x = (a, b given 0; a, b given 1).
func oddsDouble() constraint.Formula {
	w := func(state, y string) constraint.Cell {
		return constraint.Cell{Var: "W", State: state, Given: bn.Given{"Y": y}}
	}
	return constraint.Formula{
		Text:  "the odds of a to b double from Y=0 to Y=1",
		Cells: []constraint.Cell{w("a", "0"), w("b", "0"), w("a", "1"), w("b", "1")},
		Equal: []constraint.Function{{Value: func(x []float64) float64 { return x[2]*x[1] - 2*x[0]*x[3] }}},
	}
}

func ExampleFormula() {
	yes := func(drug string) constraint.Cell {
		return constraint.Cell{Var: "cured", State: "yes", Given: bn.Given{"drug": drug}}
	}
	fmt.Println(constraint.Formula{
		Text:   "the old drug cures at most the square root as often as the new one",
		Cells:  []constraint.Cell{yes("old"), yes("new")},
		AtMost: []constraint.Function{{Value: func(x []float64) float64 { return x[0]*x[0] - x[1] }}},
	})
	// Output: the old drug cures at most the square root as often as the new one
}

func TestFormula(t *testing.T) {
	net := statementNet(t, false)
	s := oddsDouble()
	s.AtMost = []constraint.Function{{Value: func(x []float64) float64 { return x[0] - 0.5 }}}
	bounds, err := s.Bind(net)
	if err != nil {
		t.Fatal(err)
	}
	if len(bounds) != 1 || len(bounds[0].Smooth) != 1 {
		t.Fatalf("bounds %+v, want one with one smooth part", bounds)
	}
	if got, want := fmt.Sprint(bounds[0].Links, bounds[0].Smooth[0].Cells),
		fmt.Sprint([]constraint.Row{wRow(0), wRow(1)}, []int{20, 21, 23, 24}); got != want {
		t.Errorf("links and cells %v, want %v", got, want)
	}
	for _, test := range []struct {
		name string
		at   map[int][]float64
		want float64
	}{
		{"holds", map[int][]float64{20: {0.25, 0.5, 0.25}, 23: {0.25, 0.25, 0.5}}, 0},
		{"equality broken", map[int][]float64{20: {0.5, 0.5, 0}, 23: {0.25, 0.25, 0.5}}, 0.125}, // 0.125 − 0.25
		{"inequality broken", map[int][]float64{20: {1, 0, 0}, 23: {1, 0, 0}}, 0.5},
	} {
		t.Run(test.name, func(t *testing.T) {
			numtest.Close(t, worst(bounds, uniform(net, test.at)), test.want, 1e-15, 0)
		})
	}
}

func TestFormulaErrors(t *testing.T) {
	but := func(change func(*constraint.Formula)) constraint.Constraint {
		s := oddsDouble()
		change(&s)
		return s
	}
	runErrorTests(t, []errorTest{
		{"no text", but(func(s *constraint.Formula) { s.Text = "" }), nil, []string{"no text"}},
		{"no cells", but(func(s *constraint.Formula) { s.Cells = nil }), nil, []string{"the odds", "no cells"}},
		{"no functions", but(func(s *constraint.Formula) { s.Equal = nil }), nil,
			[]string{"the odds", "not stored in files"}},
		{"no value", but(func(s *constraint.Formula) { s.AtMost = make([]constraint.Function, 1) }), nil,
			[]string{"function 2 has no Value"}},
		{"open parent", but(func(s *constraint.Formula) { s.Cells[1].Given = nil }), nil,
			[]string{"P(W=b) stands for 2 parameters"}},
		{"cell twice", but(func(s *constraint.Formula) { s.Cells[1] = s.Cells[0] }), constraint.ErrOverlap,
			[]string{"P(W=a | Y=0) appears twice"}},
		{"unknown state", but(func(s *constraint.Formula) { s.Cells[1].State = "z" }), bn.ErrUnknownState,
			[]string{`"z"`}},
	})
}
