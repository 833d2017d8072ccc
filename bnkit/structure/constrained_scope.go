package structure

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// scopeOf finds the variable of whose table a statement speaks, and which parents it needs there.
// Each variable that the statement names is tried as the child of the others; what can be left out
// of them is.
func scopeOf(st constraint.Constraint, vars []bn.Variable) (scope, error) {
	named, all := namedIn(st, vars)
	if len(named) == 0 {
		return scope{}, say.Errorf("structure: %q names none of the variables: %w", st, bn.ErrUnknownVariable)
	}
	var why error
	for at, child := range named {
		parents := slices.Delete(slices.Clone(named), at, at+1)
		err := speaksOf(st, child, parents)
		if err != nil && len(parents) == 0 { // it may need some parent, whichever it is
			for _, some := range needed(child, vars) {
				if speaksOf(st, child, some) == nil {
					err = nil
					break
				}
			}
		}
		if err != nil {
			if why == nil || errors.Is(why, bn.ErrUnknownVariable) {
				why = err
			}
			continue
		}
		for i := 0; i < len(parents); {
			if fewer := slices.Delete(slices.Clone(parents), i, i+1); speaksOf(st, child, fewer) == nil {
				parents = fewer
			} else {
				i++
			}
		}
		where := scope{child: child.Name}
		for _, p := range parents {
			where.parents = append(where.parents, p.Name)
		}
		if all {
			for _, v := range named {
				where.named = append(where.named, v.Name)
			}
		}
		return where, nil
	}
	if errors.Is(why, bn.ErrUnknownVariable) { // the family has few of the variables; say all there are
		if net, err := apart(vars); err == nil {
			if _, err := st.Bind(net); errors.Is(err, bn.ErrUnknownVariable) {
				why = err
			}
		}
	}
	return scope{}, say.Errorf("structure: a statement for scores of families: %w", why)
}

// speaksOf returns nil when the statement can be bound to the family and links rows of its child
// only.
func speaksOf(st constraint.Constraint, child bn.Variable, parents []bn.Variable) error {
	net, err := familyNetwork(child, parents)
	if err != nil {
		return err
	}
	bounds, err := st.Bind(net)
	if err != nil {
		return err
	}
	for _, b := range bounds {
		if len(b.Shares) > 0 && child.IsDiscrete() {
			return say.Errorf("%q is about weights of a regression: %w", st, bn.ErrUnknownVariable)
		}
		for _, row := range b.Links {
			if row.Var != len(parents) {
				return say.Errorf("%q is not about %q alone, but about %q too: a family's score has one table", st,
					child.Name, net.Variable(row.Var).Name)
			}
		}
	}
	return nil
}

// familyNetwork is the network of parents, which are roots, and their child, which stands last.
func familyNetwork(child bn.Variable, parents []bn.Variable) (*bn.Network, error) {
	n := len(parents)
	vars := append(slices.Clone(parents), child)
	names := make([]string, n+1)
	arcs := make([][]int, n+1)
	for i, v := range vars {
		names[i] = v.Name
		if i < n {
			arcs[n] = append(arcs[n], i)
		}
	}
	g, err := bn.NewDAG(names, arcs)
	if err != nil {
		return nil, err
	}
	return bn.NewNetwork(g, vars)
}

// apart is a network of the variables without arcs.
func apart(vars []bn.Variable) (*bn.Network, error) {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = v.Name
	}
	g, err := bn.NewDAG(names, make([][]int, len(vars)))
	if err != nil {
		return nil, err
	}
	return bn.NewNetwork(g, vars)
}

// namedIn returns the variables that a statement names; there may be others, whose name
// is also that of a state. All of them are there for certain when the statement can be written to a file.
func namedIn(st constraint.Constraint, vars []bn.Variable) (named []bn.Variable, all bool) {
	names := func(name string) bool { return strings.Contains(st.String(), name) }
	if b, err := constraint.Marshal([]constraint.Constraint{st}); err == nil {
		var fields any
		if json.Unmarshal(b, &fields) == nil {
			words := make(map[string]bool)
			gather(fields, words)
			names, all = func(name string) bool { return words[name] }, true
		}
	}
	for _, v := range vars {
		if names(v.Name) {
			named = append(named, v)
		}
	}
	return named, all
}

// gather collects all strings of decoded JSON, and the keys of its objects.
func gather(value any, words map[string]bool) {
	switch v := value.(type) {
	case string:
		words[v] = true
	case []any:
		for _, x := range v {
			gather(x, words)
		}
	case map[string]any:
		for key, x := range v {
			words[key] = true
			gather(x, words)
		}
	}
}
