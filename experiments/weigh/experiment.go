package weigh

import (
	"context"

	"bnlab/experiments/run"
)

// Experiment is the runner's entry.
type Experiment struct{}

var _ run.Experiment = Experiment{}

// Info implements [run.Experiment].
func (Experiment) Info() run.Info {
	return run.Info{ID: "weigh", Title: "Knowledge weighed instead of believed", Notebook: "12-weigh"}
}

// Config implements [run.Experiment].
func (Experiment) Config(p run.Profile) any { return ConfigFor(p) }

// Run implements [run.Experiment].
func (Experiment) Run(ctx context.Context, job *run.Job) error {
	c, err := run.Configured(job, ConfigFor)
	if err != nil {
		return err
	}
	return reproduce(ctx, job, c)
}

// Results are all that the experiment computes.
type Results struct {
	Config  Config
	Truths  []*Truths
	Domains []*Domain // those without data too
	Prior   [][]Opinion
	Sharing []*Sharing
	*Interviews
	Words []VerdictRate
}

// Compute runs all parts. Results depend on the job's seed only, and on which data can be had.
func Compute(ctx context.Context, job *run.Job, c Config) (*Results, error) {
	err := c.check()
	if err != nil {
		return nil, err
	}
	r := &Results{Config: c}
	if r.Truths, err = computeTruths(ctx, job, c); err != nil {
		return nil, err
	}
	if r.Domains, err = computeDomains(ctx, job, c); err != nil {
		return nil, err
	}
	if r.Prior, err = computePrior(ctx, job, c); err != nil {
		return nil, err
	}
	if r.Sharing, err = computeSharing(ctx, job, c); err != nil {
		return nil, err
	}
	if r.Interviews, err = computeInterviews(ctx, job, c); err != nil {
		return nil, err
	}
	job.Step("words of the audit")
	r.Words, err = VerdictRates(ctx, job.Source(wordStream, 0).Uint64(), c.Audits, func(done, total int) {
		job.Progress("words of the audit", done, total)
	})
	return r, err
}

// reproduce computes and writes everything.
func reproduce(ctx context.Context, job *run.Job, c Config) error {
	r, err := Compute(ctx, job, c)
	if err != nil {
		return err
	}
	job.Step("summarise and write")
	for _, t := range []struct {
		name  string
		table *run.Table
	}{
		{"weigh-truths.csv", r.truthTable()},
		{"weigh-domains.csv", r.domainTable()},
		{"weigh-statements.csv", r.statementTable()},
		{"weigh-holds.csv", r.holdsTable()},
		{"weigh-sharing.csv", r.sharingTable()},
		{"weigh-elicit.csv", r.interviewTable()},
		{"verdict-words.csv", r.wordTable()},
	} {
		if err := job.SaveTable(t.name, t.table); err != nil {
			return err
		}
	}
	if err := r.figures(job); err != nil {
		return err
	}
	r.claims(job)
	return nil
}
