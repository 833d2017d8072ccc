package uai

import (
	"fmt"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

const format = "uai"

// Parse reads the network in src. Parents have the order of their table. An error is a [*textpos.Error].
// Names of states, which the file implies, are at most 2^22 entries of tables, or maxCells if given.
func Parse(src []byte, maxCells ...int) (*netdoc.File, error) {
	text, err := netdoc.NewText(format, src)
	if err != nil {
		return nil, err
	}
	p := parser{Words: netdoc.Words{Text: text}, b: netdoc.NewBuilder(text, maxCells...)}
	if err := p.file(); err != nil {
		return nil, err
	}
	p.b.Lose("The format has no names; variables are called x0, x1 and so on, and states 0, 1 and so on.")
	return p.b.Finish()
}

type parser struct {
	netdoc.Words
	b *netdoc.Builder
}

// nameCells is how many entries of tables the name of a state takes, with its place in maps.
const nameCells = 16

func (p *parser) file() error {
	kind := p.Next()
	switch strings.ToUpper(kind.Name) {
	case "BAYES":
	case "MARKOV":
		return p.ErrorAt(kind.At, "%w: a Markov network, of factors that are no conditional distributions; only "+
			"Bayesian networks (BAYES) are read", netdoc.ErrUnsupported)
	default:
		return p.ErrorAt(kind.At, "found %q where BAYES should stand", say.Short(kind.Name))
	}
	variables, err := p.Count("the number of variables")
	if err != nil {
		return err
	}
	for v := range variables {
		at := p.Peek().At
		r, err := p.Number(1, bn.MaxStates, fmt.Sprintf("the number of states of variable %d", v))
		if err != nil {
			return err
		}
		if err := p.b.Imply(at, nameCells*r, "the names of the %d states of variable %d", r, v); err != nil {
			return err
		}
		n, err := p.b.Add(netdoc.Ref{Name: "x" + strconv.Itoa(v), At: at})
		if err != nil {
			return err
		}
		for s := range r {
			n.States = append(n.States, strconv.Itoa(s))
		}
	}
	return p.tables()
}

// tables reads the families, then their numbers.
func (p *parser) tables() error {
	nodes := p.b.Nodes()
	at := p.Peek().At
	count, err := p.Count("the number of tables")
	if err != nil {
		return err
	}
	if count != len(nodes) {
		return p.ErrorAt(at, "%d tables for %d variables; a Bayesian network has one for each", count, len(nodes))
	}
	order := make([]*netdoc.Node, 0, count)
	given := make(map[*netdoc.Node]bool, count)
	for range count {
		head := p.Peek().At
		size, err := p.Count("how many variables a table is over")
		if err != nil {
			return err
		}
		if size == 0 {
			return p.ErrorAt(head, "a table over no variables; the last of each is the child")
		}
		var family []netdoc.Ref
		for range size {
			ref := p.Peek()
			v, err := p.Number(0, len(nodes)-1, "the number of a variable")
			if err != nil {
				return err
			}
			family = append(family, netdoc.Ref{Name: nodes[v].Name, At: ref.At})
		}
		child := p.b.Node(family[size-1].Name)
		if given[child] {
			return p.ErrorAt(head, "%w: variable %s is the last, the child, in two "+
				"tables", bn.ErrDuplicate, child.Name[1:])
		}
		given[child] = true
		child.Parents = family[:size-1]
		order = append(order, child)
	}
	for _, n := range order {
		n.TableAt = p.Peek().At
		size, err := p.Count("how many numbers a table has")
		if err != nil {
			return err
		}
		n.Table = make([]float64, 0, size)
		for range size {
			x, err := p.Probability()
			if err != nil {
				return err
			}
			n.Table = append(n.Table, x)
		}
	}
	if rest := p.Next(); rest.Name != "" {
		return p.ErrorAt(rest.At, "found %q after the last table", say.Short(rest.Name))
	}
	return nil
}
