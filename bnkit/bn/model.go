package bn

import (
	"fmt"
	"strings"
	"unicode"

	"bnlab/internal/say"
)

// ParseDAG parses a model string (bnlearn syntax): every variable in brackets, its parents after a
// bar, separated by colons.
//
//	[A][C][B|A:C]
//
// The variables take the order of the string. A variable may be named as a
// parent before its own bracket. Spaces around names are ignored. Errors give
// the position in the string, counted in bytes from 1.
func ParseDAG(model string) (*DAG, error) {
	var names []string
	var parentNames [][]string
	var places []int
	fail := func(at int, format string, args ...any) error {
		return say.Errorf("bn: model string, position %d: %w", at+1, say.Errorf(format, args...))
	}
	trimmed := strings.TrimRightFunc(model, unicode.IsSpace)
	for at := 0; at < len(trimmed); {
		if c := model[at]; c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			at++
			continue
		}
		if model[at] != '[' {
			return nil, fail(at, "found %q where [ should stand", rest(model[at:]))
		}
		end := strings.IndexAny(model[at+1:], "[]")
		if end < 0 || model[at+1+end] == '[' {
			return nil, fail(at, "the bracket is not closed by ]")
		}
		name, list, hasParents := strings.Cut(model[at+1:at+1+end], "|")
		if name = strings.TrimSpace(name); name == "" {
			return nil, fail(at, "the bracket names no variable")
		}
		if strings.Contains(list, "|") {
			return nil, fail(at, "a second bar in the bracket of %q; parents are separated by colons, as in [%s|%s]",
				name, name, strings.ReplaceAll(list, "|", ":"))
		}
		var parents []string
		if hasParents {
			for _, p := range strings.Split(list, ":") {
				if p = strings.TrimSpace(p); p == "" {
					return nil, fail(at, "%q has a parent without a name", name)
				}
				parents = append(parents, p)
			}
		}
		names, parentNames, places = append(names, name), append(parentNames, parents), append(places, at)
		at += end + 2
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("bn: the model string has no variables; write for example [A][B|A]")
	}
	index := make(map[string]int, len(names))
	for v, name := range names {
		if _, ok := index[name]; ok {
			return nil, fail(places[v], "%w: variable %q occurs twice", ErrDuplicate, name)
		}
		index[name] = v
	}
	parents := make([][]int, len(names))
	for v, ps := range parentNames {
		for _, p := range ps {
			i, ok := index[p]
			if !ok {
				return nil, fail(places[v], "%w %q: a parent of %q needs a bracket of its own, as in [%s]; parents "+
					"are separated by colons", ErrUnknownVariable, p, names[v], p)
			}
			parents[v] = append(parents[v], i)
		}
	}
	return NewDAG(names, parents)
}

// rest shortens what follows an error to a few characters.
func rest(s string) string {
	if r := []rune(s); len(r) > 12 {
		return string(r[:12]) + "…"
	}
	return s
}

// String returns the model string of the graph, variables in their order.
func (g *DAG) String() string {
	var b strings.Builder
	for v, name := range g.names {
		b.WriteByte('[')
		b.WriteString(name)
		for i, p := range g.parents[v] {
			b.WriteByte("|:"[min(i, 1)])
			b.WriteString(g.names[p])
		}
		b.WriteByte(']')
	}
	return b.String()
}
