package infer

import (
	"slices"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/internal/elimination"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// question is evidence resolved against a model: what is observed, as one case, and findings that
// leave more than one state or number possible. These are families of their own in the model, after
// those of the variables, so that elimination takes them as tables like any other.
type question struct {
	m    *model // that of the network when every finding is a state or a number
	c    *cases
	soft []finding // in the order of the variables

	density bool // is what is asked for, so that every observed number must have one
}

// finding is what is known of a variable that is not observed.
type finding struct {
	v        int
	weights  []float64 // likelihood of each state, or the distribution that must hold
	must     bool      // it is a distribution
	interval *Interval // of a continuous variable
	scale    float64   // logarithm of what the likelihood in the model was divided by
}

// resolve numbers the evidence. Errors name the variable and what it can be given.
func resolve(m *model, evidence Evidence) (*question, error) {
	net := m.net
	q := &question{m: m, c: &cases{
		rows: 1, states: make([][]bn.State, net.Len()), values: m.noValues, weight: []float64{1}, origin: []int{0},
	}}
	if m.noValues == nil {
		q.c.values = make([][]float64, net.Len())
	}
	for _, name := range evidence.names() {
		v, err := net.Index(name)
		if err == nil {
			err = q.find(v, evidence[name])
		}
		if err != nil {
			return nil, say.Errorf("infer: evidence: %w", err)
		}
		if q.c.states[v] == nil && q.c.values[v] == nil {
			if q.c.soft == nil {
				q.c.soft = make(Evidence)
			}
			q.c.soft[name] = evidence[name]
		}
	}
	slices.SortFunc(q.soft, func(a, b finding) int { return a.v - b.v })
	return q, nil
}

// find takes down what is known of variable v.
func (q *question) find(v int, value any) error {
	variable := q.m.net.Variable(v)
	value = plain(variable, value)
	if !variable.IsDiscrete() {
		return q.findNumber(v, value)
	}
	if name, ok := value.(string); ok {
		s, err := variable.StateIndex(name)
		if err == nil && len(variable.States) > 1 { // one of one says nothing
			q.c.states[v] = []bn.State{bn.State(s)}
		}
		return err
	}
	d, must := value.(Distribution)
	if must {
		value = Likelihood(d)
	}
	weights, err := weigh(variable, value, must)
	if err != nil {
		return err
	}
	if _, isLikelihood := value.(Likelihood); !isLikelihood {
		switch in := int(num.Sum(weights)); in {
		case len(weights): // says nothing
			return nil
		case 1:
			q.c.states[v] = []bn.State{bn.State(slices.Index(weights, 1))}
			return nil
		}
	}
	q.soft = append(q.soft, finding{v: v, weights: weights, must: must})
	return nil
}

// findNumber takes down what is known of a continuous variable.
func (q *question) findNumber(v int, value any) error {
	name := q.m.net.Variable(v).Name
	var x float64
	switch value := value.(type) {
	case string:
		var err error
		if x, err = strconv.ParseFloat(value, 64); err != nil || !num.Finite(x) {
			return say.Errorf("%q is continuous and %q is not a finite number", name, value)
		}
	case float64:
		x = value
	case int:
		x = float64(value)
	case Interval:
		if !(value.Low < value.High) {
			return say.Errorf("%q: the interval %v has no length; give Low < High, or a number", name, value)
		}
		q.soft = append(q.soft, finding{v: v, interval: &value})
		return nil
	default:
		return say.Errorf("%q cannot be %s; give %s", name, described(value), kinds(q.m.net.Variable(v)))
	}
	if !num.Finite(x) {
		return say.Errorf("%q is continuous and %v is not a finite number", name, x)
	}
	q.c.values[v] = []float64{x}
	return nil
}

// summable returns an error where a continuous variable with an interval would have to be summed out: within it
// the distribution is not normal.
func (q *question) summable(relevant elimination.Set) error {
	for _, f := range q.soft {
		if f.interval != nil && relevant.Has(f.v) {
			return say.Errorf("infer: evidence: %w: %q in %v, when something observed depends on it or its "+
				"expectation is asked for; give a number, or sample with LikelihoodWeighting", errHiddenContinuous,
				q.m.net.Variable(f.v).Name, *f.interval)
		}
	}
	return nil
}

// extend puts the findings into the model; until a likelihood is fitted, a distribution changes nothing.
func (q *question) extend() error {
	if q.soft == nil {
		return nil
	}
	base := q.m
	m := *base
	m.families, m.own.theta = slices.Clone(base.families), slices.Clone(base.own.theta)
	m.own.mild = false
	m.own.densities, m.touching = slices.Clone(base.own.densities), slices.Clone(base.touching)
	for i := range q.soft {
		f := &q.soft[i]
		table := family{members: []int{f.v}, strides: []int{1}, lo: len(m.own.theta), entries: len(f.weights)}
		var density *density
		if f.interval != nil {
			table = base.families[f.v]
			for _, u := range table.linear {
				if q.c.values[u] == nil {
					return say.Errorf("infer: evidence: %q in %v: %w: its parent %q; observe that",
						m.net.Variable(f.v).Name, *f.interval, errHiddenContinuous, m.net.Variable(u).Name)
				}
			}
			of := *base.own.densities[f.v]
			of.within, density = f.interval, &of
		} else {
			weights := f.weights
			table.positive = !slices.ContainsFunc(weights, func(w float64) bool { return !(w > 0) })
			if f.must {
				weights = slices.Repeat([]float64{1}, len(weights))
			}
			m.own.theta = append(m.own.theta, weights...)
			f.scale = normalise(m.own.theta[table.lo:])
		}
		for _, u := range table.members {
			m.touching[u] = append(slices.Clip(m.touching[u]), len(m.families))
		}
		m.families, m.own.densities = append(m.families, table), append(m.own.densities, density)
	}
	q.m = &m
	return nil
}

// likelihood returns the table of finding i in the extended model.
func (q *question) likelihood(i int) []float64 {
	table := &q.m.families[q.m.net.Len()+i]
	return q.m.own.theta[table.lo:][:table.entries]
}

// scale is the logarithm of what was divided out of the likelihoods.
func (q *question) scale() float64 {
	total := 0.0
	for _, f := range q.soft {
		total += f.scale
	}
	return total
}
