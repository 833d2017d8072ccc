package noisyor

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/validate"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// A Course is the learning curve of a domain.
type Course struct {
	*Domain
	Learners []knowledge.Learner
	*validate.Curve
}

// inFigure4 are the learners of Y13 Figure 4.
func inFigure4() []knowledge.Learner {
	return []knowledge.Learner{knowledge.None, knowledge.NoisyOR, knowledge.MonotoneNoisyOR, knowledge.SynergyNoisyOR}
}

// figure4 are the learning curves of the domains that Figure 4 shows.
func figure4(ctx context.Context, job *run.Job, c Config, domains []*Domain) ([]*Course, error) {
	var list []*Course
	for _, d := range domains {
		if sizes := c.CurveSizes[d.name]; sizes != nil {
			course, err := d.course(ctx, job, c, curveStream, "learning curve of "+d.name, sizes, c.CurveDraws,
				inFigure4())
			if err != nil {
				return nil, err
			}
			list = append(list, course)
		}
	}
	return list, nil
}

// course is a learning curve over all cases of a domain, as one step.
func (d *Domain) course(ctx context.Context, job *run.Job, c Config, part int, step string, sizes []int, draws int,
	of []knowledge.Learner) (*Course, error) {
	job.Step(step)
	seed, at := run.State(job.Source(stream(part, d), 0))
	curve, err := validate.LearningCurve(ctx, d.Net, d.Cases, d.Target, d.learners(c, of...), sizes, &validate.Settings{
		Seed: seed, Stream: at, Repeats: draws, InnerFolds: c.InnerFolds, Workers: max(job.Workers, 1),
		Progress: func(done, total int) { job.Progress(step, done, total) },
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, say.Errorf("domain %s: %w", d.name, err)
	}
	return &Course{d, of, curve}, nil
}

// mean is that of a learner's AUC at each size, with its standard error over draws.
func (c *Course) mean(l knowledge.Learner) (mean, stderr []float64) {
	for i := range c.Learners {
		if c.Learners[i] != l {
			continue
		}
		for k := range c.Sizes {
			var values []float64
			for _, draw := range c.Curve.Learners[i].Scores {
				if draw[k].HasAUC {
					values = append(values, draw[k].AUC)
				}
			}
			m, sd := stat.MeanStdDev(values, nil)
			mean, stderr = append(mean, m), append(stderr, sd/math.Sqrt(float64(len(values))))
		}
	}
	return mean, stderr
}

// A Worth says how many cases without knowledge are as good as some with that of a learner.
type Worth struct {
	Learner knowledge.Learner
	*validate.SampleSizeEquivalence
}

// A Value is what the knowledge of each learner is worth in a domain.
type Value struct {
	*Course
	Worths []Worth
}

// values finds what knowledge is worth in each domain.
func values(ctx context.Context, job *run.Job, c Config, domains []*Domain) ([]*Value, error) {
	var list []*Value
	for _, d := range domains {
		var sizes []int
		for _, n := range c.WorthSizes {
			if float64(n) <= c.WorthShare*float64(d.Cases.Rows()) {
				sizes = append(sizes, n)
			}
		}
		course, err := d.course(ctx, job, c, worthStream, "worth of knowledge, "+d.name, sizes, c.WorthDraws,
			knowledge.Learners())
		if err != nil {
			return nil, err
		}
		v := &Value{Course: course}
		for _, l := range knowledge.Learners()[1:] {
			w, err := course.EquivalentSampleSize(knowledge.None.String(), l.String(), validate.AUC,
				job.Source(stream(worthStream, d), 1+int(l)))
			if err != nil {
				return nil, say.Errorf("domain %s: %w", d.name, err)
			}
			v.Worths = append(v.Worths, Worth{l, w})
		}
		list = append(list, v)
	}
	return list, nil
}
