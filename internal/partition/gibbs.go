package partition

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/internal/num"
)

// MaxSampled is the most items that [Gibbs] takes: it holds a number for each pair.
const MaxSampled = 2000

// Chains and sweeps of [Gibbs], when nothing is said, after half as many that are not counted.
const (
	chains        = 4
	defaultSweeps = 100
	splits        = 10 // proposed after each sweep
)

// Gibbs samples partitions of up to [MaxSampled] items by so many sweeps over the items in each of four chains (0 means
// 100), after half as many that are not counted. Each number of blocks has the same prior, shared evenly by the
// S(m, b) partitions into b blocks (Stirling numbers of the second kind). Two chains start with nothing tied, two with
// everything, and each draws from PCG(seed, its number). Items are moved singly, each move adding the
// probabilities of all places that the item could have gone to, and blocks are split and merged. It is nil when ctx is
// done before the end.
func Gibbs(ctx context.Context, f Family, counts [][]float64, sweeps int, seed uint64) *Average {
	if sweeps == 0 {
		sweeps = defaultSweeps
	}
	if r, ok := f.(remembering); ok {
		f = r.remember()
	}
	m := len(counts)
	out := newAverage(m, len(counts[0]))
	runs := make([]*chain, chains)
	for c := range runs {
		runs[c] = newChain(f, counts, c%2 == 0, rand.New(rand.NewPCG(seed, uint64(c))))
		for range sweeps/2 + 1 {
			if ctx.Err() != nil {
				return nil
			}
			runs[c].sweep(nil)
		}
		a := newAverage(m, len(counts[0]))
		for range sweeps {
			if ctx.Err() != nil {
				return nil
			}
			runs[c].sweep(a)
			if len(runs[c].blocks) == m {
				a.Separate++
			}
		}
		runs[c].finish(a, sweeps)
		out.merge(a, chains)
	}
	for i := range m {
		for j := range i {
			spread := 0.0
			for _, c := range runs {
				d := c.tied[i][j] - out.Tied[i][j]
				spread += d * d
			}
			out.StdErr = max(out.StdErr, math.Sqrt(spread/(chains*(chains-1))))
		}
	}
	return out
}

// merge adds a part of so many.
func (a *Average) merge(part *Average, parts int) {
	w := 1 / float64(parts)
	a.Separate += w * part.Separate
	for i := range a.Tied {
		for j := range a.Tied[i] {
			if i != j {
				a.Tied[i][j] += w * part.Tied[i][j]
			}
		}
		for j := range a.Mean[i] {
			a.Mean[i][j] += w * part.Mean[i][j]
		}
	}
}

// A block of a partition, with what its items sum to.
type block struct {
	items  []int
	pooled []float64
	score  float64
}

// A chain of partitions.
type chain struct {
	Family
	counts [][]float64
	rng    *rand.Rand
	blocks []*block
	of     []*block
	more   []float64 // log prior of one partition into b+1 blocks less that of b
	weight []float64
	union  []float64
	mean   []float64
	tied   [][]float64 // the chain's own, when it has ended
}

func newChain(f Family, counts [][]float64, separate bool, rng *rand.Rand) *chain {
	m, width := len(counts), len(counts[0])
	c := &chain{Family: f, counts: counts, rng: rng, of: make([]*block, m), weight: make([]float64, m+1),
		union: make([]float64, width), mean: make([]float64, width)}
	stirling := logStirling(m)
	for b := 1; b < m; b++ {
		c.more = append(c.more, stirling[b]-stirling[b+1])
	}
	for i := range m {
		if separate || i == 0 {
			c.blocks = append(c.blocks, &block{pooled: make([]float64, width)})
		}
		b := c.blocks[len(c.blocks)-1]
		c.of[i] = b
		b.items = append(b.items, i)
		for j, x := range counts[i] {
			b.pooled[j] += x
		}
	}
	for _, b := range c.blocks {
		b.score = f.Score(b.pooled, len(b.items))
	}
	return c
}

// sweep moves each item once, and adds what it saw.
func (c *chain) sweep(a *Average) {
	for i := range c.counts {
		c.take(i)
		// The places: each block, and a new one.
		best := math.Inf(-1)
		for k, b := range c.blocks {
			c.join(b, i)
			c.weight[k] = c.Score(c.union, len(b.items)+1) - b.score
			best = max(best, c.weight[k])
		}
		last := len(c.blocks)
		c.weight[last] = c.Score(c.counts[i], 1)
		if last > 0 {
			c.weight[last] += c.more[last-1]
		}
		best = max(best, c.weight[last])
		total := 0.0
		for k := range last + 1 {
			c.weight[k] = math.Exp(c.weight[k] - best)
			total += c.weight[k]
		}
		if a != nil {
			for k, b := range c.blocks {
				p := c.weight[k] / total
				for _, j := range b.items {
					a.Tied[i][j] += p
				}
				c.join(b, i)
				c.Mean(c.mean, c.union, len(b.items)+1)
				for j, x := range c.mean {
					a.Mean[i][j] += p * x
				}
			}
			c.Mean(c.mean, c.counts[i], 1)
			for j, x := range c.mean {
				a.Mean[i][j] += c.weight[last] / total * x
			}
		}
		c.put(i, choose(c.weight[:last+1], c.rng.Float64()*total))
	}
	if len(c.counts) > 1 {
		for range splits {
			c.splitMerge()
		}
	}
}

// choose returns the first number at which the sum of the weights exceeds u.
func choose(weights []float64, u float64) int {
	for k, w := range weights[:len(weights)-1] {
		if u -= w; u < 0 {
			return k
		}
	}
	return len(weights) - 1
}

// finish divides the sums by the sweeps; a pair was seen from both of its items.
func (c *chain) finish(a *Average, sweeps int) {
	n := float64(sweeps)
	a.Separate /= n
	for i := range a.Tied {
		for j := range i {
			p := (a.Tied[i][j] + a.Tied[j][i]) / (2 * n)
			a.Tied[i][j], a.Tied[j][i] = p, p
		}
		for j := range a.Mean[i] {
			a.Mean[i][j] /= n
		}
	}
	c.tied = a.Tied
}

func (c *chain) join(b *block, i int) {
	for j, x := range c.counts[i] {
		c.union[j] = b.pooled[j] + x
	}
}

// take removes an item from its block.
func (c *chain) take(i int) {
	b := c.of[i]
	b.items = slices.Delete(b.items, slices.Index(b.items, i), slices.Index(b.items, i)+1)
	if len(b.items) == 0 {
		c.blocks = slices.DeleteFunc(c.blocks, func(x *block) bool { return x == b })
		return
	}
	c.pool(b)
}

// put adds an item to a block, or to a new one.
func (c *chain) put(i, k int) {
	if k == len(c.blocks) {
		c.blocks = append(c.blocks, &block{pooled: make([]float64, len(c.union))})
	}
	b := c.blocks[k]
	b.items = append(b.items, i)
	c.of[i] = b
	c.pool(b)
}

// pool sums a block anew, so that rounding does not add up over the sweeps.
func (c *chain) pool(b *block) {
	clear(b.pooled)
	for _, i := range b.items {
		for j, x := range c.counts[i] {
			b.pooled[j] += x
		}
	}
	b.score = c.Score(b.pooled, len(b.items))
}

// logStirling returns ln S(m, b) for b up to m.
func logStirling(m int) []float64 {
	s := make([]float64, m+2)
	for b := range s {
		s[b] = math.Inf(-1)
	}
	s[0] = 0
	for n := 1; n <= m; n++ {
		for b := n; b > 0; b-- {
			s[b] = num.LogSum(math.Log(float64(b))+s[b], s[b-1])
		}
		s[0] = math.Inf(-1)
	}
	return s
}
