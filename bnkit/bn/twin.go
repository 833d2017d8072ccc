package bn

import (
	"errors"
	"slices"

	"bnlab/internal/say"
)

// Twin returns the twin network of a counterfactual (Balke and Pearl 1994; Pearl 2009, §7.1): the network itself,
// which the evidence is about, and beside each variable X that the interventions set or affect a variable "X*",
// which is X had they taken place. The posterior of X* given what was seen is the answer to "what would X have
// been"; X that they do not affect is the same in both worlds.
//
//	twin, err := net.Twin(bn.Set("fired", "no"))
//	post, err := infer.Posterior(twin, infer.Evidence{"dead": "yes"}, "dead*")
//
// Tables alone do not answer such questions: a noise model must be stated. So the table of every affected
// discrete variable must hold only 0 and 1, its noise being roots of the network with tables of their own; the
// noise of a linear-Gaussian node is additive and the same in both worlds. Twin returns an error that
// names a variable without such a noise, and those of [Network.Do]; a policy has noise of its own and is one
// too.
func (n *Network) Twin(interventions ...Intervention) (*Network, error) {
	for _, do := range interventions {
		if do.policy {
			return nil, say.Errorf("bn: %q is set by a policy; set it to a value", do.variable)
		}
	}
	after, err := n.Do(interventions...)
	if err != nil {
		return nil, err
	}
	star := make([]int, n.Len()) // number of the counterfactual variable, -1 where it is the variable itself
	for v := range star {
		star[v] = -1
	}
	set := make([]bool, n.Len())
	for _, do := range interventions {
		v, _ := n.Index(do.variable)
		set[v], star[v] = true, 0
		below, err := n.dag.Descendants(do.variable)
		if err != nil {
			return nil, err
		}
		for _, name := range below {
			u, _ := n.Index(name)
			star[u] = 0
		}
	}
	names, vars, parents := slices.Clone(n.dag.names), slices.Clone(n.vars), slices.Clone(n.dag.parents)
	var affected []int
	for v := range n.vars {
		if star[v] < 0 {
			continue
		}
		affected = append(affected, v)
		star[v] = len(vars)
		copied := n.vars[v]
		copied.Name += "*"
		names, vars = append(names, copied.Name), append(vars, copied)
	}
	for _, v := range affected {
		var own []int
		if !set[v] {
			if err := n.checkNoise(v, star); err != nil {
				return nil, err
			}
			for _, p := range n.dag.parents[v] {
				if star[p] >= 0 {
					p = star[p]
				}
				own = append(own, p)
			}
			if n.gauss[v] != nil {
				own = append(own, v)
				for _, p := range n.dag.parents[v] {
					if star[p] >= 0 {
						own = append(own, p)
					}
				}
			}
		}
		parents = append(parents, own)
	}
	g, err := NewDAG(names, parents)
	if err != nil {
		return nil, say.Errorf("bn: counterfactual: %w", err)
	}
	twin, err := NewNetwork(g, vars)
	if err != nil {
		return nil, say.Errorf("bn: counterfactual: %w", err)
	}
	for v := range n.vars {
		if n.cpts[v] != nil {
			copy(twin.cpts[v].P, n.cpts[v].P)
		} else {
			twin.gauss[v] = n.gauss[v].Clone()
		}
	}
	for _, v := range affected {
		switch {
		case n.cpts[v] != nil:
			copy(twin.cpts[star[v]].P, after.cpts[v].P)
		case set[v]:
			t, from := twin.gauss[star[v]], after.gauss[v]
			t.Intercept[0], t.Variance[0] = from.Intercept[0], 0
		default:
			n.carryNoise(twin.gauss[star[v]], v, star)
		}
	}
	return twin, nil
}

// errNoNoise is wrapped where a counterfactual has no answer for want of a noise model.
var errNoNoise = errors.New("no noise model is stated, without which a counterfactual has no answer")

// checkNoise returns an error unless v is determined by its parents and a noise that is stated.
func (n *Network) checkNoise(v int, star []int) error {
	name := n.vars[v].Name
	if t := n.cpts[v]; t != nil {
		for _, p := range t.P {
			if p != 0 && p != 1 {
				return say.Errorf("bn: %q is affected, and %w: give it a parent without parents for "+
					"its noise, and a table of 0 and 1 given its parents", name, errNoNoise)
			}
		}
		return nil
	}
	g := n.gauss[v]
	for _, p := range n.dag.parents[v] {
		if star[p] < 0 || !n.vars[p].IsDiscrete() {
			continue
		}
		for _, variance := range g.Variance {
			if variance != g.Variance[0] {
				return say.Errorf("bn: %q is affected, and %w: its variance depends on %q; give it "+
					"one variance, so that its noise is added", name, errNoNoise, n.vars[p].Name)
			}
		}
	}
	return nil
}

// carryNoise makes g the distribution of v*: with the noise of v, which is v less its mean,
//
//	v* = mean(parents*) + v − mean(parents).
func (n *Network) carryNoise(g *LinearGaussian, v int, star []int) {
	from := n.gauss[v]
	var affected, continuous []int // places among the discrete, and the continuous parents
	places := [2]int{}
	for _, p := range n.dag.parents[v] {
		if n.vars[p].IsDiscrete() {
			if star[p] >= 0 {
				affected = append(affected, places[0])
			}
			places[0]++
		} else {
			if star[p] >= 0 {
				continuous = append(continuous, places[1])
			}
			places[1]++
		}
	}
	own := make([]int, len(g.Discrete))
	for config := range g.Intercept {
		own = g.configs.States(own, config)
		there := own[:len(from.Discrete)]
		here := slices.Clone(there)
		for i, place := range affected {
			here[place] = own[len(from.Discrete)+i]
		}
		a, b := from.configs.Index(there), from.configs.Index(here)
		g.Intercept[config], g.Variance[config] = from.Intercept[a]-from.Intercept[b], 0
		w := g.Weights[config]
		copy(w, from.Weights[a])
		w[len(from.Continuous)] = 1
		for i := range from.Continuous {
			if at := slices.Index(continuous, i); at >= 0 {
				w[len(from.Continuous)+1+at] = -from.Weights[b][i]
			} else {
				w[i] -= from.Weights[b][i]
			}
		}
	}
}
