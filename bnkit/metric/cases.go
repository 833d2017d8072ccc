package metric

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// cases are the rows of a table as a network numbers their states.
type cases struct {
	net     *bn.Network
	table   *data.Table
	cols    [][]bn.State // by variable, nil where continuous or without a column
	values  [][]float64  // by variable, nil where discrete or without a column
	absent  bool         // a variable has no column, so that every row is a hole
	holes   []int        // rows with a missing cell, ascending
	rows    int
	weights []float64
}

// newCases takes the columns of all variables but skip (−1: none) that there are.
func newCases(net *bn.Network, t *data.Table, skip int) (*cases, error) {
	c := &cases{
		net: net, table: t, cols: make([][]bn.State, net.Len()), values: make([][]float64, net.Len()),
		rows: t.Rows(), weights: t.Weights(),
	}
	if err := net.Validate(); err != nil {
		return nil, say.Errorf("metric: %w", err)
	}
	there := make(map[string]bool)
	for _, v := range t.Variables() {
		there[v.Name] = true
	}
	hole := make([]bool, c.rows)
	for v := range net.Len() {
		variable := net.Variable(v)
		switch {
		case v == skip:
		case !there[variable.Name]:
			c.absent = true
		case variable.IsDiscrete():
			col, err := t.As(variable)
			if err != nil {
				return nil, say.Errorf("metric: %w", err)
			}
			for row, s := range col {
				if s == bn.Missing {
					hole[row] = true
				}
			}
			c.cols[v] = col
		default:
			col, err := valuesOf(net.Gaussian(v), t)
			if err != nil {
				return nil, err
			}
			for row, x := range col {
				if math.IsNaN(x) {
					hole[row] = true
				}
			}
			c.values[v] = col
		}
	}
	for row := range hole {
		if c.absent || hole[row] {
			c.holes = append(c.holes, row)
		}
	}
	return c, nil
}

// valuesOf returns the column of a linear-Gaussian node, which must have a density.
func valuesOf(g *bn.LinearGaussian, t *data.Table) ([]float64, error) {
	name := g.Child.Name
	for _, variance := range g.Variance {
		if variance == 0 {
			return nil, say.Errorf("metric: %q has a variance of zero, so that its values have no density; fit it "+
				"with a VarianceFloor", name)
		}
	}
	col, err := t.Column(name)
	if err != nil {
		return nil, say.Errorf("metric: %w", err)
	}
	if col.Var.IsDiscrete() {
		return nil, say.Errorf("metric: column %q holds states, but the variable is continuous; read the column as "+
			"numbers", name)
	}
	return col.Values, nil
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

// complete calls f with each case that is no hole, until an error.
func (c *cases) complete(f func(row int, at point) error) error {
	at := newPoint(len(c.cols))
	holes := c.holes
	for row := range c.rows {
		if len(holes) > 0 && holes[0] == row {
			holes = holes[1:]
			continue
		}
		c.read(at, row)
		if err := f(row, at); err != nil {
			return err
		}
	}
	return nil
}

// known returns the columns of the network's variables, for exact inference. When a variable
// has none it returns all columns: one of an unknown name may be the misspelt one, and is an
// error there.
func (c *cases) known() (*data.Table, error) {
	if c.absent {
		return c.table, nil
	}
	var names []string
	for _, v := range c.table.Variables() {
		if slices.ContainsFunc(c.net.Variables(), func(u bn.Variable) bool { return u.Name == v.Name }) {
			names = append(names, v.Name)
		}
	}
	return c.table.Keep(names...)
}

// total adds up what each case has, weighted, over cases of positive weight.
func total(byCase, weights []float64) (sum, cases float64) {
	for row, x := range byCase {
		w := 1.0
		if weights != nil {
			w = weights[row]
		}
		if w > 0 {
			sum += w * x
			cases += w
		}
	}
	return sum, cases
}
