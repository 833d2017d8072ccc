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
// Errors are those of [Engine.Posterior]. Continuous variables must be observed, or nothing
// observed may depend on them.
func (e *Engine) MostProbable(evidence bn.Given) (states bn.Given, logProbability float64, err error) {
	c, err := single(e.m.net, evidence)
	if err != nil {
		return nil, 0, err
	}
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	states = c.given(e.m.net, 0)
	best := make([]int, e.m.net.Len())
	discrete := func(v int) bool { return e.m.cards[v] > 0 }
	hidden := 0.0
	known, err := e.query(c, discrete, func(p part) error {
		t, blk, err := e.tree(p, c)
		if err != nil {
			return err
		}
		log, err := e.m.evidence(t, w, blk, c, e.m.own, true)
		if err != nil {
			return err
		}
		if math.IsInf(log, -1) {
			return c.impossible(e.m.net, 0)
		}
		hidden += log
		t.trace(w, blk, best)
		for _, v := range p.hidden {
			states[e.m.net.Variable(v).Name] = e.m.net.Variable(v).States[best[v]]
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return states, known + hidden, nil
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
