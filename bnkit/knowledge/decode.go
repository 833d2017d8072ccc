package knowledge

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// A decoder sets values by nodes of a file.
type decoder struct {
	words     map[string]place // where each scalar of the entry stands first
	statement int              // that is being read, counted from 1; 0 outside
}

// value sets dst by a node; what says in an error what dst is.
func (d *decoder) value(dst reflect.Value, n ast.Node, what string) error {
	switch at := dst.Addr().Interface().(type) {
	case *Entry:
		return d.entry(at, n)
	case *Variable:
		at.at = placeOf(start(n))
		if err := d.fields(dst, n, "a variable"); err != nil {
			return err
		}
		if err := at.Validate(); err != nil {
			return at.at.wrong(err)
		}
		return nil
	case *constraint.Relation:
		return d.relation(at, n, what)
	case encoding.TextUnmarshaler:
		text, err := d.text(n, what)
		if err != nil {
			return err
		}
		if err := at.UnmarshalText([]byte(text)); err != nil {
			return wrong(n.GetToken(), "%s: %s", what, strings.TrimPrefix(err.Error(), "constraint: "))
		}
		return nil
	}
	switch dst.Kind() {
	case reflect.Pointer:
		dst.Set(reflect.New(dst.Type().Elem()))
		return d.value(dst.Elem(), n, what)
	case reflect.Struct:
		return d.fields(dst, n, what)
	case reflect.Slice:
		return d.list(dst, n, what)
	case reflect.Map:
		return d.table(dst, n, what)
	}
	return d.scalar(dst, n, what)
}

// fields sets a struct by a map.
func (d *decoder) fields(dst reflect.Value, n ast.Node, what string) error {
	pairs, err := pairsOf(n, what)
	if err != nil {
		return err
	}
	fields := fieldsOf(dst.Type())
	seen := make(map[string]bool, len(pairs))
	for _, p := range pairs {
		at := slices.IndexFunc(fields, func(f field) bool { return f.key == p.key })
		if at < 0 {
			return wrong(p.token, "%s has no key %q%s; its keys are %s", what, p.key, guess(p.key, keys(fields)),
				say.List(keys(fields)))
		}
		seen[p.key] = true
		if err := d.value(dst.FieldByIndex(fields[at].index), p.value, fmt.Sprintf("%q", p.key)); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if !f.optional && !seen[f.key] {
			return wrong(start(n), "%s needs the key %q; its keys are %s", what, f.key,
				say.List(keys(fields)))
		}
	}
	return nil
}

// list sets a slice by a list.
func (d *decoder) list(dst reflect.Value, n ast.Node, what string) error {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		return mismatch(n, what, "a list, as in [low, high]")
	}
	isEntries := dst.Type() == reflect.TypeFor[[]Entry]()
	dst.Set(reflect.MakeSlice(dst.Type(), len(s.Values), len(s.Values)))
	for i, value := range s.Values {
		inner := what
		if dst.Type().Elem().Kind() != reflect.Struct {
			inner = fmt.Sprintf("entry %d of %s", i+1, what)
		}
		if isEntries {
			d.statement = i + 1
		}
		if err := d.value(dst.Index(i), value, inner); err != nil {
			return err
		}
	}
	if isEntries {
		d.statement = 0
	}
	return nil
}

// table sets a map with names as keys by a map.
func (d *decoder) table(dst reflect.Value, n ast.Node, what string) error {
	pairs, err := pairsOf(n, what)
	if err != nil {
		return err
	}
	dst.Set(reflect.MakeMapWithSize(dst.Type(), len(pairs)))
	for _, p := range pairs {
		d.note(p.key, p.token)
		value := reflect.New(dst.Type().Elem()).Elem()
		if err := d.value(value, p.value, fmt.Sprintf("%q in %s", p.key, what)); err != nil {
			return err
		}
		dst.SetMapIndex(reflect.ValueOf(p.key).Convert(dst.Type().Key()), value)
	}
	return nil
}

// scalar sets a string, a number, or what is true or false.
func (d *decoder) scalar(dst reflect.Value, n ast.Node, what string) error {
	switch dst.Kind() {
	case reflect.Bool:
		b, ok := n.(*ast.BoolNode)
		if !ok {
			return mismatch(n, what, "true or false")
		}
		dst.SetBool(b.Value)
	case reflect.Float64:
		t := n.GetToken()
		x, ok := number(t.Value)
		if _, isLiteral := n.(*ast.LiteralNode); !ok || isLiteral || t.Type == token.SingleQuoteType ||
			t.Type == token.DoubleQuoteType {
			return mismatch(n, what, "a finite number, as in 0.25")
		}
		dst.SetFloat(x)
	default:
		text, err := d.text(n, what)
		if err != nil {
			return err
		}
		dst.SetString(text)
	}
	return nil
}

func (d *decoder) relation(dst *constraint.Relation, n ast.Node, what string) error {
	text, err := d.text(n, what)
	if err != nil {
		return err
	}
	at := slices.Index(relations(), text)
	if at < 0 {
		return wrong(n.GetToken(), "%s is %q; write one of %s", what, text, say.List(relations()))
	}
	*dst = constraint.Relation(at)
	return nil
}

// text is a scalar as it is written.
func (d *decoder) text(n ast.Node, what string) (string, error) {
	switch n := n.(type) {
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		t := n.GetToken()
		d.note(t.Value, t)
		return t.Value, nil
	}
	return "", mismatch(n, what, "a name or text")
}

// note keeps where a name stands first.
func (d *decoder) note(name string, t *token.Token) {
	if _, there := d.words[name]; !there && d.words != nil {
		d.words[name] = placeOf(t)
	}
}

// mismatch is the error of a node of another kind than is wanted.
func mismatch(n ast.Node, what, want string) error {
	t := n.GetToken()
	switch n.(type) {
	case *ast.NullNode:
		return wrong(t, "%s is empty; give %s, or leave the key out (null as a name stands in quotes)", what, want)
	case *ast.MappingNode, *ast.MappingValueNode:
		return wrong(start(n), "%s is a map; give %s", what, want)
	case *ast.SequenceNode:
		return wrong(start(n), "%s is a list; give %s", what, want)
	}
	return wrong(t, "%s is %q; give %s", what, t.Value, want)
}

// A pair is an entry of a map.
type pair struct {
	key   string
	token *token.Token
	value ast.Node
}

// pairsOf lists the entries of a map in their order.
func pairsOf(n ast.Node, what string) ([]pair, error) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		return nil, mismatch(n, what, "a map, as in {age: high}")
	}
	pairs := make([]pair, len(values))
	seen := make(map[string]bool, len(values))
	for i, v := range values {
		t := v.Key.GetToken()
		switch v.Key.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		default:
			return nil, wrong(t, "a key is no name; write it as text")
		}
		if seen[t.Value] {
			return nil, wrong(t, "the key %q appears twice in one map; keep one", t.Value)
		}
		seen[t.Value] = true
		pairs[i] = pair{t.Value, t, v.Value}
	}
	return pairs, nil
}

// start is the token at which a node begins: that of a map is its first key.
func start(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return n.Values[0].Key.GetToken()
		}
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	}
	return n.GetToken()
}
