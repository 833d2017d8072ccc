package learn_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// loadNet has the hidden variables load and skill between observed ones.
func loadNet(t testing.TB) (net *bn.Network, rises []constraint.Constraint) {
	t.Helper()
	net, err := bn.New("[task][skill][load|task:skill][error|load][time|load:skill]",
		bn.Discrete("task", "easy", "hard"), bn.Discrete("skill", "low", "high"),
		bn.Discrete("load", "low", "medium", "high"),
		bn.Discrete("error", "no", "yes"), bn.Discrete("time", "short", "long"))
	if err != nil {
		t.Fatal(err)
	}
	return net, []constraint.Constraint{
		constraint.Influence{Parent: "task", Child: "load"},
		constraint.Influence{Parent: "skill", Child: "load", Sign: constraint.Negative},
		constraint.Influence{Parent: "load", Child: "error"},
		&constraint.Influence{Parent: "load", Child: "time"},
	}
}

// fillTables draws all tables.
func fillTables(net *bn.Network, rng *rand.Rand) {
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			row, sum := t.Row(config), 0.0
			for i := range row {
				row[i] = rng.ExpFloat64()
				sum += row[i]
			}
			for i := range row {
				row[i] /= sum
			}
		}
	}
}

func violationOf(t testing.TB, net *bn.Network, statements []constraint.Constraint) float64 {
	t.Helper()
	total := 0.0
	for _, s := range statements {
		influence, ok := s.(constraint.Influence)
		if p, pointer := s.(*constraint.Influence); pointer {
			influence, ok = *p, true
		}
		if ok {
			v, err := influence.Violation(net)
			if err != nil {
				t.Fatal(err)
			}
			total += v
		}
	}
	return total
}

// observedJoint is the distribution of all variables but the hidden ones, by enumeration.
func observedJoint(net *bn.Network, hidden []string) map[string]float64 {
	out := make(map[string]float64)
	states := make([]int, net.Len())
	var visit func(v int, p float64)
	visit = func(v int, p float64) {
		if v < net.Len() {
			for states[v] = range net.Variable(v).Cardinality() {
				visit(v+1, p)
			}
			return
		}
		key := ""
		for u := range net.Len() {
			var parents []int
			for _, q := range net.DAG().Parents(u) {
				parents = append(parents, states[q])
			}
			p *= net.CPT(u).Row(net.CPT(u).Configs().Index(parents))[states[u]]
			if !slices.Contains(hidden, net.Variable(u).Name) {
				key += fmt.Sprint(states[u])
			}
		}
		out[key] += p
	}
	visit(0, 1)
	return out
}

func sameTables(a, b *bn.Network) bool {
	for v := range a.Len() {
		if !slices.Equal(a.CPT(v).P, b.CPT(v).P) {
			return false
		}
	}
	return true
}

// The violation never rises, no other order of load's states has less, and what is observed has
// the distribution that it had.
func TestAlign(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 0))
	net, rises := loadNet(t)
	hidden := []string{"load", "skill"}
	moved := 0
	for range 30 {
		fillTables(net, rng)
		before, was := violationOf(t, net, rises), net.Clone()
		aligned, violation, err := learn.Align(net, hidden, rises...)
		if err != nil {
			t.Fatal(err)
		}
		if !sameTables(net, was) {
			t.Fatal("the network was changed")
		}
		if got := violationOf(t, aligned, rises); math.Abs(got-violation) > 1e-12 || !(got <= before) {
			t.Errorf("the violation is %v after %v, reported as %v", got, before, violation)
		}
		if violation < before {
			moved++
		} else if !sameTables(aligned, was) {
			t.Error("states were exchanged for nothing")
		}
		want, got := observedJoint(net, hidden), observedJoint(aligned, hidden)
		for key, p := range want {
			if math.Abs(got[key]-p) > 1e-12 {
				t.Errorf("P(%s) was %v and is %v", key, p, got[key])
			}
		}
		again, same, err := learn.Align(aligned, hidden, rises...)
		if err != nil || same != violation || !sameTables(again, aligned) {
			t.Errorf("aligned again: %v after %v (%v)", same, violation, err)
		}
	}
	if moved < 15 {
		t.Errorf("%d of 30 random networks were aligned", moved)
	}
}

// Whatever order a network without violation is brought into, Align brings it back.
func TestAlignUndoes(t *testing.T) {
	net, rises := loadNet(t)
	for name, text := range map[string]string{
		"load": "task skill | low medium high\neasy low | .5 .3 .2\neasy high | .7 .2 .1\nhard low | .1 .2 .7\nhard " +
			"high | .3 .4 .3",
		"error": "load | no yes\nlow | .9 .1\nmedium | .7 .3\nhigh | .2 .8", "skill": "| low high\n| .4 .6",
		"time": "load skill | short long\nlow low | .9 .1\nmedium low | .6 .4\nhigh low | .1 .9\nlow high | .95 " +
			".05\nmedium high | .7 .3\nhigh high | .4 .6",
	} {
		if err := net.SetTable(name, text); err != nil {
			t.Fatal(name, err)
		}
	}
	if v := violationOf(t, net, rises); v != 0 {
		t.Fatalf("violation %v", v)
	}
	mixed := net.Clone()
	order := []int{2, 0, 1} // the new place of each state of load
	for config := range 4 {
		for s, p := range net.CPT(2).Row(config) {
			mixed.CPT(2).Row(config)[order[s]] = p
		}
	}
	for s, at := range order {
		copy(mixed.CPT(3).Row(at), net.CPT(3).Row(s))
		for skill := range 2 {
			copy(mixed.CPT(4).Row(2*at+skill), net.CPT(4).Row(2*s+skill))
		}
	}
	if v := violationOf(t, mixed, rises); !(v > 0.5) {
		t.Fatalf("violation %v of the mixed network", v)
	}
	back, violation, err := learn.Align(mixed, []string{"load"}, rises...)
	if err != nil || violation != 0 || !sameTables(back, net) {
		t.Errorf("violation %v (%v)", violation, err)
	}
	// A statement that the way back would break forbids it: as it stands, P(load=low | …) is .2.
	known := constraint.Fixed{Var: "load", Given: bn.Given{"task": "easy", "skill": "low"},
		P: map[string]float64{"low": mixed.CPT(2).Row(0)[0]}}
	kept, violation, err := learn.Align(mixed, []string{"load"}, append(rises, known)...)
	if err != nil || !(violation > 0) || kept.CPT(2).Row(0)[0] != mixed.CPT(2).Row(0)[0] {
		t.Errorf("violation %v (%v)", violation, err)
	}
}

// With too many orders to try together the variables take turns.
func TestAlignInTurns(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 0))
	six := []string{"1", "2", "3", "4", "5", "6"}
	net, err := bn.New("[A][H|A][G|H][B|G]", bn.Discrete("A", six...), bn.Discrete("H", six...),
		bn.Discrete("G", six...), bn.Discrete("B", six...))
	if err != nil {
		t.Fatal(err)
	}
	fillTables(net, rng)
	rises := []constraint.Constraint{constraint.Influence{Parent: "A", Child: "H"},
		constraint.Influence{Parent: "H", Child: "G"}, constraint.Influence{Parent: "G", Child: "B"}}
	before := violationOf(t, net, rises)
	aligned, violation, err := learn.Align(net, []string{"H", "G"}, rises...)
	if err != nil {
		t.Fatal(err)
	}
	if got := violationOf(t, aligned, rises); math.Abs(got-violation) > 1e-12 || !(got < before) {
		t.Errorf("the violation is %v after %v, reported as %v", got, before, violation)
	}
	for _, name := range []string{"H", "G"} { // no variable by itself helps
		if _, v, err := learn.Align(aligned, []string{name}, rises...); err != nil || v != violation {
			t.Errorf("%s alone: %v after %v (%v)", name, v, violation, err)
		}
	}
	want, got := observedJoint(net, []string{"H", "G"}), observedJoint(aligned, []string{"H", "G"})
	for key, p := range want {
		if math.Abs(got[key]-p) > 1e-12 {
			t.Fatalf("P(%s) was %v and is %v", key, p, got[key])
		}
	}
}

// A linear-Gaussian child moves with its parent.
func TestAlignGaussianChild(t *testing.T) {
	net, err := bn.New("[A][H|A][Y|H]", bn.Discrete("A", "0", "1"), bn.Discrete("H", "0", "1"), bn.Continuous("Y"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(1).P, []float64{.2, .8, .7, .3})
	y := net.Gaussian(2)
	copy(y.Intercept, []float64{1, 2})
	copy(y.Variance, []float64{3, 4})
	aligned, violation, err := learn.Align(net, []string{"H"}, constraint.Influence{Parent: "A", Child: "H"})
	if err != nil || violation != 0 {
		t.Fatal(violation, err)
	}
	if g := aligned.Gaussian(2); !slices.Equal(g.Intercept, []float64{2, 1}) ||
		!slices.Equal(g.Variance, []float64{4, 3}) {
		t.Errorf("intercepts %v, variances %v", g.Intercept, g.Variance)
	}
}

func TestAlignErrors(t *testing.T) {
	net, rises := loadNet(t)
	for _, tt := range []struct {
		name       string
		hidden     []string
		statements []constraint.Constraint
		is         error
		says       string
	}{
		{"unknown", []string{"lode"}, rises, bn.ErrUnknownVariable, "lode"},
		{"twice", []string{"load", "load"}, rises, nil, "twice"},
		{"a statement that does not fit", []string{"load"},
			[]constraint.Constraint{constraint.Influence{Parent: "time", Child: "load"}}, nil, "no parent"},
		{"another that does not fit", []string{"load"},
			[]constraint.Constraint{constraint.ShareStates{Var: "lode", Groups: [][]string{{"a", "b"}}}},
			bn.ErrUnknownVariable, "lode"},
	} {
		if _, _, err := learn.Align(net, tt.hidden, tt.statements...); err == nil ||
			!strings.Contains(err.Error(), tt.says) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, _, err := learn.Align(nil, []string{"load"}, rises...); err == nil ||
		!strings.Contains(err.Error(), "no network") {
		t.Errorf("no network: %v", err)
	}
	wide, err := bn.New("[H][Y]", bn.Discrete("H", "1", "2", "3", "4", "5", "6", "7", "8", "9"), bn.Continuous("Y"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := learn.Align(wide, []string{"H"}); err == nil || !strings.Contains(err.Error(), "9 states") {
		t.Errorf("nine states: %v", err)
	}
	if _, _, err := learn.Align(wide, []string{"Y"}); !errors.Is(err, bn.ErrNotDiscrete) {
		t.Errorf("a continuous variable: %v", err)
	}
	if same, v, err := learn.Align(net, nil, rises...); err != nil || v != violationOf(t, net, rises) ||
		!sameTables(same, net) {
		t.Errorf("no hidden variables: %v, %v", v, err)
	}
}
