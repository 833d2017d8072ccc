package timecourse

import (
	"context"
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// made is a study with results by method and set: the distance from the truth, and the violation.
func made(name string, maximum float64, of map[string]func(set int) (distance, violation float64)) *venture {
	v := &venture{study: study{structure: structure{name: name}, maximum: maximum}}
	const sets = 6
	for set := range sets {
		v.subjects = append(v.subjects, &subject{set: set + 1, starts: make([]*bn.Network, 1)})
	}
	for name, f := range of {
		v.methods = append(v.methods, method{name: name})
		var outcomes [][]*outcome
		for set := range sets {
			distance, violation := f(set)
			outcomes = append(outcomes, []*outcome{{quality: quality{test: distance}, violation: violation}})
		}
		v.outcomes = append(v.outcomes, outcomes)
	}
	return v
}

// TestBeyondClaims: for each rule, data for which it says yes, no, and that it cannot be told.
func TestBeyondClaims(t *testing.T) {
	value := func(distance, violation, spread float64) func(set int) (float64, float64) {
		return func(set int) (float64, float64) { return distance + spread*noise(set), violation + spread*noise(set) }
	}
	for _, tt := range []struct {
		want       run.Verdict
		free, tied func(set int) (float64, float64) // the limit of violations is 1
	}{
		{run.Yes, value(2, 2, 0), value(1, .1, .01)},
		{run.No, value(2, .1, 0), value(3, 2, .01)},
		{run.NotJudged, value(2, 1.1, 2), value(2.1, 1.1, -2)},
	} {
		for _, name := range []string{largeName, censusName} {
			v := made(name, 100, map[string]func(int) (float64, float64){plainEM: tt.free, hybridA: tt.tied,
				hybridB: tt.tied, exactEM: tt.tied})
			_, claims := runtest.Execute(t, runtest.With(Experiment{}, struct{}{}, func(_ context.Context, job *run.Job,
				_ struct{}) error {
				v.claims(job)
				return nil
			}), 1)
			for _, c := range claims {
				if c.Holds != tt.want {
					t.Errorf("%s: %s (%s, %s), want %s", c.Claim, c.Holds, c.Ours, c.Note, tt.want)
				}
			}
		}
	}
}

// TestSynergyClaims: each of the three rules in three ways.
func TestSynergyClaims(t *testing.T) {
	level := func(distance, spread float64) func(set int) (float64, float64) {
		return func(set int) (float64, float64) { return distance + spread*noise(set), 0 }
	}
	for _, tt := range []struct {
		soft, alone, hard, exact func(set int) (float64, float64)
		want                     [3]run.Verdict // price against influences, holding against influences, price or not
	}{
		{level(1, .01), level(3, 0), level(2, 0), level(3, .01), [3]run.Verdict{run.Yes, run.Yes, run.Yes}},
		{level(3, .01), level(1, 0), level(2, 0), level(1, .01), [3]run.Verdict{run.No, run.No, run.No}},
		{level(1, 5), level(1.1, 0), level(1.1, 0), level(1.2, 5),
			[3]run.Verdict{run.NotJudged, run.NotJudged, run.NotJudged}},
	} {
		v := made(synergyName, 1, map[string]func(int) (float64, float64){softSynergy: tt.soft, softAlone: tt.alone,
			exactSynergy: tt.hard, exactEM: tt.exact})
		_, claims := runtest.Execute(t, runtest.With(Experiment{}, struct{}{}, func(_ context.Context, job *run.Job,
			_ struct{}) error {
			v.claims(job)
			return nil
		}), 1)
		for i, want := range tt.want {
			if claims[i].Holds != want {
				t.Errorf("%s: %s, want %s", claims[i].Claim, claims[i].Holds, want)
			}
		}
	}
}

// TestMissingCensus: without the data its claims are there, and not judged.
func TestMissingCensus(t *testing.T) {
	v := made(censusName, 1, nil)
	v.missing = errors.New("not here")
	_, claims := runtest.Execute(t, runtest.With(Experiment{}, struct{}{}, func(_ context.Context, job *run.Job,
		_ struct{}) error {
		v.claims(job)
		return nil
	}), 1)
	if len(claims) != 5 {
		t.Fatalf("%d claims, want 5", len(claims))
	}
	for _, c := range claims {
		if c.Holds != run.NotJudged || !strings.Contains(c.Note, "not here") || c.Data != run.Real {
			t.Errorf("%+v", c)
		}
	}
}

// TestVentures: what is stated holds in the truths, and the sizes are as said.
func TestVentures(t *testing.T) {
	c := ConfigFor(run.Quick)
	list, err := ventures(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		if v.name == censusName {
			continue
		}
		truths, err := v.truths(t.Context(), 2, testSource)
		if err != nil {
			t.Fatal(err)
		}
		p, err := constraint.Compile(v.net, append(v.statements(), v.also...)...)
		if err != nil {
			t.Fatal(err)
		}
		for _, net := range truths {
			if x := p.Violation(parameters(net)); !(x < 1e-9) {
				t.Errorf("%s: the truth violates the statements by %v", v.name, x)
			}
		}
	}
	if large := list[0]; large.net.Len() != 20 || len(large.hidden) != 5 || len(large.methods) != 4 {
		t.Errorf("the larger network has %d variables, %d hidden", large.net.Len(), len(large.hidden))
	}
	if last := list[2]; len(last.also) != 1 || len(last.methods) != 4 {
		t.Errorf("%d synergies, %d methods", len(last.also), len(last.methods))
	}
}

// TestOnlyCauses: the criterion and the conditions that lead to it, all cases counted.
func TestOnlyCauses(t *testing.T) {
	s, err := loadStructure()
	if err != nil {
		t.Fatal(err)
	}
	s.testCases = 300
	truths, err := s.truths(t.Context(), 1, testSource)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newSubject(s, 1, truths[0], 1, testSource(9))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range b.causes.Variables() {
		names = append(names, v.Name)
	}
	if got := strings.Join(names, " "); got != "Mode Steps SecondaryTask Error" || b.causes.TotalWeight() != 300 {
		t.Errorf("%s with the weight %v, want Mode Steps SecondaryTask Error with 300", got, b.causes.TotalWeight())
	}
}
