package timecourse

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
	return run.Info{ID: "timecourse", Title: "Qualitative influences and hidden variables: the time course of learning",
		Paper: "W00 §5, §6", Notebook: "05-timecourse"}
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
	for _, t := range []struct {
		name  string
		table *run.Table
	}{
		{"w00-fig2-timecourse.csv", r.timecourseTable()},
		{"w00-fig2-final.csv", r.finalTable()},
		{"w00-fig2-baseline.csv", r.baselineTable()},
		{"w00-summary.csv", r.summaryTable()},
		{"w00-courses.csv", r.courseTable()},
		{"w00-align.csv", r.alignTable()},
		{"w00-sweep.csv", r.sweepTable()},
		{"w00-beyond.csv", r.beyondTable()},
	} {
		if err := job.SaveTable(t.name, t.table); err != nil {
			return err
		}
	}
	if err := r.figures(job); err != nil {
		return err
	}
	for _, s := range r.Studies {
		judge{r, s, job}.all()
	}
	for _, v := range r.Beyond {
		v.claims(job)
	}
	return nil
}

// figures draws and saves.
func (r *Results) figures(job *run.Job) error {
	type figure struct {
		name string
		draw func() (*viz.Figure, error)
	}
	list := []figure{
		{"w00-courses", func() (*viz.Figure, error) {
			return r.courseFigure(testPoint, "test cases, mean excess over the truth", "nats per case", shown...)
		}},
		{"w00-violations", func() (*viz.Figure, error) {
			return r.courseFigure(violationPoint, "mean violation", "violation", r.Methods...)
		}},
		{"w00-distance", func() (*viz.Figure, error) {
			return r.distanceFigure(excessTest, "distance from the truth", "nats per test case, 5 to 95 % of sets",
				func(n numbers) float64 { return n.closer })
		}},
		{"w00-quadratic", func() (*viz.Figure, error) {
			return r.distanceFigure(excessQuadratic, "quadratic loss over the truth",
				"loss per test case, 5 to 95 % of sets", func(n numbers) float64 { return n.quadratic })
		}},
		{"w00-sweep", r.sweepFigure},
	}
	for _, s := range r.Studies {
		list = append(list,
			figure{"w00-fig1-" + s.name, s.structureFigure},
			figure{"w00-fig2-final-" + s.name, func() (*viz.Figure, error) { return r.finalFigure(s) }},
			figure{"w00-fig2-timecourse-" + s.name, func() (*viz.Figure, error) { return r.timecourseFigure(s) }})
	}
	for _, f := range list {
		picture, err := f.draw()
		if err != nil {
			return err
		}
		if err := job.SaveFigure(f.name, picture); err != nil {
			return err
		}
	}
	return nil
}
