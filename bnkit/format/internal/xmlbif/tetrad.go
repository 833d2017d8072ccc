package xmlbif

import (
	"slices"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// tetrad reads a Bayesian network in the XML of Tetrad:
//
//	<bayesNet>
//	  <bnVariables><discreteVariable name="light" index="0" x="7" y="3">
//	    <value name="on" index="0"/><value name="off" index="1"/></discreteVariable> ...</bnVariables>
//	  <parents><parentsFor name="light"><parent name="out" index="0"/></parentsFor> ...</parents>
//	  <cpts><cpt variable="light" numRows="2" numCols="2"><row>0.6 0.4</row><row>0.05 0.95</row></cpt> ...</cpts>
//	</bayesNet>
//
// The first parent varies slowest. States are called value or category.
func (p parser) tetrad(root *netdoc.Element) error {
	if err := p.Once(root, "bnVariables", "parents", "cpts"); err != nil {
		return err
	}
	for _, e := range root.Children {
		var each func(*netdoc.Element) error
		switch e.Name {
		case "bnVariables":
			each = p.tetradVariable
		case "parents", "cpts":
			continue
		default:
			return p.unexpected(e, "bayesNet")
		}
		for _, c := range e.Children {
			if err := each(c); err != nil {
				return err
			}
		}
	}
	for _, part := range []struct {
		name string
		each func(*netdoc.Element) error
	}{{"parents", p.tetradParents}, {"cpts", p.tetradTable}} {
		if e := root.Child(part.name); e != nil {
			for _, c := range e.Children {
				if err := part.each(c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (p parser) tetradVariable(e *netdoc.Element) error {
	if e.Name != "discreteVariable" {
		return p.unexpected(e, "bnVariables")
	}
	n, err := p.Add(netdoc.Ref{Name: e.Attr("name"), At: e.At})
	if err != nil {
		return err
	}
	if at, ok := netdoc.ParsePoint(e.Attr("x") + " " + e.Attr("y")); ok && at.X >= 0 && at.Y >= 0 {
		p.Positions[n.Name] = at
	}
	if e.Attr("latent") == "yes" {
		p.Lose("%q is latent in Tetrad, which is not kept.", say.Short(n.Name))
	}
	states, err := p.inOrder(e, "name", "value", "category")
	n.States = nil
	for _, s := range states {
		n.States = append(n.States, s.Name)
	}
	return err
}

// inOrder returns an attribute of the children with one of the names, in the order of their indices.
func (p parser) inOrder(e *netdoc.Element, attr string, names ...string) ([]netdoc.Ref, error) {
	type indexed struct {
		netdoc.Ref
		index int
	}
	var list []indexed
	for i, c := range e.Children {
		if !slices.Contains(names, c.Name) {
			return nil, p.unexpected(c, say.Short(e.Name))
		}
		index := i
		if text := c.Attr("index"); text != "" {
			var err error
			if index, err = strconv.Atoi(text); err != nil {
				return nil, p.ErrorAt(c.At, "the index %q is no number", say.Short(text))
			}
		}
		list = append(list, indexed{netdoc.Ref{Name: c.Attr(attr), At: c.At}, index})
	}
	slices.SortStableFunc(list, func(a, b indexed) int { return a.index - b.index })
	out := make([]netdoc.Ref, len(list))
	for i, x := range list {
		if i > 0 && x.index == list[i-1].index {
			return nil, p.ErrorAt(x.At, "%w: the index %d twice in "+
				"<%s>", bn.ErrDuplicate, x.index, say.Short(e.Name))
		}
		out[i] = x.Ref
	}
	return out, nil
}

// node finds the node that an element speaks of.
func (p parser) node(e *netdoc.Element, name string) (*netdoc.Node, error) {
	n := p.Node(name)
	if n == nil {
		return nil, p.ErrorAt(e.At, "%w %q: no variable of the file has this name", bn.ErrUnknownVariable,
			say.Short(name))
	}
	return n, nil
}

func (p parser) tetradParents(e *netdoc.Element) error {
	if e.Name != "parentsFor" {
		return p.unexpected(e, "parents")
	}
	n, err := p.node(e, e.Attr("name"))
	if err != nil {
		return err
	}
	if n.Parents != nil {
		return p.ErrorAt(e.At, "%w: the parents of %q a second time", bn.ErrDuplicate, say.Short(n.Name))
	}
	n.Parents, err = p.inOrder(e, "name", "parent")
	return err
}

func (p parser) tetradTable(e *netdoc.Element) error {
	if e.Name != "cpt" {
		return p.unexpected(e, "cpts")
	}
	n, err := p.node(e, e.Attr("variable"))
	if err != nil {
		return err
	}
	if p.defined[n.Name] {
		return p.ErrorAt(e.At, "%w: the table of %q a second time", bn.ErrDuplicate, say.Short(n.Name))
	}
	p.defined[n.Name], n.TableAt, n.Table = true, e.At, make([]float64, 0, 8)
	for _, c := range e.Children {
		if c.Name != "row" {
			return p.unexpected(c, "cpt")
		}
		row, err := p.Probabilities(c)
		if err != nil {
			return err
		}
		n.Table = append(n.Table, row...)
	}
	return nil
}
