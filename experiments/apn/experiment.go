package apn

import (
	"context"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
)

// Experiment is the runner's entry.
type Experiment struct{}

var _ run.Experiment = Experiment{}

// Info implements [run.Experiment].
func (Experiment) Info() run.Info {
	return run.Info{ID: "apn", Title: "Learning with hidden variables by gradient ascent", Paper: "R95 §3, §4, §6 " +
		"to §8",
		Notebook: "04-apn"}
}

// Config implements [run.Experiment].
func (Experiment) Config(p run.Profile) any { return ConfigFor(p) }

// Results are all that the experiment computes.
type Results struct {
	Config      Config
	First       Curves    // R95 Figure 4
	FirstSpread []float64 // by draw: the error of the true proportions
	Second      *Second   // R95 Figure 6; nil without the insurance network
	Third       *Third    // R95 Figure 8
	Scores      []*Score
	Ascents     []*Ascent
	Fourth      *Fourth
	Courses     []*Course
	Classes     []*Class
}

// Compute runs all parts. But for the times of [Score], results depend on the job's seed
// only.
func Compute(ctx context.Context, job *run.Job, c Config) (*Results, error) {
	err := c.check()
	if err != nil {
		return nil, err
	}
	r := &Results{Config: c}
	if r.First, r.FirstSpread, err = first(ctx, job, c.First); err != nil {
		return nil, err
	}
	if r.Second, err = second(ctx, job, c.Cars); err != nil {
		return nil, err
	}
	if r.Third, err = third(ctx, job, c.Time); err != nil {
		return nil, err
	}
	var cars *bn.Network
	if r.Second != nil {
		cars = r.Second.Net
	}
	if r.Scores, r.Ascents, err = compare(ctx, job, c.Learners, cars); err != nil {
		return nil, err
	}
	if r.Fourth, err = fourth(ctx, job, c.Findings); err != nil {
		return nil, err
	}
	if r.Courses, err = courses(ctx, job, c.Courses, cars); err != nil {
		return nil, err
	}
	r.Classes, err = classify(ctx, job, c.Classes, cars)
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
		{"r95-fig4-mse.csv", curveTable(r.First)},
		{"r95-fig6-mse.csv", r.secondTable()},
		{"r95-fig8-mse.csv", curveTable(r.Third.of(exactName, sampledName))},
		{"r95-dpn-vs-hmm.csv", curveTable(r.Third.of(exactName, jointName))},
		{"r95-lw-gradient.csv", r.Third.gradientTable()},
		{"r95-lw-effort.csv", r.Third.effortTable()},
		{"r95-learners.csv", r.learnerTable()},
		{"r95-ascents.csv", r.ascentTable()},
		{"r95-noisyor-nll.csv", r.Fourth.table()},
		{"r95-courses.csv", r.courseTable()},
		{"r95-classes.csv", r.classTable()},
		{"r95-slopes.csv", r.slopeTable()},
	} {
		if err := job.SaveTable(t.name, t.table); err != nil {
			return err
		}
	}
	type figure struct {
		name string
		draw func() (*viz.Figure, error)
	}
	figures := []figure{
		{"r95-fig4-mse", r.firstFigure},
		{"r95-fig8-mse", r.thirdFigure},
		{"r95-dpn-vs-hmm", r.jointFigure},
		{"r95-lw-gradient", r.gradientFigure},
		{"r95-noisyor-nll", r.fourthFigure},
		{"r95-courses-3-1-3", func() (*viz.Figure, error) { return r.courseFigure("3-1-3") }},
		{"r95-classes", r.classFigure},
	}
	if r.Second != nil {
		figures = append(figures, figure{"r95-fig6-mse", r.secondFigure},
			figure{"r95-courses-insurance", func() (*viz.Figure, error) { return r.courseFigure("insurance") }})
	}
	for _, f := range figures {
		figure, err := f.draw()
		if err != nil {
			return err
		}
		if err := job.SaveFigure(f.name, figure); err != nil {
			return err
		}
	}
	return r.claims(job)
}
