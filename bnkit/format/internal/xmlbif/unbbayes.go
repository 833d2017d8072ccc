package xmlbif

import (
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// unbbayes reads what UnBBayes calls XMLBIF 0.4 to 0.6. Its names of elements differ between the versions:
//
//	<XMLBIF version="0.6"><network>
//	  <variables><variable name="light" type="DiscreteProbabilistic" xPos="7" yPos="3">
//	    <description>Light is on</description><state name="on"/><state name="off"/></variable> ...</variables>
//	  <conditionalDistributionSet><conditionalDistribution type="Discrete">
//	    <owner name="light"/><parents><parent index="0" name="out"/></parents>
//	    <CPT><dependentParentIndex index="0">0.6</dependentParentIndex> ...</CPT></conditionalDistribution> ...
//
//	<BIF VERSION="0"><NETWORK>
//	  <VARIABLES><VAR NAME="light" TYPE="discrete" XPOS="7" YPOS="3">
//	    <LABEL>Light is on</LABEL><STATENAME>on</STATENAME><STATENAME>off</STATENAME></VAR> ...</VARIABLES>
//	  <POTENTIAL><POT><PRIVATE NAME="light"/><CONDSET><CONDLEM NAME="out"/></CONDSET>
//	    <DPIS><DPI INDEXES="0">0.6</DPI> ...</DPIS></POT> ...
//
// The state of the variable varies fastest, then that of the first parent, and that of the last slowest; the
// network has the parents in the reverse order for it. The arcs stand in a list of their own too, which is not read.
func (p parser) unbbayes(root *netdoc.Element) error {
	if header := root.Child("header"); header != nil {
		if c := header.Child("name"); c != nil {
			p.Name = strings.TrimSpace(c.Text)
		}
	}
	network := root.Child("network")
	if network == nil {
		return p.ErrorAt(root.At, "<%s> should hold a <network>", say.Short(root.Name))
	}
	if err := p.Once(network, "variables", "conditionalDistributionSet", "potential"); err != nil {
		return err
	}
	variables := network.Child("variables")
	if variables == nil {
		return p.ErrorAt(network.At, "<network> should hold <variables>")
	}
	for _, e := range variables.Children {
		if err := p.unbVariable(e); err != nil {
			return err
		}
	}
	for _, name := range []string{"conditionalDistributionSet", "potential"} {
		if set := network.Child(name); set != nil {
			for _, e := range set.Children {
				if err := p.unbTable(e); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// attr is an attribute of an element in small letters or capitals.
func attr(e *netdoc.Element, name string) string {
	for _, a := range e.Attrs {
		if strings.EqualFold(a.Name.Local, name) {
			return a.Value
		}
	}
	return ""
}

func (p parser) unbVariable(e *netdoc.Element) error {
	name := attr(e, "name")
	switch kind := strings.ToLower(attr(e, "type")); kind {
	case "discreteprobabilistic", "discrete", "probabilistic", "1":
	case "utility", "explanation":
		p.Other(name, kind)
		return nil
	default:
		return p.ErrorAt(e.At, "%w: variable %q is of the type %s; only discrete chance variables of UnBBayes are read",
			netdoc.ErrUnsupported, say.Short(name), say.Short(kind))
	}
	n, err := p.Add(netdoc.Ref{Name: name, At: e.At})
	if err != nil {
		return err
	}
	if at, ok := netdoc.ParsePoint(attr(e, "xPos") + " " + attr(e, "yPos")); ok {
		p.Positions[name] = at
	}
	for _, c := range e.Children {
		switch strings.ToLower(c.Name) {
		case "state":
			n.States = append(n.States, attr(c, "name"))
		case "statename":
			n.States = append(n.States, strings.TrimSpace(c.Text))
		case "description", "label":
			if s := strings.TrimSpace(c.Text); s != "" && s != name {
				p.Labels[name] = s
			}
		default:
			p.Drop(c.Name)
		}
	}
	return nil
}

// unbTable reads the parents and the numbers of a variable.
func (p parser) unbTable(e *netdoc.Element) error {
	var n *netdoc.Node
	var parents []netdoc.Ref
	table := make([]float64, 0, 8)
	for _, c := range e.Children {
		var err error
		switch strings.ToLower(c.Name) {
		case "owner", "private":
			if p.IsOther(attr(c, "name")) {
				return nil
			}
			if n, err = p.node(c, attr(c, "name")); err != nil {
				return err
			}
		case "parents", "condset":
			for _, x := range c.Children {
				parents = append(parents, netdoc.Ref{Name: attr(x, "name"), At: x.At})
			}
		case "cpt", "dpis":
			for _, x := range c.Children {
				numbers, err := p.Probabilities(x)
				if err != nil {
					return err
				}
				table = append(table, numbers...)
			}
		default:
			return p.ErrorAt(c.At, "%w: <%s> among the distributions; only tables of UnBBayes are read",
				netdoc.ErrUnsupported, say.Short(c.Name))
		}
	}
	if n == nil {
		return p.ErrorAt(e.At, "the distribution names no variable")
	}
	if p.defined[n.Name] {
		return p.ErrorAt(e.At, "%w: the table of %q a second time", bn.ErrDuplicate, say.Short(n.Name))
	}
	p.defined[n.Name] = true
	slices.Reverse(parents)
	n.TableAt, n.Parents, n.Table = e.At, parents, table
	return nil
}
