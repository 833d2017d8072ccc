package bnkit

import (
	"maps"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// WhatMattersSettings are the settings of [WhatMatters]. Nil means the last state of the target, no costs
// and no pairs.
type WhatMattersSettings struct {
	// State of the target whose probability the columns low and high are about; "" means the last.
	State string
	// Costs of observing variables, by name, above 0; 1 for those without.
	Costs map[string]float64
	// Pairs adds pairs of variables, observed together. It takes a query for each state of each
	// variable.
	Pairs bool
}

// WhatMatters returns the value of information of each variable that is not observed: how much
// observing it would tell about a target, given the evidence. The frame has a row for each
// variable, the highest information per cost first, and
//
//	variable      the variable to observe; "A, B" for a pair
//	information   the mutual information with the target given the evidence, in nats
//	share         of the entropy of the target, from 0 to 1
//	low, high     the least and the largest P(target = state) over the variable's possible states
//	at low, at high  these states
//	cost          of observing it
//	per cost      information / cost
//
// Hidden variables of the model are left out, since they cannot be observed. Mutual information is
// an average; low and high may be far apart because of a rare state. Errors are those of
// [Posterior], and for a cost that is not above 0 or of an unknown variable.
func WhatMatters(m bn.Model, evidence infer.Evidence, target string, set *WhatMattersSettings) (dataframe.DataFrame,
	error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if set == nil {
		set = &WhatMattersSettings{}
	}
	a, err := newAsker(model, evidence, target, set)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: what matters: %w", err)
	}
	found, err := a.tell(a.evidence)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: what matters: %w", err)
	}
	if set.Pairs {
		pairs, err := a.pairs(found)
		if err != nil {
			return dataframe.DataFrame{}, say.Errorf("bnkit: what matters: %w", err)
		}
		found = append(found, pairs...)
	}
	slices.SortStableFunc(found, func(a, b telling) int {
		switch x, y := a.information/a.cost, b.information/b.cost; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return tellings(found, a.entropy), nil
}

// A telling is what one variable, or a pair, would tell.
type telling struct {
	variable, atLow, atHigh      string
	information, low, high, cost float64
	states                       []float64 // P(state of the variable | evidence)
}

// An asker asks what variables would tell of a target.
type asker struct {
	engine   *infer.Engine
	evidence infer.Evidence
	target   bn.Variable
	state    int
	entropy  float64
	costs    map[string]float64
	hidden   []string
}

func newAsker(m *Model, evidence infer.Evidence, target string, set *WhatMattersSettings) (*asker, error) {
	a := &asker{costs: set.Costs, hidden: m.Hidden}
	v, err := m.Net.Index(target)
	if err != nil {
		return nil, err
	}
	if a.target = m.Net.Variable(v); !a.target.IsDiscrete() {
		return nil, say.Errorf("target %q: %w; discretise it first", target, bn.ErrNotDiscrete)
	}
	a.state = len(a.target.States) - 1
	if set.State != "" {
		if a.state, err = a.target.StateIndex(set.State); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set.Costs)) {
		if _, err := m.Net.Index(name); err != nil {
			return nil, say.Errorf("cost: %w", err)
		}
		if c := set.Costs[name]; !(c > 0) || math.IsInf(c, 0) {
			return nil, say.Errorf("the cost of %q is %v; give a finite number above 0", name, c)
		}
	}
	if evidence, err = evidence.For(m); err != nil {
		return nil, err
	}
	if a.engine, err = infer.New(m.Net, nil); err != nil {
		return nil, err
	}
	if a.evidence, _, err = a.engine.Jeffrey(evidence); err != nil {
		return nil, err
	}
	post, err := a.engine.Posterior(a.evidence, target)
	if err != nil {
		return nil, err
	}
	for _, p := range post.P[0] {
		if p > 0 {
			a.entropy -= p * math.Log(p)
		}
	}
	return a, nil
}

func (a *asker) cost(name string) float64 {
	if c, ok := a.costs[name]; ok {
		return c
	}
	return 1
}

// tell returns what each variable that can be asked for would tell.
func (a *asker) tell(evidence infer.Evidence) ([]telling, error) {
	information, err := a.engine.Information(evidence, a.target.Name)
	if err != nil {
		return nil, err
	}
	var out []telling
	for _, i := range information {
		if slices.Contains(a.hidden, i.Variable.Name) {
			continue
		}
		t := telling{variable: i.Variable.Name, information: i.MutualInformation, cost: a.cost(i.Variable.Name),
			low: math.Inf(1), high: math.Inf(-1)}
		for s, row := range i.P {
			share := 0.0
			for _, p := range row {
				share += p
			}
			t.states = append(t.states, share)
			if share == 0 {
				continue
			}
			t.widen(row[a.state]/share, i.Variable.States[s])
		}
		out = append(out, t)
	}
	return out, nil
}

// widen widens the range of probabilities by one at a state.
func (t *telling) widen(p float64, state string) {
	if p < t.low {
		t.low, t.atLow = p, state
	}
	if p > t.high {
		t.high, t.atHigh = p, state
	}
}

// pairs returns what pairs would tell: I(T; A, B) = I(T; A) + Σ P(a) I(T; B | a).
func (a *asker) pairs(single []telling) ([]telling, error) {
	var out []telling
	for i, first := range single {
		pair := make([]telling, len(single)-i-1)
		for j, second := range single[i+1:] {
			pair[j] = telling{variable: first.variable + ", " + second.variable, information: first.information,
				cost: first.cost + second.cost, low: math.Inf(1), high: math.Inf(-1)}
		}
		v, err := a.engine.Posterior(nil, first.variable) // for the names of its states
		if err != nil {
			return nil, err
		}
		for s, share := range first.states {
			if share == 0 {
				continue
			}
			given := maps.Clone(a.evidence)
			if given == nil {
				given = infer.Evidence{}
			}
			given[first.variable] = v.Variables[0].States[s]
			told, err := a.tell(given)
			if err != nil {
				return nil, err
			}
			for j, second := range single[i+1:] {
				at := slices.IndexFunc(told, func(t telling) bool { return t.variable == second.variable })
				t := told[at]
				pair[j].information += share * t.information
				pair[j].widen(t.low, v.Variables[0].States[s]+", "+t.atLow)
				pair[j].widen(t.high, v.Variables[0].States[s]+", "+t.atHigh)
			}
		}
		out = append(out, pair...)
	}
	return out, nil
}

// tellings returns them as a frame.
func tellings(found []telling, entropy float64) dataframe.DataFrame {
	n := len(found)
	names, atLow, atHigh := make([]string, n), make([]string, n), make([]string, n)
	numbers := make([][]float64, 6)
	for i, t := range found {
		names[i], atLow[i], atHigh[i] = t.variable, t.atLow, t.atHigh
		share := 0.0
		if entropy > 0 {
			share = min(1, t.information/entropy)
		}
		for k, x := range []float64{t.information, share, t.low, t.high, t.cost, t.information / t.cost} {
			numbers[k] = append(numbers[k], x)
		}
	}
	return dataframe.New(
		series.New(names, series.String, "variable"),
		series.New(numbers[0], series.Float, "information"),
		series.New(numbers[1], series.Float, "share"),
		series.New(numbers[2], series.Float, "low"),
		series.New(numbers[3], series.Float, "high"),
		series.New(atLow, series.String, "at low"),
		series.New(atHigh, series.String, "at high"),
		series.New(numbers[4], series.Float, "cost"),
		series.New(numbers[5], series.Float, "per cost"),
	)
}
