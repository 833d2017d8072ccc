package noisyor

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/validate"
	"bnlab/experiments/run"
)

func TestCandidates(t *testing.T) {
	offline(t)
	all, err := Domains(t.Context(), "breast", "thyroid")
	if err != nil {
		t.Fatal(err)
	}
	c := ConfigFor(run.Paper)
	want := map[string][]int{ // every margin with every pseudocount; twice where the sign is left to the data
		"breast":  {3, 3, 9, 9, 9, 9},
		"thyroid": {3, 3, 18, 18, 18, 18},
	}
	for _, d := range all {
		for i, l := range d.learners(c, knowledge.Learners()...) {
			if len(l.Candidates) != want[d.name][i] {
				t.Errorf("%s, %s: %d candidates, want %d", d.name, l.Name, len(l.Candidates), want[d.name][i])
			}
			signs := make(map[string]int)
			margins := make(map[float64]int)
			for _, m := range l.Candidates {
				statements := m.(learn.MAP).Constraints
				signs[d.dataSign(statements)]++
				margins[marginOf(statements)]++
				if _, err := learn.Compile(d.Net, m); err != nil {
					t.Errorf("%s, %s: %v", d.name, l.Name, err)
				}
			}
			if d.name == "thyroid" && i >= 2 && (signs["positive"] != 9 || signs["negative"] != 9) {
				t.Errorf("%s: signs %v", l.Name, signs)
			}
			if i >= 2 && len(margins) != 3 {
				t.Errorf("%s: margins %v", l.Name, margins)
			}
		}
	}
}

func TestStudy(t *testing.T) {
	fold := func(auc float64, has bool) validate.FoldResult {
		return validate.FoldResult{Scores: validate.Scores{AUC: auc, HasAUC: has}}
	}
	var draws []*validate.Result
	for draw := range 3 {
		r := &validate.Result{}
		for l := range knowledge.Learners() {
			shift := float64(l*draw) / 100
			r.Learners = append(r.Learners, validate.LearnerResult{Candidates: []string{"one"}, Folds: []validate.FoldResult{fold(0.5+shift, true), fold(0, false), fold(0.7+shift, true)}})
		}
		draws = append(draws, r)
	}
	s, err := newStudy(&Domain{}, Config{Folds: 3}, draws)
	if err != nil {
		t.Fatal(err)
	}
	mean, stderr := s.mean(knowledge.Synergy) // 0.6, 0.63, 0.66
	if !scalar.EqualWithinAbs(mean, 0.63, 1e-12) || !scalar.EqualWithinAbs(stderr, 0.03/math.Sqrt(3), 1e-12) {
		t.Errorf("mean %v ± %v, want 0.63 ± 0.0173", mean, stderr)
	}
	if s.NoAUC != 3 || s.Chosen[2][0] != 9 {
		t.Errorf("%d folds without AUC, chosen %v", s.NoAUC, s.Chosen)
	}
	// Differences of synergy and none by draw: 0, 0.03, 0.06, so T = 0.03/(0.03/√3) = √3.
	up, _ := s.difference(knowledge.Synergy, knowledge.None)
	down, _ := s.difference(knowledge.None, knowledge.Synergy)
	if !scalar.EqualWithinAbs(up.T, math.Sqrt(3), 1e-9) || down.T != -up.T || down.P != up.P || down.Difference != -up.Difference {
		t.Errorf("tests %+v and %+v", up, down)
	}
	if len(pairs()) != 15 || s.better(knowledge.Synergy, knowledge.None) {
		t.Errorf("%d pairs; p = %v is not significant", len(pairs()), up.P)
	}
}

func TestVerdict(t *testing.T) {
	for want, test := range map[string]metric.TTest{
		"better": {Difference: 0.1, P: 0.01}, "worse": {Difference: -0.1, P: 0.01}, "no significant difference": {Difference: 0.1, P: 0.05},
	} {
		if got := verdict(test); got != want {
			t.Errorf("%+v is %q, want %q", test, got, want)
		}
	}
}

func TestSettled(t *testing.T) {
	for _, c := range []struct {
		curve []float64
		want  int
	}{
		{[]float64{0.5, 0.6, 0.7}, 2},
		{[]float64{0.695, 0.7, 0.7}, 0},
		{[]float64{0.7, 0.6, 0.7, 0.695}, 2},
	} {
		if got := settled(c.curve); got != c.want {
			t.Errorf("%v settles at %d, want %d", c.curve, got, c.want)
		}
	}
}

// TestReversed takes a table by hand: with both causes the target has 0.6, with one of them 0.7.
func TestReversed(t *testing.T) {
	offline(t)
	all, err := Domains(t.Context(), "pima")
	if err != nil {
		t.Fatal(err)
	}
	d := all[0]
	table := d.Net.CPT(d.Net.Len() - 1).Clone()
	for config := range table.Configs().Len() {
		p := 0.3
		switch config {
		case 15:
			p = 0.6
		case 7:
			p = 0.7
		}
		table.P[2*config], table.P[2*config+1] = 1-p, p
	}
	net := d.Net.Clone()
	if err := net.SetCPT(table); err != nil {
		t.Fatal(err)
	}
	if got, err := d.reversed(net); err != nil || !scalar.EqualWithinAbs(got, 0.1, 1e-12) {
		t.Errorf("reversed by %v (%v), want 0.1", got, err)
	}
}
