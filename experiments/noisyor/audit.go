package noisyor

import (
	"context"
	"math/rand/v2"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// An Opinion is what all cases of a domain say of one entry of its knowledge file.
type Opinion struct {
	*Domain
	knowledge.Entry
	learn.Verdict
}

// audits weighs influences and synergies of each domain, the others being kept, and its noisy-OR
// against the free table.
func audits(ctx context.Context, job *run.Job, c Config, domains []*Domain) ([]Opinion, error) {
	opinions := make([][]Opinion, len(domains))
	err := job.Replicates(ctx, "audit", len(domains), func(i int, _ *rand.PCG) error {
		var err error
		if opinions[i], err = domains[i].audit(ctx, job, c); err != nil {
			return say.Errorf("domain %s: %w", domains[i].name, err)
		}
		return nil
	})
	var all []Opinion
	for _, list := range opinions {
		all = append(all, list...)
	}
	return all, err
}

func (d *Domain) audit(ctx context.Context, job *run.Job, c Config) ([]Opinion, error) {
	qualitative, err := d.best(ctx, knowledge.Synergy)
	if err != nil {
		return nil, err
	}
	independent, err := d.best(ctx, knowledge.NoisyOR)
	if err != nil {
		return nil, err
	}
	seed, at := run.State(job.Source(stream(auditStream, d), 0))
	set := &learn.AuditSettings{Simulations: c.Simulations, Seed: seed, Stream: at}
	var list []Opinion
	for _, fit := range []*learn.Result{qualitative, independent} {
		verdicts, err := fit.Audit(ctx, set)
		if err != nil {
			return nil, err
		}
		for _, v := range verdicts {
			list = append(list, Opinion{d, d.entry(v.Statement), v})
		}
	}
	return list, nil
}

// best is the maximum-likelihood fit to all cases, under the signs that fit best where they are
// left to the data.
func (d *Domain) best(ctx context.Context, l knowledge.Learner) (*learn.Result, error) {
	var best *learn.Result
	for _, statements := range d.variants(l) {
		fit, err := learn.Fit(ctx, d.Net, d.Cases, learn.ML{Constraints: statements}, &learn.Settings{Workers: 1})
		if err != nil {
			return nil, err
		}
		if best == nil || fit.LogLikelihood > best.LogLikelihood {
			best = fit
		}
	}
	return best, nil
}

// entry finds the entry of a statement, whose sign may be the other one.
func (d *Domain) entry(s constraint.Constraint) knowledge.Entry {
	text := s.String()
	for _, e := range d.Knowledge.Entries {
		if e.Statement.String() == text {
			return e
		}
		if influence, ok := e.Statement.(constraint.Influence); ok && e.Mark == fromData {
			if influence.Sign = opposite(influence.Sign); influence.String() == text {
				return e
			}
		}
	}
	return knowledge.Entry{}
}
