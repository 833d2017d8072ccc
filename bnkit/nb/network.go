package nb

import (
	"errors"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/viz"
)

// Network draws a network, or that of a model, with the distribution of each discrete variable given the
// evidence; see [viz.Posteriors]. What is observed is grey. Without evidence the
// distributions are marginal; several pieces of evidence stand side by side, nil for none:
//
//	nb.Show(nb.Must(nb.Network(model, infer.Evidence{"xray": "yes"})))
//	nb.Show(nb.Must(nb.Network(model, nil, infer.Evidence{"xray": "yes"}))) // before and after
//
// [viz.Network] draws the graph alone. Errors are those of [beliefsOf].
func Network(m bn.Model, evidence ...infer.Evidence) (*viz.Figure, error) {
	if len(evidence) == 0 {
		evidence = []infer.Evidence{nil}
	}
	beliefs := make([]viz.Beliefs, len(evidence))
	for i, e := range evidence {
		name := ""
		if len(evidence) > 1 {
			name = "no evidence"
			if len(e) > 0 {
				name = e.String()
			}
		}
		var err error
		if beliefs[i], err = beliefsOf(name, m, e); err != nil {
			return nil, err
		}
	}
	return viz.Posteriors(m, beliefs, nil)
}

// beliefsOf are the distributions of all discrete variables of a network or a model given the evidence,
// exactly, to be drawn by [viz.Posteriors]. The name stands in the legend. So two fits are
// compared:
//
//	fits := []viz.Beliefs{
//		nb.Must(nb.Beliefs("without knowledge", free, evidence)),
//		nb.Must(nb.Beliefs("with knowledge", tied, evidence)),
//	}
//	nb.Show(nb.Must(viz.Posteriors(tied, fits, nil)))
//
// Evidence is that of [bnkit.Posterior]; only observed states and numbers are marked. Errors are those of
// [bnkit.Model.Evidence] and [infer.Marginals]: unknown names, evidence that cannot occur
// ([infer.ErrImpossibleEvidence]), a continuous variable that would have to be summed out,
// a network too wide for exact inference.
func beliefsOf(name string, m bn.Model, evidence infer.Evidence) (viz.Beliefs, error) {
	if m == nil || m.Network() == nil {
		return viz.Beliefs{}, errors.New("nb: there is no network")
	}
	evidence, err := evidence.For(m)
	if err != nil {
		return viz.Beliefs{}, err
	}
	found, err := infer.Marginals(m.Network(), evidence)
	if err != nil {
		return viz.Beliefs{}, err
	}
	b := viz.Beliefs{Name: name, P: make(map[string][]float64, len(found.P)), Evidence: make(bn.Given)}
	for name, value := range evidence {
		if observed, ok := value.(string); ok {
			b.Evidence[name] = observed
		}
	}
	for i, v := range found.Variables {
		b.P[v.Name] = found.P[i]
	}
	return b, nil
}
