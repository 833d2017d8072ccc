package graphs

import (
	"context"

	"bnlab/experiments/run"
)

// Experiment is the runner's entry.
type Experiment struct{}

var _ run.Experiment = Experiment{}

// Info implements [run.Experiment].
func (Experiment) Info() run.Info {
	return run.Info{ID: "graphs", Title: "What knowledge is worth in finding the graph", Notebook: "11-graphs"}
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
	Config Config
	Worth  []*Worth // by network, also those that cannot be had; simulated ones last
	Causes *Worth   // of simulated causes
	Gaps   *Gaps
	Known  *Known
	Hidden [][]Cause // by size and draw
	*Opinions
	*Set
}

// Compute runs all parts. Results depend on the job's seed only, and on which networks can be had.
func Compute(ctx context.Context, job *run.Job, c Config) (*Results, error) {
	err := c.check()
	if err != nil {
		return nil, err
	}
	r := &Results{Config: c}
	all, err := computeWorth(ctx, job, c)
	if err != nil {
		return nil, err
	}
	r.Worth, r.Causes = all[:len(all)-1], all[len(all)-1]
	if r.Gaps, err = computeMissing(ctx, job, c); err != nil {
		return nil, err
	}
	if r.Known, err = computeKnown(ctx, job, c); err != nil {
		return nil, err
	}
	if r.Hidden, err = computeHidden(ctx, job, c); err != nil {
		return nil, err
	}
	if r.Opinions, err = computeOpinions(ctx, job, c); err != nil {
		return nil, err
	}
	r.Set, err = computeInterventions(ctx, job, c)
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
		{"graphs-errors.csv", r.errorTable()},
		{"graphs-worth.csv", r.worthTable()},
		{"graphs-missing.csv", r.missingTable()},
		{"graphs-known.csv", r.knownTable()},
		{"graphs-named.csv", r.namedTable()},
		{"graphs-hidden.csv", r.hiddenTable()},
		{"graphs-arcs.csv", r.arcTable()},
		{"graphs-interventions.csv", r.interventionTable()},
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
