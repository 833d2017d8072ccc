package dbn

import (
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A lagged variable is a parent: of the same slice, or of the one before when lag is 1.
type lagged struct{ v, lag int }

// A structure says which families there are, by variable.
type structure struct {
	vars  []bn.Variable
	later [][]lagged
	first [][]lagged // in the first slice; nil where nothing was said
}

// a bracket of a model string, and where it stands.
type bracket struct {
	name    string
	first   bool
	parents []parentName
	at      int
}

type parentName struct {
	name string
	lag  int
}

// brackets reads a model string; see [New].
func brackets(model string) ([]bracket, error) {
	var list []bracket
	for at := 0; at < len(model); {
		switch model[at] {
		case ' ', '\t', '\n', '\r':
			at++
			continue
		case '[':
		default:
			return nil, wrong(at, "found %q where [ should stand", model[at:min(at+12, len(model))])
		}
		end := closing(model[at:])
		if end < 0 {
			return nil, wrong(at, "the bracket is not closed by ]")
		}
		b, err := family(model[at+1 : at+end])
		if err != nil {
			return nil, wrong(at, "%w", err)
		}
		b.at = at
		list = append(list, b)
		at += end + 1
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("dbn: the model string has no variables; write for example " +
			"[state|state[t-1]][sensor|state]")
	}
	return list, nil
}

// wrong is an error at a byte of the model string.
func wrong(at int, format string, args ...any) error {
	return say.Errorf("dbn: model string, position %d: %w", at+1, say.Errorf(format, args...))
}

// closing returns the place of the bracket that closes the first one, −1 without one.
func closing(s string) int {
	depth := 0
	for i, c := range s {
		switch c {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// family reads what stands in a bracket.
func family(text string) (bracket, error) {
	head, list, hasParents := strings.Cut(text, "|")
	name, index, err := indexed(head)
	if err != nil {
		return bracket{}, err
	}
	if index != "" && index != "0" {
		return bracket{}, say.Errorf("%q has a bracket with [%s]; write [%s|…] for every slice and [%s[0]|…] for the "+
			"first", name, index, name, name)
	}
	b := bracket{name: name, first: index == "0"}
	if !hasParents {
		return b, nil
	}
	for p := range strings.SplitSeq(list, ":") {
		parent, index, err := indexed(p)
		if err != nil {
			return bracket{}, say.Errorf("a parent of %q: %w", name, err)
		}
		switch {
		case index == "":
			b.parents = append(b.parents, parentName{parent, 0})
		case index != "t-1":
			return bracket{}, say.Errorf("%q has the parent %s[%s]; write %s for the same slice and %s[t-1] for the "+
				"one before", name, parent, index, parent, parent)
		case b.first:
			return bracket{}, say.Errorf("%q of the first slice has the parent %s[t-1], and there is no slice before",
				name, parent)
		default:
			b.parents = append(b.parents, parentName{parent, 1})
		}
	}
	return b, nil
}

// indexed cuts "rain[t-1]" into the name and what stands in the brackets.
func indexed(text string) (name, index string, err error) {
	name, index, has := strings.Cut(strings.TrimSpace(text), "[")
	name = strings.TrimSpace(name)
	if name == "" {
		return "", "", say.Errorf("a name is missing in %q", text)
	}
	if has {
		index = strings.ReplaceAll(strings.TrimSuffix(index, "]"), " ", "")
	}
	if strings.ContainsAny(name+index, "[]|") || has && index == "" {
		return "", "", say.Errorf("%q is no name; write rain, rain[t-1] or rain[0], with parents separated by colons",
			strings.TrimSpace(text))
	}
	return name, index, nil
}

// parse reads the structure of a model string over variables of one slice.
func parse(model string, vars []bn.Variable) (*structure, error) {
	list, err := brackets(model)
	if err != nil {
		return nil, err
	}
	var names []string
	index := make(map[string]int)
	for _, b := range list {
		if b.first {
			continue
		}
		if _, twice := index[b.name]; twice {
			return nil, wrong(b.at, "%w: variable %q appears twice", bn.ErrDuplicate, b.name)
		}
		index[b.name] = len(names)
		names = append(names, b.name)
	}
	s := &structure{later: make([][]lagged, len(names)), first: make([][]lagged, len(names))}
	for _, b := range list {
		v, ok := index[b.name]
		if !ok {
			return nil, wrong(b.at, "%w: %q has a bracket for the first slice only; add [%s|…] for the later ones",
				bn.ErrUnknownVariable, b.name, b.name)
		}
		if b.first && s.first[v] != nil {
			return nil, wrong(b.at, "%w: %q of the first slice appears twice", bn.ErrDuplicate, b.name)
		}
		parents := []lagged{}
		for _, p := range b.parents {
			u, ok := index[p.name]
			if !ok {
				return nil, wrong(b.at, "%w %q: a parent of %q needs a bracket of its own; parents are separated by "+
					"colons", bn.ErrUnknownVariable, p.name, b.name)
			}
			parents = append(parents, lagged{u, p.lag})
		}
		if b.first {
			s.first[v] = parents
		} else {
			s.later[v] = parents
		}
	}
	s.vars, err = inOrder(names, index, vars)
	return s, err
}

// inOrder returns vars in the order of the model string.
func inOrder(names []string, index map[string]int, vars []bn.Variable) ([]bn.Variable, error) {
	ordered := make([]bn.Variable, len(names))
	for _, v := range vars {
		i, ok := index[v.Name]
		if !ok {
			return nil, say.Errorf("dbn: %w %q: the model string does not name it", bn.ErrUnknownVariable, v.Name)
		}
		if ordered[i].Name != "" {
			return nil, say.Errorf("dbn: %w: variable %q", bn.ErrDuplicate, v.Name)
		}
		v.Encoding = nil // series are read by the names of the variables
		ordered[i] = v
	}
	for i, name := range names {
		if ordered[i].Name == "" {
			return nil, say.Errorf("dbn: no variable %q for the model string; add bn.Discrete(%q, …)", name, name)
		}
	}
	return ordered, nil
}

// start are the parents of v in the first slice: what was said, or those of its later
// parents that are in the same slice.
func (s *structure) start(v int) []lagged {
	if s.first[v] != nil {
		return s.first[v]
	}
	var same []lagged
	for _, p := range s.later[v] {
		if p.lag == 0 {
			same = append(same, p)
		}
	}
	return same
}

// tied reports whether v has the same table in all slices.
func (s *structure) tied(v int) bool {
	if s.first[v] != nil {
		return false
	}
	for _, p := range s.later[v] {
		if p.lag > 0 {
			return false
		}
	}
	return true
}

// String writes the model string.
func (s *structure) String() string {
	var b strings.Builder
	write := func(head string, parents []lagged) {
		b.WriteString("[" + head)
		for i, p := range parents {
			b.WriteByte("|:"[min(i, 1)])
			b.WriteString(s.vars[p.v].Name)
			if p.lag > 0 {
				b.WriteString("[t-1]")
			}
		}
		b.WriteString("]")
	}
	for v, variable := range s.vars {
		write(variable.Name, s.later[v])
	}
	for v, variable := range s.vars {
		if s.first[v] != nil {
			write(variable.Name+"[0]", s.first[v])
		}
	}
	return b.String()
}
