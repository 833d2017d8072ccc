package sharing

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/internal/say"
)

// A model is re-estimated after each example of a growing training set.
type model struct {
	net       *bn.Network
	method    learn.MAP
	problem   *constraint.Problem
	counts    *data.Counts
	effective []float64 // counts plus prior
	theta     []float64
}

// newModel returns a model of the variable of net before the first example.
func newModel(net *bn.Network, statements ...constraint.Constraint) (*model, error) {
	m := &model{net: net, method: learn.MAP{Pseudocount: 1, Constraints: statements}}
	var err error
	if m.problem, err = constraint.Compile(net, statements...); err != nil {
		return nil, err
	}
	n := m.problem.Layout().Len()
	m.counts = &data.Counts{Layout: m.problem.Layout(), N: make([]float64, n), Skipped: make([]float64, 1)}
	m.effective, m.theta = make([]float64, n), make([]float64, n)
	return m, m.problem.AddPrior(m.effective, slices.Repeat([]float64{m.method.Pseudocount}, n))
}

// add takes one more example into the training set.
func (m *model) add(state bn.State) {
	m.counts.N[state]++
	m.counts.Rows++
	m.effective[state]++
}

// divergence estimates the model anew and returns KL(T, model) in nats.
func (m *model) divergence(truth []float64) (float64, error) {
	m.problem.Maximize(m.theta, m.effective)
	return metric.KL(truth, m.theta)
}

// check compares the estimate of the last divergence with the fit that a user of
// the library gets from the same counts.
func (m *model) check() error {
	compiled, err := learn.Compile(m.net, m.method)
	if err != nil {
		return err
	}
	fit, err := compiled.Fit(m.counts, nil)
	if err != nil {
		return err
	}
	for state, p := range fit.Net.CPT(0).P {
		if !(math.Abs(p-m.theta[state]) <= 1e-12) {
			return say.Errorf("after %v examples the fit gives %s the probability %v, the estimate in place %v",
				m.counts.Rows, stateName(state), p, m.theta[state])
		}
	}
	return nil
}
