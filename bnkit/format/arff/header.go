package arff

import (
	"fmt"
	"math"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// kind is the type of an attribute.
type kind uint8

const (
	nominal kind = iota
	numeric
	text
	date
)

// An attribute is a column while it is read.
type attribute struct {
	name   string
	kind   kind
	skip   bool // it is not wanted
	number bool // a wanted one is continuous
	index  map[string]bn.State
	texts  []string // by state
	states []bn.State
	values []float64
}

// attribute reads what stands after @attribute: name and type, and perhaps a weight in braces.
func (r *reader) attribute(s *scanner) error {
	name, err := s.next()
	if err != nil {
		return err
	}
	if !name.isWord || name.word == "" {
		return s.fail(name.at, "found %v where the name of an attribute should stand", name)
	}
	if first, ok := r.index[name.word]; ok {
		return s.fail(name.at, "%w: attributes %d and %d are both %q", bn.ErrDuplicate, first+1, len(r.attributes)+1,
			name.word)
	}
	a := &attribute{name: name.word}
	t, err := s.next()
	if err != nil {
		return err
	}
	switch {
	case t.sign == '{':
		if err := a.declare(s, t.at); err != nil {
			return err
		}
	case t.is("numeric"), t.is("real"), t.is("integer"):
		a.kind = numeric
		if err := s.interval(); err != nil {
			return err
		}
	case t.is("string"):
		a.kind = text
	case t.is("date"):
		a.kind = date
		s.at = len(s.line) // the format
	case t.is("relational"):
		return s.fail(t.at, "attribute %q is relational (a table in each cell), which is not read", a.name)
	default:
		return s.fail(t.at, "found %v where the type of %q should stand: numeric, real, integer, string or states in "+
			"braces, as in {no, yes}; a name with spaces goes in quotes", t, a.name)
	}
	if err := s.ends(true); err != nil {
		return err
	}
	r.index[a.name] = len(r.attributes)
	r.attributes = append(r.attributes, a)
	return nil
}

// add adds a state.
func (a *attribute) add(state string) {
	if a.index == nil {
		a.index = make(map[string]bn.State)
	}
	a.index[state] = bn.State(len(a.texts))
	a.texts = append(a.texts, state)
}

// declare reads the states of a nominal attribute, to the closing brace.
func (a *attribute) declare(s *scanner, open int) error {
	for comma := false; ; {
		t, err := s.next()
		if err != nil {
			return err
		}
		switch {
		case t.isWord:
			if _, ok := a.index[t.word]; ok {
				return s.fail(t.at, "%w: attribute %q has the state %q twice", bn.ErrDuplicate, a.name, t.word)
			}
			if t.word == "" {
				return s.fail(t.at, "attribute %q has a state without a name", a.name)
			}
			if len(a.texts) == bn.MaxStates {
				return s.fail(t.at, "attribute %q has more than %d states", a.name, bn.MaxStates)
			}
			a.add(t.word)
			comma = false
		case t.sign == ',' && !comma && len(a.texts) > 0:
			comma = true
		case t.sign == '}' && len(a.texts) == 0:
			return s.fail(t.at, "attribute %q has no states", a.name)
		case t.sign == '}' && !comma:
			return nil
		case t.sign == 0:
			return s.fail(open, "the states of %q are not closed by } on this line", a.name)
		default:
			return s.fail(t.at, "found %v where a state of %q should stand", t, a.name)
		}
	}
}

// ends checks that nothing follows on the line, except a weight in braces where one may stand.
func (s *scanner) ends(weightMay bool) error {
	t, err := s.next()
	if err != nil {
		return err
	}
	if t.sign == '{' && weightMay {
		if _, err := s.weight(); err != nil {
			return err
		}
		return s.ends(false)
	}
	if t.isWord || t.sign != 0 {
		return s.fail(t.at, "found %v where the line should end", t)
	}
	return nil
}

// interval passes over the range of a number, as in integer [1,10], which says nothing of the cells.
func (s *scanner) interval() error {
	rest := strings.TrimLeft(s.line[s.at:], " \t")
	if rest == "" || rest[0] != '[' && rest[0] != '(' {
		return nil
	}
	end := strings.IndexAny(rest, "])")
	if end < 0 {
		return s.fail(len(s.line)-len(rest), "the range of the attribute is not closed by ] on this line")
	}
	s.at = len(s.line) - len(rest) + end + 1
	return nil
}

// weight reads a weight to its closing brace.
func (s *scanner) weight() (float64, error) {
	t, err := s.next()
	if err != nil {
		return 0, err
	}
	w, ok := parseNumber(t.word)
	if !t.isWord || !ok || !(w >= 0) {
		return 0, s.fail(t.at, "%v is %w", t, data.ErrWeight)
	}
	end, err := s.next()
	if err == nil && end.sign != '}' {
		err = s.fail(end.at, "found %v where } should end the weight", end)
	}
	return w, err
}

// choose applies the options when the header is read.
func (r *reader) choose() error {
	for _, list := range []struct {
		option string
		names  []string
	}{{"Columns", r.opts.Columns}, {"Drop", r.opts.Drop}, {"Discrete", r.opts.Discrete}} {
		for _, name := range list.names {
			if _, ok := r.index[name]; !ok {
				return say.Errorf("%w: no attribute %q (there are: %s), but Options.%s names it",
					bn.ErrUnknownVariable, name, say.List(r.names()), list.option)
			}
		}
	}
	columns, drop, discrete := setOf(r.opts.Columns), setOf(r.opts.Drop), setOf(r.opts.Discrete)
	for i, a := range r.attributes {
		a.skip = r.opts.Columns != nil && !columns[a.name] || drop[a.name]
		if drop[a.name] && columns[a.name] {
			return say.Errorf("%w: attribute %q is in Options.Columns and in Options.Drop", bn.ErrDuplicate, a.name)
		}
		a.number = a.kind == numeric && !discrete[a.name]
		if a.skip {
			continue
		}
		if a.kind == date {
			return say.Errorf("attribute %q is a date, which is no variable of a network; leave it out by "+
				"Options.Drop", a.name)
		}
		r.wanted = append(r.wanted, i)
	}
	if len(r.wanted) == 0 {
		return fmt.Errorf("there are no attributes to read")
	}
	return nil
}

// names are the names of all attributes.
func (r *reader) names() []string {
	names := make([]string, len(r.attributes))
	for i, a := range r.attributes {
		names[i] = a.name
	}
	return names
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// gap stores a missing value.
func (a *attribute) gap() {
	if a.number {
		a.values = append(a.values, math.NaN())
	} else {
		a.states = append(a.states, bn.Missing)
	}
}
