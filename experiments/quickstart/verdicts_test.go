package quickstart

import (
	"testing"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/validate"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// TestVerdicts: gains by draw for which each rule says yes, no, and that it cannot be told.
func TestVerdicts(t *testing.T) {
	world := func(parent string, knowledge, audited, spread float64) []run.Claim {
		s := &Study{Curve: &validate.Curve{Sizes: []int{20}, Learners: []validate.LearnerCurve{
			{Name: DataAlone}, {Name: Knowledge}, {Name: Audited}}},
			Verdicts: []learn.Verdict{{Statement: constraint.Influence{Parent: parent, Child: "recurrence"}, Cost: 5}}}
		for _, x := range []float64{-1, 0, 1} {
			for i, level := range []float64{-0.6, knowledge, audited} {
				score := validate.Scores{LogScore: level + float64(i)*spread*x}
				s.Curve.Learners[i].Scores = append(s.Curve.Learners[i].Scores, []validate.Scores{score})
			}
		}
		return runtest.Claims(t, func(job *run.Job) error {
			s.claim(job)
			return nil
		})
	}
	worlds := [][]run.Claim{world("irradiat", -0.5, -0.4, 0.001), world("age", -0.7, -0.8, 0.001),
		world("age", -0.55, -0.5, 1)}
	runtest.Verdicts(t, worlds, map[string]string{
		"the statement on irradiation costs the most":              "yes no no",
		"with 20 cases, knowledge raises the held-out log score":   "yes no n/a",
		"with 20 cases, dropping the costliest statement raises t": "yes no n/a",
	})
}
