package noisyor

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/validate"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// A Duel is Algorithm 1 of Y13 against the exact method in one domain, for one learner.
type Duel struct {
	*Domain
	Learner knowledge.Learner
	// Exact is the log posterior of the target's table by draw, in nats, at the maximum that [learn.MAP]
	// finds.
	Exact []float64
	// Ends are those of Algorithm 1, by setting and draw.
	Settings []penaltySetting
	Ends     [][]End
	// AUC is that of Algorithm 1 with ω and ε chosen inside the training cases, by draw, on the folds
	// of [Study]; nil where it is not cross-validated.
	AUC []float64
}

// A penaltySetting is where Algorithm 1 begins and how far inside its penalty leads.
type penaltySetting struct{ Weight, Margin float64 }

// An End is that of one run of Algorithm 1.
type End struct {
	LogPosterior float64 // as Exact
	Violation    float64 // the largest amount by which an inequality is broken in the table, a probability
	Iterations   int
}

// feasible is the violation that rounding may leave.
const feasible = 1e-9

// duelPseudocount is the prior on both sides of a duel.
const duelPseudocount = 0.5

// inDuels are the learners that Algorithm 1 is for.
func inDuels() []knowledge.Learner {
	return []knowledge.Learner{knowledge.Monotone, knowledge.Synergy, knowledge.MonotoneNoisyOR,
		knowledge.SynergyNoisyOR}
}

// settings are all pairs of weight and margin.
func (c Config) settings() []penaltySetting {
	var all []penaltySetting
	for _, w := range c.PenaltyWeights {
		for _, margin := range c.Margins {
			all = append(all, penaltySetting{w, margin})
		}
	}
	return all
}

// duels compares the methods on the same counts, each as a step of its own, so that the record
// of the run has the time that each takes; and then predictions by Algorithm 1.
func duels(ctx context.Context, job *run.Job, c Config, domains []*Domain) ([]*Duel, error) {
	var list []*Duel
	for _, d := range domains {
		for _, l := range inDuels() {
			duel := &Duel{Domain: d, Learner: l, Settings: c.settings(), Exact: make([]float64, c.PenaltyDraws)}
			for range duel.Settings {
				duel.Ends = append(duel.Ends, make([]End, c.PenaltyDraws))
			}
			if l == knowledge.SynergyNoisyOR && slices.Contains(c.PenaltyDomains, d.name) {
				duel.AUC = make([]float64, c.PenaltyDraws)
			}
			list = append(list, duel)
		}
	}
	each := func(step string, f func(duel *Duel, draw int) error) error {
		return job.Replicates(ctx, step, len(list)*c.PenaltyDraws, func(task int, _ *rand.PCG) error {
			duel := list[task%len(list)]
			if err := f(duel, task/len(list)); err != nil {
				return say.Errorf("domain %s, %s: %w", duel.name, duel.Learner, err)
			}
			return nil
		})
	}
	if err := each("exact, once for each draw",
		func(duel *Duel, draw int) error { return duel.exact(ctx, job, draw) }); err != nil {
		return nil, err
	}
	step := fmt.Sprintf("Algorithm 1, with %d settings for each draw", len(c.settings()))
	if err := each(step, func(duel *Duel, draw int) error { return duel.climb(ctx, job, draw) }); err != nil {
		return nil, err
	}
	err := each("cross-validate Algorithm 1",
		func(duel *Duel, draw int) error { return duel.crossValidate(ctx, job, c, draw) })
	return list, err
}

// cases are the rows of a draw of [Study] and the source of its folds.
func (d *Domain) cases(job *run.Job, draw int) (*data.Table, *rand.PCG) {
	src := job.Source(stream(foldStream, d), draw)
	return d.draw(rand.New(src)), src
}

func (d *Duel) exact(ctx context.Context, job *run.Job, draw int) error {
	cases, _ := d.cases(job, draw)
	fit, err := learn.Fit(ctx, d.Net, cases, learn.MAP{Pseudocount: duelPseudocount,
		Constraints: d.Learner.Select(d.Knowledge.Statements())}, &learn.Settings{Workers: 1})
	if err != nil {
		return err
	}
	d.Exact[draw], err = d.logPosterior(fit)
	return err
}

// climb runs Algorithm 1 from a random start, the same for all settings of a draw.
func (d *Duel) climb(ctx context.Context, job *run.Job, draw int) error {
	cases, _ := d.cases(job, draw)
	stated, err := constraint.CompilePenalty(d.Net, slices.DeleteFunc(d.Learner.Select(d.Knowledge.Statements()),
		func(s constraint.Constraint) bool { return !hasMargin(s) })...)
	if err != nil {
		return err
	}
	for i, s := range d.Settings {
		fit, err := learn.Fit(ctx, d.Net, cases, algorithm1(d.Learner.Select(d.Knowledge.Statements()), s,
			job.Source(stream(penaltyStream, d.Domain), draw)), &learn.Settings{Workers: 1})
		if err != nil {
			return err
		}
		end := End{Violation: stated.Largest(tables(fit.Net)), Iterations: fit.Trace[len(fit.Trace)-1].Iteration}
		if end.LogPosterior, err = d.logPosterior(fit); err != nil {
			return err
		}
		d.Ends[i][draw] = end
	}
	return nil
}

func algorithm1(statements []constraint.Constraint, s penaltySetting, src rand.Source) learn.ExteriorPenalty {
	return learn.ExteriorPenalty{Pseudocount: duelPseudocount, Constraints: statements, Weight: s.Weight,
		Margin: s.Margin, Src: src}
}

// crossValidate predicts by Algorithm 1, on the folds of the draw.
func (d *Duel) crossValidate(ctx context.Context, job *run.Job, c Config, draw int) error {
	if d.AUC == nil {
		return nil
	}
	one := validate.Learner{Name: "Algorithm 1"}
	for _, statements := range d.variants(d.Learner) {
		for _, s := range d.Settings {
			one.Candidates = append(one.Candidates,
				algorithm1(statements, s, job.Source(stream(penaltyStream, d.Domain), draw)))
		}
	}
	cases, src := d.cases(job, draw)
	seed, at := run.State(src)
	r, err := validate.CrossValidate(ctx, d.Net, cases, d.Target, []validate.Learner{one},
		&validate.Settings{Seed: seed, Stream: at, Folds: c.Folds, InnerFolds: c.InnerFolds, Workers: 1})
	if err != nil {
		return err
	}
	d.AUC[draw] = r.Learners[0].AUC.Value
	return nil
}

// logPosterior is Σ (N + pseudocount) log θ over the table of the target, in nats.
func (d *Domain) logPosterior(fit *learn.Result) (float64, error) {
	n, err := fit.FamilyCounts(d.Target)
	if err != nil {
		return 0, err
	}
	t, err := fit.Net.Table(d.Target)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i, p := range t.P {
		sum += (n[i] + duelPseudocount) * math.Log(p)
	}
	return sum, nil
}
