package infer

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/factor"
)

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
		t.trace(w, blk, best)
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

// trace goes back from the root of maxima and writes to best the states that attain them.
func (t *tree) trace(w *workspace, blk *block, best []int) {
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		if !n.sums {
			continue
		}
		a, b := t.nodes[n.a].shape, factor.Shape{}
		if n.b >= 0 {
			b = t.nodes[n.b].shape
		}
		x, y := w.operands(blk, n)
		// Free are the variables of the operands that the node lacks; the others have
		// their states from above.
		var free, cards []int
		for _, s := range []factor.Shape{a, b} {
			for j, v := range s.Vars {
				if n.shape.Card(v) == 0 && !slices.Contains(free, v) {
					free, cards = append(free, v), append(cards, s.Cards[j])
				}
			}
		}
		state, argmax, most := make([]int, len(free)), make([]int, len(free)), math.Inf(-1)
		for more := true; more; more = step(state, cards) {
			for j, v := range free {
				best[v] = state[j]
			}
			p := x[place(a, best)] * y[place(b, best)]
			if w.logs {
				p = x[place(a, best)] + y[place(b, best)]
			}
			if p > most {
				most = p
				copy(argmax, state)
			}
		}
		for j, v := range free {
			best[v] = argmax[j]
		}
	}
}

// place is the entry of a table in the given states of all variables.
func place(s factor.Shape, states []int) int {
	at := 0
	for i, v := range s.Vars {
		at = at*s.Cards[i] + states[v]
	}
	return at
}

// step goes to the next joint state, the last fastest.
func step(state, cards []int) bool {
	for i := len(state) - 1; i >= 0; i-- {
		if state[i]++; state[i] < cards[i] {
			return true
		}
		state[i] = 0
	}
	return false
}
