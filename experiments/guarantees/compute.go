package guarantees

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Streams of random numbers besides that of the studies, which is 0.
const (
	streamContinuous = iota + 1
	streamSamples
	streamRivals
	streamLines
	streamProcesses // one for each truth
)

// Results are those of all parts.
type Results struct {
	Config Config
	// Identity are the six settings of Theorem 2, Classes those of the conjecture.
	Identity, Classes []summary
	// Exact is the enumeration of small samples, by entry and by sum that a statement ties.
	Exact   []exactness
	Closest []closest
	Courses []*course
	// Simple and Tied are for type 14, where one distribution is the closest and where many are.
	Simple, Tied spreads
}

// Compute draws and learns. Only the job's seed and workers matter; the result does not
// depend on the workers.
func Compute(ctx context.Context, job *run.Job, c Config) (*Results, error) {
	if c.Studies < 2 || c.DataSets < 2 || c.Continuous < 2 || c.Samples < 2 || len(c.Examples) == 0 || c.Rivals < 1 ||
		!(c.Virtual > 0) || c.Examples[0] <= 6 { // the line has six parameters
		return nil, say.Errorf("guarantees: the configuration %+v makes no sense", c)
	}
	r := &Results{Config: c}
	if err := r.variances(ctx, job); err != nil {
		return nil, err
	}
	var err error
	if r.Exact, err = enumerateAll(ctx, job, scenes()); err != nil {
		return nil, err
	}
	if err := r.divergences(ctx, job); err != nil {
		return nil, err
	}
	return r, r.continuousDivergences(ctx, job)
}

// variances is the part of Theorem 2 and of the conjecture.
func (r *Results) variances(ctx context.Context, job *run.Job) error {
	identity, err := identitySettings()
	if err != nil {
		return err
	}
	classes, err := classSettings()
	if err != nil {
		return err
	}
	stock, err := stockTruth()
	if err != nil {
		return err
	}
	settings := append(identity, classes...)
	outcomes := make([][][]outcome, len(settings)+1) // by setting, study and class; the last is continuous
	for i := range outcomes {
		outcomes[i] = make([][]outcome, r.Config.Studies)
	}
	err = job.Replicates(ctx, "draw and learn", r.Config.Studies, func(replicate int, src *rand.PCG) error {
		var err error
		for i, s := range settings {
			if outcomes[i][replicate], err = study(s, r.Config.DataSets, src); err != nil {
				return err
			}
		}
		outcomes[len(settings)][replicate], err = continuousStudy(stock, stockExamples, stockClasses(),
			r.Config.Continuous, job.Source(streamContinuous, replicate))
		return err
	})
	if err != nil {
		return err
	}
	for i, s := range settings {
		for j, c := range s.classes {
			one := newSummary(s, c, column(outcomes[i], j))
			if i < len(identity) {
				r.Identity = append(r.Identity, one)
			} else {
				r.Classes = append(r.Classes, one)
			}
		}
	}
	s := setting{name: fmt.Sprintf("linear-Gaussian node with 4 parents, %d examples", stockExamples)}
	for j, c := range stockClasses() {
		r.Classes = append(r.Classes, newSummary(s, c, column(outcomes[len(settings)], j)))
	}
	slices.SortStableFunc(r.Classes, func(a, b summary) int { return a.class.number - b.class.number })
	return nil
}

// column gathers the outcomes of one class over the studies.
func column(studies [][]outcome, class int) []outcome {
	out := make([]outcome, len(studies))
	for i, classes := range studies {
		out[i] = classes[class]
	}
	return out
}

// divergences is the part of Theorems 3 and 4 and of Corollary 5.
func (r *Results) divergences(ctx context.Context, job *run.Job) error {
	one, err := oneTruth()
	if err != nil {
		return err
	}
	word, err := wordTruth()
	if err != nil {
		return err
	}
	onePath, err := newPath(one, "free, one distribution", oneClasses())
	if err != nil {
		return err
	}
	wordPath, err := newPath(word, "free, four distributions", wordClasses())
	if err != nil {
		return err
	}
	if err := converge(ctx, job, r.Config, []*path{onePath, wordPath}); err != nil {
		return err
	}
	r.Courses = append(onePath.courses, wordPath.courses...)
	slices.SortStableFunc(r.Courses, func(a, b *course) int { return a.class.number - b.class.number })

	job.Step("look for a closer distribution")
	for _, c := range oneClasses() {
		if err := r.compete(ctx, job, one, c); err != nil {
			return err
		}
	}
	for _, c := range wordClasses() {
		if err := r.compete(ctx, job, word, c); err != nil {
			return err
		}
	}
	slices.SortStableFunc(r.Closest, func(a, b closest) int { return a.class.number - b.class.number })
	return nil
}

func (r *Results) compete(ctx context.Context, job *run.Job, truth *bn.Network, c class) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	one, err := compete(truth, c, r.Config.Rivals, job.Source(streamRivals, c.number))
	r.Closest = append(r.Closest, one)
	return err
}
