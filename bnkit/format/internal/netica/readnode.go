package netica

import (
	"fmt"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// fields are what is read of a node before it is known what kind it is.
type fields struct {
	id                   netdoc.Token
	kind, title, comment string
	intervals            bool
	seen                 map[string]bool // fields that make the table
	states, titles       []string
	levels               []string
	levelsAt             int
	functable            []netdoc.Token
	count                int
	parents              []netdoc.Ref
	probs                []float64
	probsAt, equationAt  int
	position             *netdoc.Point
}

// node reads "name { ... };".
func (p *parser) node() error {
	id, err := p.Expect(netdoc.Word, "the name of a node")
	if err != nil {
		return err
	}
	f := fields{id: id, kind: "NATURE", probsAt: id.At, seen: make(map[string]bool)}
	err = p.block(func(t netdoc.Token) error { return p.field(&f, t) }, func(t netdoc.Token) error {
		if t.Text != "visual" {
			p.b.Drop(t.Text)
			return p.skipBlock()
		}
		if p.Peek().Kind == netdoc.Word {
			p.Next()
		}
		return p.block(func(t netdoc.Token) error {
			if t.Text != "center" {
				p.b.Drop("visual " + t.Text)
				return p.Skip(';')
			}
			words, err := p.slots()
			if at, ok := netdoc.ParsePoint(strings.Join(words, " ")); ok {
				f.position = &at
			}
			return p.semicolon(err)
		}, func(t netdoc.Token) error {
			p.b.Drop("visual " + t.Text)
			return p.skipBlock()
		})
	})
	if err != nil {
		return err
	}
	return p.add(f)
}

func (p *parser) semicolon(err error) error {
	if err == nil {
		_, err = p.Expect(';', ";")
	}
	return err
}

// field reads the value of a node's field.
func (p *parser) field(f *fields, t netdoc.Token) (err error) {
	switch t.Text {
	case "states", "levels", "parents", "functable", "probs":
		if f.seen[t.Text] {
			return p.ErrorAt(t.At, "node %q has the field %s twice", say.Short(f.id.Text), t.Text)
		}
		f.seen[t.Text] = true
	}
	next := p.Peek()
	switch t.Text {
	case "kind":
		f.kind = next.Text
	case "discrete":
		f.intervals = strings.EqualFold(next.Text, "FALSE")
	case "chance": // the table tells
	case "title":
		f.title = next.Text
	case "comment":
		f.comment = next.Text
	case "numstates":
		f.count, _ = strconv.Atoi(next.Text)
	case "equation":
		f.equationAt = t.At
	case "delays":
		return p.ErrorAt(t.At, "%w: links with a delay in node %q; unroll the network in Netica and save again",
			netdoc.ErrUnsupported, say.Short(f.id.Text))
	case "states":
		f.states, err = p.slots()
		return p.semicolon(err)
	case "statetitles":
		f.titles, err = p.slots()
		return p.semicolon(err)
	case "parents":
		err := p.List(func(t netdoc.Token) error {
			f.parents = append(f.parents, netdoc.Ref{Name: t.Text, At: t.At})
			return nil
		})
		return p.semicolon(err)
	case "levels":
		f.levelsAt = t.At
		f.levels, err = p.Levels()
		return p.semicolon(err)
	case "functable":
		err := p.List(func(t netdoc.Token) error {
			var err error
			if t.Kind == '#' {
				t, err = p.Expect(netdoc.Number, "the number of a state")
				t.Kind = '#'
			}
			f.functable = append(f.functable, t)
			return err
		})
		return p.semicolon(err)
	case "probs":
		f.probs, f.probsAt = make([]float64, 0, 8), t.At
		return p.semicolon(p.List(func(t netdoc.Token) error { return p.prob(f, t) }))
	default:
		p.b.Drop(t.Text)
	}
	return p.Skip(';')
}

// prob reads a number, or a row such as #0, in which one state is certain.
func (p *parser) prob(f *fields, t netdoc.Token) error {
	switch t.Kind {
	case '@':
		return p.ErrorAt(t.At, "%w: an impossible or undefined row in the table of %q; fill it in",
			netdoc.ErrUnsupported, say.Short(f.id.Text))
	case '#':
		number, err := p.Expect(netdoc.Number, "the number of a state")
		if err != nil {
			return err
		}
		s, err := strconv.Atoi(number.Text)
		if err != nil || s < 0 || s >= len(f.states) {
			return p.Unexpected(number, "the number of a state")
		}
		if err := p.b.Imply(t.At, len(f.states), "the table of %q", say.Short(f.id.Text)); err != nil {
			return err
		}
		row := make([]float64, len(f.states))
		row[s] = 1
		f.probs = append(f.probs, row...)
		return nil
	}
	x, err := p.Probability(t)
	f.probs = append(f.probs, x)
	return err
}

// slots reads "(a, , "b c")", where an empty place counts.
func (p *parser) slots() ([]string, error) {
	if _, err := p.Expect('(', "("); err != nil {
		return nil, err
	}
	var out []string
	filled := false
	for {
		switch t := p.Next(); t.Kind {
		case ')', ',':
			if !filled && (t.Kind == ',' || len(out) > 0) {
				out = append(out, "")
			}
			if filled = false; t.Kind == ')' {
				return out, nil
			}
		case netdoc.Word, netdoc.String, netdoc.Number:
			if filled {
				return nil, p.Unexpected(t, ", or )")
			}
			out, filled = append(out, t.Text), true
		default:
			return nil, p.Unexpected(t, "a name")
		}
	}
}

// add makes a node of its fields.
func (p *parser) add(f fields) error {
	name := p.short.Name(f.id.Text, f.title)
	switch f.kind {
	case "NATURE":
	case "UTILITY", "CONSTANT":
		p.b.Other(name, strings.ToLower(f.kind))
		return nil
	default:
		return p.ErrorAt(f.id.At, "%w: %q is a node of kind %s; a Bayesian network has nodes of kind NATURE only",
			netdoc.ErrUnsupported, say.Short(name), say.Short(f.kind))
	}
	n, err := p.b.Add(netdoc.Ref{Name: name, At: f.id.At})
	if err != nil {
		return err
	}
	p.names[f.id.Text] = name
	n.Parents, n.TableAt, n.Table = f.parents, f.probsAt, f.probs
	if f.title != "" && f.title != name {
		p.b.Labels[name] = f.title
	}
	if f.comment != "" {
		p.b.Comments[name] = f.comment
	}
	if f.position != nil {
		p.b.Positions[name] = *f.position
	}
	if n.States, err = p.states(f, name); err != nil {
		return err
	}
	switch {
	case f.probs != nil:
	case f.functable != nil:
		return p.function(f, n)
	case f.equationAt > 0:
		return p.ErrorAt(f.equationAt, "%w: the table of %q is given by an equation only; let Netica turn it into a "+
			"table (Table, Equation to Table)", netdoc.ErrUnsupported, say.Short(name))
	}
	return nil
}

// nameCells is how many entries of tables the name of a state takes, with its place in maps.
const nameCells = 16

// states names the states of a node.
func (p *parser) states(f fields, name string) ([]string, error) {
	if f.intervals && len(f.levels) < 2 {
		return nil, p.ErrorAt(f.id.At, "%q: %w, and has no levels that cut it into states; discretise it in Netica",
			say.Short(name), bn.ErrNotDiscrete)
	}
	if err := p.checkLevels(f, name); err != nil {
		return nil, err
	}
	if len(f.levels) > 0 {
		p.b.Lose("The levels of %q, numbers that belong to its states, are not kept.", say.Short(name))
	}
	title := func(i int) string {
		if i < len(f.titles) {
			return f.titles[i]
		}
		return ""
	}
	var out []string
	switch {
	case len(f.states) > 0:
		for i, s := range f.states {
			out = append(out, p.short.Name(s, title(i)))
			if t := title(i); t != "" && t != out[i] {
				p.b.Drop("titles of states")
			}
		}
	case f.intervals:
		for i := range f.levels[1:] {
			out = append(out, netdoc.Interval(f.levels[i], f.levels[i+1]))
		}
	case len(f.titles) > 0:
		out = f.titles
	case len(f.levels) > 0:
		out = f.levels
	default:
		if f.count < 0 || f.count > bn.MaxStates {
			return nil, p.ErrorAt(f.id.At, "%q has %d states, at most %d are possible", say.Short(name), f.count,
				bn.MaxStates)
		}
		if err := p.b.Imply(f.id.At, nameCells*f.count, "the names of the %d states of %q", f.count,
			say.Short(name)); err != nil {
			return nil, err
		}
		for i := range f.count {
			out = append(out, fmt.Sprintf("state%d", i))
		}
		if f.count > 0 {
			p.b.Lose("States of %q have no names; they are called state0, state1 and so on.", say.Short(name))
		}
	}
	return out, nil
}
