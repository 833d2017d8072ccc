package dbn

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/infer"
	"bnlab/internal/factor"
	"bnlab/internal/say"
)

// Filter returns the distribution of each discrete variable in each slice given what is observed
// up to and in that slice, P(X_t | observed in 0 … t), by series and slice. It takes one pass
// over a series. Errors are those of [Network.Smooth].
func (n *Network) Filter(s *Series) ([][]infer.Posteriors, error) {
	return n.forward(s, 0, func(f *filter, i int) ([]infer.Posteriors, error) {
		var list []infer.Posteriors
		for t := range s.Length(i) {
			if err := f.step(t); err != nil {
				return nil, err
			}
			p, err := f.posteriors(t)
			if err != nil {
				return nil, err
			}
			list = append(list, p)
		}
		return list, nil
	})
}

// Predict returns the distribution of each discrete variable in the given number of slices after
// the end of each series, P(X_t | all that is observed), t = Length, Length+1, …, by series and
// slice. Errors are those of [Network.Smooth], and one for steps that are not positive or too many
// to hold.
func (n *Network) Predict(s *Series, steps int) ([][]infer.Posteriors, error) {
	if err := n.checkSteps(s, steps); err != nil {
		return nil, err
	}
	return n.forward(s, steps, func(f *filter, i int) ([]infer.Posteriors, error) {
		var list []infer.Posteriors
		for t := range s.Length(i) + steps {
			if err := f.step(t); err != nil {
				return nil, err
			}
			if t < s.Length(i) {
				continue
			}
			p, err := f.posteriors(t)
			if err != nil {
				return nil, err
			}
			list = append(list, p)
		}
		return list, nil
	})
}

// checkSteps checks a number of slices to predict.
func (n *Network) checkSteps(s *Series, steps int) error {
	if n == nil || n.structure == nil {
		return errNoNetwork
	}
	if most := maxCells / len(n.vars) / max(s.Len(), 1); steps < 1 || steps > most {
		return fmt.Errorf("dbn: a prediction of %d slices for each of %d series; give 1 to %d slices", steps,
			s.Len(), most)
	}
	return nil
}

// forward calls pass for each series. Where a hidden number has to be summed out, the network is unrolled instead.
func (n *Network) forward(s *Series, steps int, pass func(f *filter, i int) ([]infer.Posteriors,
	error)) ([][]infer.Posteriors, error) {
	o, err := n.observe(s)
	if err != nil {
		return nil, err
	}
	if err := n.two.Validate(); err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	logs := make([][]float64, n.two.Len())
	for i := range logs {
		if c := n.two.CPT(i); c != nil {
			for _, p := range c.P {
				logs[i] = append(logs[i], factor.Log(p))
			}
		}
	}
	all := make([][]infer.Posteriors, s.Len())
	for i := range all {
		if o.hides(i) {
			all[i], err = o.posteriorsUnrolled(i, steps)
		} else {
			f := &filter{observed: o, logs: logs, start: s.start[i], length: s.Length(i), carries: n.carries()}
			all[i], err = pass(f, i)
		}
		if err != nil {
			return nil, say.Errorf("dbn: series %q: %w", s.names[i], err)
		}
	}
	return all, nil
}

// carries says which discrete variables have children in the next slice.
func (n *Network) carries() []bool {
	carries := make([]bool, len(n.vars))
	for _, parents := range n.later {
		for _, p := range parents {
			carries[p.v] = carries[p.v] || p.lag > 0 && n.vars[p.v].IsDiscrete()
		}
	}
	return carries
}

// A filter goes forward through a series. Variable v is number v in factors of the slice it is
// at, and number v + the number of variables in those of the slice before. Values are natural
// logarithms, so that neither many sensors nor a value far from all means is too improbable.
type filter struct {
	*observed
	logs          [][]float64 // of the tables of the template
	start, length int
	carries       []bool
	message       *factor.Factor   // P(hidden variables that carry on | observed up to the slice)
	slice         []*factor.Factor // whose product is P(slice, what is observed in it | the past)
	loglik        float64          // of what is observed up to the slice, log-densities included
}

// has reports whether v is observed in a slice; after the end nothing is.
func (f *filter) has(v, t int) bool { return t < f.length && f.seen(v, f.start+t) }

// step goes to slice t.
func (f *filter) step(t int) error {
	f.slice = f.slice[:0]
	if t > 0 {
		before := *f.message
		before.Vars = slices.Clone(before.Vars)
		for i := range before.Vars {
			before.Vars[i] += len(f.net.vars)
		}
		f.slice = append(f.slice, &before)
	}
	for v, variable := range f.net.vars {
		if variable.IsDiscrete() {
			f.slice = append(f.slice, f.table(v, t))
		} else if f.has(v, t) || f.interval(v, t) != nil {
			density, err := f.density(v, t)
			if err != nil {
				return err
			}
			f.slice = append(f.slice, density)
		}
	}
	if err := f.weigh(t); err != nil {
		return err
	}
	var keep []int
	for v, carries := range f.carries {
		if carries {
			keep = append(keep, v)
		}
	}
	m, err := f.net.eliminate(f.slice, keep)
	if err != nil {
		return err
	}
	total := factor.SumOutLogs(nil, m, m.Vars...).Values[0]
	if math.IsInf(total, -1) {
		return fmt.Errorf("slice %d: %w", t, infer.ErrImpossibleEvidence)
	}
	f.loglik += total
	for i := range m.Values {
		m.Values[i] -= total
	}
	f.message = m
	return nil
}

// posteriors are the distributions of the discrete variables of slice t.
func (f *filter) posteriors(t int) (infer.Posteriors, error) {
	var found infer.Posteriors
	for v, variable := range f.net.vars {
		if !variable.IsDiscrete() {
			continue
		}
		p := make([]float64, variable.Cardinality())
		found.Variables, found.P = append(found.Variables, variable), append(found.P, p)
		if f.has(v, t) {
			p[f.states[v][f.start+t]] = 1
			continue
		}
		list := f.slice
		if f.carries[v] {
			list = []*factor.Factor{f.message}
		}
		m, err := f.net.eliminate(list, []int{v})
		if err != nil {
			return found, err
		}
		total := factor.SumOutLogs(nil, m, v).Values[0]
		for state, x := range m.Values {
			p[state] = math.Exp(x - total)
		}
	}
	return found, nil
}
