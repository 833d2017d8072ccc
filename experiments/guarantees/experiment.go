package guarantees

import (
	"context"

	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
)

// Experiment is the runner's entry.
type Experiment struct{}

var _ run.Experiment = Experiment{}

// Info implements [run.Experiment].
func (Experiment) Info() run.Info {
	return run.Info{ID: "guarantees", Title: "What constraints guarantee: lower variance, and the best approximation " +
		"if they are wrong", Paper: "N06 §6", Notebook: "03-guarantees"}
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
	for _, t := range []struct {
		name  string
		table *run.Table
	}{
		{"n06-thm2-variance.csv", r.varianceTable()},
		{"n06-thm3-closest.csv", r.closestTable()},
		{"n06-thm4-convergence.csv", r.convergenceTable()},
		{"n06-thm4-process.csv", r.apartTable()},
		{"n06-conjecture.csv", r.classTable()},
		{"n06-enumeration.csv", r.exactTable()},
	} {
		if err := job.SaveTable(t.name, t.table); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name string
		draw func() (*viz.Figure, error)
	}{
		{"n06-thm2-variance", r.varianceFigure},
		{"n06-thm4-convergence", r.convergenceFigure},
		{"n06-conjecture", r.classFigure},
	} {
		figure, err := f.draw()
		if err != nil {
			return err
		}
		if err := job.SaveFigure(f.name, figure); err != nil {
			return err
		}
	}
	r.identityClaims(job)
	r.classClaims(job)
	r.exactClaims(job)
	r.closestClaims(job)
	r.limitClaims(job)
	r.continuousClaims(job)
	return nil
}
