package xmlbif

import (
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

const format = "xmlbif"

// Parse reads the network in src. Variables keep their order, parents that of the GIVEN
// elements. An error is a [*textpos.Error].
// Entries of tables that the file does not spell out are at most 2^22, or maxCells if given.
func Parse(src []byte, maxCells ...int) (*netdoc.File, error) {
	text, root, err := netdoc.ParseXML(format, src)
	if err != nil {
		return nil, err
	}
	p := parser{netdoc.NewBuilder(text, maxCells...), make(map[string]bool), false}
	switch {
	case root.Name == "bayesNet":
		if err := p.tetrad(root); err != nil {
			return nil, err
		}
		return p.Finish()
	case strings.EqualFold(root.Name, "XMLBIF"), root.Child("HEADER") != nil:
		if err := p.unbbayes(root); err != nil {
			return nil, err
		}
		return p.Finish()
	}
	if !strings.EqualFold(root.Name, "BIF") {
		return nil, p.ErrorAt(root.At, "found <%s> where <BIF> should stand", say.Short(root.Name))
	}
	if len(root.Children) != 1 || !strings.EqualFold(root.Children[0].Name, "NETWORK") {
		return nil, p.ErrorAt(root.At, "<BIF> should hold one <NETWORK>")
	}
	network := root.Children[0]
	p.isOld = isOld(root, network)
	if err := p.Once(network, "NAME"); err != nil {
		return nil, err
	}
	for _, e := range network.Children {
		switch strings.ToUpper(e.Name) {
		case "NAME":
			p.Name = name(e)
		case "VARIABLE":
			err = p.variable(e)
		case "DEFINITION", "PROBABILITY": // the latter before version 0.3
		case "PROPERTY":
			p.Drop("properties of the network")
		default:
			err = p.unexpected(e, "NETWORK")
		}
		if err != nil {
			return nil, err
		}
	}
	for _, e := range network.Children {
		if s := strings.ToUpper(e.Name); s == "DEFINITION" || s == "PROBABILITY" {
			if err := p.definition(e); err != nil {
				return nil, err
			}
		}
	}
	return p.Finish()
}

type parser struct {
	*netdoc.Builder
	defined map[string]bool
	isOld   bool // of before version 0.3
}

// isOld reports whether a file is in version 0.2 of the format or before, where the state of the child varies slowest
// in a table. It is what the file says it is; one that says nothing is told by the words of those versions.
func isOld(root, network *netdoc.Element) bool {
	if version, ok := netdoc.ParseNumber(strings.TrimSpace(attr(root, "VERSION"))); ok && version > 0 {
		return version < 0.3
	}
	for _, e := range network.Children {
		if strings.EqualFold(e.Name, "PROBABILITY") ||
			strings.EqualFold(e.Name, "VARIABLE") && (e.Child("VALUE") != nil || e.Child("TYPE") != nil) {
			return true
		}
	}
	return false
}

func (p parser) unexpected(e *netdoc.Element, where string) error {
	return p.ErrorAt(e.At, "<%s> has no place in <%s>", say.Short(e.Name), where)
}

// name is the text of an element as a name.
func name(e *netdoc.Element) string { return netdoc.Decode(strings.TrimSpace(e.Text)) }

// variable reads <VARIABLE TYPE="nature"> with its name, outcomes and properties.
func (p parser) variable(e *netdoc.Element) error {
	if err := p.Once(e, "NAME"); err != nil {
		return err
	}
	ref := netdoc.Ref{At: e.At}
	if c := e.Child("NAME"); c != nil {
		ref = netdoc.Ref{Name: name(c), At: c.At}
	}
	kind := strings.ToLower(e.Attr("TYPE"))
	if c := e.Child("TYPE"); c != nil && kind == "" { // before version 0.3
		kind = strings.ToLower(strings.TrimSpace(c.Text))
	}
	switch kind {
	case "nature", "discrete", "":
	case "utility":
		p.Other(ref.Name, kind)
		return nil
	case "continuous":
		return p.ErrorAt(e.At, "%q: %w; XMLBIF has tables only", say.Short(ref.Name), bn.ErrNotDiscrete)
	default:
		return p.ErrorAt(e.At, "%w: variable %q is of type %s; only chance variables (nature) are read",
			netdoc.ErrUnsupported, say.Short(ref.Name), say.Short(kind))
	}
	n, err := p.Add(ref)
	if err != nil {
		return err
	}
	for _, c := range e.Children {
		switch strings.ToUpper(c.Name) {
		case "NAME", "TYPE":
		case "OUTCOME", "VALUE": // the latter before version 0.3
			n.States = append(n.States, name(c))
		case "PROPERTY":
			p.property(n.Name, strings.TrimSpace(c.Text))
		default:
			return p.unexpected(c, "VARIABLE")
		}
	}
	return nil
}

// property reads "position = (73, 165)".
func (p parser) property(variable, text string) {
	key, value, _ := strings.Cut(text, "=")
	value = strings.TrimSpace(value)
	switch key = strings.TrimSpace(key); key {
	case "position":
		if at, ok := netdoc.ParsePoint(value); ok {
			p.Positions[variable] = at
		} else {
			p.Drop("a position that is not (x, y)")
		}
	case "label":
		p.Labels[variable] = value
	case "comment":
		p.Comments[variable] = value
	default:
		p.Drop("property " + key)
	}
}

// definition reads the family and the table of a variable.
func (p parser) definition(e *netdoc.Element) error {
	var child *netdoc.Node
	var given []netdoc.Ref
	var table *netdoc.Element
	if err := p.Once(e, "TABLE"); err != nil {
		return err
	}
	for _, c := range e.Children {
		switch strings.ToUpper(c.Name) {
		case "FOR":
			ref := netdoc.Ref{Name: name(c), At: c.At}
			if p.IsOther(ref.Name) {
				return nil
			}
			if child != nil {
				return p.ErrorAt(c.At, "a definition is FOR one variable, this one for %q and %q",
					say.Short(child.Name), say.Short(ref.Name))
			}
			if child = p.Node(ref.Name); child == nil {
				return p.ErrorAt(c.At, "%w %q: no <VARIABLE> declares it", bn.ErrUnknownVariable,
					say.Short(ref.Name))
			}
		case "GIVEN":
			given = append(given, netdoc.Ref{Name: name(c), At: c.At})
		case "TABLE":
			table = c
		case "PROPERTY":
			p.Drop("properties of tables")
		default:
			return p.unexpected(c, "DEFINITION")
		}
	}
	if child == nil {
		return p.ErrorAt(e.At, "the definition names no variable; it needs a <FOR>")
	}
	if p.defined[child.Name] {
		return p.ErrorAt(e.At, "%w: variable %q has a definition in line %d already", bn.ErrDuplicate,
			say.Short(child.Name), p.LineOf(child.TableAt))
	}
	p.defined[child.Name] = true
	child.TableAt, child.Parents = e.At, given
	if table == nil {
		return nil
	}
	child.TableAt, child.ChildSlowest = table.At, p.isOld
	var err error
	child.Table, err = p.Probabilities(table)
	return err
}
