package learn

import (
	"context"
	"math"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/internal/num"
	"bnlab/internal/pool"
	"bnlab/internal/say"
	"bnlab/internal/weigh"
)

// askedBlocks is the number of blocks of sweeps of a chain of which the completions are kept, and askedBatches the
// number of parts of a chain by which the standard error is found. Every askedStride-th completion is weighed, and
// twice as many until the error of the gain is below askedGain of it and that of the probability below askedError.
const (
	askedBlocks  = 16
	askedBatches = 4
	askedStride  = 8
	askedGain    = 0.05
)

// completed are counts of completed cases, and what they say without a candidate.
type completed struct {
	n, theta []float64
	source   [][2]float64 // by group, log probability of a reliable source and a poor one
}

// completeAll draws the missing cells of the cases from their posterior under the fit's statements.
func (e *elicitation) completeAll(ctx context.Context) error {
	m := e.weighing.Method(e.r.Statements, PosteriorMean{Alpha: alphaOf(e.r.Net, e.pseudo), Seed: e.set.Seed})
	p, err := constraint.Compile(e.r.Net, e.r.Statements...)
	if err != nil {
		return say.Errorf("learn: %w", err)
	}
	kept, errs := make([][]completed, gapChains), make([]error, gapChains)
	pool.Each(gapChains, pool.Workers(e.set.Workers), func(i int) {
		c, err := m.gapChain(p, e.r.Net, e.r.rows.table, uint64(i))
		if err != nil {
			errs[i] = err
			return
		}
		c.keep = func(a *average) {
			one := completed{n: slices.Clone(c.n), theta: a.theta}
			for _, g := range c.groups {
				one.source = append(one.source, [2]float64{g.logReliable, g.logP})
			}
			kept[i] = append(kept[i], one)
		}
		errs[i] = c.extend(ctx, askedBlocks)
	})
	for i := range kept {
		if errs[i] != nil {
			return errs[i]
		}
		e.gaps = append(e.gaps, kept[i]...)
	}
	return nil
}

// A candidate is one statement in its group of a weighing.
type candidate struct {
	group        *group
	of           *Weighing
	bit, reverse int
	isNew        bool
}

// askGaps finds what a candidate is worth when cells are missing. Completions come from the posterior without a new
// candidate; with it, its reverse and neither in their prior they have the weight
//
//	Σ_S π(S) P(completed cases | S) / Σ_S without both π(S) P(completed cases | S)
//
// and given each the means are those of complete cases. Of other groups' tables they are taken as independent of
// whether the candidate holds, given the completed cases.
func (e *elicitation) askGaps(ctx context.Context, q *Question, c candidate, o weigh.Options, seed uint64) error {
	o.Draws, o.Error = 0, gapWeighing
	layout := e.r.Net.Layout()
	whole := &weigh.Problem{First: []int{0}}
	var visits []float64
	for v := range e.r.Net.Len() {
		t := e.r.Net.CPT(v)
		for config := range t.Configs().Len() {
			_, hi := layout.Row(v, config)
			whole.First = append(whole.First, hi)
			visits = append(visits, e.visits[constraint.Row{Var: v, Config: config}])
		}
	}
	known := make(map[[7]float64]float64)
	if o.Workers != 1 {
		known = nil
	}
	all := make([]said, gapChains*askedBatches)
	for i := range all {
		all[i] = said{mean: make([]float64, layout.Len()), held: make([]float64, layout.Len())}
	}
	for stride := askedStride; stride > 0; stride /= 2 {
		for i, one := range e.gaps {
			if i%stride != 0 || stride < askedStride && i%(2*stride) == 0 {
				continue // not yet, or already
			}
			o.Seed = seed + uint64(i)
			if err := e.askCompleted(ctx, q, c, o, one, known, &all[i*len(all)/len(e.gaps)]); err != nil {
				return err
			}
		}
		if stderr := e.answer(q, whole, all, visits); stderr <= askedError && q.StdErr <= askedGain*q.Gain {
			break
		}
	}
	return nil
}

// askCompleted adds to the sums what one completion says.
func (e *elicitation) askCompleted(ctx context.Context, q *Question, c candidate, o weigh.Options, one completed,
	known map[[7]float64]float64, s *said) error {
	p := c.group.problem(one.n, e.pseudo)
	p.Known = known
	if c.reverse >= 0 {
		p.Statements = append(p.Statements, reversed(p.Statements[c.bit]))
	}
	var elsewhere [2]float64
	for number, other := range e.groups {
		if c.group.isElsewhere(other) {
			elsewhere[0] += one.source[number][0]
			elsewhere[1] += one.source[number][1]
		}
	}
	o.LogPrior = e.logPrior(c.group, c.of, c.bit, c.reverse, c.isNew, elsewhere)
	list, err := weighCandidate(ctx, q.Statement, p, o, c.bit)
	if err != nil {
		return err
	}
	weights, logAll := weigh.Weights(list, o.LogPrior)
	weight := 1.0
	if c.isNew {
		neither := math.Inf(-1)
		for _, s := range list {
			if !c.has(s.Imposed) {
				neither = num.LogSum(neither, o.LogPrior(s.Imposed)+s.LogMarginal)
			}
		}
		weight = math.Exp(logAll-neither) * e.neither(c.reverse)
	}
	mean, held := make([]float64, len(p.Prior)), make([]float64, len(p.Prior))
	weigh.Mean(mean, list, weights)
	holds := weigh.Held(held, list, weights, c.bit)
	s.weight += weight
	s.holds += weight * holds
	mean, held = c.group.spread(mean, 1), c.group.spread(held, holds)
	of, whenHeld := slices.Clone(one.theta), make([]float64, len(one.theta))
	for cell, x := range of {
		whenHeld[cell] = x * holds
	}
	for k, cell := range c.group.cells {
		of[cell], whenHeld[cell] = mean[k], held[k]
	}
	for cell := range of {
		s.mean[cell] += weight * of[cell]
		s.held[cell] += weight * whenHeld[cell]
	}
	return nil
}

// has reports whether a subset has the candidate or its reverse.
func (c candidate) has(subset uint64) bool {
	return subset>>c.bit&1 == 1 || c.reverse >= 0 && subset>>c.reverse&1 == 1
}
