package hierarchy

import (
	"context"

	"bnlab/experiments/run"
)

// Experiment is the runner's entry.
type Experiment struct{}

var _ run.Experiment = Experiment{}

// Info implements [run.Experiment].
func (Experiment) Info() run.Info {
	return run.Info{ID: "hierarchy", Title: "Structure search with aggregation hierarchies", Paper: "B06 §3, §4",
		Notebook: "08-hierarchy"}
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

// reproduce computes and writes everything.
func reproduce(ctx context.Context, job *run.Job, c Config) error {
	r, err := Compute(ctx, job, c)
	if err != nil {
		return err
	}
	job.Step("summarise and write")
	tests, err := r.testTable()
	if err != nil {
		return err
	}
	tables := []struct {
		name  string
		table *run.Table
	}{
		{"b06-sensitivity.csv", r.sensitivityTable()},
		{"b06-fig3-families.csv", r.familiesTable()},
		{"b06-runtime.csv", r.timeTable()},
		{"b06-brain.csv", r.brainTable()},
		{"b06-tests.csv", tests},
		{"b06-parents.csv", r.parentsTable()},
		{"b06-known.csv", r.knownTable()},
		{"b06-fig2-more.csv", r.moreTable()},
		{"b06-searches.csv", r.trialTable()},
	}
	for _, t := range tables {
		if err := job.SaveTable(t.name, t.table); err != nil {
			return err
		}
	}
	for _, study := range []string{parentWise, familyWise} {
		for _, p := range r.study(study).Panels {
			name := "b06-fig2-" + p.Name
			if study == familyWise {
				name += "-rfw-structures"
			}
			if err := job.SaveTable(name+".csv", r.figure2Table(p)); err != nil {
				return err
			}
		}
	}
	if err := r.figures(job); err != nil {
		return err
	}
	return r.claims(job)
}
