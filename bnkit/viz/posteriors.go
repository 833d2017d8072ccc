package viz

import (
	"errors"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/bnkit/bn"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// Beliefs are the posterior distributions of the variables of a network, with the evidence.
type Beliefs struct {
	// Name is the entry in the legend; none when empty.
	Name string
	// P has the distribution of a discrete variable over its states, by the name of the
	// variable.
	P map[string][]float64
	// Evidence is what is observed: a state, the number of a continuous variable, or a value that
	// the model knows as one ([bn.Model]).
	Evidence bn.Given
	// Soft says in a few words what is known of a variable short of its value, as "likelihood 0.2 : 0.9".
	Soft map[string]string
}

// posteriors draws the graph of a network with the distribution of each discrete variable in its node; see
// [NetworkOptions].Beliefs.
func posteriors(m bn.Model, opts *NetworkOptions) (*Figure, error) {
	net, beliefs := m.Network(), opts.Beliefs
	if opts.Strengths != nil {
		return nil, errors.New("viz: a drawing of beliefs shows no strengths; give one of Beliefs and Strengths")
	}
	if len(beliefs) > len(palette) {
		return nil, fmt.Errorf("viz: %d beliefs side by side are too many to tell apart; at most %d are drawn",
			len(beliefs), len(palette))
	}
	beliefs = slices.Clone(beliefs)
	found := make([][][]float64, len(beliefs))
	var keys []key
	for i, b := range beliefs {
		name := fmt.Sprintf("beliefs %d", i+1)
		if b.Name != "" {
			name = fmt.Sprintf("beliefs %q", b.Name)
			keys = append(keys, key{b.Name, fmt.Sprint(barColor(i)), func(c draw.Canvas) {
				fillBox(c, c.Rectangle, barColor(i))
			}})
		} else if len(beliefs) > 1 {
			return nil, say.Errorf("viz: %s have no name, by which a legend tells them apart", name)
		}
		var err error
		if b.Evidence, err = states(m, b.Evidence); err != nil {
			return nil, say.Errorf("viz: %s: %w", name, err)
		}
		beliefs[i] = b
		if found[i], err = b.distributions(net); err != nil {
			return nil, say.Errorf("viz: %s: %w", name, err)
		}
	}
	targets := make([]bool, net.Len())
	for _, name := range opts.Targets {
		v, err := net.Index(name)
		if err != nil {
			return nil, say.Errorf("viz: targets: %w", err)
		}
		targets[v] = true
	}
	shaded := observed(net, opts.Shaded, beliefs)
	nodes, err := newNodes(net.DAG(), net.Variables(), &NetworkOptions{Shaded: shaded, Colors: opts.Colors})
	if err != nil {
		return nil, err
	}
	boxes := make([]box, len(nodes))
	for v, n := range nodes {
		n.setSoft(slices.Contains(shaded, n.name), beliefs)
		nodes[v] = n
		if opts.Targets != nil && !targets[v] {
			n.small = true
			boxes[v] = withValues(n, n.name, beliefs)
			continue
		}
		p := make([][]float64, len(beliefs))
		for i := range beliefs {
			p[i] = found[i][v]
		}
		boxes[v] = newBeliefBox(n, net.Variable(v), p, beliefs, slices.Contains(shaded, n.name))
	}
	return drawGraph(net.DAG(), boxes, plain, append(keys, findingKeys(nodes, shaded)...), opts)
}

// findingKeys tell observed variables from those with soft findings, where there are any of these.
func findingKeys(nodes []node, observed []string) []key {
	if !slices.ContainsFunc(nodes, func(n node) bool { return n.dashed }) {
		return nil
	}
	swatch := func(fill color.NRGBA, dashes []vg.Length) func(c draw.Canvas) {
		return func(c draw.Canvas) {
			edge := draw.LineStyle{Color: nodeEdge, Width: 0.8, Dashes: dashes}
			fillAndDash(c, roundedBox(c.Rectangle, 2), fill, edge)
		}
	}
	keys := []key{{name: "soft finding", sample: swatch(softFill, softDashes)}}
	if len(observed) > 0 {
		keys = append([]key{{name: "observed", sample: swatch(shadeFill, nil)}}, keys...)
	}
	return keys
}

func fillBox(c draw.Canvas, r vg.Rectangle, col color.Color) {
	c.SetColor(col)
	c.Fill(r.Path())
}

// states are evidence in the states of the network, as it may be given already.
func states(m bn.Model, evidence bn.Given) (bn.Given, error) {
	net := m.Network()
	for name, value := range evidence {
		v, err := net.Index(name)
		if err == nil && net.Variable(v).IsDiscrete() {
			_, err = net.Variable(v).StateIndex(value)
		}
		if err != nil {
			return m.Evidence(evidence)
		}
	}
	return evidence, nil
}

// observed adds to names what any of the beliefs has as evidence, in the order of the
// variables.
func observed(net *bn.Network, names []string, beliefs []Beliefs) []string {
	out := slices.Clone(names)
	for _, v := range net.Variables() {
		if slices.ContainsFunc(beliefs, func(b Beliefs) bool { _, ok := b.Evidence[v.Name]; return ok }) {
			out = append(out, v.Name)
		}
	}
	return out
}

// distributions checks the beliefs and returns them by variable and state, nil for what
// they do not tell of.
func (b Beliefs) distributions(net *bn.Network) ([][]float64, error) {
	out := make([][]float64, net.Len())
	for _, name := range slices.Sorted(maps.Keys(b.P)) {
		v, err := net.Index(name)
		if err != nil {
			return nil, err
		}
		if !net.Variable(v).IsDiscrete() {
			return nil, say.Errorf("%q: %w; only its value can be shown, as evidence", name, bn.ErrNotDiscrete)
		}
		if err := checkDistribution(net.Variable(v), b.P[name]); err != nil {
			return nil, err
		}
		out[v] = b.P[name]
	}
	for _, name := range slices.Sorted(maps.Keys(b.Soft)) {
		if _, err := net.Index(name); err != nil {
			return nil, say.Errorf("soft finding: %w", err)
		}
		if _, ok := b.Evidence[name]; ok {
			return nil, say.Errorf("%q is observed and has a soft finding; give one of Evidence and Soft", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Evidence)) {
		v, err := net.Index(name)
		if err != nil {
			return nil, say.Errorf("evidence: %w", err)
		}
		at := b.Evidence[name]
		if !net.Variable(v).IsDiscrete() {
			if x, err := strconv.ParseFloat(at, 64); err != nil || !num.Finite(x) {
				return nil, say.Errorf("evidence: %q is continuous and cannot be %q; give a number", name, at)
			}
			continue
		}
		state, err := net.Variable(v).StateIndex(at)
		if err != nil {
			return nil, say.Errorf("evidence: %w", err)
		}
		if out[v] == nil {
			out[v] = make([]float64, net.Variable(v).Cardinality())
			out[v][state] = 1
		}
		if p := out[v][state]; !(math.Abs(p-1) <= num.RowTolerance) {
			return nil, say.Errorf("%q is observed as %q, which has the probability %v; leave it out of P", name, at, p)
		}
	}
	return out, nil
}

// checkDistribution returns an error unless p is a distribution over the states of v.
func checkDistribution(v bn.Variable, p []float64) error {
	if len(p) != v.Cardinality() {
		return say.Errorf("%q has %d states, %d probabilities are given", v.Name, v.Cardinality(), len(p))
	}
	sum := 0.0
	for state, x := range p {
		if !(x >= 0 && x <= 1+num.RowTolerance) {
			return say.Errorf("%q: %v for %q is no probability", v.Name, x, v.States[state])
		}
		sum += x
	}
	if !(math.Abs(sum-1) <= num.RowTolerance) {
		return say.Errorf("%q: the probabilities sum to %v, not 1", v.Name, sum)
	}
	return nil
}
