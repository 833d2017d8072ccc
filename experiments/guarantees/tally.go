package guarantees

import (
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A tally counts cases of a network of tables, one after the other.
type tally struct {
	n       []float64 // by the network's layout
	layout  bn.Layout
	parents [][]int
	configs []bn.Configs
	states  [][]int // of the parents, by variable
	example []bn.State
}

func newTally(net *bn.Network) *tally {
	t := &tally{layout: net.Layout(), n: make([]float64, net.Layout().Len()), example: make([]bn.State, net.Len())}
	for v := range net.Len() {
		t.parents = append(t.parents, net.DAG().Parents(v))
		t.configs = append(t.configs, net.CPT(v).Configs())
		t.states = append(t.states, make([]int, len(t.parents[v])))
	}
	return t
}

func (t *tally) clear() { clear(t.n) }

// add draws a case and counts it.
func (t *tally) add(s *bn.Sampler) {
	s.Draw(t.example, nil)
	for v, parents := range t.parents {
		for i, p := range parents {
			t.states[v][i] = int(t.example[p])
		}
		t.n[t.layout.Cell(v, t.configs[v].Index(t.states[v]), int(t.example[v]))]++
	}
}

// seen reports whether every one of the rows has a case.
func (t *tally) seen(rows []constraint.Row) bool {
	for _, row := range rows {
		lo, hi := t.layout.Row(row.Var, row.Config)
		total := 0.0
		for _, n := range t.n[lo:hi] {
			total += n
		}
		if total == 0 {
			return false
		}
	}
	return true
}
