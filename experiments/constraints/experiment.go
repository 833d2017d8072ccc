package constraints

import (
	"context"

	"bnlab/experiments/run"
)

// Experiment is the runner's entry.
type Experiment struct{}

var _ run.Experiment = Experiment{}

// Info implements [run.Experiment].
func (Experiment) Info() run.Info {
	return run.Info{ID: "constraints", Title: "Effect of each class of parameter constraints", Paper: "N06 §3.2, " +
		"§4.1, §4.3",
		Notebook: "02-constraints"}
}

// Config implements [run.Experiment].
func (Experiment) Config(p run.Profile) any { return ConfigFor(p) }

// Results are all that the experiment computes.
type Results struct {
	Config         Config
	Classes, Mixed *Curves
	Missing        *Missing
	States, Rows   *Learned // sharing among the states of N06 §5.1's T, and among the rows of a small network
	Checks         []Check
	Normaliser     float64 // see checkNormaliser
	Variables      *Variables
}

// Compute runs all parts. The results depend on the job's seed only.
func Compute(ctx context.Context, job *run.Job, c Config) (*Results, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	scenes, err := Scenes()
	if err != nil {
		return nil, err
	}
	mixtures, err := Mixtures()
	if err != nil {
		return nil, err
	}
	r := &Results{Config: c}
	if r.Classes, err = ComputeClasses(ctx, job, "the classes", scenes, sceneStream, c); err != nil {
		return nil, err
	}
	if r.Mixed, err = ComputeClasses(ctx, job, "mixtures", mixtures, mixtureStream, c); err != nil {
		return nil, err
	}
	if r.Missing, err = ComputeMissing(ctx, job, c); err != nil {
		return nil, err
	}
	if r.States, err = ComputeLearned(ctx, job, "find equal states", sharedStates, sharedStatesStream, c, none, oracle,
		bayesFactor, restricted, crossValidation, averaged, averagedRuns); err != nil {
		return nil, err
	}
	// With the default Dirichlet count both priors are the same for rows.
	if r.Rows, err = ComputeLearned(ctx, job, "find equal rows", sharedRows, sharedRowsStream, c, none, oracle,
		bayesFactor, crossValidation, averaged); err != nil {
		return nil, err
	}
	if r.Checks, err = ComputeChecks(ctx, job, append(scenes, mixtures...), c); err != nil {
		return nil, err
	}
	if r.Normaliser, err = checkNormaliser(ctx, job, c); err != nil {
		return nil, err
	}
	r.Variables, err = computeVariables(ctx, job, c)
	return r, err
}

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
		{"n06-classes-kl.csv", r.Classes.table()},
		{"n06-mixed-kl.csv", r.Mixed.table()},
		{"n06-alg1-missing.csv", r.Missing.table(r.Config)},
		{"n06-learned-sharing.csv", r.States.table()},
		{"n06-learned-network.csv", r.Rows.table()},
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
