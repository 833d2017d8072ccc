package constraints

import (
	"context"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/learn/sharing"
	"bnlab/bnkit/metric"
	"bnlab/experiments/run"
	n06 "bnlab/experiments/sharing"
	"bnlab/internal/folds"
)

// The ways to know what is shared: not at all, by an oracle, or by a search in the data. The
// Bayes factor comes with both priors of sharing.Settings, of which the first is its default. An average picks
// nothing: it weighs all partitions, or those into runs of neighbours in the order declared.
const (
	none            = "none"
	oracle          = "oracle"
	bayesFactor     = "Bayes factor"
	restricted      = "Bayes factor, restricted prior"
	crossValidation = "cross-validation"
	averaged        = "averaged"
	averagedRuns    = "averaged over runs"
)

// Learned is sharing found in data, by size, method and replicate: the divergence of the
// estimate from the truth in nats, and how far the groups agree with the true ones.
type Learned struct {
	Sizes   []int
	Methods []string // none and oracle, then searches
	KL, ARI [][][]float64
}

// A puzzle is a truth with groups that are to be found.
type puzzle struct {
	truth  *bn.Network
	oracle constraint.Constraint
	groups []int // the true group of each member
	v      int   // the variable with the groups
	find   func(context.Context, *bn.Network, *data.Counts, *sharing.Settings) (*sharing.Groups, error)
}

// sharedStates is N06 §5.1's truth: which of 50 states are equally likely?
func sharedStates(rng *rand.Rand) (*puzzle, error) {
	truth, statement, err := n06.DrawTruth(n06.Paper(), rng)
	if err != nil {
		return nil, err
	}
	p := &puzzle{truth: truth, oracle: statement, groups: make([]int, len(truth.CPT(0).P))}
	for state := range p.groups {
		p.groups[state] = len(statement.Groups) + state
	}
	for g, names := range statement.Groups {
		for _, name := range names {
			state, err := truth.Variable(0).StateIndex(name)
			if err != nil {
				return nil, err
			}
			p.groups[state] = g
		}
	}
	p.find = func(ctx context.Context, net *bn.Network, counts *data.Counts, set *sharing.Settings) (
		*sharing.Groups, error) {
		return sharing.GroupStates(ctx, net, counts, "X", nil, set)
	}
	return p, nil
}

// sharedRows is a small network: the risk of Y depends on four causes with 24 joint
// states, but only through what two of them are, so that there are 6 distributions. They
// are drawn uniformly.
func sharedRows(rng *rand.Rand) (*puzzle, error) {
	truth, err := bn.New("[A][B][C][D][Y|A:B:C:D]", bn.Discrete("A", "1", "2", "3"), bn.Discrete("B", "1", "2"),
		bn.Discrete("C", "1", "2"), bn.Discrete("D", "1", "2"), bn.Discrete("Y", "low", "middle", "high"))
	if err != nil {
		return nil, err
	}
	t := truth.CPT(4)
	p := &puzzle{truth: truth, v: 4, oracle: constraint.ShareAcross{Var: "Y", ForEach: []string{"A", "B"}},
		groups: make([]int, t.Configs().Len())}
	for config := range p.groups {
		p.groups[config] = config / 4 // C and D vary fastest
		if config%4 == 0 {
			drawRow(t.Row(config), rng)
		}
		copy(t.Row(config), t.Row(config-config%4))
	}
	p.find = func(ctx context.Context, net *bn.Network, counts *data.Counts, set *sharing.Settings) (
		*sharing.Groups, error) {
		return sharing.GroupRows(ctx, net, counts, "Y", set)
	}
	return p, nil
}

// drawRow draws a distribution uniformly.
func drawRow(row []float64, rng *rand.Rand) {
	sum := 0.0
	for i := range row {
		row[i] = rng.ExpFloat64()
		sum += row[i]
	}
	for i := range row {
		row[i] /= sum
	}
}

// ComputeLearned draws a puzzle and a sample in each replicate, and learns from the
// sample's prefixes: first the groups, then the tables under them (MAP with one virtual
// case in each entry, as everywhere).
func ComputeLearned(ctx context.Context, job *run.Job, step string, draw func(*rand.Rand) (*puzzle, error),
	stream uint32, c Config, methods ...string) (*Learned, error) {
	r := &Learned{Sizes: c.LearnedSizes, Methods: methods, KL: make([][][]float64, len(c.LearnedSizes)),
		ARI: make([][][]float64, len(c.LearnedSizes))}
	for i := range r.KL {
		for range methods {
			r.KL[i] = append(r.KL[i], make([]float64, c.LearnedReplicates))
			r.ARI[i] = append(r.ARI[i], make([]float64, c.LearnedReplicates))
		}
	}
	err := job.Replicates(ctx, step, c.LearnedReplicates, func(replicate int, _ *rand.PCG) error {
		src := job.Source(stream, replicate)
		p, err := draw(rand.New(src))
		if err != nil {
			return err
		}
		sample, err := data.Sample(p.truth, slices.Max(c.LearnedSizes), src)
		if err != nil {
			return err
		}
		for i, size := range c.LearnedSizes {
			counts, err := sample.Head(size).Count(p.truth, &data.CountOptions{Workers: 1})
			if err != nil {
				return err
			}
			for m, method := range methods {
				if r.KL[i][m][replicate], r.ARI[i][m][replicate], err = p.solve(ctx, method, counts, src); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return r, err
}

// solve finds groups by a method and returns the divergence of the estimate under them
// and their adjusted Rand index.
func (p *puzzle) solve(ctx context.Context, method string, counts *data.Counts, src *rand.PCG) (
	kl, ari float64, err error) {
	var statements []constraint.Constraint
	var mean []float64 // of the variable with the groups, in the place of an estimate under statements
	groups := make([]int, len(p.groups))
	switch method {
	case none:
		for i := range groups {
			groups[i] = i
		}
	case oracle:
		statements, groups = []constraint.Constraint{p.oracle}, p.groups
	case averaged, averagedRuns:
		seed, _ := run.State(src)
		found, err := p.find(ctx, p.truth, counts, &sharing.Settings{Runs: method == averagedRuns, Seed: seed})
		if err != nil {
			return 0, 0, err
		}
		average := found.Average()
		mean, groups = average.Mean, likelyTied(average.Tied)
	default:
		set := &sharing.Settings{Restrict: method == restricted}
		if method == crossValidation {
			set.CrossValidate, set.Folds = true, 10
			set.Seed, set.Stream = run.State(src)
			folds.Deal(counts.Family(p.v), set.Folds, src) // the next size goes on where these folds end
		}
		found, err := p.find(ctx, p.truth, counts, set)
		if err != nil {
			return 0, 0, err
		}
		statements, groups = found.Statements, found.Labels()
	}
	compiled, err := learn.Compile(p.truth, learn.MAP{Pseudocount: 1, Constraints: statements})
	if err != nil {
		return 0, 0, err
	}
	fit, err := compiled.Fit(counts, nil)
	if err != nil {
		return 0, 0, err
	}
	copy(fit.Net.CPT(p.v).P, mean)
	kl, err = metric.NetworkKL(p.truth, fit.Net)
	return kl, metric.AdjustedRandIndex(p.groups, groups), err
}

// likelyTied numbers the groups of members that are linked by pairs more likely tied than not.
func likelyTied(tied [][]float64) []int {
	label := make([]int, len(tied))
	for i := range label {
		label[i] = i
		for j := range i {
			if from, to := label[i], label[j]; tied[i][j] > 0.5 && from != to {
				for k := range label[:i+1] {
					if label[k] == from {
						label[k] = to
					}
				}
			}
		}
	}
	return label
}
