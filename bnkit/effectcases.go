package bnkit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/english"
)

const (
	noticed = 0.01    // the least share of the population that a note on its lack of cases is worth
	widest  = 1 << 16 // rows of a table that are looked through
)

// unseen says of an intervention which rows of tables the outcome rests on that no case has (positivity): P(outcome |
// do) is then made of the prior and of statements. The network is after is that after the intervention, and evidence
// selects those whom it is about. It is empty for a model without cases.
func (m *Model) unseen(after *bn.Network, evidence infer.Evidence, treatment, outcome string) (string, error) {
	if len(m.Counts) != m.Net.Layout().Len() || !(m.Cases > 0) {
		return "", nil
	}
	above, err := after.DAG().Ancestors(append(slices.Collect(maps.Keys(evidence)), outcome)...)
	if err != nil {
		return "", err
	}
	engine, err := infer.New(after, &infer.Options{Workers: 1})
	if err != nil {
		return "", err
	}
	var notes []string
	for v := range m.Net.Len() {
		name := m.Net.Variable(v).Name
		if name == treatment || name != outcome && !slices.Contains(above, name) {
			continue
		}
		lacking, of := m.lacking(v)
		if len(lacking) == 0 {
			continue
		}
		parents := make([]string, len(of))
		for i, parent := range of {
			parents[i] = parent.Name
		}
		joint, err := engine.Joint(evidence, parents...)
		if err != nil {
			return "", err
		}
		share, most, more := 0.0, lacking[0], -1
		for _, config := range lacking {
			if joint.P[config] > 0 {
				more++
			}
			share += joint.P[config]
			if joint.P[config] > joint.P[most] {
				most = config
			}
		}
		if share < noticed {
			continue
		}
		states := make([]string, len(of))
		for i, rest := len(of)-1, most; i >= 0; i-- { // the last parent varies fastest
			states[i] = parents[i] + "=" + of[i].States[rest%of[i].Cardinality()]
			rest /= of[i].Cardinality()
		}
		which := strings.Join(states, ", ")
		if more > 0 {
			which += ", or one of " + english.Count(more, "further combination")
		}
		notes = append(notes, fmt.Sprintf("no case has %s, as %.0f %% would: there P(%s) is made of nothing but prior "+
			"and statements", which, 100*share, name))
	}
	return strings.Join(notes, "; "), nil
}

// lacking returns the rows of a table, or the regressions, that no case has, and the discrete parents.
func (m *Model) lacking(v int) (configs []int, parents []bn.Variable) {
	if t := m.Net.CPT(v); t != nil {
		if len(t.Parents) == 0 || t.Configs().Len() > widest {
			return nil, nil
		}
		for config := range t.Configs().Len() {
			lo, hi := m.Net.Layout().Row(v, config)
			if slices.Max(m.Counts[lo:hi]) <= 1e-9*m.Cases { // what EM leaves of 0
				configs = append(configs, config)
			}
		}
		return configs, t.Parents
	}
	g := m.Net.Gaussian(v)
	if len(g.Discrete) == 0 || m.Moments == nil || len(m.Moments.Factors[v]) > widest {
		return nil, nil
	}
	for config, f := range m.Moments.Factors[v] {
		if f.N <= 1e-9*m.Cases {
			configs = append(configs, config)
		}
	}
	return configs, g.Discrete
}
