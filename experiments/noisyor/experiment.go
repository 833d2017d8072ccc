package noisyor

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
	return run.Info{ID: "noisyor", Title: "Qualitative knowledge and noisy-OR in eleven domains", Paper: "Y13 §4, §5",
		Notebook: "06-noisyor"}
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
	Config    Config
	Domains   []*Domain // in the order of Y13 Table 2, those without data too
	Published map[mark]float64
	Sizes     map[mark]Size
	Studies   []*Study // of the domains that have data, as all below
	Courses   []*Course
	Values    []*Value
	Duels     []*Duel
	Opinions  []Opinion
	Sweeps    []*Sweep
	Laws      Laws

	tried []Reading // made by all
}

// Compute runs all parts. Results depend on the job's seed only, and on which data can be had.
func Compute(ctx context.Context, job *run.Job, c Config) (*Results, error) {
	err := c.check()
	if err != nil {
		return nil, err
	}
	job.Step("read the data")
	r := &Results{Config: c}
	if r.Domains, err = Domains(ctx, c.Domains...); err != nil {
		return nil, err
	}
	if r.Published, err = publishedAUC(); err != nil {
		return nil, err
	}
	if r.Sizes, err = sizes(r.Domains); err != nil {
		return nil, err
	}
	domains := available(job, r.Domains)
	if r.Studies, err = crossValidate(ctx, job, c, domains); err != nil {
		return nil, err
	}
	if r.Courses, err = figure4(ctx, job, c, domains); err != nil {
		return nil, err
	}
	if r.Values, err = values(ctx, job, c, domains); err != nil {
		return nil, err
	}
	if r.Duels, err = duels(ctx, job, c, domains); err != nil {
		return nil, err
	}
	if r.Laws, err = laws(ctx, domains); err != nil {
		return nil, err
	}
	if r.Sweeps, err = sweeps(ctx, job, c, domains); err != nil {
		return nil, err
	}
	r.Opinions, err = audits(ctx, job, c, domains)
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
		{"y13-fig3-auc.csv", r.figure3Table()},
		{"y13-fig4-learning-curve.csv", r.figure4Table()},
		{"y13-ttests.csv", r.testTable()},
		{"y13-questions.csv", r.questionTable()},
		{"y13-constraint-counts.csv", r.sizeTable()},
		{"y13-audit.csv", r.auditTable()},
		{"y13-equivalent-size.csv", r.worthTable()},
		{"y13-algorithm1.csv", r.duelTable()},
		{"y13-settings.csv", r.settingTable()},
		{"y13-readings.csv", r.readingTable()},
		{"y13-splits.csv", r.splitTable()},
		{"y13-early-stopping.csv", r.stoppingTable()},
	} {
		if err := job.SaveTable(t.name, t.table); err != nil {
			return err
		}
	}
	if len(r.Studies) > 0 {
		if err := r.figures(job); err != nil {
			return err
		}
	}
	return r.claims(job)
}

// figures draws and saves.
func (r *Results) figures(job *run.Job) error {
	for _, f := range []struct {
		name string
		draw func() (*viz.Figure, error)
		show bool
	}{
		{"y13-fig3-auc", r.figure3, true},
		{"y13-fig4-learning-curve", r.figure4, len(r.Courses) > 0},
		{"y13-equivalent-size", r.worthFigure, len(r.Values) > 0},
		{"y13-early-stopping", r.stoppingFigure, len(r.Sweeps) > 0},
	} {
		if !f.show {
			continue
		}
		figure, err := f.draw()
		if err != nil {
			return err
		}
		if err := job.SaveFigure(f.name, figure); err != nil {
			return err
		}
	}
	return nil
}
