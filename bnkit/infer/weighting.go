package infer

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/internal/elimination"
	"bnlab/internal/factor"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// ErrNoSample says that no sample of likelihood weighting agrees with the evidence.
var ErrNoSample = errors.New("no sample agrees with the evidence")

// Estimates are posteriors estimated by sampling.
type Estimates struct {
	Posteriors
	// StandardErrors of P, by variable and state:
	//
	//	√Σ w²(x − P)² / Σ w
	//
	// with weight w and x = 1 for samples in the state, 0 for others.
	StandardErrors [][]float64
	// LogProbability of the evidence, and the standard error of the probability relative
	// to itself.
	LogProbability, RelativeError float64
	// EffectiveSamples is (Σ w)²/Σ w², the number of equally weighted samples that would be
	// about as good.
	EffectiveSamples float64
}

// LikelihoodWeighting estimates the distribution of each target given the evidence from
// samples: variables are drawn from their distributions given their parents, observed ones
// keep their values, and a sample has as weight the product of their probabilities. All
// discrete variables are targets when none is named. Tables stay as they are, so that no
// network is too wide, and continuous variables need not be observed.
//
// It returns an error when samples is not positive, for a nil src ([bn.ErrNoSource]), names
// as in [Engine.Posterior], and [ErrNoSample] when all weights are zero: the evidence is
// impossible or too rare for so few samples. Standard errors are of little use when
// EffectiveSamples is small. (Fung and Chang 1990; Shachter and Peot 1990; used in R95 §7.)
func LikelihoodWeighting(net *bn.Network, evidence Evidence, samples int, src rand.Source,
	targets ...string) (*Estimates, error) {
	if src == nil {
		return nil, fmt.Errorf("infer: %w", bn.ErrNoSource)
	}
	if samples < 1 {
		return nil, fmt.Errorf("infer: %d samples; there must be at least one", samples)
	}
	m, err := newModel(net)
	if err != nil {
		return nil, err
	}
	q, err := resolve(m, evidence)
	if err != nil {
		return nil, err
	}
	var vars []int
	for _, name := range targets {
		v, err := (&Engine{m: m}).target(name)
		if err != nil {
			return nil, err
		}
		vars = append(vars, v)
	}
	for v := 0; v < m.net.Len() && len(targets) == 0; v++ {
		if m.cards[v] > 0 {
			vars = append(vars, v)
		}
	}
	for _, f := range q.soft {
		if f.must {
			return nil, say.Errorf("infer: evidence: %q: samples have no weights with which a distribution holds; "+
				"replace it by a likelihood, with Engine.Jeffrey where the network is not too wide",
				m.net.Variable(f.v).Name)
		}
	}
	s := newWeighting(q, vars)
	rng := rand.New(src)
	for range samples {
		logWeight, err := s.draw(rng)
		if err != nil {
			return nil, err
		}
		s.add(logWeight)
	}
	return s.estimates(samples, vars)
}

// weighting draws weighted samples. Sums of weights are multiples of exp(high), the largest
// weight so far.
type weighting struct {
	m        *model
	c        *cases
	soft     []*finding // by variable
	order    []int      // relevant variables, parents first
	states   []int
	values   []float64
	targets  []int
	high     float64
	sum      float64
	squares  float64
	in       [][]float64 // by target and state, the weight of the samples in it
	inSquare [][]float64
}

func newWeighting(q *question, targets []int) *weighting {
	m, c := q.m, q.c
	s := &weighting{
		m: m, c: c, soft: make([]*finding, m.net.Len()),
		states: make([]int, m.net.Len()), values: make([]float64, m.net.Len()),
		targets: targets, high: math.Inf(-1), in: make([][]float64, len(targets)),
		inSquare: make([][]float64, len(targets)),
	}
	wanted := elimination.NewSet(m.net.Len())
	for i, v := range targets {
		wanted.Add(v)
		s.in[i], s.inSquare[i] = make([]float64, m.cards[v]), make([]float64, m.cards[v])
	}
	for i := range q.soft {
		s.soft[q.soft[i].v] = &q.soft[i]
	}
	relevant := m.relevant(func(v int) bool { return wanted.Has(v) || c.observed(v, 0) || s.soft[v] != nil })
	for _, v := range m.net.DAG().Order() {
		if relevant.Has(v) {
			s.order = append(s.order, v)
		}
	}
	return s
}

// draw draws one sample and returns the logarithm of its weight.
func (s *weighting) draw(rng *rand.Rand) (logWeight float64, err error) {
	for _, v := range s.order {
		f := &s.m.families[v]
		observed := s.c.observed(v, 0)
		at := 0
		for i, u := range f.members {
			if u != v {
				at += s.states[u] * f.strides[i]
			}
		}
		if f.gauss {
			d := s.m.own.densities[v]
			mean := d.Intercept[at]
			for i, p := range f.linear {
				mean += d.Weights[at][i] * s.values[p]
			}
			variance := d.Variance[at]
			if in := s.soft[v]; in != nil {
				var logP float64
				s.values[v], logP = drawBetween(in.interval, mean, math.Sqrt(variance), rng)
				logWeight += logP
				continue
			}
			if !observed {
				s.values[v] = mean + math.Sqrt(variance)*rng.NormFloat64()
				continue
			}
			if !(variance > 0) {
				return 0, say.Errorf("infer: %w: %q is observed; give it a variance, or fit with a VarianceFloor",
					ErrNoDensity, s.m.net.Variable(v).Name)
			}
			s.values[v] = s.c.values[v][0]
			r := s.values[v] - mean
			logWeight += d.constant[at] - r*(r/variance)/2
			continue
		}
		row := s.m.own.theta[f.lo+at:][:s.m.cards[v]]
		if observed {
			s.states[v] = int(s.c.states[v][0])
			logWeight += factor.Log(row[s.states[v]])
		} else {
			s.states[v] = pick(row, rng.Float64())
			if s.soft[v] != nil {
				logWeight += factor.Log(s.soft[v].weights[s.states[v]])
			}
		}
	}
	return logWeight, nil
}

// drawBetween draws from a normal distribution within an interval, and returns the logarithm of its
// probability. So far in a tail that its quantiles are no numbers, it is the end next to the mean.
func drawBetween(in *Interval, mean, deviation float64, rng *rand.Rand) (x, logP float64) {
	low, high := in.Low-mean, in.High-mean
	if !(deviation > 0) {
		return mean, num.LogNormalBetween(low, high, 0)
	}
	low, high = low/deviation, high/deviation
	sign := 1.0
	if low > 0 {
		sign, low, high = -1, -high, -low // the side where the distribution function is small
	}
	from, to := math.Erfc(-low/math.Sqrt2)/2, math.Erfc(-high/math.Sqrt2)/2
	z := -math.Sqrt2 * math.Erfcinv(2*(from+(to-from)*rng.Float64()))
	z = min(max(z, low), high)
	return mean + sign*deviation*z, num.LogNormalBetween(low, high, 1)
}

// add adds the sample to the sums.
func (s *weighting) add(logWeight float64) {
	if !(logWeight >= -math.MaxFloat64) { // a value beyond numbers is no less far
		return
	}
	if logWeight > s.high {
		s.rescale(math.Exp(s.high - logWeight))
		s.high = logWeight
	}
	w := math.Exp(logWeight - s.high)
	s.sum += w
	s.squares += w * w
	for i, v := range s.targets {
		s.in[i][s.states[v]] += w
		s.inSquare[i][s.states[v]] += w * w
	}
}

func (s *weighting) rescale(by float64) {
	s.sum *= by
	s.squares *= by * by
	for i := range s.in {
		for state := range s.in[i] {
			s.in[i][state] *= by
			s.inSquare[i][state] *= by * by
		}
	}
}

// pick returns the first state with positive probability whose cumulative one passes u, the
// last such state when rounding leaves none.
func pick(p []float64, u float64) int {
	last := 0
	for state, x := range p {
		if x > 0 {
			last = state
			if u -= x; u < 0 {
				return state
			}
		}
	}
	return last
}

func (s *weighting) estimates(samples int, targets []int) (*Estimates, error) {
	if !(s.sum > 0) {
		return nil, say.Errorf("infer: %w (%d samples): %v", ErrNoSample, samples, s.c.given(s.m.net, 0))
	}
	n := float64(samples)
	mean := s.sum / n
	e := &Estimates{
		LogProbability:   s.high + math.Log(mean),
		RelativeError:    math.Sqrt(max(s.squares/n-mean*mean, 0)/n) / mean,
		EffectiveSamples: s.sum * s.sum / s.squares,
	}
	for i, v := range targets {
		p, se := make([]float64, s.m.cards[v]), make([]float64, s.m.cards[v])
		for state := range p {
			p[state] = s.in[i][state] / s.sum
			// Σ w²(x − P)² = (1 − 2P)·Σ w²x + P²·Σ w²
			squares := (1-2*p[state])*s.inSquare[i][state] + p[state]*p[state]*s.squares
			se[state] = math.Sqrt(max(squares, 0)) / s.sum
		}
		e.Variables = append(e.Variables, s.m.net.Variable(v))
		e.P, e.StandardErrors = append(e.P, p), append(e.StandardErrors, se)
	}
	return e, nil
}
