package constraint_test

import (
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A distribution that is the same everywhere, with equal proportions inside: one row with
// the pooled counts, in closed form.
func TestRatiosInTiedRows(t *testing.T) {
	net := network(t, "[Y][X|Y]", bn.Discrete("Y", "0", "1", "2"), abcd)
	ratio := constraint.ShareRatios{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}}
	p := compile(t, net, ratio, constraint.ShareAcross{Var: "X"})
	n := []float64{1, 1, 1, 5, 1, 2, 8, 3, 2, 7, 0, 0, 4, 1, 4}
	s, err := p.Solve(n)
	if err != nil {
		t.Fatal(err)
	}
	if s.Parts[0].Method != "closed form" {
		t.Errorf("solved by %s", s.Parts[0].Method)
	}
	// Pooled: 8, 7, 10, 12 of 37; a and c together 18 of 37.
	for row := range 3 {
		for i, want := range []float64{15. / 37 * 18 / 37, 15. / 37 * 19 / 37, 22. / 37 * 18 / 37, 22. / 37 * 19 / 37} {
			if got := s.Theta[3+4*row+i]; math.Abs(got-want) > 1e-15 {
				t.Fatalf("row %d: %v, want entry %d to be %v", row, s.Theta[3+4*row:7+4*row], i, want)
			}
		}
	}
	if _, err := p.LogMarginal(t.Context(), n, make([]float64, len(n)), nil); err != nil {
		t.Errorf("no prior in closed form: %v", err)
	}
}

// A statement of somebody else's must name the distributions that it speaks of.
func TestBoundOutsideItsLinks(t *testing.T) {
	net := network(t, "[Y][X|Y]", bn.Discrete("Y", "0", "1"), abcd)
	lost := bounds{"lost", func(*bn.Network) []constraint.Bound {
		return []constraint.Bound{{Links: []constraint.Row{{Var: 1, Config: 0}},
			Fixed: []constraint.Value{{Cell: 7, P: .5}}}}
	}}
	if _, err := constraint.Compile(net, lost); err == nil || !strings.Contains(err.Error(), "table entry 7") {
		t.Errorf("a bound outside its links: %v", err)
	}
	for _, row := range []constraint.Row{{Var: 1, Config: 2}, {Var: 2}, {Var: -1}} {
		nowhere := bounds{"nowhere", func(*bn.Network) []constraint.Bound {
			return []constraint.Bound{{Links: []constraint.Row{row}}}
		}}
		if _, err := constraint.Compile(net, nowhere); err == nil ||
			!strings.Contains(err.Error(), "no such distribution") {
			t.Errorf("a bound that links %v: %v", row, err)
		}
	}
}

func TestFormulaIsTriedFirst(t *testing.T) {
	net := network(t, "[X]", abcd)
	formula := func(f constraint.Function) constraint.Constraint {
		return constraint.Formula{Text: "a is as it is", Cells: []constraint.Cell{{Var: "X", State: "a"}},
			Equal: []constraint.Function{f}}
	}
	for name, f := range map[string]constraint.Function{
		"panics (runtime error": {Value: func(x []float64) float64 { return x[3] }},
		"is NaN":                {Value: func(x []float64) float64 { return math.NaN() }},
		"panics (no slope)": {Value: func(x []float64) float64 { return x[0] - .2 },
			Gradient: func(_, _ []float64) { panic("no slope") }},
	} {
		_, err := constraint.Compile(net, formula(f))
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "a is as it is") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Trouble away from equal probabilities is an error of the fit.
	p := compile(t, net, formula(constraint.Function{Value: func(x []float64) float64 {
		if x[0] > .5 {
			panic("too much")
		}
		return x[0] - .6
	}}))
	if err := p.Maximize(make([]float64, 4), []float64{9, 1, 1, 1}); err == nil ||
		!strings.Contains(err.Error(), "a is as it is") {
		t.Errorf("a panic during the search: %v", err)
	}
}

// Contradictions that only linear relations of a curved part show.
func TestCurvedPartsAreChecked(t *testing.T) {
	net := network(t, "[X]", abcd)
	ratio := constraint.ShareRatios{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}}
	known := func(state string, p float64) constraint.Constraint {
		return constraint.Fixed{Var: "X", P: map[string]float64{state: p}}
	}
	_, err := constraint.Compile(net, ratio, known("a", .7), known("b", .7))
	if err == nil || strings.Contains(err.Error(), ratio.String()) || !strings.Contains(err.Error(), "P(X=b) = 0.7") {
		t.Errorf("two known values above 1 beside a ratio: %v", err)
	}
}
