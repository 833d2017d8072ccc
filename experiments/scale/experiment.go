package scale

import (
	"context"

	"bnlab/experiments/run"
)

// An experiment is the runner's entry. It is used by pointer, as values with lists cannot be
// compared.
type experiment struct{ engines []Engine }

var _ run.Experiment = (*experiment)(nil)

// New returns the experiment with memory and these engines. Where none of them is called
// duckdb, the rows of DuckDB say n/a.
func New(engines ...Engine) run.Experiment {
	all := append([]Engine{Memory{}}, engines...)
	for _, e := range engines {
		if e.String() == noDuckDB.Name {
			return &experiment{all}
		}
	}
	return &experiment{append(all, noDuckDB)}
}

// Info implements [run.Experiment].
func (*experiment) Info() run.Info {
	return run.Info{ID: "scale", Title: "Cost of learning as data grow, in memory and through a database",
		Notebook: "09-scale", Large: true}
}

// Config implements [run.Experiment]. It does not depend on the engines: those that can be had
// fill in their rows.
func (*experiment) Config(p run.Profile) any { return ConfigFor(p) }

// Run implements [run.Experiment].
func (e *experiment) Run(ctx context.Context, job *run.Job) error {
	c, err := run.Configured(job, ConfigFor)
	if err != nil {
		return err
	}
	r, err := Compute(ctx, job, c, e.engines...)
	if err != nil {
		return err
	}
	return r.save(job)
}

// save writes tables and figures and judges.
func (r *Results) save(job *run.Job) error {
	job.Step("summarise and write")
	for _, t := range []struct {
		name  string
		table *run.Table
	}{
		{"scale.csv", r.scaleTable()},
		{"scale-cost.csv", r.costTable()},
		{"scale-missing.csv", r.missingTable()},
		{"scale-files.csv", r.filesTable()},
		{"scale-parity.csv", r.parityTable()},
		{"scale-slopes.csv", r.slopeTable()},
		{"scale-cluster.csv", r.clusterTable()},
		{"scale-growth.csv", r.growthTable()},
		{"scale-growth-slopes.csv", r.growthSlopeTable()},
	} {
		if err := job.SaveTable(t.name, t.table); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name, quantity string
		value          func(result) float64
	}{
		{"scale-seconds", "seconds", func(one result) float64 { return one.seconds }},
		{"scale-memory", "peak memory (MB)", func(one result) float64 { return one.peak }},
	} {
		figure, err := r.figure(f.quantity, f.value)
		if err != nil {
			return err
		}
		if figure == nil {
			continue
		}
		if err := job.SaveFigure(f.name, figure); err != nil {
			return err
		}
	}
	growth, err := r.growthFigure()
	if err != nil {
		return err
	}
	if growth != nil {
		if err := job.SaveFigure("scale-growth", growth); err != nil {
			return err
		}
	}
	if err := saveShards(job); err != nil {
		return err
	}
	r.judge(job)
	return nil
}
