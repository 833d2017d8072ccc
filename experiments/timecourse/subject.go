package timecourse

import (
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/metric"
)

// A subject is one truth with cases from it and the starts of all methods.
type subject struct {
	structure
	set         int // from 1
	truth       *bn.Network
	train, test *infer.Plan
	distinct    *data.Table // the test cases, each once with its weight
	causes      *data.Table // the same, of the criterion and what is observed before it
	starts      []*bn.Network
	seed        uint64  // of flat starts
	base        quality // of the truth
}

// A quality is how well a network fits, in averages per case.
type quality struct {
	train, test float64 // negative log-likelihood of the observed variables, nats
	// quadratic is the quadratic loss of the criterion on the test cases, given all other
	// observed variables ([metric.Predictions.QuadraticLoss]). W00 §5.2 does not say what is given.
	quadratic float64
	// fromCauses is the same given only those observed variables that lead to the criterion: the conditions of
	// the experiment, from which a user's errors would be predicted.
	fromCauses float64
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
	if b.causes, err = b.onlyCauses(); err != nil {
		return nil, err
	}
	rng := rand.New(src)
	for range starts {
		b.starts = append(b.starts, s.random(rng))
	}
	b.seed = rng.Uint64()
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
	for _, on := range []struct {
		cases *data.Table
		to    *float64
	}{{b.distinct, &q.quadratic}, {b.causes, &q.fromCauses}} {
		predicted, err := metric.Predict(net, on.cases, b.criterion)
		if err != nil {
			return q, err
		}
		loss, err := predicted.QuadraticLoss()
		if err != nil {
			return q, err
		}
		*on.to = loss.Average
	}
	return q, nil
}

// onlyCauses keeps of the test cases the criterion and its observed ancestors.
func (b *subject) onlyCauses() (*data.Table, error) {
	before, err := b.net.DAG().Ancestors(b.criterion)
	if err != nil {
		return nil, err
	}
	names := slices.DeleteFunc(before, func(name string) bool {
		return name == b.criterion || slices.Contains(b.hidden, name)
	})
	t, err := b.distinct.Keep(append(names, b.criterion)...)
	if err != nil {
		return nil, err
	}
	return t.Distinct(), nil
}

// average is the negative log-likelihood per case, in nats.
func average(cases *infer.Plan, theta []float64) (float64, error) {
	loglik, err := cases.LogLikelihood(theta)
	return -loglik / cases.Weight(), err
}
