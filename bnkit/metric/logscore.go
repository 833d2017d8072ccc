package metric

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// A Score is a summed log score with the number of cases behind it.
type Score struct {
	LogScore float64   // natural logarithm, summed over weighted cases
	Average  float64   // per case
	Cases    float64   // total weight
	ByCase   []float64 // unweighted, by row
}

// LogScore is the log probability that the network gives to the cases of a table,
// all cells known: a probability density where variables are continuous, whose logarithm
// depends on their units. A case that the network holds impossible scores −Inf. Columns are
// matched by name. It returns an error for an unknown column or state, a missing cell, or
// a variance of zero.
func LogScore(net *bn.Network, t *data.Table) (Score, error) {
	c, err := newCases(net, t, -1)
	if err != nil {
		return Score{}, err
	}
	f := newFamilies(net)
	return c.score(f.logProb), nil
}

// ConditionalLogScore is the log probability that the network gives to the target's
// state given all the other cells of the case, continuous ones among them,
//
//	Σ_cases log P(target | rest).
//
// Only the family of the target and those of its children matter. Errors are those
// of [LogScore].
func ConditionalLogScore(net *bn.Network, t *data.Table, target string) (Score, error) {
	p, c, err := newPredictor(net, t, target, true)
	if err != nil {
		return Score{}, err
	}
	return c.score(func(at point) float64 {
		actual := at.states[p.target]
		if log := p.predict(at)[actual]; !math.IsNaN(log) {
			return log
		}
		return math.Inf(-1)
	}), nil
}

// Predict returns, for each row of a table with all cells known but the target's, the
// distribution of the target given the rest: rows × states. A case that the network
// holds impossible whatever the target is an error that names the row. The target's
// column need not be there.
func Predict(net *bn.Network, t *data.Table, target string) ([][]float64, error) {
	p, c, err := newPredictor(net, t, target, false)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, t.Rows())
	at := newPoint(net.Len())
	for row := range out {
		c.read(at, row)
		logs := p.predict(at)
		out[row] = make([]float64, len(logs))
		for s, x := range logs {
			if math.IsNaN(x) {
				return nil, fmt.Errorf("metric: row %d: the network gives probability zero to the case whatever the state of %q; a network fitted with pseudocounts holds no case impossible", row+1, target)
			}
			out[row][s] = math.Exp(x)
		}
	}
	return out, nil
}

// predictor computes log P(target | rest).
type predictor struct {
	f        *families
	target   int
	children []int
	logs     []float64
}

func newPredictor(net *bn.Network, t *data.Table, target string, withTarget bool) (*predictor, *cases, error) {
	v, err := net.Index(target)
	if err != nil {
		return nil, nil, fmt.Errorf("metric: %w", err)
	}
	if !net.Variable(v).IsDiscrete() {
		return nil, nil, fmt.Errorf("metric: target %q: %w", target, bn.ErrNotDiscrete)
	}
	skip := v
	if withTarget {
		skip = -1
	}
	c, err := newCases(net, t, skip)
	if err != nil {
		return nil, nil, err
	}
	return &predictor{
		f: newFamilies(net), target: v, children: net.DAG().Children(v),
		logs: make([]float64, net.Variable(v).Cardinality()),
	}, c, nil
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
