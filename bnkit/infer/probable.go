package infer

import "bnlab/bnkit/bn"

// MostProbable returns the most probable joint state of all discrete variables given the
// evidence (the most probable explanation), with the logarithm of its probability together
// with the evidence. The evidence is part of the answer. Among equally probable ones the
// answer depends on the order of elimination, but is the same each time.
//
// Errors are those of [Engine.Posterior], and [ErrNoDensity]. Hidden continuous variables are summed out.
func (e *Engine) MostProbable(evidence Evidence) (states bn.Given, logProbability float64, err error) {
	q, err := e.question(evidence)
	if err != nil {
		return nil, 0, err
	}
	q.density = true
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	best := make([]int, e.m.net.Len())
	discrete := func(v int) bool { return e.m.cards[v] > 0 }
	hidden := 0.0
	known, err := e.query(q, discrete, func(p part) error {
		t, blk, log, err := e.run(q, p, w, true)
		if err != nil {
			return err
		}
		hidden += log
		for _, d := range t.decisions(w, blk) {
			d.choose(d.best(best), best)
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return q.named(best), known + hidden, nil
}

// named returns the observed states and numbers, with those of the other discrete variables.
func (q *question) named(states []int) bn.Given {
	g := make(bn.Given, len(states))
	for v, state := range states {
		variable := q.m.net.Variable(v)
		switch {
		case q.c.states[v] != nil:
			g[variable.Name] = variable.States[q.c.states[v][0]]
		case variable.IsDiscrete():
			g[variable.Name] = variable.States[state]
		case q.c.values[v] != nil:
			g[variable.Name] = number(q.c.values[v][0])
		}
	}
	return g
}
