package constraint_test

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// pooled checks that rows of the layout, by their first entries, have as their estimate the sum of
// their counts.
func pooled(t *testing.T, name string, p *constraint.Problem, states int, groups ...[]int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(57, 0))
	for range 3 {
		n := make([]float64, p.Layout().Len())
		for i := range n {
			n[i] = float64(rng.IntN(8))
		}
		theta := maximize(p, n)
		for _, rows := range groups {
			want, cases := make([]float64, states), 0.0
			for _, lo := range rows {
				for s := range states {
					want[s] += n[lo+s]
					cases += n[lo+s]
				}
			}
			for s := range want {
				want[s] /= cases
			}
			for _, lo := range rows {
				near(t, name, theta[lo:lo+states], want, 1e-14)
			}
		}
	}
	for _, m := range p.Methods() {
		if m != "closed form" {
			t.Errorf("%s is solved by %q", name, m)
		}
	}
}

// A hidden Markov model of four steps: the transitions share one table and the emissions another,
// whatever their variables are called.
func TestHiddenMarkovModel(t *testing.T) {
	model, vars := "", []bn.Variable{}
	for i, s := range []string{"S1", "S2", "S3", "S4"} {
		vars = append(vars, bn.Discrete(s, "up", "down", "off"))
		if i == 0 {
			model += "[S1]"
		} else {
			model += "[" + s + "|" + vars[i-1].Name + "]"
		}
	}
	for i, o := range []string{"O1", "O2", "O3", "O4"} {
		vars = append(vars, bn.Discrete(o, "a", "b"))
		model += "[" + o + "|" + vars[i].Name + "]"
	}
	net := network(t, model, vars...)
	p := compile(t, net, constraint.ShareTables{Vars: []string{"S2", "S3", "S4"}},
		constraint.ShareTables{Vars: []string{"O1", "O2", "O3", "O4"}})
	rows := func(vars []int, config int) []int {
		var list []int
		for _, v := range vars {
			lo, _ := net.Layout().Row(v, config)
			list = append(list, lo)
		}
		return list
	}
	for config := range 3 {
		pooled(t, "transitions", p, 3, rows([]int{1, 2, 3}, config))
		pooled(t, "emissions", p, 2, rows([]int{4, 5, 6, 7}, config))
	}
}

// A tree of context-specific independence: where A=no, X depends on neither B nor C, where A=yes
// and B=no, not on C.
func TestContextSpecificIndependence(t *testing.T) {
	net := network(t, "[A][B][C][X|A:B:C]", bn.Discrete("A", "no", "yes"), bn.Discrete("B", "no", "yes"),
		bn.Discrete("C", "1", "2", "3"), bn.Discrete("X", "a", "b", "c"))
	p := compile(t, net,
		constraint.ShareAcross{Var: "X", Given: []bn.Given{{"A": "no"}}},
		constraint.ShareAcross{Var: "X", Given: []bn.Given{{"A": "yes", "B": "no"}}})
	rows := func(configs ...int) []int {
		var list []int
		for _, config := range configs {
			lo, _ := net.Layout().Row(3, config)
			list = append(list, lo)
		}
		return list
	}
	// C varies fastest, then B.
	pooled(t, "a leaf", p, 3, rows(0, 1, 2, 3, 4, 5), rows(6, 7, 8), rows(9), rows(10), rows(11))
}

// A module network: genes of a module have the same table given the same regulator.
func TestModuleNetwork(t *testing.T) {
	level := []string{"low", "high"}
	net := network(t, "[R][Q][G1|R][G2|R][G3|R][H1|Q][H2|Q]", bn.Discrete("R", level...), bn.Discrete("Q", level...),
		bn.Discrete("G1", level...), bn.Discrete("G2", level...), bn.Discrete("G3", level...),
		bn.Discrete("H1", level...), bn.Discrete("H2", level...))
	p := compile(t, net, constraint.ShareTables{Vars: []string{"G1", "G2", "G3"}},
		constraint.ShareTables{Vars: []string{"H1", "H2"}})
	for config := range 2 {
		var g, h []int
		for v := 2; v < 7; v++ {
			lo, _ := net.Layout().Row(v, config)
			if v < 5 {
				g = append(g, lo)
			} else {
				h = append(h, lo)
			}
		}
		pooled(t, "a module", p, 2, g, h)
	}
}

// Influences of both signs on one arc do not contradict each other: together they make the child
// independent of the parent, in closed form.
func TestBothSigns(t *testing.T) {
	net := network(t, "[A][B][X|A:B]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("B", "0", "1"),
		bn.Discrete("X", "a", "b", "c"))
	p := compile(t, net, constraint.Influence{Parent: "A", Child: "X"}, constraint.Influence{Parent: "A", Child: "X",
		Sign: constraint.Negative})
	var groups [2][]int
	for config := range 6 {
		lo, _ := net.Layout().Row(2, config)
		groups[config%2] = append(groups[config%2], lo)
	}
	pooled(t, "both signs", p, 3, groups[0], groups[1])
	if redundant, err := p.Redundant(); err != nil || len(redundant) > 0 {
		t.Errorf("redundant: %v (%v)", redundant, err)
	}
}
