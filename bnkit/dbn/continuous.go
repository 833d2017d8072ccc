package dbn

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// FilterContinuous returns means and covariances of the continuous variables of each slice given what is observed
// up to and in that slice, by series and slice: for a linear-Gaussian state space those of the Kalman filter.
// Variables have their plain names, discrete ones in Given of the components their names in [Network.Unroll].
//
// Where discrete variables are hidden, the number of components of the mixture is multiplied from slice to slice
// by their states while numbers are hidden too, so that only short series are possible ([infer.ErrTooWide]), and the
// work grows with the square of the length. Otherwise it grows with the length. Errors are those of [Network.Smooth].
func (n *Network) FilterContinuous(s *Series) ([][]infer.Expectation, error) {
	return n.expectations(s, 0, func(x *normal) ([]infer.Expectation, bool) { return x.filter(0, 0) },
		func(t, length int) (from, to int) { return 0, t + 1 })
}

// SmoothContinuous is [Network.FilterContinuous] given the whole series: for a linear-Gaussian state space the
// smoother of Rauch, Tung and Striebel.
func (n *Network) SmoothContinuous(s *Series) ([][]infer.Expectation, error) {
	return n.expectations(s, 0, (*normal).smooth, func(t, length int) (from, to int) { return 0, length })
}

// PredictContinuous is [Network.FilterContinuous] for the given number of slices after the end of each series.
func (n *Network) PredictContinuous(s *Series, steps int) ([][]infer.Expectation, error) {
	if err := n.checkSteps(s, steps); err != nil {
		return nil, err
	}
	return n.expectations(s, steps, func(x *normal) ([]infer.Expectation, bool) { return x.filter(x.length, steps) },
		func(t, length int) (from, to int) { return length, length })
}

// expectations answers for each slice, or after the end for each of some steps: in one pass where that can be, and
// otherwise, for what is impossible too, from the unrolled network, given the slices that given allows.
func (n *Network) expectations(s *Series, steps int, pass func(x *normal) ([]infer.Expectation, bool),
	given func(t, length int) (from, to int)) ([][]infer.Expectation, error) {
	o, err := n.observe(s)
	if err != nil {
		return nil, err
	}
	if err := n.two.Validate(); err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	all := make([][]infer.Expectation, s.Len())
	for i := range all {
		if x, ok := o.normal(i, steps); ok {
			if all[i], ok = pass(x); ok {
				continue
			}
			all[i] = nil
		}
		length := s.Length(i)
		if _, to := given(0, length); to < length {
			if err := o.refuseDistributions(i); err != nil {
				return nil, say.Errorf("dbn: series %q: %w", s.names[i], err)
			}
		}
		err := o.unrolled(i, steps, func(e *infer.Engine, t int) error {
			from, to := given(t, length)
			if t < from {
				return nil
			}
			var vars []bn.Variable
			var targets []string
			for _, v := range n.vars {
				if !v.IsDiscrete() {
					vars, targets = append(vars, v), append(targets, At(v.Name, t))
				}
			}
			x, err := e.Expectation(o.given(i, to), targets...)
			if err != nil {
				return err
			}
			x.Variables = vars
			for c := range x.Components {
				x.Components[c].Variables = vars
			}
			all[i] = append(all[i], *x)
			return nil
		})
		if err != nil {
			return nil, say.Errorf("dbn: series %q: %w", s.names[i], err)
		}
	}
	return all, nil
}

// unrolled calls f for each slice of a series and some steps after it, with an engine on the network of all of
// them.
func (o *observed) unrolled(i, steps int, f func(e *infer.Engine, t int) error) error {
	u, err := o.net.unroll(o.series.Length(i) + steps)
	if err != nil {
		return err
	}
	e, err := infer.New(u.net, nil)
	if err != nil {
		return say.Errorf("dbn: %w", err)
	}
	for t := range o.series.Length(i) + steps {
		if err := f(e, t); err != nil {
			return say.Errorf("slice %d: %w", t, err)
		}
	}
	return nil
}

// hides reports whether a number that is observed in a series, or known to lie in an interval, depends on one
// that is not observed.
func (o *observed) hides(i int) bool {
	for t := range o.series.Length(i) {
		slice := o.series.start[i] + t
		for v := range o.net.vars {
			found := slices.ContainsFunc(o.findings[slice], func(f finding) bool { return f.v == v })
			if !o.seen(v, slice) && !found {
				continue
			}
			for _, p := range o.net.families[min(t, 1)][v].linear {
				if !o.seen(p.v, o.series.start[i]+t-p.lag) {
					return true
				}
			}
		}
	}
	return false
}

// posteriorsUnrolled are what a filter answers for a series, or after it for some steps, where numbers are hidden.
func (o *observed) posteriorsUnrolled(i, steps int) ([]infer.Posteriors, error) {
	length := o.series.Length(i)
	var list []infer.Posteriors
	if err := o.refuseDistributions(i); err != nil {
		return nil, err
	}
	err := o.unrolled(i, steps, func(e *infer.Engine, t int) error {
		if steps > 0 && t < length {
			return nil
		}
		var found infer.Posteriors
		var targets []string
		for _, v := range o.net.vars {
			if v.IsDiscrete() {
				found.Variables, targets = append(found.Variables, v), append(targets, At(v.Name, t))
			}
		}
		p, err := e.Posterior(o.given(i, min(t+1, length)), targets...)
		if err != nil {
			return err
		}
		found.P = p.P
		list = append(list, found)
		return nil
	})
	return list, err
}

// refuseDistributions is refuse for all findings of a series.
func (o *observed) refuseDistributions(i int) error {
	for t := range o.series.Length(i) {
		for _, x := range o.findings[o.series.start[i]+t] {
			if err := o.refuse(x, t); err != nil {
				return err
			}
		}
	}
	return nil
}
