package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/internal/pool"
	"bnlab/internal/say"
	"bnlab/internal/weigh"
)

// gapChains run side by side. In each, gapBurnIn sweeps come first; then blocks of gapBlock sweeps are kept, first
// leastBlocks of them, then twice as many until probabilities of statements are certain enough, or mostBlocks.
const (
	gapChains   = 4
	gapBurnIn   = 32
	gapBlock    = 16
	leastBlocks = 4
	mostBlocks  = 64
	// gapError is the standard error of a probability that is aimed at, gapWeighing that within a sweep, whose errors
	// cancel over sweeps.
	gapError    = 0.008
	gapWeighing = 0.05
	// gapDrawing is the stream of a chain beyond those of weigh and base.
	gapDrawing = 2
)

// isOpenTo reports whether a table has a missing cell of the network's variables, and returns an error for a variable
// that no row has: its states have no names, so a mean over them says nothing.
func isOpenTo(net *bn.Network, t *data.Table) (bool, error) {
	open := false
	for _, v := range net.Variables() {
		c, err := t.Column(v.Name)
		if err != nil {
			return false, nil // counting says what is wrong
		}
		seen := false
		for row := range t.Rows() {
			if c.IsMissing(row) {
				open = true
			} else {
				seen = true
			}
		}
		if !seen {
			return false, say.Errorf("learn: %q is observed in no row, and a mean over names of its states says "+
				"nothing; fit by learn.EM", v.Name)
		}
	}
	return open, nil
}

// fitGaps is the fit to cases with missing cells, by data augmentation over the subsets too: a sweep draws the missing
// cells given the tables; given the completed cases the subsets have the weights of complete cases, of which one is
// drawn, and tables under it.
func (m Averaged) fitGaps(ctx context.Context, p *problem, t *data.Table, set *Settings) (*Result, error) {
	plan, err := infer.NewPlan(p.net, t, &infer.Options{Workers: set.Workers})
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	run, err := m.augment(ctx, p.tables, p.net, t, set.Workers)
	if err != nil {
		return nil, err
	}
	theta, stderr := run.mean(func(b *gapSums) []float64 { return b.theta })
	counts, _ := run.mean(func(b *gapSums) []float64 { return b.n })
	done := *p
	done.method = found{m, &constraint.Solution{Theta: theta}}
	r, err := done.fit(ctx, &data.Counts{Layout: p.net.Layout(), Rows: t.TotalWeight(), N: counts}, nil)
	if err != nil {
		return nil, err
	}
	if r.LogLikelihood, err = plan.LogLikelihood(theta); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	r.Solution, r.Pseudocounts, r.Expected = nil, run.chains[0].pseudo, true
	r.Trace = []Step{{Iteration: 1, LogLikelihood: r.LogLikelihood, Objective: r.LogLikelihood}}
	r.Means = &Means{Draws: m.Draws, Seed: m.Seed, StdErr: slices.Max(append(stderr, 0))}
	r.Weighing = run.weighing()
	r.rows = &fittedRows{table: t, method: m, set: *set}
	if run.ended {
		r.Status = Interrupted
	}
	return r, nil
}

// A gapRun is chains that complete cases, and what they saw.
type gapRun struct {
	chains []*gapChain
	blocks int  // of each chain at least
	ended  bool // by a done context
}

// A gapChain is one chain.
type gapChain struct {
	*averaging
	complete func(n, theta []float64, rng *rand.Rand) error
	keep     func(a *average) // sees what each sweep after the burn-in says of n; nil for nobody
	rng      *rand.Rand
	names    []string
	theta, n []float64
	at       map[int]int
	blocks   []*gapSums
}

// gapSums are sums over sweeps, which mean divides.
type gapSums struct {
	sweeps        float64
	theta, n      []float64
	before, after []float64 // by statement
	poor          []float64 // one number
	weights       map[string]float64
	subsets       map[string]Imposed
}

// augment runs the chains until the probabilities of the statements are certain enough.
func (m Averaged) augment(ctx context.Context, p *constraint.Problem, net *bn.Network, t *data.Table, workers int) (
	*gapRun, error) {
	run := &gapRun{}
	for i := range gapChains {
		c, err := m.gapChain(p, net, t, uint64(i))
		if err != nil {
			return nil, err
		}
		run.chains = append(run.chains, c)
	}
	for more := leastBlocks; more > 0 && run.blocks < mostBlocks; more = run.blocks {
		errs := make([]error, gapChains)
		pool.Each(gapChains, pool.Workers(workers), func(i int) { errs[i] = run.chains[i].extend(ctx, more) })
		err := errors.Join(errs...)
		if run.ended = err != nil && ctx.Err() != nil && run.blocks >= leastBlocks; run.ended {
			break
		}
		if err != nil {
			return nil, err
		}
		run.blocks += more
		_, stderr := run.mean(func(b *gapSums) []float64 { return b.after })
		if slices.Max(append(stderr, 0)) <= gapError {
			break
		}
	}
	return run, nil
}

// gapChain prepares a chain. Half of them begin with completions under what all statements say, as far as they leave
// any tables, and half under none of those that are weighed.
func (m Averaged) gapChain(p *constraint.Problem, net *bn.Network, t *data.Table, stream uint64) (*gapChain, error) {
	a, err := m.averaging(p, net)
	if err != nil {
		return nil, err
	}
	c := &gapChain{averaging: a, rng: rand.New(rand.NewPCG(m.Seed, gapDrawing+stream)), at: make(map[int]int),
		n: make([]float64, len(a.pseudo))}
	c.known = make(map[[7]float64]float64)
	certain := &Result{Net: net, Statements: m.statements()}
	if c.complete, _, err = certain.Completion(t, a.pseudo); err != nil {
		return nil, err
	}
	for v, x := range net.Variables() {
		lo, hi := net.Layout().Family(v)
		for cell := lo; cell < hi; cell++ {
			c.at[cell] = len(c.at)
		}
		if x.IsDiscrete() {
			c.names = append(c.names, x.Name)
		}
	}
	start := p
	if stream%2 == 0 {
		if all, err := constraint.Compile(net, m.Constraints...); err == nil {
			start = all
		}
	}
	c.theta = make([]float64, len(c.n))
	one := &constraint.Sampling{Draws: 1, Src: c.rng}
	if _, err := start.PosteriorMean(context.Background(), c.theta, c.n, a.pseudo, one); err != nil {
		return nil, say.Errorf("learn: no posterior mean: %w", err)
	}
	return c, nil
}

// extend adds blocks of sweeps.
func (c *gapChain) extend(ctx context.Context, blocks int) error {
	if len(c.blocks) == 0 {
		for range gapBurnIn {
			if _, err := c.sweep(ctx); err != nil {
				return err
			}
		}
	}
	for range blocks {
		s := newGapSums(len(c.n), len(c.m.weighing().Statements))
		for range gapBlock {
			a, err := c.sweep(ctx)
			if err != nil {
				return err
			}
			s.add(c.n, a)
			if c.keep != nil {
				c.keep(a)
			}
		}
		c.blocks = append(c.blocks, s)
	}
	return nil
}

// sweep completes the cases, weighs what they say, and draws tables.
func (c *gapChain) sweep(ctx context.Context) (*average, error) {
	if err := ctx.Err(); err != nil {
		return nil, say.Errorf("learn: while missing cells were drawn: %w", err)
	}
	if err := c.complete(c.n, c.theta, c.rng); err != nil {
		return nil, err
	}
	one := &constraint.Sampling{Draws: 1, Src: c.rng}
	a, err := c.of(ctx, c.n, one, weigh.Options{Seed: c.rng.Uint64(), Workers: 1, Error: gapWeighing})
	if err != nil {
		return nil, err
	}
	drawn, err := c.base.Draw(ctx, c.n, c.pseudo, one, c.names...)
	if err != nil {
		return nil, say.Errorf("learn: while tables were drawn: %w", err)
	}
	isPoor := []bool{c.rng.Float64() < a.weighing.PoorAfter}
	for number, g := range c.groups {
		if err := a.weighing.drawGroup(ctx, drawn.Theta, c.net, g, number, c.at, isPoor, c.n, c.pseudo,
			c.rng); err != nil {
			return nil, err
		}
	}
	copy(c.theta, drawn.Theta[0])
	return a, nil
}

func newGapSums(cells, statements int) *gapSums {
	return &gapSums{theta: make([]float64, cells), n: make([]float64, cells), before: make([]float64, statements),
		after: make([]float64, statements), poor: make([]float64, 1), weights: make(map[string]float64),
		subsets: make(map[string]Imposed)}
}

func (s *gapSums) add(n []float64, a *average) {
	s.sweeps++
	for cell := range n {
		s.theta[cell] += a.theta[cell]
		s.n[cell] += n[cell]
	}
	for i, b := range a.weighing.Statements {
		s.before[i] += b.Before
		s.after[i] += b.After
	}
	s.poor[0] += a.weighing.PoorAfter
	for _, one := range a.weighing.Subsets {
		key := fmt.Sprint(one.Group, one.Statements)
		s.weights[key] += one.Weight
		s.subsets[key] = one
	}
}

// gapBatches is the number of parts of each chain by which the standard error is found.
const gapBatches = 4

// mean is the mean of some sums over all sweeps, and its standard error by batches of the chains.
func (r *gapRun) mean(of func(*gapSums) []float64) (mean, stderr []float64) {
	var batches [][]float64
	for _, c := range r.chains {
		for part := range slices.Chunk(c.blocks, max(1, len(c.blocks)/gapBatches)) {
			sum, sweeps := make([]float64, len(of(part[0]))), 0.0
			for _, b := range part {
				for i, x := range of(b) {
					sum[i] += x
				}
				sweeps += b.sweeps
			}
			for i := range sum {
				sum[i] /= sweeps
			}
			batches = append(batches, sum)
		}
	}
	k := float64(len(batches))
	mean, stderr = make([]float64, len(batches[0])), make([]float64, len(batches[0]))
	for i := range mean {
		for _, b := range batches {
			mean[i] += b[i] / k
		}
		for _, b := range batches {
			stderr[i] += (b[i] - mean[i]) * (b[i] - mean[i]) / (k * (k - 1))
		}
		stderr[i] = math.Sqrt(stderr[i])
	}
	return mean, stderr
}

// weighing is what the sweeps say of the statements. Marginal likelihoods of subsets are those that their weights
// imply, but for a constant.
func (r *gapRun) weighing() *Weighing {
	w := r.chains[0].m.weighing()
	before, _ := r.mean(func(b *gapSums) []float64 { return b.before })
	after, stderr := r.mean(func(b *gapSums) []float64 { return b.after })
	poor, _ := r.mean(func(b *gapSums) []float64 { return b.poor })
	for i := range w.Statements {
		b := &w.Statements[i]
		b.Before, b.After, b.StdErr = before[i], after[i], stderr[i]
	}
	if !w.Independent {
		w.Poor, w.PoorAfter = poorSource, poor[0]
	}
	weights, subsets, sweeps := make(map[string]float64), make(map[string]Imposed), 0.0
	for _, c := range r.chains {
		for _, b := range c.blocks {
			sweeps += b.sweeps
			for key, s := range b.subsets {
				weights[key] += b.weights[key]
				subsets[key] = s
			}
		}
	}
	for number, g := range r.chains[0].groups {
		logPrior := g.logPrior(w)
		var list []Imposed
		for key, s := range subsets {
			if s.Group == number && weights[key] > 0 {
				s.Weight = weights[key] / sweeps
				s.LogMarginal, s.StdErr = math.Log(s.Weight)-logPrior(g.bits(s.Statements)), 0
				list = append(list, s)
			}
		}
		slices.SortFunc(list, func(a, b Imposed) int {
			return cmp.Compare(g.bits(a.Statements), g.bits(b.Statements))
		})
		w.Subsets = append(w.Subsets, list...)
	}
	return w
}
