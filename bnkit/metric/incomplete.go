package metric

import (
	"errors"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// incomplete are the cases with missing cells, which are summed out by exact inference.
type incomplete struct {
	engine *infer.Engine
	table  *data.Table // of these cases, without weights
	rows   []int       // where they stand among all
}

func newIncomplete(c *cases) (*incomplete, error) {
	t, err := c.known()
	if err != nil {
		return nil, say.Errorf("metric: %w", err)
	}
	if t, err = t.Select(c.holes).WithWeights(nil); err != nil {
		return nil, say.Errorf("metric: %w", err)
	}
	engine, err := infer.New(c.net, nil)
	if err != nil {
		return nil, say.Errorf("metric: %w", err)
	}
	return &incomplete{engine, t, c.holes}, nil
}

// without hides a column.
func (h *incomplete) without(name string) (*incomplete, error) {
	cols := h.table.Columns()
	for i, c := range cols {
		if c.Var.Name == name {
			cols[i].States = make([]bn.State, len(c.States))
			for row := range cols[i].States {
				cols[i].States[row] = bn.Missing
			}
		}
	}
	t, err := data.New(cols...)
	if err != nil {
		return nil, say.Errorf("metric: %w", err)
	}
	return &incomplete{h.engine, t, h.rows}, nil
}

// logProbabilities returns log P(observed cells) by case.
func (h *incomplete) logProbabilities() ([]float64, error) {
	return ask(h, h.engine.LogProbabilities)
}

// logRatios returns log P(target | the other observed cells) by case, all of which have the
// target: log P(all) − log P(the others).
func (h *incomplete) logRatios(target string) ([]float64, error) {
	logs, err := h.logProbabilities()
	if err != nil {
		return nil, err
	}
	others, err := h.without(target)
	if err != nil {
		return nil, err
	}
	rest, err := others.logProbabilities()
	if err != nil {
		return nil, err
	}
	for i := range logs {
		if !math.IsInf(logs[i], -1) {
			logs[i] = min(logs[i]-rest[i], 0) // 0 but for rounding
		}
	}
	return logs, nil
}

// predict returns P(target | the other observed cells) by case.
func (h *incomplete) predict(target string) ([][]float64, error) {
	p, err := ask(h, func(t *data.Table) ([][]float64, error) { return h.engine.Predict(t, target) })
	var impossible *infer.ImpossibleError
	if errors.As(err, &impossible) {
		return nil, impossibleWhatever(h.rows[impossible.Case-1], target)
	}
	return p, err
}

// ask asks the engine about the cases.
func ask[T any](h *incomplete, question func(*data.Table) (T, error)) (T, error) {
	answer, err := question(h.table)
	if err != nil {
		return answer, say.Errorf("metric: %w", err)
	}
	return answer, nil
}
