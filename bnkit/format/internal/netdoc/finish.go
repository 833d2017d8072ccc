package netdoc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Finish makes the network. Errors are *textpos.Error.
func (b *Builder) Finish() (*File, error) {
	if len(b.nodes) == 0 {
		return nil, b.ErrorAt(len(b.Src), "the file has no nodes that are variables")
	}
	names, parents, vars := make([]string, len(b.nodes)), make([][]int, len(b.nodes)), make([]bn.Variable, len(b.nodes))
	for i, n := range b.nodes {
		names[i], vars[i] = n.Name, bn.Variable{Name: n.Name, States: n.States}
		if err := b.checkStates(n); err != nil {
			return nil, err
		}
		var err error
		if parents[i], err = b.parents(n); err != nil {
			return nil, err
		}
	}
	for _, n := range b.nodes {
		if err := b.checkSize(n); err != nil {
			return nil, err
		}
	}
	g, err := bn.NewDAG(names, parents)
	var cycle *bn.CycleError
	if errors.As(err, &cycle) {
		return nil, b.ErrorAt(b.Node(cycle.Path[0]).TableAt, "%w", err)
	}
	if err != nil {
		return nil, b.ErrorAt(0, "%w", err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		return nil, b.ErrorAt(0, "%w", err)
	}
	var uniform []string
	for v, n := range b.nodes {
		if n.Continuous {
			if err := b.setNormals(net.Gaussian(v), n); err != nil {
				return nil, err
			}
			continue
		}
		if n.Noisy != nil {
			if err := b.expand(net.CPT(v), n); err != nil {
				return nil, err
			}
		}
		if n.Table == nil {
			uniform = append(uniform, n.Name)
			continue
		}
		if t := net.CPT(v); n.ChildSlowest {
			r, configs := t.Child.Cardinality(), t.Configs().Len()
			for i, x := range n.Table {
				t.P[i%configs*r+i/configs] = x
			}
		} else {
			copy(t.P, n.Table)
		}
		if err := b.checkRows(net.CPT(v), n); err != nil {
			return nil, err
		}
	}
	if len(uniform) > 0 {
		b.Lose("The file gives no numbers for %s; all their states are equally probable.", say.Quoted(uniform))
	}
	b.loseRows()
	if len(b.dropped) > 0 {
		b.Lose("What the network does not need is not read: %s.", strings.Join(slices.Sorted(maps.Keys(b.dropped)),
			", "))
	}
	b.Network = net
	f := b.File
	return &f, nil
}

func (b *Builder) checkStates(n *Node) error {
	if n.Continuous {
		return nil
	}
	if len(n.States) == 0 {
		return b.ErrorAt(n.At, "node %q has no states", say.Short(n.Name))
	}
	if len(n.States) > bn.MaxStates {
		return b.ErrorAt(n.At, "node %q has %d states, more than %d", say.Short(n.Name), len(n.States), bn.MaxStates)
	}
	seen := make(map[string]bool, len(n.States))
	for i, s := range n.States {
		if s == "" {
			return b.ErrorAt(n.At, "state %d of node %q has no name", i+1, say.Short(n.Name))
		}
		if seen[s] {
			return b.ErrorAt(n.At, "%w: node %q has the state %q twice", bn.ErrDuplicate, say.Short(n.Name),
				say.Short(s))
		}
		seen[s] = true
	}
	return nil
}

// parents returns the positions of a node's parents.
func (b *Builder) parents(n *Node) ([]int, error) {
	var out []int
	seen := make(map[string]bool, len(n.Parents))
	for _, p := range n.Parents {
		i, ok := b.index[p.Name]
		switch {
		case b.others[p.Name] != "":
			return nil, b.ErrorAt(p.At, "%w: the parent %q of %q is a %s node", ErrUnsupported, say.Short(p.Name),
				say.Short(n.Name), b.others[p.Name])
		case !ok:
			return nil, b.ErrorAt(p.At, "%w %q: no node of the file has this name, and %q has it as a parent",
				bn.ErrUnknownVariable, say.Short(p.Name), say.Short(n.Name))
		case seen[p.Name]:
			return nil, b.ErrorAt(p.At, "%w: %q is a parent of %q twice", bn.ErrDuplicate, say.Short(p.Name),
				say.Short(n.Name))
		case !n.Continuous && b.nodes[i].Continuous:
			return nil, b.ErrorAt(p.At, "%w: the parent %q of the discrete node %q", bn.ErrNotDiscrete,
				say.Short(p.Name), say.Short(n.Name))
		}
		seen[p.Name] = true
		out = append(out, i)
	}
	return out, nil
}

// configs returns the number of configurations of a node's discrete parents. It is for
// parents that are known to exist.
func (b *Builder) configs(n *Node) (int, error) {
	var cards []int
	for _, p := range n.Parents {
		if parent := b.Node(p.Name); !parent.Continuous {
			cards = append(cards, len(parent.States))
		}
	}
	c, err := bn.NewConfigs(cards...)
	if err != nil {
		return 0, b.ErrorAt(n.TableAt, "%w (family of %q)", err, say.Short(n.Name))
	}
	return c.Len(), nil
}

// checkSize refuses a table of the wrong length before any is made.
func (b *Builder) checkSize(n *Node) error {
	configs, err := b.configs(n)
	if err != nil {
		return err
	}
	if n.Continuous {
		if len(n.Normals) != configs {
			return b.ErrorAt(n.TableAt, "node %q has %d normal distributions and needs %d, one for each "+
				"configuration of its discrete parents", say.Short(n.Name), len(n.Normals), configs)
		}
		return b.Imply(n.TableAt, configs*len(n.Parents), "the distributions of %q, %d configurations of %d parents,",
			say.Short(n.Name), configs, len(n.Parents))
	}
	r := len(n.States)
	if n.LastLeftOut && r > 1 && len(n.Table) > 0 && len(n.Table)%(r-1) == 0 && len(n.Table)/(r-1) == configs {
		if err := b.addLast(n, configs, r); err != nil {
			return err
		}
	}
	if n.Table == nil {
		return b.Imply(n.TableAt, configs*r, "the table of %q, %d configurations of %d parents,", say.Short(n.Name),
			configs, len(n.Parents))
	}
	if configs > len(n.Table)/r || configs*r != len(n.Table) {
		return b.ErrorAt(n.TableAt, "the table of %q has %d numbers and needs %d × %d: a probability of each of its "+
			"states, in each configuration of its parents%s", say.Short(n.Name), len(n.Table), configs, r, b.family(n))
	}
	return nil
}

// family lists the parents of a node with the number of their states.
func (b *Builder) family(n *Node) string {
	var parts []string
	for _, p := range n.Parents[:min(len(n.Parents), 10)] {
		parts = append(parts, fmt.Sprintf("%s has %d states", say.Short(p.Name), len(b.Node(p.Name).States)))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// describe names a row, as in "lung" given smoke=yes, asia=no.
func describe(t *bn.CPT, config int) string {
	name := fmt.Sprintf("%q", say.Short(t.Child.Name))
	if len(t.Parents) == 0 {
		return name
	}
	parts := t.ConfigNames(config)
	for i := range parts {
		parts[i] = say.Short(t.Parents[i].Name) + "=" + say.Short(parts[i])
	}
	if len(parts) > 10 {
		parts = append(parts[:10], "...")
	}
	return name + " given " + strings.Join(parts, ", ")
}

// expand makes the table of a noisy-MAX node.
func (b *Builder) expand(t *bn.CPT, n *Node) error {
	n.Noisy.Child, n.Noisy.Parents = t.Child, t.Parents
	b.unroundNoisy(n.Noisy)
	expanded, err := n.Noisy.CPT()
	if err != nil {
		return b.ErrorAt(n.TableAt, "%w", err)
	}
	n.Table = expanded.P
	if len(n.Table) > WideTable {
		b.Lose("The noisy-MAX node %q is a table of %d entries in the network, and one of some %d MB in the files of "+
			"formats without such nodes.", n.Name, len(n.Table), max(1, len(n.Table)*50>>20))
	}
	b.NoisyMAX[n.Name] = n.Noisy
	return nil
}

// setNormals sets the distribution of a continuous node.
func (b *Builder) setNormals(g *bn.LinearGaussian, n *Node) error {
	at := make(map[string]int, len(g.Continuous))
	for i, p := range g.Continuous {
		at[p.Name] = i
	}
	for config, d := range n.Normals {
		g.Intercept[config], g.Variance[config] = d.Intercept, d.Variance
		for _, w := range d.Weights {
			i, ok := at[w.Parent]
			if !ok {
				return b.ErrorAt(w.At, "%w %q: the distribution of %q depends on it, and it is no continuous parent",
					bn.ErrUnknownVariable, say.Short(w.Parent), say.Short(n.Name))
			}
			g.Weights[config][i] = w.W
		}
		if !(d.Variance >= 0) {
			return b.ErrorAt(d.At, "the variance of %q is %v", say.Short(n.Name), d.Variance)
		}
	}
	if err := g.Validate(); err != nil {
		return b.ErrorAt(n.TableAt, "%w", err)
	}
	return nil
}
