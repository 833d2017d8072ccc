package metric

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// cases are the rows of a table as a network numbers their states.
type cases struct {
	cols    [][]bn.State // by variable, nil where continuous or not needed
	values  [][]float64  // by variable, nil where discrete
	rows    int
	weights []float64
}

var errIncomplete = fmt.Errorf("%w; scores and predictions need complete rows, bnkit.DropMissing drops the others", data.ErrMissing)

// newCases takes the columns of all variables but skip (−1: none), which must be
// there and complete.
func newCases(net *bn.Network, t *data.Table, skip int) (*cases, error) {
	c := &cases{cols: make([][]bn.State, net.Len()), values: make([][]float64, net.Len()), rows: t.Rows(), weights: t.Weights()}
	if err := net.Validate(); err != nil {
		return nil, fmt.Errorf("metric: %w", err)
	}
	for v := range net.Len() {
		if v == skip {
			continue
		}
		variable := net.Variable(v)
		if !variable.IsDiscrete() {
			values, err := valuesOf(net.Gaussian(v), t)
			if err != nil {
				return nil, err
			}
			c.values[v] = values
			continue
		}
		col, err := t.As(variable)
		if err != nil {
			return nil, fmt.Errorf("metric: %w", err)
		}
		for row, s := range col {
			if s == bn.Missing {
				return nil, incomplete(row, variable.Name)
			}
		}
		c.cols[v] = col
	}
	return c, nil
}

// valuesOf returns the column of a linear-Gaussian node, which must have a density.
func valuesOf(g *bn.LinearGaussian, t *data.Table) ([]float64, error) {
	name := g.Child.Name
	for _, variance := range g.Variance {
		if variance == 0 {
			return nil, fmt.Errorf("metric: %q has a variance of zero, so that its values have no density; fit it with a VarianceFloor", name)
		}
	}
	col, err := t.Column(name)
	if err != nil {
		return nil, fmt.Errorf("metric: %w", err)
	}
	if col.Var.IsDiscrete() {
		return nil, fmt.Errorf("metric: column %q holds states, but the variable is continuous; read the column as numbers", name)
	}
	for row := range col.Values {
		if col.IsMissing(row) {
			return nil, incomplete(row, name)
		}
	}
	return col.Values, nil
}

func incomplete(row int, name string) error {
	return fmt.Errorf("metric: %w", &data.ValueError{Row: row + 1, Name: name, Err: errIncomplete})
}

// A point is one case: the state of each discrete variable, the value of each continuous one.
type point struct {
	states []bn.State
	values []float64
}

func newPoint(n int) point { return point{make([]bn.State, n), make([]float64, n)} }

// read copies one case.
func (c *cases) read(to point, row int) {
	for v := range c.cols {
		switch {
		case c.cols[v] != nil:
			to.states[v] = c.cols[v][row]
		case c.values[v] != nil:
			to.values[v] = c.values[v][row]
		}
	}
}

// score sums what each case earns.
func (c *cases) score(logProb func(point) float64) Score {
	s := Score{ByCase: make([]float64, c.rows)}
	at := newPoint(len(c.cols))
	for row := range s.ByCase {
		c.read(at, row)
		s.ByCase[row] = logProb(at)
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
