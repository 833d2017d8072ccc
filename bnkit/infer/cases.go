package infer

import (
	"errors"
	"fmt"
	"maps"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// cases are distinct rows of evidence over the variables of a network.
type cases struct {
	rows   int
	states [][]bn.State // by discrete variable; nil when never observed
	values [][]float64  // by continuous variable; nil when never observed
	weight []float64
	origin []int    // row of the table where a case first stands, counted from 1; 0 for a query
	of     keys     // the case of each row of the table
	soft   Evidence // of a query: what is no state and no number
}

// observed reports whether variable v is known in a case.
func (c *cases) observed(v, row int) bool {
	if s := c.states[v]; s != nil {
		return s[row] != bn.Missing
	}
	return c.values[v] != nil && !math.IsNaN(c.values[v][row])
}

// given names what is observed in a case.
func (c *cases) given(net *bn.Network, row int) Evidence {
	g := make(Evidence, len(c.soft))
	maps.Copy(g, c.soft)
	for v := range net.Len() {
		switch {
		case !c.observed(v, row):
		case c.states[v] != nil:
			g[net.Variable(v).Name] = net.Variable(v).States[c.states[v][row]]
		default:
			g[net.Variable(v).Name] = c.values[v][row]
		}
	}
	return g
}

// impossible is the error for a case.
func (c *cases) impossible(net *bn.Network, row int) error {
	return &ImpossibleError{Case: c.origin[row], Evidence: c.given(net, row)}
}

// gather condenses a table to distinct cases over the variables of the network that it
// has, without the one named except. It returns an error for a column that the network does
// not have or that is of the other kind, an unknown state, and a table without rows of
// positive weight.
func gather(net *bn.Network, t *data.Table, except string) (*cases, error) {
	if t == nil {
		return nil, errNoTable
	}
	if t.Regimes() != nil {
		return nil, errors.New("infer: variables were set in some rows of the table (WithInterventions); make a plan " +
			"of each of its Regimes, with the network after Do")
	}
	have := make(map[string]bool)
	for _, v := range t.Variables() {
		if _, err := net.Index(v.Name); err != nil {
			return nil, say.Errorf("infer: a column of the table: %w; correct its name, or choose the columns with "+
				"Table.Keep", err)
		}
		have[v.Name] = true
	}
	var j joiner
	k := alike(t.Rows())
	states, values := make([][]bn.State, net.Len()), make([][]float64, net.Len())
	for v := range net.Len() {
		variable := net.Variable(v)
		if !have[variable.Name] || variable.Name == except {
			continue
		}
		var err error
		var column keys
		if variable.IsDiscrete() {
			if states[v], err = t.As(variable); err != nil {
				return nil, say.Errorf("infer: %w", err)
			}
			column = stateKeys(states[v], variable.Cardinality())
		} else {
			c, err := t.Column(variable.Name)
			if err != nil {
				return nil, say.Errorf("infer: %w", err)
			}
			if c.Var.IsDiscrete() {
				return nil, say.Errorf("infer: the column %q has states, the variable of the network is continuous",
					variable.Name)
			}
			values[v] = c.Values
			column = valueKeys(c.Values)
		}
		k = j.join(k, column)
	}
	weights := t.Weights()
	c := &cases{states: make([][]bn.State, net.Len()), values: make([][]float64, net.Len()),
		of: keys{of: make([]int32, t.Rows())}}
	number := make([]int32, k.n) // 1 + the case of a configuration
	var first []int
	for row, config := range k.of {
		w := 1.0
		if weights != nil {
			w = weights[row]
		}
		if w == 0 {
			c.of.of[row] = -1
			continue
		}
		if number[config] == 0 {
			first = append(first, row)
			c.weight = append(c.weight, 0)
			number[config] = int32(len(first))
		}
		c.of.of[row] = number[config] - 1
		c.weight[number[config]-1] += w
	}
	if len(first) == 0 {
		return nil, fmt.Errorf("infer: %w", data.ErrNoRows)
	}
	c.rows, c.of.n = len(first), len(first)
	c.origin = make([]int, len(first))
	for i, row := range first {
		c.origin[i] = row + 1
	}
	for v := range net.Len() {
		c.states[v] = choose(states[v], first)
		c.values[v] = choose(values[v], first)
	}
	return c, nil
}

// choose returns the cells of the given rows, nil for no column.
func choose[T any, I int | int32](column []T, rows []I) []T {
	if column == nil {
		return nil
	}
	out := make([]T, len(rows))
	for i, row := range rows {
		out[i] = column[row]
	}
	return out
}

// stateKeys numbers rows by a column; missing is a state of its own.
func stateKeys(states []bn.State, card int) keys {
	k := keys{make([]int32, len(states)), card + 1}
	for row, s := range states {
		k.of[row] = int32(min(int(s), card))
	}
	return k
}

// valueKeys numbers rows by a column of numbers; missing ones are alike.
func valueKeys(values []float64) keys {
	k := keys{of: make([]int32, len(values))}
	seen := make(map[float64]int32)
	missing := int32(-1)
	for row, x := range values {
		number, ok := seen[x]
		switch {
		case math.IsNaN(x) && missing >= 0:
			number = missing
		case math.IsNaN(x):
			missing, number = int32(k.n), int32(k.n)
			k.n++
		case !ok:
			number = int32(k.n)
			seen[x] = number
			k.n++
		}
		k.of[row] = number
	}
	return k
}
