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
	gains := run.NewTable("examples", "model", "over", "mean_gain_nats", "p05", "p50", "p95", "share_of_draws_gained", "replicates")
	for s, size := range c.Sizes {
		for m, model := range Models {
			b := run.NewBand(scores[m][s])
			table.Append(size, model, b.Mean, b.P05, b.P50, b.P95, b.Replicates)
		}
		for _, pair := range [][2]int{{1, 0}, {2, 0}, {2, 1}} {
			gain := scores.gain(pair[0], pair[1], s)
			b := run.NewBand(gain)
			gains.Append(size, Models[pair[0]], Models[pair[1]], b.Mean, b.P05, b.P50, b.P95, share(gain), b.Replicates)
		}
		gain := scores.gain(2, 1, s)
		mean := run.NewBand(gain).Mean
		expected, why := run.ExpectUnknown, "the statements are a layman's guess, fixed before the first run"
		if s == 0 {
			expected, why = run.ExpectYes, "with 30 cases most of the twelve parent configurations have one case or none, so joining them must help unless they differ much"
		}
		job.Order(run.Statement{
			Claim: fmt.Sprintf("with %d cases, knowledge raises the held-out log score", size), Source: "quickstart", Data: run.Real,
			Unit: "nats a case", Expected: expected, Note: why,
		}, "higher", fmt.Sprintf("%+.4f, higher in %.0f %% of draws", mean, 100*share(gain)), mean > 0)
	}
	if err := job.SaveTable("quickstart-log-score.csv", table); err != nil {
		return err
	}
	if err := job.SaveTable("quickstart-gain.csv", gains); err != nil {
		return err
	}
	figure, err := plot(c, scores)
	if err != nil {
		return err
	}
	return job.SaveFigure("quickstart-gain", figure)
}

// gain is by how much one model's score passes another's in each draw.
func (s Scores) gain(model, over, size int) []float64 {
	gain := make([]float64, len(s[model][size]))
	for draw := range gain {
		gain[draw] = s[model][size][draw] - s[over][size][draw]
	}
	return gain
}

// share is the part of the values that are positive.
func share(values []float64) float64 {
	n := 0
	for _, x := range values {
		if x > 0 {
			n++
		}
	}
	return float64(n) / float64(len(values))
}
