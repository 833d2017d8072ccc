package noisyor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/validate"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Streams of random numbers, one for each part of the experiment and domain.
const (
	foldStream = 100 * (iota + 1)
	curveStream
	worthStream
	penaltyStream
	auditStream
	sweepStream
)

// stream is that of a part and a domain: a domain that is left out changes no other.
func stream(part int, d *Domain) uint32 {
	return uint32(part + slices.IndexFunc(sources(), func(s source) bool { return s.name == d.name }))
}

// A Study is what all learners do in one domain.
type Study struct {
	*Domain
	// AUC is, by learner and draw, the mean over the folds.
	AUC [][]float64
	// Splits is the AUC of each single split, by learner: a fold of a draw, as one bar of the paper is.
	Splits [][]float64
	// Tests of the differences of two learners' AUC are over draws, folds averaged in each; Cautious are over
	// all folds, and allow for training sets that overlap. Both are by pair.
	Tests, Cautious []metric.TTest
	// Chosen is, by learner and candidate, in how many folds it was taken.
	Chosen [][]int
	// Tuned is, by learner, the mean AUC over the first draws, with margin and prior chosen by as many folds as in the
	// paper.
	Tuned []float64
	// NoAUC counts folds in which cases of a kind were lacking.
	NoAUC int
}

// A pair is two learners that are compared.
type pair struct{ a, b int }

// pairs are all of them, the later learner of Y13 Figure 3 first.
func pairs() []pair {
	var all []pair
	for a := range knowledge.Learners() {
		for b := range a {
			all = append(all, pair{a, b})
		}
	}
	return all
}

// crossValidate runs all draws of all domains, and the first ones again with more inner folds.
func crossValidate(ctx context.Context, job *run.Job, c Config, domains []*Domain) ([]*Study, error) {
	folds, err := c.draws(ctx, job, "cross-validate", domains, c.Draws, c.InnerFolds)
	if err != nil {
		return nil, err
	}
	tuned, err := c.draws(ctx, job, "cross-validate, tuned as in the paper", domains, c.TunedDraws, c.TunedFolds)
	if err != nil {
		return nil, err
	}
	studies := make([]*Study, len(domains))
	for i, d := range domains {
		if studies[i], err = newStudy(d, c, folds[i]); err != nil {
			return nil, say.Errorf("domain %s: %w", d.name, err)
		}
		for l := range knowledge.Learners() {
			mean := 0.0
			for _, r := range tuned[i] {
				mean += r.Learners[l].AUC.Value / float64(len(tuned[i]))
			}
			studies[i].Tuned = append(studies[i].Tuned, mean)
		}
	}
	return studies, nil
}

// draws cross-validates the first draws of all domains with so many inner folds, as one step; by domain and draw.
func (c Config) draws(ctx context.Context, job *run.Job, step string, domains []*Domain, draws, inner int) (
	[][]*validate.Result, error) {
	folds := make([][]*validate.Result, len(domains))
	for i := range folds {
		folds[i] = make([]*validate.Result, draws)
	}
	err := job.Replicates(ctx, step, len(domains)*draws, func(task int, _ *rand.PCG) error {
		i, draw := task%len(domains), task/len(domains)
		d, src := domains[i], job.Source(stream(foldStream, domains[i]), draw)
		cases := d.draw(rand.New(src))
		seed, at := run.State(src)
		r, err := validate.CrossValidate(ctx, d.Net, cases, d.Target, d.learners(c, knowledge.Learners()...),
			&validate.Settings{Seed: seed, Stream: at, Folds: c.Folds, InnerFolds: inner, Workers: 1})
		if err != nil {
			return say.Errorf("domain %s: %w", d.name, err)
		}
		folds[i][draw] = r
		return nil
	})
	return folds, err
}

// newStudy gathers the draws of a domain.
func newStudy(d *Domain, c Config, draws []*validate.Result) (*Study, error) {
	s := &Study{Domain: d}
	byFold := make([][]float64, len(knowledge.Learners()))
	for l := range byFold {
		s.AUC = append(s.AUC, make([]float64, len(draws)))
		s.Chosen = append(s.Chosen, make([]int, len(draws[0].Learners[l].Candidates)))
		for draw, r := range draws {
			var values []float64
			for _, f := range r.Learners[l].Folds {
				s.Chosen[l][f.Candidate]++
				if !f.HasAUC {
					s.NoAUC++
					continue
				}
				values = append(values, f.AUC)
			}
			if len(values) == 0 {
				return nil, fmt.Errorf("draw %d has no fold with an AUC", draw+1)
			}
			s.AUC[l][draw] = stat.Mean(values, nil)
			byFold[l] = append(byFold[l], values...)
		}
	}
	s.Splits = byFold
	s.NoAUC /= len(byFold) // the folds are the same for all learners
	for _, p := range pairs() {
		plain, err := metric.PairedT(s.AUC[p.a], s.AUC[p.b], 0)
		if err != nil {
			return nil, err
		}
		cautious, err := metric.PairedT(byFold[p.a], byFold[p.b], 1/float64(c.Folds-1))
		if err != nil {
			return nil, err
		}
		s.Tests, s.Cautious = append(s.Tests, plain), append(s.Cautious, cautious)
	}
	return s, nil
}

// mean is that of a learner over the draws, with its standard error.
func (s *Study) mean(l knowledge.Learner) (mean, stderr float64) {
	values := s.AUC[l]
	mean, sd := stat.MeanStdDev(values, nil)
	return mean, stat.StdErr(sd, float64(len(values)))
}

// difference is the test of learner a against b, over draws and in its cautious form.
func (s *Study) difference(a, b knowledge.Learner) (plain, cautious metric.TTest) {
	for i, p := range pairs() {
		switch p {
		case pair{int(a), int(b)}:
			return s.Tests[i], s.Cautious[i]
		case pair{int(b), int(a)}:
			return turned(s.Tests[i]), turned(s.Cautious[i])
		}
	}
	return metric.TTest{P: 1}, metric.TTest{P: 1}
}

func turned(t metric.TTest) metric.TTest {
	t.Difference, t.T = -t.Difference, -t.T
	return t
}

// significance is the level of Y13's t-tests.
const significance = 0.05

// better reports whether a is significantly better than b.
func (s *Study) better(a, b knowledge.Learner) bool {
	t, _ := s.difference(a, b)
	return t.Difference > 0 && t.P < significance
}
