package metric

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// ConfusionOptions say which state is predicted. Nil predicts the most probable one, and the first
// of ties (within 1e-12 of the probability).
type ConfusionOptions struct {
	// Threshold, when positive, predicts State if its probability is at least that, and the other
	// state otherwise, for a binary target.
	Threshold float64
	State     string // empty: the last one
}

// A ConfusionMatrix counts cases by actual and predicted state.
type ConfusionMatrix struct {
	Target string
	States []string
	N      [][]float64 // total weights, by the state that occurred and then the one predicted
	// InSample: these are the cases that the model was fitted to, so that others will be worse.
	InSample bool
}

// Confusion returns the confusion matrix of predicted against actual states. It returns an error for slices of
// different lengths, a state or a row that the target does not have, a probability that is NaN, a weight that is
// negative or not finite, options that do not fit the target, and where the table did not tell what occurred.
func (p *Predictions) Confusion(opts *ConfusionOptions) (*ConfusionMatrix, error) {
	if p.unknown != nil {
		return nil, p.unknown
	}
	if opts == nil {
		opts = &ConfusionOptions{}
	}
	target, occurred, weights := p.Target, p.Occurred, p.Weights
	positive, err := opts.positive(target)
	if err != nil {
		return nil, err
	}
	if err := checkLengths(len(p.P), len(occurred), weights); err != nil {
		return nil, err
	}
	r := target.Cardinality()
	m := &ConfusionMatrix{Target: target.Name, States: target.States, N: make([][]float64, r)}
	for s := range m.N {
		m.N[s] = make([]float64, r)
	}
	for i, p := range p.P {
		if int(occurred[i]) >= r || len(p) != r {
			return nil, say.Errorf("metric: case %d has the state number %d and %d probabilities; %q has %d states",
				i+1, occurred[i], len(p), target.Name, r)
		}
		for _, x := range p {
			if !(x >= 0) {
				return nil, say.Errorf("metric: case %d is predicted with the probability %v", i+1, x)
			}
		}
		named := 0
		switch {
		case opts.Threshold == 0:
			for s, x := range p {
				if x > p[named] && !tie(x, p[named]) {
					named = s
				}
			}
		case p[positive] >= opts.Threshold:
			named = positive
		default:
			named = 1 - positive
		}
		m.N[occurred[i]][named] += weightOf(weights, i)
	}
	return m, nil
}

// positive is the number of the state that the threshold is about.
func (o *ConfusionOptions) positive(target bn.Variable) (int, error) {
	if o.Threshold == 0 && o.State == "" {
		return 0, nil
	}
	switch {
	case !(o.Threshold > 0 && o.Threshold <= 1):
		return 0, say.Errorf("metric: the threshold is %v; give a probability above 0, or neither threshold nor "+
			"state for the most probable state", o.Threshold)
	case target.Cardinality() != 2:
		return 0, say.Errorf("metric: target %q has %d states, a threshold is for two; leave it out for the most "+
			"probable state", target.Name, target.Cardinality())
	case o.State == "":
		return 1, nil
	}
	at := slices.Index(target.States, o.State)
	if at < 0 {
		return 0, say.Errorf("metric: target %q: %w %q (states: %v)", target.Name, bn.ErrUnknownState, o.State,
			target.States)
	}
	return at, nil
}

// Cases returns the total weight.
func (m *ConfusionMatrix) Cases() float64 {
	sum := 0.0
	for s := range m.N {
		sum += m.occurred(s)
	}
	return sum
}

// Accuracy returns the fraction of correctly predicted cases, 0 without cases.
func (m *ConfusionMatrix) Accuracy() float64 {
	right := 0.0
	for s := range m.N {
		right += m.N[s][s]
	}
	return share(right, m.Cases())
}

// Recall returns the fraction of the cases of a state that are predicted as that state, 0 without
// such cases. For a binary target it is the sensitivity for the positive state and the specificity
// for the other.
func (m *ConfusionMatrix) Recall(state int) float64 {
	return share(m.N[state][state], m.occurred(state))
}

// Precision returns the fraction of correct predictions of a state, 0 without such predictions.
func (m *ConfusionMatrix) Precision(state int) float64 {
	named := 0.0
	for s := range m.N {
		named += m.N[s][state]
	}
	return share(m.N[state][state], named)
}

func (m *ConfusionMatrix) occurred(state int) float64 {
	sum := 0.0
	for _, n := range m.N[state] {
		sum += n
	}
	return sum
}

func share(part, whole float64) float64 {
	if whole > 0 {
		return part / whole
	}
	return 0
}

// String prints the counts with recall and precision of each state.
func (m *ConfusionMatrix) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\tpredicted %s\trecall\n", m.Target, strings.Join(m.States, "\tpredicted "))
	for s, row := range m.N {
		fmt.Fprint(w, m.States[s])
		for _, n := range row {
			fmt.Fprintf(w, "\t%.6g", n)
		}
		fmt.Fprintf(w, "\t%.3f\n", m.Recall(s))
	}
	fmt.Fprint(w, "precision")
	for s := range m.N {
		fmt.Fprintf(w, "\t%.3f", m.Precision(s))
	}
	fmt.Fprintf(w, "\taccuracy %.3f\n", m.Accuracy())
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n") + inSample(m.InSample)
}
