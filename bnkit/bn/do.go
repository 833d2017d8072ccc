package bn

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"bnlab/internal/say"
)

// An Intervention sets a variable regardless of its parents: to a value ([Set]) or by a [Policy].
// See [Network.Do].
type Intervention struct {
	variable, value string
	policy          bool // value is the text of a table
}

// Set returns the intervention do(variable = value). The value is a state, or a number in text for
// a continuous variable.
func Set(variable, value string) Intervention { return Intervention{variable: variable, value: value} }

// Policy returns the intervention that draws a variable from a given table. The table is text in
// the format of [Network.SetTable]; its header names the variables that the policy depends on,
// which need not be the parents in the network:
//
//	bn.Policy("dose", `
//		severity | low high
//		mild     | 0.9 0.1
//		severe   | 0.2 0.8`)
func Policy(variable, table string) Intervention {
	return Intervention{variable: variable, value: table, policy: true}
}

// Do returns the network after interventions (the mutilated network): arcs into the variables that
// are set are removed, such a variable has its value with probability 1 or follows the policy, and
// all other distributions are unchanged (Pearl 2009, §3.2; truncated factorization). Evidence on
// the new network is observed after the intervention.
//
//	after, err := net.Do(bn.Set("smoke", "no"))
//	post, err := infer.Posterior(after, nil, "cancer")
//
// The result is causal only if the arcs of the network are; those of a network learned from data
// alone need not be. It returns an error for an unknown variable or state, a value that is not a
// number, a variable that is set twice, a policy that is not a valid table or depends on its own
// effects ([*CycleError]), and a policy for a continuous variable.
func (n *Network) Do(interventions ...Intervention) (*Network, error) {
	parents := make([][]int, n.Len())
	for v := range parents {
		parents[v] = n.dag.parents[v]
	}
	set := make([]bool, n.Len())
	tables := make([]*CPT, n.Len())
	for _, do := range interventions {
		v, err := n.Index(do.variable)
		if err != nil {
			return nil, err
		}
		if set[v] {
			return nil, say.Errorf("bn: %w: %q is set twice", ErrDuplicate, do.variable)
		}
		set[v], parents[v] = true, nil
		if !do.policy {
			continue
		}
		if tables[v], err = n.policy(v, do.value); err != nil {
			return nil, err
		}
		for _, p := range tables[v].Parents {
			u, _ := n.Index(p.Name)
			parents[v] = append(parents[v], u)
		}
	}
	g, err := NewDAG(n.dag.names, parents)
	var cycle *CycleError
	if errors.As(err, &cycle) {
		return nil, say.Errorf("bn: a policy depends on its own effects: %w", err)
	} else if err != nil {
		return nil, err
	}
	after, err := NewNetwork(g, n.vars)
	if err != nil {
		return nil, err
	}
	for v := range n.vars {
		switch {
		case tables[v] != nil:
			copy(after.cpts[v].P, tables[v].P)
		case !set[v] && n.cpts[v] != nil:
			copy(after.cpts[v].P, n.cpts[v].P)
		case !set[v]:
			after.gauss[v] = n.gauss[v].Clone()
		}
	}
	for _, do := range interventions {
		if !do.policy {
			if err := after.fix(do.variable, do.value); err != nil {
				return nil, err
			}
		}
	}
	return after, nil
}

// fix gives a variable without parents one value.
func (n *Network) fix(name, value string) error {
	v, err := n.Index(name)
	if err != nil {
		return err
	}
	if t := n.cpts[v]; t != nil {
		state, err := n.vars[v].StateIndex(value)
		if err != nil {
			return err
		}
		clear(t.P)
		t.P[state] = 1
		return nil
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return say.Errorf("bn: %q is continuous, and %q is no finite number", name, value)
	}
	n.gauss[v].Intercept[0], n.gauss[v].Variance[0] = x, 0
	return nil
}

// policy reads a table whose header says what it looks at.
func (n *Network) policy(v int, text string) (*CPT, error) {
	var parents []Variable
	for _, line := range strings.Split(text, "\n") {
		given, values, hasBar, err := fields(line)
		if err != nil {
			return nil, say.Errorf("bn: table of %q: %w", n.vars[v].Name, err)
		}
		if len(given)+len(values) == 0 && !hasBar {
			continue
		}
		for _, name := range texts(given) {
			u, err := n.Index(name)
			if err != nil {
				return nil, say.Errorf("bn: table of %q: %w", n.vars[v].Name, err)
			}
			parents = append(parents, n.vars[u])
		}
		break
	}
	return parseCPT(text, n.vars[v], parents...)
}
