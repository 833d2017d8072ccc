package knowledge_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
)

func TestSelect(t *testing.T) {
	influence := constraint.Influence{Parent: "a", Child: "c"}
	synergy := &constraint.Synergy{Parents: []string{"a", "b"}, Child: "c"}
	noisy := constraint.NoisyOR{Child: "c", Sets: [][]string{{"a", "b"}}}
	known := constraint.Fixed{Var: "d", P: map[string]float64{"yes": 0.5}}
	all := []constraint.Constraint{influence, known, synergy, noisy}
	for _, test := range []struct {
		learner knowledge.Learner
		name    string
		want    []constraint.Constraint
	}{
		{knowledge.None, "none", []constraint.Constraint{known}},
		{knowledge.NoisyOR, "noisy-or", []constraint.Constraint{known, noisy}},
		{knowledge.Monotone, "monotone", []constraint.Constraint{influence, known}},
		{knowledge.Synergy, "synergy", []constraint.Constraint{influence, known, synergy}},
		{knowledge.MonotoneNoisyOR, "monotone+noisy-or", []constraint.Constraint{influence, known, noisy}},
		{knowledge.SynergyNoisyOR, "synergy+noisy-or", all},
	} {
		if diff := cmp.Diff(test.want, test.learner.Select(all)); diff != "" {
			t.Errorf("%v.Select (-want +got):\n%s", test.learner, diff)
		}
		text, err := test.learner.MarshalText()
		if err != nil || string(text) != test.name || test.learner.String() != test.name {
			t.Errorf("learner %d is %q, %v; want %q", test.learner, text, err, test.name)
		}
		back := knowledge.Learner(-1)
		if err := back.UnmarshalText(text); err != nil || back != test.learner {
			t.Errorf("%q is read as %v, %v", text, back, err)
		}
	}
	if got := len(knowledge.Learners()); got != 6 {
		t.Errorf("%d learners, want 6", got)
	}
	if err := new(knowledge.Learner).UnmarshalText([]byte("noisyor")); err == nil ||
		err.Error() != `knowledge: unknown learner "noisyor" (did you mean "noisy-or"?); the learners are [none noisy-or monotone synergy monotone+noisy-or synergy+noisy-or]` {
		t.Errorf("an unknown learner: %v", err)
	}
	if _, err := knowledge.Learner(6).MarshalText(); err == nil {
		t.Error("learner 6 was written")
	}
}
