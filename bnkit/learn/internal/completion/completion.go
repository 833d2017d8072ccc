// Package completion draws the hidden cells of cases from their joint posterior, and says what is expected of
// them: what learn.Gibbs samples, and what learn.Result.Identify differentiates.
package completion

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// Cases are the cases of a table with hidden cells, cut into the connected parts of
// what is hidden. A variable that is hidden together with all that descends from it is left
// out: it says nothing of any table, and would only slow the chain.
type Cases struct {
	Parts []*Part
	index map[string]*Part
	cells int // entries of all tables
}

// MostEntries bounds the table entries that elimination may take for all parts.
const MostEntries = 1 << 24

// New reads the rows of t that have a hidden cell.
func New(net *bn.Network, t *data.Table) (*Cases, error) {
	columns := make([][]bn.State, net.Len())
	for _, u := range t.Variables() {
		v, err := net.Index(u.Name)
		if err != nil {
			continue // not of the network
		}
		if columns[v], err = t.As(net.Variable(v)); err != nil {
			return nil, say.Errorf("learn: %w", err)
		}
	}
	c := &Cases{index: make(map[string]*Part)}
	patterns := make(map[string][]*Part)
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
func (c *Cases) cut(net *bn.Network, observed []byte) ([]*Part, error) {
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
	var parts []*Part
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
func (c *Cases) part(net *bn.Network, vars, families []int) (*Part, error) {
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
	p, err := newPart(net, vars, families, MostEntries-c.cells)
	if err != nil {
		return nil, err
	}
	c.cells += p.cells()
	c.index[string(name)] = p
	c.Parts = append(c.Parts, p)
	return p, nil
}

// Draw draws the hidden cells of all cases from their joint posterior under the tables theta
// and adds the families that have them to the counts n, which are of no use when ctx ends it.
func (c *Cases) Draw(ctx context.Context, n, theta []float64, rng *rand.Rand) error {
	for _, p := range c.Parts {
		if err := p.draw(ctx, n, theta, rng); err != nil {
			return err
		}
	}
	return nil
}
