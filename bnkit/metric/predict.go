package metric

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// Predict returns, for each row of a table, the distribution of the target given the other observed
// cells. Missing cells and variables without a column are summed out; the target's own column, which may be
// absent, only says what occurred. A case of probability zero for every state of the target is an error that
// names the row; if the rest is complete, only the families of the target and its children are
// used. In rows in which variables were set ([data.Table.WithInterventions]) the target is predicted by the network
// after [bn.Network.Do]; the target itself cannot be one of them. Other errors are those of [LogScore].
func Predict(net *bn.Network, t *data.Table, target string) (*Predictions, error) {
	if t.Regimes() != nil {
		return predictRegimes(net, t, target)
	}
	v, err := discrete(net, target)
	if err != nil {
		return nil, err
	}
	c, err := newCases(net, t, v)
	if err != nil {
		return nil, err
	}
	var h *incomplete
	if len(c.holes) > 0 {
		if h, err = newIncomplete(c); err != nil {
			return nil, err
		}
	}
	return c.predict(h, net, v)
}

// With returns the predictions of the same cases by a network that differs from the one of Predict in its
// parameters only, as draws of the tables do: the table is read, and inference planned, once. Several goroutines may
// call it. Errors are those of Predict, and one for a network with other variables, states or parents.
func (p *Predictions) With(net *bn.Network) (*Predictions, error) {
	c, h := p.cases, p.incomplete
	if c == nil {
		return nil, errors.New("metric: the predictions were not made by Predict, so that their cases are not known")
	}
	if err := c.net.Matches(net); err != nil {
		return nil, say.Errorf("metric: %w", err)
	}
	if c.table.Regimes() != nil {
		return predictRegimes(net, c.table, p.Target.Name)
	}
	if h != nil {
		engine, err := h.engine.With(net)
		if err != nil {
			return nil, say.Errorf("metric: %w", err)
		}
		h = &incomplete{engine, h.table, h.rows}
	}
	v, err := net.Index(p.Target.Name)
	if err != nil {
		return nil, say.Errorf("metric: %w", err)
	}
	return c.predict(h, net, v)
}

// predict predicts a variable in the cases, of which h has those with missing cells, nil for none.
func (c *cases) predict(h *incomplete, net *bn.Network, v int) (*Predictions, error) {
	t, target := c.table, net.Variable(v).Name
	p := newPredictor(net, v)
	out := make([][]float64, c.rows)
	result := &Predictions{Target: net.Variable(v), P: out, Weights: t.Weights(), cases: c, incomplete: h}
	result.Occurred, result.unknown = occurred(t, net.Variable(v))
	err := c.complete(func(row int, at point) error {
		logs := p.predict(at)
		out[row] = make([]float64, len(logs))
		for s, x := range logs {
			if math.IsNaN(x) {
				return impossibleWhatever(row, target)
			}
			out[row][s] = math.Exp(x)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if h == nil {
		return result, nil
	}
	found, err := h.predict(target)
	if err != nil {
		return nil, err
	}
	for i, row := range h.rows {
		out[row] = slices.Clone(found[i]) // rows with the same evidence share theirs
	}
	return result, nil
}

// predictRegimes is Predict for a table in some of whose rows variables were set.
func predictRegimes(net *bn.Network, t *data.Table, target string) (*Predictions, error) {
	v, err := discrete(net, target)
	if err != nil {
		return nil, err
	}
	parts, err := regimes(net, t)
	if err != nil {
		return nil, err
	}
	result := &Predictions{Target: net.Variable(v), P: make([][]float64, t.Rows()), Weights: t.Weights(),
		cases: &cases{net: net, table: t}}
	result.Occurred, result.unknown = occurred(t, result.Target)
	for i := range parts {
		r := &parts[i]
		if err := r.observed(target); err != nil {
			return nil, err
		}
		p, err := Predict(r.net, r.cases.Rows, target)
		if err != nil {
			return nil, say.Errorf("of the rows %s: %w", r, err)
		}
		scatter(result.P, p.P, r)
	}
	return result, nil
}

func impossibleWhatever(row int, target string) error {
	return say.Errorf("metric: row %d: the network gives probability zero to the case whatever the state of %q; a "+
		"network fitted with pseudocounts holds no case impossible", row+1, target)
}

// discrete returns the number of a target.
func discrete(net *bn.Network, target string) (int, error) {
	v, err := net.Index(target)
	if err != nil {
		return 0, say.Errorf("metric: %w", err)
	}
	if !net.Variable(v).IsDiscrete() {
		return 0, say.Errorf("metric: target %q: %w", target, bn.ErrNotDiscrete)
	}
	return v, nil
}

// occurred returns the target's state in each row, all of which must be known.
func occurred(t *data.Table, target bn.Variable) ([]bn.State, error) {
	states, err := t.As(target)
	if err != nil {
		return nil, say.Errorf("metric: %w", err)
	}
	if row := slices.Index(states, bn.Missing); row >= 0 {
		err := fmt.Errorf("%w; a prediction is scored by the state that occurred, bnkit.DropMissing drops the rows "+
			"without it", data.ErrMissing)
		return nil, say.Errorf("metric: %w", &data.ValueError{Row: row + 1, Name: target.Name, Err: err})
	}
	return states, nil
}

// predictor computes log P(target | rest) of complete cases.
type predictor struct {
	f        *families
	target   int
	children []int
	logs     []float64
}

func newPredictor(net *bn.Network, target int) *predictor {
	return &predictor{
		f: newFamilies(net), target: target, children: net.DAG().Children(target),
		logs: make([]float64, net.Variable(target).Cardinality()),
	}
}

// predict returns log P(target | rest) by state of the target, NaN when the rest is
// impossible. The slice is used again by the next call.
func (p *predictor) predict(at point) []float64 {
	top := math.Inf(-1)
	for s := range p.logs {
		at.states[p.target] = bn.State(s)
		p.logs[s] = p.f.family(p.target, at)
		for _, child := range p.children {
			p.logs[s] += p.f.family(child, at)
		}
		top = max(top, p.logs[s])
	}
	sum := 0.0
	for _, x := range p.logs {
		sum += math.Exp(x - top)
	}
	for s := range p.logs {
		p.logs[s] -= top + math.Log(sum)
	}
	return p.logs
}
