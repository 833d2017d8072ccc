package timecourse

import (
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
)

// A subject is one truth with cases from it and the starts of all methods.
type subject struct {
	structure
	set         int // from 1
	truth       *bn.Network
	train, test *infer.Plan
	distinct    *data.Table // the test cases, each once with its weight
	states      []bn.State  // of the criterion in them
	starts      []*bn.Network
	base        quality // of the truth
}

// A quality is how well a network fits, in averages per case.
type quality struct {
	train, test float64 // negative log-likelihood of the observed variables, nats
	quadratic   float64 // loss of the criterion on the test cases, see [subject.quadratic]
}

// newSubject samples the cases, leaves out the hidden variables, and draws the starts.
func newSubject(s structure, set int, truth *bn.Network, starts int, src rand.Source) (*subject, error) {
	b := &subject{structure: s, set: set, truth: truth}
	var err error
	if _, b.train, err = b.sample(s.trainCases, src); err != nil {
		return nil, err
	}
	if b.distinct, b.test, err = b.sample(s.testCases, src); err != nil {
		return nil, err
	}
	v, err := s.net.Index(s.criterion)
	if err != nil {
		return nil, err
	}
	if b.states, err = b.distinct.As(s.net.Variable(v)); err != nil {
		return nil, err
	}
	rng := rand.New(src)
	for range starts {
		b.starts = append(b.starts, s.random(rng))
	}
	b.base, err = b.quality(truth)
	return b, err
}

// sample draws n cases from the truth and keeps the different ones, without the hidden
// variables, each with its number as weight.
func (b *subject) sample(n int, src rand.Source) (*data.Table, *infer.Plan, error) {
	all, err := data.Sample(b.truth, n, src)
	if err != nil {
		return nil, nil, err
	}
	var observed []string
	for _, v := range b.net.Variables() {
		if !slices.Contains(b.hidden, v.Name) {
			observed = append(observed, v.Name)
		}
	}
	seen, err := all.Keep(observed...)
	if err != nil {
		return nil, nil, err
	}
	seen = seen.Distinct()
	plan, err := infer.NewPlan(b.net, seen, &infer.Options{Workers: 1})
	return seen, plan, err
}

// quality measures a network of the structure.
func (b *subject) quality(net *bn.Network) (quality, error) {
	theta := parameters(net)
	var q quality
	var err error
	if q.train, err = average(b.train, theta); err != nil {
		return q, err
	}
	if q.test, err = average(b.test, theta); err != nil {
		return q, err
	}
	q.quadratic, err = b.quadratic(net)
	return q, err
}

// average is the negative log-likelihood per case, in nats.
func average(cases *infer.Plan, theta []float64) (float64, error) {
	loglik, err := cases.LogLikelihood(theta)
	return -loglik / cases.Weight(), err
}

// quadratic is the average quadratic loss (Brier score) of the criterion's distribution
// given all other observed variables of a test case,
//
//	1/N Σ over cases  Σ over states  (1[state occurred] − P(state | others))²,
//
// between 0 and 2. W00 §5.2 names the criterion and not what is given, or whether the sum
// is over all states.
func (b *subject) quadratic(net *bn.Network) (float64, error) {
	engine, err := infer.New(net, &infer.Options{Workers: 1})
	if err != nil {
		return 0, err
	}
	predicted, err := engine.Predict(b.distinct, b.criterion)
	if err != nil {
		return 0, err
	}
	sum, total := 0.0, 0.0
	weights := b.distinct.Weights()
	for row, p := range predicted {
		loss := 0.0
		for state, q := range p {
			if state == int(b.states[row]) {
				q = 1 - q
			}
			loss += q * q
		}
		sum, total = sum+weights[row]*loss, total+weights[row]
	}
	return sum / total, nil
}
