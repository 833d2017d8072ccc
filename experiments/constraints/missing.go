package constraints

import (
	"context"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/experiments/run"
)

// MissingModels are the estimates from cases with missing cells, in this order: each table
// from the cases that are complete in its family, and EM from all cases (N06, Algorithm 1).
var MissingModels = []string{"complete families", "complete families, constrained", "EM", "EM, constrained"}

// ClinicKnowledge is what is known of [Clinic].
func ClinicKnowledge() []constraint.Constraint {
	return []constraint.Constraint{constraint.ShareStates{Var: "disease", Groups: [][]string{{"attack", "failure"},
		{"cancer", "COPD"}}}}
}

// Missing are divergences of the whole network of [Clinic] in nats, by fraction of missing
// cells, size, model (as in [MissingModels]) and replicate.
type Missing struct {
	KL [][][][]float64
	// Fall is, by replicate, the largest fall of the log-likelihood in one step of maximum
	// likelihood by EM, relative to the log-likelihood; Steps are how many steps there were.
	Fall  []float64
	Steps []int
}

// Hide empties each cell with the same probability, whatever its value and the others.
func Hide(t *data.Table, fraction float64, src rand.Source) (*data.Table, error) {
	rng := rand.New(src)
	columns := make([]data.Column, 0, len(t.Columns()))
	for _, c := range t.Columns() {
		states := make([]bn.State, len(c.States))
		for i, state := range c.States {
			states[i] = state
			if rng.Float64() < fraction {
				states[i] = bn.Missing
			}
		}
		columns = append(columns, data.Column{Var: c.Var, States: states})
	}
	return data.New(columns...)
}

// ComputeMissing draws one sample in each replicate, hides cells, and learns from its
// prefixes.
func ComputeMissing(ctx context.Context, job *run.Job, c Config) (*Missing, error) {
	truth, err := Clinic()
	if err != nil {
		return nil, err
	}
	r := &Missing{KL: make([][][][]float64, len(c.Fractions)), Fall: make([]float64, c.MissingReplicates),
		Steps: make([]int, c.MissingReplicates)}
	for f := range r.KL {
		r.KL[f] = make([][][]float64, len(c.MissingSizes))
		for i := range r.KL[f] {
			r.KL[f][i] = make([][]float64, len(MissingModels))
			for m := range r.KL[f][i] {
				r.KL[f][i][m] = make([]float64, c.MissingReplicates)
			}
		}
	}
	methods := []learn.Method{
		learn.MAP{Pseudocount: 1}, learn.MAP{Pseudocount: 1, Constraints: ClinicKnowledge()},
		learn.EM{Pseudocount: 1}, learn.EM{Pseudocount: 1, Constraints: ClinicKnowledge()},
	}
	set := &learn.Settings{Workers: 1, SkipMissing: true}
	err = job.Replicates(ctx, "learn from missing cells", c.MissingReplicates, func(replicate int, _ *rand.PCG) error {
		src := job.Source(missingStream, replicate)
		sample, err := data.Sample(truth, c.MissingSizes[len(c.MissingSizes)-1], src)
		if err != nil {
			return err
		}
		for f, fraction := range c.Fractions {
			holes, err := Hide(sample, fraction, src)
			if err != nil {
				return err
			}
			for i, size := range c.MissingSizes {
				for m, method := range methods {
					fit, err := learn.Fit(ctx, truth, holes.Head(size), method, set)
					if err != nil {
						return err
					}
					if r.KL[f][i][m][replicate], err = metric.NetworkKL(truth, fit.Net); err != nil {
						return err
					}
				}
			}
			for _, statements := range [][]constraint.Constraint{nil, ClinicKnowledge()} {
				fit, err := learn.Fit(ctx, truth, holes.Head(c.MissingSizes[0]), learn.EM{Constraints: statements}, set)
				if err != nil {
					return err
				}
				for k := 1; k < len(fit.Trace); k++ {
					fall := (fit.Trace[k-1].LogLikelihood - fit.Trace[k].LogLikelihood) / -fit.LogLikelihood
					r.Fall[replicate] = max(r.Fall[replicate], fall)
					r.Steps[replicate]++
				}
			}
		}
		return nil
	})
	return r, err
}
