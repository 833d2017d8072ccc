package constraints

import (
	"testing"

	"bnlab/bnkit/constraint"
)

// Each truth satisfies its statements, and has no probability of zero.
func TestScenes(t *testing.T) {
	scenes, err := Scenes()
	if err != nil {
		t.Fatal(err)
	}
	mixtures, err := Mixtures()
	if err != nil {
		t.Fatal(err)
	}
	if len(scenes) != 13 {
		t.Fatalf("%d scenes, want one for each of 13 classes", len(scenes))
	}
	for _, s := range append(scenes, mixtures...) {
		t.Run(s.Class, func(t *testing.T) {
			p, err := constraint.Compile(s.Truth, s.Statements...)
			if err != nil {
				t.Fatal(err)
			}
			theta := make([]float64, p.Layout().Len())
			for v := range s.Truth.Len() {
				if table := s.Truth.CPT(v); table != nil {
					lo, _ := p.Layout().Family(v)
					copy(theta[lo:], table.P)
				}
			}
			if v := p.Violation(theta); v > 1e-12 {
				t.Errorf("the truth breaks the statements by %v", v)
			}
			for cell, x := range theta {
				if !(x > 0) {
					t.Errorf("P(%s) = %v", p.Name(cell), x)
				}
			}
			joined, _, err := constraint.BindWeights(s.Truth, s.Statements...)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range joined {
				g := s.Truth.Gaussian(w.Var)
				first := w.Terms[0]
				for _, term := range w.Terms {
					if got, want := g.Weights[0][term.Parent]/term.Scale,
						g.Weights[0][first.Parent]/first.Scale; got-want > 1e-12 || want-got > 1e-12 {
						t.Errorf("weight %d: β is %v, of the first %v", term.Parent, got, want)
					}
				}
			}
		})
	}
}
