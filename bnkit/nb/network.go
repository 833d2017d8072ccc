package nb

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/viz"
	"bnlab/internal/english"
)

// Network draws a network, or that of a model, with the distribution of each discrete variable given the
// evidence; see [viz.NetworkOptions].Beliefs. What is observed is grey; what is known short of its value (a set of
// states, a likelihood, a distribution, an interval) is a paler grey with a dashed outline, and the finding stands in
// its node. Without evidence the distributions are marginal; several pieces of evidence stand side by side, nil for
// none:
//
//	nb.Show(nb.Must(nb.Network(model, infer.Evidence{"xray": "yes"})))
//	nb.Show(nb.Must(nb.Network(model, nil, infer.Evidence{"xray": "yes"}))) // before and after
//
// [Targets] draws bars for chosen variables only, [viz.Network] the graph alone. Evidence is that of
// [bnkit.Posterior], and so are errors, among them one for a network too wide for exact inference.
func Network(m bn.Model, evidence ...infer.Evidence) (*viz.Figure, error) {
	return networkOf(m, nil, evidence)
}

// Targets is [Network] with bars for the targets alone: other variables are small nodes, which keeps a large network
// readable. Only the targets are computed.
//
//	nb.Show(nb.Must(nb.Targets(model, []string{"lung", "bronc"}, nil, infer.Evidence{"xray": "yes"})))
func Targets(m bn.Model, targets []string, evidence ...infer.Evidence) (*viz.Figure, error) {
	if len(targets) == 0 {
		return nil, errors.New("nb: no target is named; Network draws all variables")
	}
	return networkOf(m, targets, evidence)
}

func networkOf(m bn.Model, targets []string, evidence []infer.Evidence) (*viz.Figure, error) {
	if len(evidence) == 0 {
		evidence = []infer.Evidence{nil}
	}
	found := 0
	for _, e := range evidence {
		found += min(len(e), 1)
	}
	beliefs := make([]viz.Beliefs, len(evidence))
	for i, e := range evidence {
		name := ""
		if len(evidence) > 1 {
			switch name = e.String(); {
			case len(e) == 0:
				name = "no evidence"
			case found == 1 && utf8.RuneCountInString(name) > 50: // the nodes show it too
				name = "with " + english.Count(len(e), "finding")
			}
		}
		var err error
		if beliefs[i], err = beliefsOf(name, m, e, targets...); err != nil {
			return nil, err
		}
	}
	return viz.Network(m, &viz.NetworkOptions{Beliefs: beliefs, Targets: targets})
}

// beliefsOf are the distributions of the targets, or of all discrete variables of a network or a model, given the
// evidence, exactly, to be drawn by [viz.Network]. The name stands in the legend.
func beliefsOf(name string, m bn.Model, evidence infer.Evidence, targets ...string) (viz.Beliefs, error) {
	if m == nil || m.Network() == nil {
		return viz.Beliefs{}, errors.New("nb: there is no network")
	}
	net := m.Network()
	evidence, err := evidence.For(m)
	if err != nil {
		return viz.Beliefs{}, err
	}
	var found *infer.Posteriors
	if targets == nil {
		var engine *infer.Engine
		if engine, err = infer.New(net, nil); err == nil {
			found, err = engine.Marginals(evidence)
		}
	} else {
		found, err = infer.Posterior(net, evidence, targets...)
	}
	if err != nil {
		return viz.Beliefs{}, err
	}
	b := viz.Beliefs{Name: name, P: make(map[string][]float64, len(found.P)), Evidence: make(bn.Given),
		Soft: make(map[string]string)}
	for name, value := range evidence {
		if observed, ok := value.(string); ok {
			b.Evidence[name] = observed
			continue
		}
		v, err := net.Index(name)
		if err != nil {
			return viz.Beliefs{}, err
		}
		b.Soft[name] = inWords(net.Variable(v), value)
	}
	for i, v := range found.Variables {
		b.P[v.Name] = found.P[i]
	}
	return b, nil
}

// inWords says what is known of a variable in few words: numbers are in the order of the states.
func inWords(v bn.Variable, finding any) string {
	var what string
	var by map[string]float64
	switch f := finding.(type) {
	case infer.Interval:
		return "in " + f.String()
	case infer.Likelihood:
		what, by = "likelihood", f
	case infer.Distribution:
		what, by = "set to", f
	default:
		return fmt.Sprint(finding)
	}
	for i, state := range v.States {
		if i > 0 {
			what += " :"
		}
		what += fmt.Sprintf(" %.3g", by[state])
	}
	return what
}
