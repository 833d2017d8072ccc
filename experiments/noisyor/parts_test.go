package noisyor

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/validate"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

func TestCandidates(t *testing.T) {
	runtest.Offline(t)
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
			r.Learners = append(r.Learners, validate.LearnerResult{Candidates: []string{"one"},
				Folds: []validate.FoldResult{fold(0.5+shift, true), fold(0, false), fold(0.7+shift, true)}})
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
	if !scalar.EqualWithinAbs(up.T, math.Sqrt(3), 1e-9) || down.T != -up.T || down.P != up.P ||
		down.Difference != -up.Difference {
		t.Errorf("tests %+v and %+v", up, down)
	}
	if len(pairs()) != 15 || s.better(knowledge.Synergy, knowledge.None) {
		t.Errorf("%d pairs; p = %v is not significant", len(pairs()), up.P)
	}
}

func TestVerdict(t *testing.T) {
	for want, test := range map[string]metric.TTest{
		"better": {Difference: 0.1, P: 0.01}, "worse": {Difference: -0.1, P: 0.01},
		"no significant difference": {Difference: 0.1, P: 0.05},
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
		{[]float64{0.8, 0.7, 0.7}, 1},
	} {
		if got := settledAt(c.curve); got != c.want {
			t.Errorf("%v settles at %d, want %d", c.curve, got, c.want)
		}
	}
}

// TestReversed takes a table by hand: with both causes the target has 0.6, with one of them 0.7.
func TestReversed(t *testing.T) {
	runtest.Offline(t)
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

// TestAcrossSets makes a noisy-OR by hand that follows the signs of breast cancer: what is said of
// parents of different sets holds, and the opposite does not.
func TestAcrossSets(t *testing.T) {
	runtest.Offline(t)
	all, err := Domains(t.Context(), "breast")
	if err != nil {
		t.Fatal(err)
	}
	d := all[0]
	statements := d.Knowledge.Statements()
	or := statements[len(statements)-1].(constraint.NoisyOR)
	table, err := or.Table(d.Net, []constraint.SetLink{
		{Link: 0.8, P: []float64{0.1, 0.3, 0.4, 1}},
		{Link: 0.5, P: []float64{0.3, 0.2, 0.5, 0.4, 0.6, 0.5, 1, 0.9}}, // falls with irradiat, the last parent
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	net := d.Net.Clone()
	if err := net.SetCPT(table); err != nil {
		t.Fatal(err)
	}
	forced := d.acrossSets()
	if len(forced) != 2*3 {
		t.Fatalf("%d pairs, want 6", len(forced))
	}
	for _, s := range forced {
		opposite := s.(constraint.Synergy)
		opposite.Sub = !opposite.Sub
		for _, c := range []struct {
			statement constraint.Constraint
			holds     bool
		}{{s, true}, {opposite, false}} {
			p, err := constraint.CompilePenalty(net, c.statement)
			if err != nil {
				t.Fatal(err)
			}
			if off := p.Largest(tables(net)); (off <= 1e-12) != c.holds {
				t.Errorf("%s: broken by %v", c.statement, off)
			}
		}
	}
}

// TestLogPosterior counts the cases of a free table by hand: its mode is (n + a)/(N + 2a).
func TestLogPosterior(t *testing.T) {
	d := domainsAtHand(t, "iris")[0]
	fit, err := learn.Fit(t.Context(), d.Net, d.Cases, learn.MAP{Pseudocount: duelPseudocount}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var n [16][2]float64
	columns := d.Cases.Columns()
	for row := range d.Cases.Rows() {
		config := 0
		for _, c := range columns[:4] {
			config = 2*config + int(c.States[row])
		}
		n[config][columns[4].States[row]]++
	}
	want := 0.0
	for _, row := range n {
		for _, x := range row {
			want += (x + 0.5) * math.Log((x+0.5)/(row[0]+row[1]+1))
		}
	}
	if got, err := d.logPosterior(fit); err != nil || !scalar.EqualWithinAbs(got, want, 1e-9) {
		t.Errorf("%v (%v), want %v", got, err, want)
	}
}

// TestEither has two tests of 0.03 and 0.04, of which Holm's correction at 0.05 leaves none, as 0.03 is above
// 0.025, and of 0.02 and 0.04, of which it leaves both.
func TestEither(t *testing.T) {
	up := [2]knowledge.Learner{knowledge.MonotoneNoisyOR, knowledge.Monotone}
	down := [2]knowledge.Learner{knowledge.SynergyNoisyOR, knowledge.Synergy}
	for _, test := range []struct {
		p             [2]float64
		better, worse bool
	}{
		{[2]float64{0.03, 0.04}, false, false}, {[2]float64{0.02, 0.04}, true, true},
		{[2]float64{0.5, 0.01}, false, true}, {[2]float64{math.NaN(), 0.5}, false, false},
	} {
		s := &Study{Tests: make([]metric.TTest, len(pairs())), Cautious: make([]metric.TTest, len(pairs()))}
		for i, p := range pairs() {
			switch p {
			case pair{int(up[0]), int(up[1])}:
				s.Tests[i] = metric.TTest{Difference: 0.1, P: test.p[0]}
			case pair{int(down[0]), int(down[1])}:
				s.Tests[i] = metric.TTest{Difference: -0.1, P: test.p[1]}
			}
		}
		if better, worse := s.either(up, down); better != test.better || worse != test.worse {
			t.Errorf("p %v: better %v, worse %v; want %v, %v", test.p, better, worse, test.better, test.worse)
		}
	}
}
