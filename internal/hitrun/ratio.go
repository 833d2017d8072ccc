package hitrun

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"bnlab/internal/say"
)

// RatioOptions say how much work LogRatio does.
type RatioOptions struct {
	Src        rand.Source // required
	Draws      int         // draws on each rung of each replicate; 0 means 200
	Replicates int         // independent ladders, two at least; 0 means 8
	// Err, when not nil, is asked before each draw; the error that it returns ends the work.
	Err func() error
}

// LogRatio estimates
//
//	log ∫ Π x^(a+n−1) − log ∫ Π x^(a−1)
//
// over the set of p by stepping stones: between rungs β of the densities Π x^(a+βn−1) the
// ratio of integrals is the mean of Π x^(n·Δβ) over draws from the lower one. The rungs are
// equal steps of log(1 + β N/A), with N and A the sums of n and a over the d dimensions that
// move: 1 + √(2d) log(1 + N/A) of them, so that log Π x^(n·Δβ) has a standard deviation of
// about a half. Means are pooled over independent replicates, whose spread gives the
// standard error. The other arguments and the errors are as for [New]; a count on a
// variable that is zero everywhere is an error too, since the ratio is then zero.
//
// Source: W. Xie, P. Lewis, Y. Fan, L. Kuo, M. Chen, Improving marginal likelihood estimation
// for Bayesian phylogenetic model selection, Systematic Biology 60, 2011; the spacing of the
// rungs is ours.
func LogRatio(p Problem, a, n, interior []float64, o RatioOptions) (value, stderr float64, err error) {
	if err := check(p, a, interior); err != nil {
		return 0, 0, err
	}
	if len(n) != p.Len {
		panic("hitrun: counts of another length than the problem")
	}
	if o.Src == nil {
		return 0, 0, errors.New("hitrun: sampling needs a random source")
	}
	for i, v := range n {
		if !(v >= 0) || math.IsInf(v, 0) {
			return 0, 0, say.Errorf("hitrun: count %d is %v", i, v)
		}
		if v > largest {
			return 0, 0, say.Errorf("hitrun: %w: count %d is %v, and %v the most", ErrNarrow, i, v, largest)
		}
		if v > 0 && interior[i] <= tight {
			return 0, 0, say.Errorf("hitrun: variable %d is zero on the whole set and has the count %v", i, v)
		}
	}
	draws, replicates := o.Draws, o.Replicates
	if draws <= 0 {
		draws = 200
	}
	if replicates <= 0 {
		replicates = 8
	}
	replicates = max(2, replicates)

	set := newPolytope(p, interior)
	beta := ladder(set, a, n)
	mean := make([][]float64, len(beta)-1) // log means by rung and replicate
	for k := range mean {
		mean[k] = make([]float64, replicates)
	}
	rng := rand.New(o.Src)
	for r := range replicates {
		if err := climb(mean, r, set, a, n, beta, draws, rng, o.Err); err != nil {
			return 0, 0, err
		}
	}
	each := make([]float64, replicates)
	for _, m := range mean {
		value += floats.LogSumExp(m) - math.Log(float64(replicates))
		floats.Add(each, m)
	}
	return value, stat.StdDev(each, nil) / math.Sqrt(float64(replicates)), nil
}

// ladder returns the rungs, from 0 to 1.
func ladder(set *polytope, a, n []float64) []float64 {
	counts, prior := 0.0, 0.0
	for _, p := range set.moving {
		counts, prior = counts+n[p], prior+a[p]
	}
	if counts == 0 {
		return []float64{0, 1}
	}
	length := math.Log1p(counts / prior)
	rungs := int(math.Ceil(1 + math.Sqrt(2*float64(set.dim()))*length))
	beta := make([]float64, rungs+1)
	for k := range beta {
		beta[k] = math.Expm1(length*float64(k)/float64(rungs)) * prior / counts
	}
	beta[rungs] = 1
	return beta
}

// climb runs one replicate: a sampler that goes from rung to rung.
func climb(mean [][]float64, r int, set *polytope, a, n, beta []float64, draws int, rng *rand.Rand,
	ended func() error) error {
	x, at, logs := make([]float64, len(a)), slices.Clone(a), make([]float64, draws)
	s, err := start(set, set.circuits(rng), at, set.interior, set.interior, rng)
	if err != nil {
		return err
	}
	for k := range mean {
		if k > 0 {
			floats.AddScaledTo(at, a, beta[k], n)
			if err := s.follow(at); err != nil {
				return err
			}
		}
		for i := range logs {
			if ended != nil {
				if err := ended(); err != nil {
					return err
				}
			}
			s.Next(x)
			logs[i] = 0
			for p, c := range n {
				if c > 0 {
					logs[i] += (beta[k+1] - beta[k]) * c * math.Log(x[p])
				}
			}
		}
		mean[k][r] = floats.LogSumExp(logs) - math.Log(float64(draws))
	}
	return nil
}
