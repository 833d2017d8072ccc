package weigh

import (
	"context"
	"math"
	"slices"

	"bnlab/internal/pool"
)

// MostEnumerated is the number of statements up to which all subsets are weighed.
const MostEnumerated = 8

// Options of [Weigh].
type Options struct {
	// LogPrior of a subset, up to a constant.
	LogPrior func(imposed uint64) float64
	Seed     uint64
	// Draws is the number of sweeps for the posterior mean, shared by the subsets as their weights are.
	Draws   int
	Workers int
	// Visits is the number of moves of the sampler over subsets beyond MostEnumerated statements.
	Visits int
	// Subsets, when not nil, are the only ones that are weighed, in the order of their bits.
	Subsets []uint64
	// Error is the standard error of a probability that refinement aims at; 0 means 0.008.
	Error float64
}

// rough is the number of sweeps that each subset gets before its weight is known, and largestError the default of
// Options.Error; largestLog is that of a log marginal likelihood of a subset that matters.
const (
	rough        = 64
	largestError = 0.008
	mostRounds   = 12
)

// Weigh returns the subsets that may have weight, in the order of their bits, refined until what they say together
// is certain enough. All are weighed for up to MostEnumerated statements, those that a random walk over subsets visits
// beyond that, or those of Options. When ctx is done it returns its error.
func Weigh(ctx context.Context, p *Problem, o Options) ([]*Subset, error) {
	k := len(p.Statements)
	common := p.inside(1<<k - 1) // serves for all subsets
	point := func(imposed uint64) []float64 {
		if common != nil {
			return common
		}
		return p.inside(imposed)
	}
	var list []*Subset
	if some := o.Subsets; some != nil || k <= MostEnumerated {
		if some == nil {
			for i := range uint64(1) << k {
				some = append(some, i)
			}
		}
		list = make([]*Subset, len(some))
		pool.Each(len(list), pool.Workers(o.Workers), func(i int) {
			if ctx.Err() == nil && !math.IsInf(o.LogPrior(some[i]), -1) {
				list[i] = p.open(ctx, some[i], point(some[i]), o.Seed)
				list[i].refine(ctx, rough)
			}
		})
		list = slices.DeleteFunc(list, func(s *Subset) bool { return s == nil || math.IsInf(s.LogMarginal, -1) })
	} else {
		list = p.walk(ctx, o, point)
	}
	// Subsets that the end of ctx left unfinished are not looked at.
	for range mostRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		more := p.plan(list, o)
		if more == nil {
			break
		}
		pool.Each(len(list), pool.Workers(o.Workers), func(i int) { list[i].refine(ctx, more[i]) })
	}
	return list, ctx.Err()
}

// Weights are those of subsets under a prior, which sum to 1, and the logarithm of what they were divided by.
func Weights(list []*Subset, logPrior func(imposed uint64) float64) (weights []float64, logSum float64) {
	weights = make([]float64, len(list))
	top := math.Inf(-1)
	for i, s := range list {
		weights[i] = logPrior(s.Imposed) + s.LogMarginal
		top = max(top, weights[i])
	}
	if math.IsInf(top, -1) {
		return weights, top
	}
	total := 0.0
	for i, w := range weights {
		weights[i] = math.Exp(w - top)
		total += weights[i]
	}
	for i := range weights {
		weights[i] /= total
	}
	return weights, top + math.Log(total)
}

// Holds is the probability that each statement holds after the counts, and its standard error, of subsets with these
// weights.
func Holds(list []*Subset, weights []float64) (after, stderr []float64) {
	if len(list) == 0 {
		return nil, nil
	}
	k := len(list[0].After)
	after, stderr = make([]float64, k), make([]float64, k)
	for i := range k {
		for j, s := range list {
			after[i] += weights[j] * s.After[i]
		}
		variance := 0.0
		for j, s := range list {
			d := weights[j] * (s.After[i] - after[i]) * s.StdErr
			variance += d*d + weights[j]*weights[j]*s.errorOfHolds(i)
		}
		stderr[i] = math.Sqrt(variance)
	}
	return after, stderr
}

// Mean writes the averaged posterior mean to dst and returns its largest standard error.
func Mean(dst []float64, list []*Subset, weights []float64) (stderr float64) {
	clear(dst)
	for j, s := range list {
		for cell, x := range s.Mean {
			dst[cell] += weights[j] * x
		}
	}
	for cell := range dst {
		variance := 0.0
		for j, s := range list {
			d := weights[j] * (s.Mean[cell] - dst[cell]) * s.StdErr
			variance += d*d + weights[j]*weights[j]*s.errorOfMean(cell)
		}
		stderr = max(stderr, math.Sqrt(variance))
	}
	return stderr
}

// plan says how many more sweeps each subset gets; nil when none needs any.
func (p *Problem) plan(list []*Subset, o Options) []int {
	weights, _ := Weights(list, o.LogPrior)
	after, stderr := Holds(list, weights)
	more := make([]int, len(list))
	any := false
	enough := o.Error
	if enough == 0 {
		enough = largestError
	}
	for j, s := range list {
		if want := int(weights[j] * float64(o.Draws)); want > s.sweeps() && weights[j] > 1e-3 {
			more[j] = min(want, 4*s.sweeps()) - s.sweeps() // its weight is not certain yet
			any = any || more[j] > 0
		}
	}
	for i := range after {
		if stderr[i] <= enough {
			continue
		}
		// Those with the largest parts of the variance, until the rest is small enough.
		rest := stderr[i] * stderr[i]
		part := make([]float64, len(list))
		order := make([]int, len(list))
		for j, s := range list {
			d := weights[j] * (s.After[i] - after[i]) * s.StdErr
			part[j], order[j] = d*d+weights[j]*weights[j]*s.errorOfHolds(i), j
		}
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case part[a] > part[b]:
				return -1
			case part[a] < part[b]:
				return 1
			}
			return 0
		})
		for _, j := range order {
			if rest <= enough*enough/2 {
				break
			}
			rest -= part[j]
			more[j] = max(more[j], list[j].sweeps())
			any = any || more[j] > 0
		}
	}
	if !any {
		return nil
	}
	return more
}
