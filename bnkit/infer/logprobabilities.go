package infer

import (
	"slices"

	"bnlab/bnkit/data"
	"bnlab/internal/factor"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// LogProbabilities returns for each row of t the natural logarithm of the probability of its
// observed cells,
//
//	log P(observed cells of the row),
//
// a density where they are continuous. Missing cells and variables without a column are
// summed out. A row that cannot occur has −Inf, one without observed cells 0. Weights do not
// count, so that rows of weight 0 have a probability as the others. Rows with the same
// evidence share the work, as in [Engine.Predict].
//
// Errors are those of [NewPlan], and [ErrNoDensity]. (W00 Eq. 2 is the sum over rows.)
func (e *Engine) LogProbabilities(t *data.Table) ([]float64, error) {
	if t == nil {
		return nil, errNoTable
	}
	t, err := t.WithWeights(nil)
	if err != nil {
		return nil, say.Errorf("infer: %w", err)
	}
	c, err := gather(e.m.net, t, "")
	if err != nil {
		return nil, err
	}
	groups, err := e.m.groups(c, func(int) bool { return false })
	if err != nil {
		return nil, err
	}
	byCase := make([]float64, c.rows)
	if err := e.m.addKnown(byCase, c); err != nil {
		return nil, err
	}
	hidden := make([]logs, len(groups))
	pool.Each(len(groups), e.workers, func(i int) { hidden[i] = e.logs(c, groups[i]) })
	for i, h := range hidden {
		if h.err != nil {
			return nil, h.err
		}
		for j, row := range groups[i].rows {
			byCase[row] += h.byConfig[h.config[j]]
		}
	}
	out := make([]float64, t.Rows())
	for row, i := range c.of.of {
		out[row] = byCase[i]
	}
	return out, nil
}

// addKnown adds to each case the logarithms of the families that it observes outright.
func (m *model) addKnown(byCase []float64, c *cases) error {
	for f := range m.families {
		rows := m.complete(f, c)
		if len(rows) == 0 {
			continue
		}
		base := m.bases(f, c, rows)
		if d := m.own.densities[f]; d != nil {
			for i, row := range rows {
				x, err := m.logDensity(d, f, base[i], c, row)
				if err != nil {
					return err
				}
				byCase[row] += x
			}
			continue
		}
		fam := &m.families[f]
		log := make([]float64, fam.entries)
		for i := range log {
			log[i] = factor.Log(m.own.theta[fam.lo+i])
		}
		for i, row := range rows {
			byCase[row] += log[int(base[i])-fam.lo]
		}
	}
	return nil
}

// logs are the logarithms of what a group sums to, by configuration of its evidence.
type logs struct {
	byConfig []float64
	config   []int32 // by case of the group
	err      error
}

// logs passes up.
func (e *Engine) logs(c *cases, g group) logs {
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	t, blk, config, err := w.plan.plan(e.m, g, c, e.limit)
	if err != nil {
		return logs{err: err}
	}
	if err := e.m.up(t, w, blk, c, e.m.own, false); err != nil {
		return logs{err: err}
	}
	byConfig := make([]float64, len(blk.weight))
	var lost []int32
	for k := range byConfig {
		if t.lost(w, blk, k) {
			lost = append(lost, int32(k))
			continue
		}
		byConfig[k] = t.log(w, k, t.root(w, blk, k)[0])
	}
	var alone block
	for _, k := range lost {
		root, err := e.m.again(t, w, &alone, blk, k, c, e.m.own)
		if err != nil {
			return logs{err: err}
		}
		byConfig[k] = root[0]
	}
	return logs{byConfig, slices.Clone(config.of), nil}
}
