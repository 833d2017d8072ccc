package quickstart

import (
	"context"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/validate"
	"bnlab/experiments/noisyor"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// The learners, by name.
const (
	BaseRate  = "base rate"                       // the share of recurrences in the training cases
	DataAlone = "data alone"                      // counts
	Knowledge = "with knowledge"                  // under all influences and synergies
	Audited   = "without the costliest statement" // under all but the one that costs the data most
)

// Study is what the experiment finds.
type Study struct {
	Curve    *validate.Curve // of the learners above, in that order
	Verdicts []learn.Verdict // of the statements, on all cases
	Worst    int             // the statement that costs most
}

// Compute audits, fits and scores. The result depends on the job's seed only.
func Compute(ctx context.Context, job *run.Job, c Config) (*Study, error) {
	if c.Draws < 1 || len(c.Sizes) == 0 || !(c.Virtual >= 0) || c.Simulations < 1 {
		return nil, say.Errorf("quickstart: the configuration %+v makes no sense", c)
	}
	domains, err := noisyor.Domains(ctx, "breast")
	if err != nil {
		return nil, err
	}
	d := domains[0]
	if d.Missing != nil {
		return nil, d.Missing
	}
	job.UsesData("breast-cancer", d.Cases.Hash())
	s := &Study{}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	job.Step("audit")
	statements := knowledge.Synergy.Select(d.Knowledge.Statements())
	if s.Verdicts, err = audit(ctx, job, c, d, statements); err != nil {
		return nil, err
	}
	for i, v := range s.Verdicts {
		if v.Cost > s.Verdicts[s.Worst].Cost {
			s.Worst = i
		}
	}
	audited := slices.Delete(slices.Clone(statements), s.Worst, s.Worst+1)
	under := func(name string, statements ...constraint.Constraint) validate.Learner {
		return validate.Learner{Name: name, Candidates: []learn.Method{learn.MAP{Pseudocount: c.Virtual,
			Constraints: statements}}}
	}
	seed, at := run.State(job.Source(curveStream, 0))
	s.Curve, err = validate.LearningCurve(ctx, d.Net, d.Cases, d.Target, []validate.Learner{
		under(BaseRate, constraint.ShareAcross{Var: d.Target}), under(DataAlone),
		under(Knowledge, statements...), under(Audited, audited...),
	}, c.Sizes, &validate.Settings{
		Seed: seed, Stream: at, Repeats: c.Draws, Workers: job.Workers,
		Progress: func(done, total int) { job.Progress("draw, fit and score", done, total) },
	})
	if err != nil {
		return nil, err
	}
	return s, ctx.Err()
}

// Random streams of the parts.
const (
	auditStream uint32 = iota + 1
	curveStream
	worthStream
	oneDrawStream
	oneCurveStream
	oneWorthStream
)

// audit weighs each statement against all cases, given the others.
func audit(ctx context.Context, job *run.Job, c Config, d *noisyor.Domain, statements []constraint.Constraint) (
	[]learn.Verdict, error) {
	counts, err := d.Cases.Count(d.Net, nil)
	if err != nil {
		return nil, err
	}
	compiled, err := learn.Compile(d.Net, learn.ML{Constraints: statements})
	if err != nil {
		return nil, err
	}
	fit, err := compiled.Fit(counts, nil)
	if err != nil {
		return nil, err
	}
	seed, at := run.State(job.Source(auditStream, 0))
	return fit.Audit(ctx, &learn.AuditSettings{Seed: seed, Stream: at, Simulations: c.Simulations})
}

// gains are by how much a learner's log score passes another's, by size and draw, in nats per case.
func (s *Study) gains(learner, over string) [][]float64 {
	a, b := s.learner(learner), s.learner(over)
	gains := make([][]float64, len(s.Curve.Sizes))
	for draw, scores := range a.Scores {
		for i := range scores {
			gains[i] = append(gains[i], scores[i].LogScore-b.Scores[draw][i].LogScore)
		}
	}
	return gains
}

func (s *Study) learner(name string) *validate.LearnerCurve {
	at := slices.IndexFunc(s.Curve.Learners, func(l validate.LearnerCurve) bool { return l.Name == name })
	return &s.Curve.Learners[at]
}

// share is the part of the values that are positive.
func share(values []float64) float64 {
	n := 0
	for _, x := range values {
		if x > 0 {
			n++
		}
	}
	return float64(n) / float64(len(values))
}
