package dbn

import (
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// Smooth returns the distribution of each discrete variable in each slice given the whole
// series, P(X_t | all that is observed), by series and slice. Variables have their plain names.
// Errors are those of [Network.Cases] about columns and of [infer.Engine.Posterior], with the name of
// the series.
func (n *Network) Smooth(s *Series) ([][]infer.Posteriors, error) {
	o, err := n.observe(s)
	if err != nil {
		return nil, err
	}
	all := make([][]infer.Posteriors, s.Len())
	err = o.ask(func(i int, u *unrolled, e *infer.Engine, given infer.Evidence) error {
		found, err := e.Marginals(given)
		if err != nil {
			return err
		}
		all[i] = n.cut(found, s.Length(i))
		return nil
	})
	return all, err
}

// cut cuts the distributions of an unrolled network into slices.
func (n *Network) cut(found *infer.Posteriors, length int) []infer.Posteriors {
	list := make([]infer.Posteriors, length)
	at := 0
	for t := range list {
		for _, v := range n.vars {
			if v.IsDiscrete() {
				list[t].Variables, list[t].P = append(list[t].Variables, v), append(list[t].P, found.P[at])
				at++
			}
		}
	}
	return list
}

// ask calls f for each series with an engine on the network of its length and what is observed.
func (o *observed) ask(f func(i int, u *unrolled, e *infer.Engine, given infer.Evidence) error) error {
	groups, err := o.byLength()
	if err != nil {
		return err
	}
	for _, g := range groups {
		e, err := infer.New(g.net, nil)
		if err != nil {
			return say.Errorf("dbn: %w", err)
		}
		for _, i := range g.series {
			if err := f(i, g.unrolled, e, o.given(i, o.series.Length(i))); err != nil {
				return say.Errorf("dbn: series %q: %w", o.series.names[i], err)
			}
		}
	}
	return nil
}

// given names what is observed, or found, in the first slices of a series.
func (o *observed) given(i, slices int) infer.Evidence {
	given := make(infer.Evidence)
	for t := range slices {
		slice := o.series.start[i] + t
		for v, variable := range o.net.vars {
			switch {
			case !o.seen(v, slice):
			case o.states[v] != nil:
				given[At(variable.Name, t)] = variable.States[o.states[v][slice]]
			default:
				given[At(variable.Name, t)] = o.values[v][slice]
			}
		}
		for _, f := range o.findings[slice] {
			given[At(o.net.vars[f.v].Name, t)] = f.value
		}
	}
	return given
}

// MostProbable returns, for each series, the most probable joint state of all discrete variables
// in all slices given what is observed, and the logarithm of its probability together with that.
// Times that were left out are filled in. For a hidden Markov model it is the path of Viterbi.
// Errors are those of [Network.Smooth].
func (n *Network) MostProbable(s *Series) (paths *Series, logProbabilities []float64, err error) {
	o, err := n.observe(s)
	if err != nil {
		return nil, nil, err
	}
	states := make([][]bn.State, len(n.vars))
	for v := range states {
		states[v] = make([]bn.State, len(s.row))
	}
	logProbabilities = make([]float64, s.Len())
	err = o.ask(func(i int, u *unrolled, e *infer.Engine, given infer.Evidence) error {
		found, logp, err := e.MostProbable(given)
		if err != nil {
			return err
		}
		logProbabilities[i] = logp
		for j := range u.net.Len() {
			if variable := u.net.Variable(j); variable.IsDiscrete() {
				state, err := variable.StateIndex(found[variable.Name])
				if err != nil {
					return err
				}
				states[j%len(n.vars)][s.start[i]+j/len(n.vars)] = bn.State(state)
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	paths, err = n.filled(s, states)
	return paths, logProbabilities, err
}

// filled are series with the given states of the discrete variables, in which no time is left out.
func (n *Network) filled(s *Series, states [][]bn.State) (*Series, error) {
	name, err := s.table.Column(s.column)
	if err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	names, times := data.Column{Var: name.Var}, data.Column{Var: bn.Continuous(s.time)}
	for i := range s.names {
		for t := range s.Length(i) {
			if name.Var.IsDiscrete() {
				names.States = append(names.States, name.States[s.row[s.start[i]]])
			} else {
				names.Values = append(names.Values, name.Values[s.row[s.start[i]]])
			}
			times.Values = append(times.Values, float64(s.Time(i, t)))
		}
	}
	cols := []data.Column{names, times}
	for v, variable := range n.vars {
		if variable.IsDiscrete() {
			cols = append(cols, data.Column{Var: variable, States: states[v]})
		} else if c, err := s.table.Column(variable.Name); err == nil {
			cols = append(cols, data.Column{Var: variable, Values: sliced(s.row, c.Values, math.NaN())})
		}
	}
	t, err := data.New(cols...)
	if err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	rows := make([]int, t.Rows())
	for row := range rows {
		rows[row] = row
	}
	return &Series{table: t, column: s.column, time: s.time, step: s.step, names: s.names, begin: s.begin,
		start: s.start, row: rows}, nil
}
