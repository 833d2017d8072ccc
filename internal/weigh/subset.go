package weigh

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"bnlab/internal/rows"
)

// A Subset is what is known of the tables when these statements are imposed, and no others.
type Subset struct {
	Imposed uint64 // bit i is statement i
	// LogMarginal is that of the counts, −∞ where the statements leave no volume; StdErr is 0 for a closed form.
	LogMarginal, StdErr float64
	Mean                []float64 // posterior mean of each cell
	// Before and After are the probabilities that each statement holds, without and with the counts; 1 when imposed.
	Before, After []float64
	sampler       *sampler
}

// A sampler refines a subset.
type sampler struct {
	p            *Problem
	subset       *Subset
	inequalities []rows.Row
	rng          *rand.Rand

	betas    []float64 // of the chains of the ladder; the last alone for a closed form
	tempered *moves    // of the distributions of the ladder
	plain    *moves    // of the others, in the last chain
	all      *moves
	chains   []*chain
	l        []float64
	series   [][]float64 // log-likelihood by chain and sweep
	cells    []int       // of the ladder, with counts

	prior   *chain
	before  []int // sweeps of the prior chain in which a statement held
	held    []uint64
	sums    [batches][]float64 // of cells
	sizes   [batches]int
	isExact bool       // LogMarginal and Mean are closed forms
	log     [2]float64 // log P(C_S), before and after, if exact
	exactP  []bool     // by statement, Before and After are closed forms
}

// burnIn is how many sweeps chains make first.
const burnIn = 30

// open starts the chains of a subset at a point inside, nil for none. A done context leaves them where they are; what
// the subset says then means nothing.
func (p *Problem) open(ctx context.Context, imposed uint64, inside []float64, seed uint64) *Subset {
	k := len(p.Statements)
	s := &Subset{Imposed: imposed, LogMarginal: math.Inf(-1), Mean: make([]float64, p.cells()),
		Before: make([]float64, k), After: make([]float64, k)}
	if inside == nil {
		return s
	}
	t := &sampler{p: p, subset: s, inequalities: p.imposed(imposed),
		rng: rand.New(rand.NewPCG(seed, imposed)), before: make([]int, k), exactP: make([]bool, k)}
	s.sampler = t
	for b := range t.sums {
		t.sums[b] = make([]float64, p.cells())
	}
	post := p.exponents(1)
	if list, ok := p.closed(t.inequalities); ok {
		t.isExact = true
		t.log = p.logProbabilities(list, post)
		p.mean(s.Mean, list, post)
		s.LogMarginal = p.logFree() + t.log[1] - t.log[0]
		for i := range k {
			t.exact(i, post)
		}
		if !slices.Contains(t.exactP, false) {
			s.sampler = nil // there is nothing to simulate
			return s
		}
	}
	all := func(int) bool { return true }
	t.all = p.newMoves(t.inequalities, all)
	start := func(beta float64) *chain {
		src := rand.NewPCG(t.rng.Uint64(), t.rng.Uint64())
		return newChain(inside, p.exponents(beta), t.inequalities, rand.New(src))
	}
	t.prior = start(0)
	if t.isExact {
		t.betas, t.plain = []float64{1}, t.all
		t.tempered = p.newMoves(nil, func(int) bool { return false })
		t.chains = []*chain{start(1)}
	} else {
		linked := make([]bool, len(p.First)-1)
		for _, q := range t.inequalities {
			for _, cell := range q.Index {
				linked[p.row(cell)] = true
			}
		}
		use := func(r int) bool { return linked[r] }
		t.betas = p.ladder(use)
		t.tempered = p.newMoves(t.inequalities, use)
		t.plain = p.newMoves(t.inequalities, func(r int) bool { return !linked[r] })
		for cell, n := range p.Counts {
			if n > 0 && linked[p.row(cell)] {
				t.cells = append(t.cells, cell)
			}
		}
		for _, beta := range t.betas {
			t.chains = append(t.chains, start(beta))
		}
	}
	t.l, t.series = make([]float64, len(t.chains)), make([][]float64, len(t.chains))
	for range burnIn {
		if ctx.Err() != nil {
			return s
		}
		t.sweep()
		t.prior.sweep(t.all, t.inequalities)
	}
	for _, c := range append([]*chain{t.prior}, t.chains...) {
		c.far = false
	}
	return s
}

// row is the distribution of a cell.
func (p *Problem) row(cell int) int {
	r := 0
	for p.First[r+1] <= cell {
		r++
	}
	return r
}

// logProbabilities are those of singles before and after.
func (p *Problem) logProbabilities(list []single, post []float64) (out [2]float64) {
	for _, s := range list {
		out[0] += p.logProbability(s, p.Prior)
		out[1] += p.logProbability(s, post)
	}
	return out
}

// exact fills in whether a statement holds where that is a closed form.
func (t *sampler) exact(i int, post []float64) {
	s := t.subset
	if s.Imposed>>i&1 == 1 {
		s.Before[i], s.After[i], t.exactP[i] = 1, 1, true
		return
	}
	list, ok := t.p.closed(t.p.imposed(s.Imposed | 1<<i))
	if !ok {
		return
	}
	log := t.p.logProbabilities(list, post)
	s.Before[i] = math.Min(1, math.Exp(log[0]-t.log[0]))
	s.After[i] = math.Min(1, math.Exp(log[1]-t.log[1]))
	t.exactP[i] = true
}

// sweep moves all chains of the ladder once, and lets them exchange places.
func (t *sampler) sweep() {
	for k, c := range t.chains {
		c.sweep(t.tempered, t.inequalities)
		l := 0.0
		for _, cell := range t.cells {
			l += t.p.Counts[cell] * math.Log(c.x[cell])
		}
		t.l[k] = l
	}
	last := t.chains[len(t.chains)-1]
	if len(t.chains) > 1 {
		x := last.x
		if len(t.plain.i) > 0 {
			x = append([]float64(nil), x...)
		}
		exchange(t.chains, t.l, t.betas, last.sweeps, t.rng)
		// The distributions outside the ladder are only in the last chain, and stay there.
		for k := range t.plain.i {
			last.x[t.plain.i[k]], last.x[t.plain.j[k]] = x[t.plain.i[k]], x[t.plain.j[k]]
		}
	}
	last.sweep(t.plain, t.inequalities)
}

// refine makes so many more sweeps, or those until ctx is done, which change nothing.
func (s *Subset) refine(ctx context.Context, sweeps int) {
	t := s.sampler
	if t == nil || sweeps <= 0 {
		return
	}
	last := t.chains[len(t.chains)-1]
	for n := range sweeps {
		if ctx.Err() != nil {
			return
		}
		t.sweep()
		for k := range t.series {
			t.series[k] = append(t.series[k], t.l[k])
		}
		var held uint64
		for i, q := range t.p.Statements {
			if !t.exactP[i] && s.Imposed>>i&1 == 0 && holds(last.x, q) {
				held |= 1 << i
			}
		}
		t.held = append(t.held, held)
		b := n * batches / sweeps
		t.sizes[b]++
		for cell, x := range last.x {
			t.sums[b][cell] += x
		}
		if n%2 == 0 {
			t.prior.sweep(t.all, t.inequalities)
			for i, q := range t.p.Statements {
				if !t.exactP[i] && s.Imposed>>i&1 == 0 && holds(t.prior.x, q) {
					t.before[i]++
				}
			}
		}
	}
	t.conclude()
}

// conclude turns what the chains have seen into the numbers of the subset.
func (t *sampler) conclude() {
	s := t.subset
	n := len(t.held)
	priors := t.prior.sweeps - burnIn
	for i := range s.Before {
		switch {
		case t.exactP[i]:
		case s.Imposed>>i&1 == 1:
			s.Before[i], s.After[i] = 1, 1
		default:
			s.Before[i] = float64(t.before[i]) / float64(max(priors, 1))
			count := 0
			for _, h := range t.held {
				count += int(h >> i & 1)
			}
			s.After[i] = float64(count) / float64(n)
		}
	}
	if t.isExact {
		return
	}
	size := 0
	clear(s.Mean)
	for b, sum := range t.sums {
		size += t.sizes[b]
		for cell, x := range sum {
			s.Mean[cell] += x
		}
	}
	for cell := range s.Mean {
		s.Mean[cell] /= float64(size)
	}
	// The ladder has the distributions with inequalities; the others have closed forms.
	off := make([]float64, batches)
	log := 0.0
	for k := range len(t.betas) - 1 {
		log += bridge(t.series[k], t.series[k+1], t.betas[k+1]-t.betas[k], off)
	}
	linked := make([]bool, len(t.p.First)-1)
	for k := range t.tempered.i {
		linked[t.p.row(int(t.tempered.i[k]))] = true
	}
	post := t.p.exponents(1)
	for r, isLinked := range linked {
		if lo, hi := t.p.First[r], t.p.First[r+1]; !isLinked {
			log += logBeta(post[lo:hi]) - logBeta(t.p.Prior[lo:hi])
		}
	}
	variance := 0.0
	for _, d := range off {
		variance += d * d / (batches * (batches - 1))
	}
	s.LogMarginal, s.StdErr = log, math.Sqrt(variance)
}

// errorOfHolds is the variance of After of a statement, by batches.
func (s *Subset) errorOfHolds(i int) float64 {
	t := s.sampler
	if t == nil || t.exactP[i] || s.Imposed>>i&1 == 1 || len(t.held) < batches {
		return 0
	}
	var counts [batches]float64
	n := len(t.held)
	for k, h := range t.held {
		counts[k*batches/n] += float64(h >> i & 1)
	}
	variance, each := 0.0, float64(n)/batches
	for _, c := range counts {
		d := c/each - s.After[i]
		variance += d * d / (batches * (batches - 1))
	}
	return variance
}

// errorOfMean is the variance of the mean of a cell, by batches.
func (s *Subset) errorOfMean(cell int) float64 {
	t := s.sampler
	if t == nil || t.isExact {
		return 0
	}
	variance := 0.0
	for b, sum := range t.sums {
		d := sum[cell]/float64(max(1, t.sizes[b])) - s.Mean[cell]
		variance += d * d / (batches * (batches - 1))
	}
	return variance
}

// sweeps made so far.
func (s *Subset) sweeps() int {
	if s.sampler == nil {
		return 0
	}
	return len(s.sampler.held)
}

// Size is the number of statements imposed.
func (s *Subset) Size() int { return bits.OnesCount64(s.Imposed) }
