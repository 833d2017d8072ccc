package learn

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// completions are the cases of a table with hidden cells, cut into the connected parts of
// what is hidden. A variable that is hidden together with all that descends from it is left
// out: it says nothing of any table, and would only slow the chain.
type completions struct {
	parts []*hiddenPart
	index map[string]*hiddenPart
	cells int // entries of all tables
}

// mostCompletions bounds the table entries that elimination may take for all parts.
const mostCompletions = 1 << 24

// newCompletions reads the rows of t that have a hidden cell.
func newCompletions(net *bn.Network, t *data.Table) (*completions, error) {
	columns := make([][]bn.State, net.Len())
	for _, u := range t.Variables() {
		v, err := net.Index(u.Name)
		if err != nil {
			continue // not of the network
		}
		if columns[v], err = t.As(net.Variable(v)); err != nil {
			return nil, fmt.Errorf("learn: %w", err)
		}
	}
	c := &completions{index: make(map[string]*hiddenPart)}
	patterns := make(map[string][]*hiddenPart)
	states := make([]bn.State, net.Len())
	pattern := make([]byte, net.Len())
	for row := range t.Rows() {
		weight := 1.0
		if w := t.Weights(); w != nil {
			weight = w[row]
		}
		if weight == 0 {
			continue
		}
		for v := range states {
			states[v], pattern[v] = bn.Missing, 0
			if columns[v] != nil {
				states[v] = columns[v][row]
			}
			if states[v] != bn.Missing {
				pattern[v] = 1
			}
		}
		parts, ok := patterns[string(pattern)]
		if !ok {
			var err error
			if parts, err = c.cut(net, pattern); err != nil {
				return nil, err
			}
			patterns[string(pattern)] = parts
		}
		for _, p := range parts {
			p.add(states, weight)
		}
	}
	return c, nil
}

// cut finds the hidden parts of cases in which the variables marked by 1 are observed.
func (c *completions) cut(net *bn.Network, observed []byte) ([]*hiddenPart, error) {
	relevant := slices.Clone(observed)
	order := net.DAG().Order()
	for _, v := range slices.Backward(order) {
		if relevant[v] == 1 {
			for _, u := range net.DAG().Parents(v) {
				relevant[u] = 1
			}
		}
	}
	hidden := func(v int) bool { return relevant[v] == 1 && observed[v] == 0 }
	seen, taken := make([]bool, net.Len()), make([]bool, net.Len())
	var parts []*hiddenPart
	for v := range net.Len() {
		if !hidden(v) || seen[v] {
			continue
		}
		vars, families := []int{v}, []int(nil)
		seen[v] = true
		for i := 0; i < len(vars); i++ {
			for _, f := range append([]int{vars[i]}, net.DAG().Children(vars[i])...) {
				if relevant[f] == 0 || taken[f] {
					continue
				}
				taken[f] = true
				families = append(families, f)
				for _, u := range append([]int{f}, net.DAG().Parents(f)...) {
					if hidden(u) && !seen[u] {
						seen[u] = true
						vars = append(vars, u)
					}
				}
			}
		}
		slices.Sort(vars)
		slices.Sort(families)
		p, err := c.part(net, vars, families)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// part returns the part of these hidden variables and families, which cases with different
// patterns may share.
func (c *completions) part(net *bn.Network, vars, families []int) (*hiddenPart, error) {
	var name []byte
	for _, list := range [][]int{vars, families} {
		name = binary.AppendUvarint(name, uint64(len(list)))
		for _, v := range list {
			name = binary.AppendUvarint(name, uint64(v))
		}
	}
	if p, ok := c.index[string(name)]; ok {
		return p, nil
	}
	p, err := newHiddenPart(net, vars, families, mostCompletions-c.cells)
	if err != nil {
		return nil, err
	}
	c.cells += p.cells()
	c.index[string(name)] = p
	c.parts = append(c.parts, p)
	return p, nil
}

// whole returns an error for a weight that is no number of cases.
func whole(t *data.Table) error {
	for row, w := range t.Weights() {
		if w != math.Trunc(w) || w > mostCompletions {
			return fmt.Errorf("learn: row %d has weight %v; Gibbs completes whole cases, so give whole weights of at "+
				"most %d, or use EM", row+1, w, mostCompletions)
		}
	}
	return nil
}

// draw draws the hidden cells of all cases from their joint posterior under the tables theta
// and adds the families that have them to the counts n.
func (c *completions) draw(n, theta []float64, rng *rand.Rand) error {
	for _, p := range c.parts {
		if err := p.draw(n, theta, rng); err != nil {
			return err
		}
	}
	return nil
}
