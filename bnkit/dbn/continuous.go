package dbn

import (
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// FilterContinuous returns means and covariances of the continuous variables of each slice given what is observed
// up to and in that slice, by series and slice: for a linear-Gaussian state space those of the Kalman filter.
// Variables have their plain names, discrete ones in Given of the components their names in [Network.Unroll].
//
// Where discrete variables are hidden, the number of components of the mixture is multiplied from slice to slice
// by their states while numbers are hidden too, so that only short series are possible ([infer.ErrTooWide]).
// The answers come from the unrolled network, so that the work grows with the square of the length: a second for
// 400 slices. Errors are those of [Network.Smooth].
func (n *Network) FilterContinuous(s *Series) ([][]infer.Expectation, error) {
	return n.expectations(s, 0, func(t, length int) (from, to int) { return 0, t + 1 })
}

// SmoothContinuous is [Network.FilterContinuous] given the whole series: for a linear-Gaussian state space the
// smoother of Rauch, Tung and Striebel.
func (n *Network) SmoothContinuous(s *Series) ([][]infer.Expectation, error) {
	return n.expectations(s, 0, func(t, length int) (from, to int) { return 0, length })
}

// PredictContinuous is [Network.FilterContinuous] for the given number of slices after the end of each series.
func (n *Network) PredictContinuous(s *Series, steps int) ([][]infer.Expectation, error) {
	if err := n.checkSteps(s, steps); err != nil {
		return nil, err
	}
	return n.expectations(s, steps, func(t, length int) (from, to int) { return length, length })
}

// expectations answers for each slice, or after the end for each of some steps, given the slices that given allows.
func (n *Network) expectations(s *Series, steps int, given func(t, length int) (from, to int)) ([][]infer.Expectation,
	error) {
	o, err := n.observe(s)
	if err != nil {
		return nil, err
	}
	all := make([][]infer.Expectation, s.Len())
	for i := range all {
		length := s.Length(i)
		together := 1
		if _, to := given(0, length); to == length && !slices.ContainsFunc(n.vars, bn.Variable.IsDiscrete) {
			together = atOnce
		} else if to < length {
			if err := o.refuseDistributions(i); err != nil {
				return nil, fmt.Errorf("dbn: series %q: %w", s.names[i], err)
			}
		}
		err := o.unrolled(i, steps, func(e *infer.Engine, t int) error {
			from, to := given(t, length)
			if t < from || (t-from)%together > 0 {
				return nil
			}
			var targets []string
			for t := t; t < length+steps && t < len(all[i])+from+together; t++ {
				for _, v := range n.vars {
					if !v.IsDiscrete() {
						targets = append(targets, At(v.Name, t))
					}
				}
			}
			x, err := e.Expectation(o.given(i, to), targets...)
			if err != nil {
				return err
			}
			all[i] = append(all[i], n.slices(x)...)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("dbn: series %q: %w", s.names[i], err)
		}
	}
	return all, nil
}

// atOnce is how many slices are asked for together where nothing is discrete, so that this makes no mixture wider.
const atOnce = 16

// slices cuts the expectation of the continuous variables of some slices, which get their plain names.
func (n *Network) slices(x *infer.Expectation) []infer.Expectation {
	var vars []bn.Variable
	for _, v := range n.vars {
		if !v.IsDiscrete() {
			vars = append(vars, v)
		}
	}
	if len(vars) == 0 {
		return []infer.Expectation{*x}
	}
	list := make([]infer.Expectation, len(x.Variables)/len(vars))
	for t := range list {
		list[t] = *x
		cut(&list[t], vars, t*len(vars))
		list[t].Components = slices.Clone(x.Components)
		for c := range list[t].Components {
			cut(&list[t].Components[c], vars, t*len(vars))
		}
	}
	return list
}

// cut leaves the variables from the given place on.
func cut(x *infer.Expectation, vars []bn.Variable, from int) {
	rows := x.Covariance[from : from+len(vars)]
	x.Variables, x.Mean, x.Covariance = vars, x.Mean[from:from+len(vars)], make([][]float64, len(vars))
	for i, row := range rows {
		x.Covariance[i] = row[from : from+len(vars)]
	}
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
		return fmt.Errorf("dbn: %w", err)
	}
	for t := range o.series.Length(i) + steps {
		if err := f(e, t); err != nil {
			return fmt.Errorf("slice %d: %w", t, err)
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
