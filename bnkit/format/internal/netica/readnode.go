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
	rows                 []sureRow // of probs
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
		return p.semicolon(p.parents(f))
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

// parents reads the names of the parents. An empty place stands for a link that is disconnected.
func (p *parser) parents(f *fields) error {
	if _, err := p.Expect('(', "("); err != nil {
		return err
	}
	for filled := false; ; {
		switch t := p.Next(); t.Kind {
		case ')', ',':
			if !filled && (t.Kind == ',' || len(f.parents) > 0) {
				return p.ErrorAt(t.At, "%w: a disconnected link of node %q, whose parent is missing; connect it in "+
					"Netica, or remove it, and save again", netdoc.ErrUnsupported, say.Short(f.id.Text))
			}
			if filled = false; t.Kind == ')' {
				return nil
			}
		case netdoc.Word, netdoc.String, netdoc.Number:
			if filled {
				return p.Unexpected(t, ", or )")
			}
			f.parents, filled = append(f.parents, netdoc.Ref{Name: t.Text, At: t.At}), true
		default:
			return p.Unexpected(t, "the name of a parent")
		}
	}
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
	n.Parents, n.TableAt, n.LastLeftOut = f.parents, f.probsAt, true
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
		n.Table = f.probs
		if len(f.rows) > 0 {
			p.unsaid = append(p.unsaid, unsaid{n, f.rows})
		}
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
		var gaps []string
		for i, t := range f.titles {
			if t == "" && i < len(f.levels) && len(f.levels) == len(f.titles) {
				t = f.levels[i]
			} else if t == "" {
				t = fmt.Sprintf("state%d", i)
			}
			if f.titles[i] == "" {
				gaps = append(gaps, t)
			}
			out = append(out, t)
		}
		if gaps != nil {
			p.b.Lose("States of %q have no names; they are called %s.", say.Short(name), say.Quoted(gaps))
		}
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
