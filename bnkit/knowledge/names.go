package knowledge

import (
	"maps"
	"reflect"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/nfc"
	"bnlab/internal/say"
)

// A name in a statement is that of a variable, or of a state of one.
type name struct {
	text string
	of   string // the variable, empty when the name is one itself
}

// namesIn lists the names in a statement, in the order of its fields. A statement of a class
// that files do not have is left to its own Bind.
func namesIn(net *bn.Network, s constraint.Constraint) []name {
	if _, ok := classOf(s); !ok {
		return nil
	}
	w := walk{net: net}
	w.fields(reflect.Indirect(reflect.ValueOf(s)), "")
	return w.names
}

// A walk gathers names. What the fields of statements hold they say by their own names.
type walk struct {
	net   *bn.Network
	names []name
}

// fields walks through a struct about the variable child, which it may name itself.
func (w *walk) fields(v reflect.Value, child string) {
	for _, f := range fieldsOf(v.Type()) {
		if n := v.Type().FieldByIndex(f.index).Name; n == "Var" || n == "Child" {
			child = v.FieldByIndex(f.index).String()
		}
	}
	for _, f := range fieldsOf(v.Type()) {
		at := v.FieldByIndex(f.index)
		switch v.Type().FieldByIndex(f.index).Name {
		case "Var", "Vars", "Child", "Parent", "Parents", "Sets", "ForEach":
			w.all(at, "")
		case "Given", "Idle":
			w.given(at)
		case "Over":
			w.all(at, v.FieldByName("Parent").String())
		case "State", "States", "Present", "P", "Weights":
			w.all(at, w.discrete(child))
		case "Groups":
			w.all(at, w.discrete(child)) // of names, or of cells
		default:
			w.all(at, child)
		}
	}
}

// discrete is the variable when it has states: what a statement groups and weighs are those,
// and the parents of a continuous one.
func (w *walk) discrete(child string) string {
	if v, err := w.net.Index(child); err == nil && !w.net.Variable(v).IsDiscrete() {
		return ""
	}
	return child
}

// all walks through strings, which are states of a variable or, without one, variables; the
// keys of maps alike; lists; and structs about that variable.
func (w *walk) all(v reflect.Value, of string) {
	switch v.Kind() {
	case reflect.String:
		if v.String() != "" {
			w.names = append(w.names, name{v.String(), of})
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.all(v.Index(i), of)
		}
	case reflect.Map:
		for _, key := range keysOf(v) {
			w.names = append(w.names, name{key, of})
		}
	case reflect.Struct:
		w.fields(v, of)
	}
}

// given walks through a parent configuration, or a list of them.
func (w *walk) given(v reflect.Value) {
	if list, ok := v.Interface().([]bn.Given); ok {
		for i := range list {
			w.given(v.Index(i))
		}
		return
	}
	given := v.Interface().(bn.Given)
	for _, parent := range slices.Sorted(maps.Keys(given)) {
		w.names = append(w.names, name{parent, ""}, name{given[parent], parent})
	}
}

// check returns an error for a variable or state that the network does not have.
func (n name) check(net *bn.Network) error {
	vars := net.Variables()
	if n.of == "" {
		if n.text == constraint.Intercept {
			return nil
		}
		if _, ok := nfc.Name(names(vars), n.text); !ok {
			return say.Errorf("%w %q%s; the variables are %s", bn.ErrUnknownVariable, n.text,
				guess(n.text, names(vars)), say.List(names(vars)))
		}
		return nil
	}
	v, ok := nfc.Find(vars, func(v bn.Variable) string { return v.Name }, n.of)
	if !ok {
		return nil // its own name says so
	}
	states := vars[v].States
	if _, ok := nfc.Name(states, n.text); vars[v].IsDiscrete() && !ok {
		return say.Errorf("%w %q of %q%s; its states are %s", bn.ErrUnknownState, n.text, n.of, guess(n.text, states),
			say.List(states))
	}
	return nil
}
