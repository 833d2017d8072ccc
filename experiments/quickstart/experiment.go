package quickstart

import (
	"context"
	"fmt"
	"strings"

	"bnlab/bnkit/validate"
	"bnlab/experiments/run"
)

// Experiment is the runner's entry.
type Experiment struct{}

var _ run.Experiment = Experiment{}

// Info implements [run.Experiment].
func (Experiment) Info() run.Info {
	return run.Info{ID: "quickstart", Title: "Expert knowledge on breast cancer data: its effect on prediction",
		Notebook: "00-quickstart"}
}

// Config implements [run.Experiment].
func (Experiment) Config(p run.Profile) any { return ConfigFor(p) }

// Run implements [run.Experiment].
func (Experiment) Run(ctx context.Context, job *run.Job) error {
	c, err := run.Configured(job, ConfigFor)
	if err != nil {
		return err
	}
	s, err := Compute(ctx, job, c)
	if err != nil {
		return err
	}
	one, err := computeOne(ctx, job, c)
	if err != nil {
		return err
	}
	job.Step("summarise and write")
	s.claim(job)
	worth, err := s.worth(job)
	if err != nil {
		return err
	}
	oneTable, oneScores, oneWorth := one.tables()
	for _, t := range []struct {
		name  string
		table *run.Table
	}{
		{"quickstart-scores.csv", s.scores()},
		{"quickstart-gain.csv", s.gainTable()},
		{"quickstart-worth.csv", worth},
		{"quickstart-audit.csv", s.audit()},
		{"quickstart-statement.csv", oneTable},
		{"quickstart-statement-scores.csv", oneScores},
		{"quickstart-statement-worth.csv", oneWorth},
	} {
		if err := job.SaveTable(t.name, t.table); err != nil {
			return err
		}
	}
	figure, err := s.plot()
	if err != nil {
		return err
	}
	if err := job.SaveFigure("quickstart-gain", figure); err != nil {
		return err
	}
	if figure, err = one.plot(); err != nil {
		return err
	}
	return job.SaveFigure("quickstart-statement", figure)
}

// claim states what is judged.
func (s *Study) claim(job *run.Job) {
	worst := s.Verdicts[s.Worst]
	job.Order(run.Statement{
		Claim: "the statement on irradiation costs the most log-likelihood of all statements", Source: "quickstart",
		Data:       run.Real,
		Unit:       "nats",
		Prediction: run.PredictYes, Basis: run.Pilot("all cases, counted", "520a6ec"),
		Note: "patients with radiotherapy have more recurrences, because they were more severely ill",
	}, "the influence of irradiat", fmt.Sprintf("%.2f by: %s", worst.Cost, worst.Statement),
		strings.Contains(worst.Statement.String(), "irradiat"))
	with, without := s.gains(Knowledge, DataAlone), s.gains(Audited, Knowledge)
	for i, size := range s.Curve.Sizes {
		job.Compare(run.Statement{
			Claim: fmt.Sprintf("with %d cases, knowledge raises the held-out log score", size), Source: "quickstart",
			Data: run.Real,
			Unit: "nats per case", Prediction: run.PredictUnknown,
			Note: "three of the five influences of Y13 have the opposite sign in the data; " + gained(with[i]),
		}, "higher", run.Comparison{Differences: with[i]})
		job.Compare(run.Statement{
			Claim:  fmt.Sprintf("with %d cases, dropping the costliest statement raises the log score", size),
			Source: "quickstart", Data: run.Real,
			Unit: "nats per case", Prediction: run.PredictUnknown,
			Note: "the statement was selected on all cases, including the test cases; " + gained(without[i]),
		}, "higher", run.Comparison{Differences: without[i]})
	}
}

func gained(gain []float64) string {
	return fmt.Sprintf("higher in %.0f %% of draws", 100*share(gain))
}

// scores has the learners' scores of all sizes.
func (s *Study) scores() *run.Table {
	t := run.NewTable("examples", "learner", "measure", "mean", "p05", "p50", "p95", "replicates")
	for i, size := range s.Curve.Sizes {
		for _, l := range s.Curve.Learners {
			for _, m := range []validate.Measure{validate.LogScore, validate.AUC} {
				b := l.Measure(m)[i]
				t.Append(size, l.Name, m.String(), b.Mean, b.P05, b.P50, b.P95, b.N)
			}
		}
	}
	return t
}

func (s *Study) gainTable() *run.Table {
	t := run.NewTable("examples", "learner", "over", "mean_gain_nats", "p05", "p50", "p95", "share_of_draws_gained",
		"replicates")
	pairs := [][2]string{{DataAlone, BaseRate}, {Knowledge, BaseRate}, {Knowledge, DataAlone}, {Audited, DataAlone},
		{Audited, Knowledge}}
	for i, size := range s.Curve.Sizes {
		for _, pair := range pairs {
			gain := s.gains(pair[0], pair[1])[i]
			b := run.NewBand(gain)
			t.Append(size, pair[0], pair[1], b.Mean, b.P05, b.P50, b.P95, share(gain), b.Replicates)
		}
	}
	return t
}

// worth says how many cases learning from data alone takes to be as good.
func (s *Study) worth(job *run.Job) (*run.Table, error) {
	t := run.NewTable("learner", "measure", "examples", "reached", "equivalent_examples", "p05", "p95")
	for replicate, name := range []string{Knowledge, Audited} {
		for _, m := range []validate.Measure{validate.LogScore, validate.AUC} {
			w, err := s.Curve.EquivalentSampleSize(DataAlone, name, m, job.Source(worthStream, replicate))
			if err != nil {
				return nil, err
			}
			for _, e := range w.Sizes {
				t.Append(name, m.String(), e.Cases, e.Value, e.Size.String(), e.Low.String(), e.High.String())
			}
		}
	}
	return t, nil
}

// audit has what the data say of each statement, given the others.
func (s *Study) audit() *run.Table {
	t := run.NewTable("statement", "cost_nats", "p_value", "verdict")
	for _, v := range s.Verdicts {
		t.Append(v.Statement.String(), v.Cost, v.PValue, v.Words)
	}
	return t
}
