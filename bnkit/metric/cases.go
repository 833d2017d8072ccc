package metric

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// cases are the rows of a table as a network numbers their states.
type cases struct {
	cols    [][]bn.State // by variable, nil where not needed
	rows    int
	weights []float64
}

var errIncomplete = fmt.Errorf("%w; scores and predictions need complete rows, bnkit.DropMissing drops the others", data.ErrMissing)

// newCases takes the columns of all variables but skip (−1: none), which must be
// there and complete.
func newCases(net *bn.Network, t *data.Table, skip int) (*cases, error) {
	c := &cases{cols: make([][]bn.State, net.Len()), rows: t.Rows(), weights: t.Weights()}
	if err := net.Validate(); err != nil {
		return nil, fmt.Errorf("metric: %w", err)
	}
	for v := range net.Len() {
		if v == skip {
			continue
		}
		variable := net.Variable(v)
		if !variable.IsDiscrete() {
			return nil, fmt.Errorf("metric: %q: %w; scores and predictions need states, discretise it first (bnkit.Discretize)", variable.Name, bn.ErrNotDiscrete)
		}
		col, err := t.As(variable)
		if err != nil {
			return nil, fmt.Errorf("metric: %w", err)
		}
		for row, s := range col {
			if s == bn.Missing {
				return nil, fmt.Errorf("metric: %w", &data.ValueError{Row: row + 1, Name: variable.Name, Err: errIncomplete})
			}
		}
		c.cols[v] = col
	}
	return c, nil
}

// read copies one case to states, by variable.
func (c *cases) read(states []bn.State, row int) {
	for v, col := range c.cols {
		if col != nil {
			states[v] = col[row]
		}
	}
}

// score sums what each case earns.
func (c *cases) score(logProb func(states []bn.State) float64) Score {
	s := Score{ByCase: make([]float64, c.rows)}
	states := make([]bn.State, len(c.cols))
	for row := range s.ByCase {
		c.read(states, row)
		s.ByCase[row] = logProb(states)
		w := 1.0
		if c.weights != nil {
			w = c.weights[row]
		}
		if w > 0 {
			s.LogScore += w * s.ByCase[row]
			s.Cases += w
		}
	}
	if s.Cases > 0 {
		s.Average = s.LogScore / s.Cases
	}
	return s
}
