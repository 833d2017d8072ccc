package infer

import (
	"math"
	"slices"

	"bnlab/bnkit/data"
	"bnlab/internal/pool"
)

// Predict returns for each row of t the distribution of the target given the other cells of
// the row, by row and then state. Missing cells and variables without a column are summed
// out; a column of the target is not looked at. Rows of weight 0 get no distribution, nil.
// Rows with the same evidence share theirs.
//
// Errors are those of [NewPlan] and of [Engine.Posterior]; an [*ImpossibleError] names the
// row.
func (e *Engine) Predict(t *data.Table, target string) ([][]float64, error) {
	v, err := e.target(target)
	if err != nil {
		return nil, err
	}
	p, err := e.prediction(t, v)
	if err != nil {
		return nil, err
	}
	c, groups := p.c, p.groups
	if _, err := e.m.logKnown(p.known, c, e.m.own.theta); err != nil {
		return nil, err
	}
	byCase := make([][]float64, c.rows)
	failed := make([]error, len(groups))
	pool.Each(len(groups), e.workers, func(i int) {
		asked := groups[i].has(v)
		if asked || !e.m.positive(groups[i].part) {
			failed[i] = e.predict(p, i, asked, byCase)
		}
	})
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	out := make([][]float64, t.Rows())
	for row, i := range c.of.of {
		if i >= 0 {
			out[row] = byCase[i]
		}
	}
	return out, nil
}

// predict writes the distribution of the target for the cases of group i, or only checks that they are possible.
func (e *Engine) predict(of *prediction, i int, asked bool, byCase [][]float64) error {
	c, g := of.c, of.groups[i]
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	t, blk, config, err := of.plan(e, i, &w.plan)
	if err != nil {
		return err
	}
	if err := e.m.up(t, w, blk, c, e.m.own.withPoints(), false); err != nil {
		return err
	}
	p := make([][]float64, len(blk.weight))
	var lost []int32
	for k := range p {
		if t.lost(w, blk, k) {
			lost = append(lost, int32(k))
		} else if p[k] = normalised(t.root(w, blk, k)); p[k] == nil {
			return c.impossible(e.m.net, int(blk.first[k]))
		}
	}
	var alone block
	for _, k := range lost {
		root, err := e.m.again(t, w, &alone, blk, k, c, e.m.own.withPoints())
		if err != nil {
			return err
		}
		high := slices.Max(root)
		for state, x := range root {
			root[state] = math.Exp(x - high) // NaN when all are −∞
		}
		if p[k] = normalised(root); p[k] == nil {
			return c.impossible(e.m.net, int(blk.first[k]))
		}
	}
	if asked {
		for i, row := range g.rows {
			byCase[row] = p[config.of[i]]
		}
	}
	return nil
}

// normalised returns the values divided by their sum, nil when that is not positive.
func normalised(values []float64) []float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	if !(sum > 0) {
		return nil
	}
	p := make([]float64, len(values))
	for i, x := range values {
		p[i] = x / sum
	}
	return p
}
