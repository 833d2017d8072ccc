package sharing

import (
	"context"

	"bnlab/experiments/run"
)

// Experiment is the runner's entry.
type Experiment struct{}

var _ run.Experiment = Experiment{}

// Info implements [run.Experiment].
func (Experiment) Info() run.Info {
	return run.Info{ID: "sharing", Title: "Parameter sharing within one distribution", Paper: "N06 §5.1",
		Notebook: "01-sharing"}
}

// Config implements [run.Experiment].
func (Experiment) Config(p run.Profile) any { return ConfigFor(p) }

// Run implements [run.Experiment].
func (Experiment) Run(ctx context.Context, job *run.Job) error {
	c, err := run.Configured(job, ConfigFor)
	if err != nil {
		return err
	}
	r, err := Compute(ctx, job, c)
	if err != nil {
		return err
	}
	job.Step("summarise and write")
	stbn, pdkbn, gap := bands(r.STBN), bands(r.PDKBN), bands(r.Gap())
	for _, t := range []struct {
		name  string
		table *run.Table
	}{
		{"n06-fig2-kl.csv", figure2Table(stbn, pdkbn)},
		{"n06-tab1-equivalent-size.csv", r.equivalentTable()},
		{"n06-gap.csv", gapTable(gap)},
		{"n06-equivalents.csv", r.factorTable()},
	} {
		if err := job.SaveTable(t.name, t.table); err != nil {
			return err
		}
	}
	figure, err := figure2(stbn, pdkbn)
	if err != nil {
		return err
	}
	if err := job.SaveFigure("n06-fig2-kl", figure); err != nil {
		return err
	}
	r.curveClaims(job, stbn, pdkbn, gap)
	r.factorClaims(job)
	r.tableClaims(job)
	return nil
}
