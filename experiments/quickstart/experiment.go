package quickstart

import (
	"context"
	"fmt"

	"bnlab/experiments/run"
)

// Experiment is the runner's entry.
type Experiment struct{}

var _ run.Experiment = Experiment{}

// Info implements [run.Experiment].
func (Experiment) Info() run.Info {
	return run.Info{ID: "quickstart", Title: "What a little knowledge is worth on breast cancer data", Notebook: "00-quickstart"}
}

// Config implements [run.Experiment].
func (Experiment) Config(p run.Profile) any { return ConfigFor(p) }

// Run implements [run.Experiment].
func (Experiment) Run(ctx context.Context, job *run.Job) error {
	c := ConfigFor(job.Profile)
	scores, err := Compute(ctx, job, c)
	if err != nil {
		return err
	}
	job.Step("summarise and write")
	table := run.NewTable("examples", "model", "mean_log_score_nats", "p05", "p50", "p95", "replicates")
	better := run.NewTable("examples", "mean_gain_nats", "p05", "p50", "p95", "share_of_draws_gained", "replicates")
	for s, size := range c.Sizes {
		for m, model := range Models {
			b := run.NewBand(scores[m][s])
			table.Append(size, model, b.Mean, b.P05, b.P50, b.P95, b.Replicates)
		}
		gain, share := scores.gain(s)
		b := run.NewBand(gain)
		better.Append(size, b.Mean, b.P05, b.P50, b.P95, share, b.Replicates)
		expected, why := run.ExpectUnknown, "the statements are a layman's guess, fixed before the first run"
		if s == 0 {
			expected, why = run.ExpectYes, "with 30 cases most of the twelve parent configurations have one case or none, so joining them must help unless they differ much"
		}
		job.Order(run.Statement{
			Claim: fmt.Sprintf("with %d cases, knowledge raises the held-out log score", size), Source: "quickstart", Data: run.Real,
			Unit: "nats a case", Expected: expected, Note: why,
		}, "higher", fmt.Sprintf("%+.4f, higher in %.0f %% of draws", b.Mean, 100*share), b.Mean > 0)
	}
	if err := job.SaveTable("quickstart-log-score.csv", table); err != nil {
		return err
	}
	if err := job.SaveTable("quickstart-gain.csv", better); err != nil {
		return err
	}
	figure, err := plot(c, scores)
	if err != nil {
		return err
	}
	return job.SaveFigure("quickstart-log-score", figure)
}

// gain is what knowledge adds to the score in each draw, and the share of draws in
// which it adds.
func (s Scores) gain(size int) (gain []float64, share float64) {
	gain = make([]float64, len(s[0][size]))
	for draw := range gain {
		if gain[draw] = s[2][size][draw] - s[1][size][draw]; gain[draw] > 0 {
			share++
		}
	}
	return gain, share / float64(len(gain))
}
