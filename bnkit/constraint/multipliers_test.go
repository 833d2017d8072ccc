package constraint_test

import (
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A multiplier is the slope of the maximum in the right side of its relation: by finite
// differences of whole solutions.
func TestForcesAreSlopes(t *testing.T) {
	net := network(t, "[X]", abcd)
	n := []float64{40, 25, 20, 15}
	sum := func(relation constraint.Relation, value float64, states ...string) constraint.LinearSum {
		s := constraint.LinearSum{Relation: relation, Value: value}
		for _, state := range states {
			s.Terms = append(s.Terms, constraint.Term{Cell: constraint.Cell{Var: "X", State: state}})
		}
		return s
	}
	tests := []struct {
		name string
		at   func(shift float64) []constraint.Constraint // the first statement is shifted
		text string
	}{
		{"a known value", func(d float64) []constraint.Constraint {
			return []constraint.Constraint{constraint.Fixed{Var: "X", P: map[string]float64{"a": .3 + d}}}
		}, "P(X=a) = 0.3"},
		{"a bound", func(d float64) []constraint.Constraint {
			return []constraint.Constraint{constraint.AtMost{Var: "X", States: []string{"a", "b"}, P: .5 + d}}
		}, "P(X=a) + P(X=b) ≤ 0.5"},
		{"overlapping bounds", func(d float64) []constraint.Constraint {
			return []constraint.Constraint{
				constraint.AtMost{Var: "X", States: []string{"a", "b"}, P: .5 + d},
				constraint.AtMost{Var: "X", States: []string{"a", "c"}, P: .45}}
		}, "P(X=a) + P(X=b) ≤ 0.5"},
		{"a sum beside sharing", func(d float64) []constraint.Constraint {
			return []constraint.Constraint{
				sum(constraint.Equal, .4+d, "a", "d"),
				constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}}}
		}, "P(X=a) + P(X=d) = 0.4"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			maximum := func(shift float64) (float64, *constraint.Solution) {
				s, err := compile(t, net, test.at(shift)...).Solve(n)
				if err != nil {
					t.Fatal(err)
				}
				return s.Parts[0].Objective, s
			}
			const step = 1e-4
			up, _ := maximum(step)
			down, _ := maximum(-step)
			_, s := maximum(0)
			multipliers, residual, err := s.Multipliers()
			if err != nil {
				t.Fatal(err)
			}
			if residual > 1e-9 {
				t.Errorf("residual %v", residual)
			}
			want := (up - down) / (2 * step)
			f := multipliers[0]
			if !f.Active || f.Relation != test.text || math.Abs(f.Value-want) > 1e-4*math.Abs(want) {
				t.Errorf("%+v, want %q with the slope %v", f, test.text, want)
			}
		})
	}
}

// The residual does not pass a point that is not optimal, and an idle bound has no force.
func TestForcesResidual(t *testing.T) {
	net := network(t, "[Y][X|Y]", bn.Discrete("Y", "0", "1"), abcd)
	s, err := compile(t, net, constraint.AtMost{Var: "X", States: []string{"a"}, P: .9},
		constraint.ShareRatios{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}}).
		Solve([]float64{1, 1, 4, 3, 2, 7, 1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	multipliers, residual, err := s.Multipliers()
	if err != nil || residual > 1e-9 {
		t.Errorf("residual %v, error %v", residual, err)
	}
	if len(multipliers) != 2 || multipliers[0].Active || multipliers[0].Value != 0 {
		t.Errorf("%+v, want two idle bounds", multipliers)
	}
	s.Theta[2], s.Theta[3] = s.Theta[2]*.9, s.Theta[3]+s.Theta[2]*.1/.9
	if _, residual, _ := s.Multipliers(); residual < 1e-3 {
		t.Errorf("residual %v at a point that is not optimal", residual)
	}
}

// Multipliers are of the counts that were solved, whatever the caller does with the slice.
func TestForcesKeepTheCounts(t *testing.T) {
	net := network(t, "[X]", abcd)
	n := []float64{40, 25, 20, 15}
	s, err := compile(t, net, constraint.AtMost{Var: "X", States: []string{"a"}, P: .2}).Solve(n)
	if err != nil {
		t.Fatal(err)
	}
	before, _, err := s.Multipliers()
	if err != nil {
		t.Fatal(err)
	}
	copy(n, []float64{1, 2, 3, 4})
	after, residual, err := s.Multipliers()
	if err != nil || after[0].Value != before[0].Value || residual > 1e-12 {
		t.Errorf("the force %+v with residual %v, error %v; before %+v", after[0], residual, err, before[0])
	}
}

// Parts too large are listed; parts without cases are not pressed.
func TestForcesLeaveOut(t *testing.T) {
	net := manyRows(t, 200)
	all := compile(t, net, constraint.ShareAcross{Var: "X"}, constraint.Fixed{Var: "Y", P: map[string]float64{"0": .1}})
	n := make([]float64, net.Layout().Len())
	for i := range 200 { // of Y
		n[i] = 1
	}
	s, err := all.Solve(n)
	if err != nil {
		t.Fatal(err)
	}
	out := s.LeftOut()
	if len(out) != 1 || len(s.Parts[out[0]].Rows) != 200 {
		t.Errorf("left out: %v", out)
	}
	if multipliers, _, err := s.Multipliers(); err != nil || len(multipliers) != 1 ||
		multipliers[0].Relation != "P(Y=0) = 0.1" {
		t.Errorf("multipliers %+v, error %v", multipliers, err)
	}
	s, err = all.Solve(make([]float64, len(n)))
	if err != nil {
		t.Fatal(err)
	}
	if multipliers, residual, err := s.Multipliers(); err != nil || len(multipliers) != 1 ||
		multipliers[0].Value != 0 ||
		residual != 0 {
		t.Errorf("without cases: multipliers %+v, residual %v, error %v", multipliers, residual, err)
	}
}
