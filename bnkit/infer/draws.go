package infer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// mostDrawn bounds the cells of a sample; data.Sample has the same.
const mostDrawn = 100_000_000

// Sample draws n cases from the network given the evidence, exactly and independently: a column for each
// variable in the order of the network. What is observed stands in every row. Discrete variables are drawn
// backward through the elimination, from the last one summed out to the first (Dawid 1992), continuous ones after
// them: given their parents or, one after another, given all that is observed or drawn where something observed
// depends on them. The same source gives the same table, and the first
// rows of a larger sample are the smaller one.
//
// Errors are those of [Engine.Posterior], for a negative n, more than 1e8 cells and a nil src ([bn.ErrNoSource]).
func (e *Engine) Sample(evidence Evidence, n int, src rand.Source) (*data.Table, error) {
	net := e.m.net
	switch {
	case src == nil:
		return nil, fmt.Errorf("infer: %w", bn.ErrNoSource)
	case n < 0:
		return nil, fmt.Errorf("infer: a sample of %d rows", n)
	case n > mostDrawn/max(net.Len(), 1):
		return nil, fmt.Errorf("infer: a sample of %d rows of %d variables is too large, at most %d rows are "+
			"possible; draw several from one source", n, net.Len(), mostDrawn/net.Len())
	}
	q, err := e.question(evidence)
	if err != nil {
		return nil, err
	}
	var decisions []decision
	var used []*workspace
	defer func() {
		for _, w := range used {
			spaces.Put(w)
		}
	}()
	discrete := func(v int) bool { return e.m.cards[v] > 0 }
	_, err = e.query(q, discrete, func(p part) error {
		w := spaces.Get().(*workspace)
		used = append(used, w)
		t, blk, _, err := e.run(q, p, w, false)
		if err != nil {
			return err
		}
		decisions = append(decisions, t.decisions(w, blk)...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	cols := make([]data.Column, net.Len())
	states, values := make([]int, net.Len()), make([]float64, net.Len())
	for v := range cols {
		cols[v].Var = net.Variable(v)
		if discrete(v) {
			cols[v].States = make([]bn.State, n)
		} else {
			cols[v].Values = make([]float64, n)
		}
		if q.c.states[v] != nil {
			states[v] = int(q.c.states[v][0])
		}
	}
	within := make([]*Interval, net.Len())
	for _, f := range q.soft {
		within[f.v] = f.interval
	}
	informed := q.m.relevant(func(v int) bool { return q.c.observed(v, 0) })
	rng := rand.New(src)
	for row := range n {
		for i := range decisions {
			d := &decisions[i]
			d.choose(d.draw(states, rng.Float64()), states)
		}
		given := q.c
		for _, v := range net.DAG().Order() {
			if discrete(v) || given.values[v] != nil || !informed.Has(v) {
				continue
			}
			if given == q.c {
				given = q.fix(e.discrete, states).c
				given.values = slices.Clone(given.values)
			}
			x, err := e.expectation(&question{m: q.m, c: given, soft: q.soft}, []int{v})
			if err != nil {
				return nil, err
			}
			given.values[v] = []float64{x.Mean[0] + math.Sqrt(x.Covariance[0][0])*rng.NormFloat64()}
		}
		for _, v := range net.DAG().Order() {
			switch {
			case discrete(v):
				cols[v].States[row] = bn.State(states[v])
				continue
			case given.values[v] != nil:
				values[v] = given.values[v][0]
			default:
				values[v] = e.m.draw(v, states, values, within[v], rng)
				if math.IsNaN(values[v]) || math.IsInf(values[v], 0) {
					return nil, say.Errorf("infer: row %d of the sample: %q is no finite number; its intercept, "+
						"weights or variance, or those of a parent, are too large to draw from", row+1,
						net.Variable(v).Name)
				}
			}
			cols[v].Values[row] = values[v]
		}
	}
	return data.New(cols...)
}

// draw draws a linear-Gaussian variable given its parents, within an interval if that is not nil.
func (m *model) draw(v int, states []int, values []float64, within *Interval, rng *rand.Rand) float64 {
	f, d := &m.families[v], m.own.densities[v]
	at := 0
	for i, u := range f.members {
		at += states[u] * f.strides[i]
	}
	mean := d.Intercept[at]
	for i, u := range f.linear {
		mean += d.Weights[at][i] * values[u]
	}
	deviation := math.Sqrt(d.Variance[at])
	if within != nil {
		x, _ := drawBetween(within, mean, deviation, rng)
		return x
	}
	return mean + deviation*rng.NormFloat64()
}
