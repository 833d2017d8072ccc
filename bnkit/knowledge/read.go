package knowledge

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/goccy/go-yaml/ast"

	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// Read reads a knowledge file. It returns a *format.SyntaxError with line, column and statement for
// what is no YAML, an unknown key, a key that appears twice, a value of the wrong kind, a
// field that is missing, and declarations that do not hold together. Whether the statements
// fit a network says [File.Check]. A file has 1 MiB at most.
func Read(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, say.Errorf("knowledge: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, say.Errorf("knowledge: reading %s: %w", path, err)
	}
	return Parse(path, b)
}

// Parse reads a knowledge file from memory; see [Read]. The name is for errors.
func Parse(name string, b []byte) (*File, error) {
	k := &File{path: name}
	fail := func(statement int, err error) (*File, error) {
		var placed *syntaxError
		if errors.As(err, &placed) {
			return nil, k.fail(place{placed.Line, placed.Column}, statement, placed.Err)
		}
		return nil, k.fail(place{}, statement, err)
	}
	root, err := parse(b)
	if err != nil {
		return fail(0, err)
	}
	d := &decoder{}
	if err := d.value(reflect.ValueOf(k).Elem(), root, "a knowledge file"); err != nil {
		return fail(d.statement, err)
	}
	if err := k.checkNetwork(); err != nil {
		return nil, err
	}
	return k, nil
}

// entry reads a statement and the words beside it.
func (d *decoder) entry(e *Entry, n ast.Node) error {
	d.words = make(map[string]place)
	defer func() { d.words = nil }()
	pairs, err := pairsOf(n, "a statement")
	if err != nil {
		return err
	}
	e.at, e.words = placeOf(start(n)), d.words
	beside := map[string]*string{"source": &e.Source, "mark": &e.Mark}
	kind := ""
	strength := start(n)
	price := 0.0
	for _, p := range pairs {
		if text, ok := beside[p.key]; ok {
			words := d.words
			d.words = nil // these are no names
			*text, err = d.text(p.value, fmt.Sprintf("%q", p.key))
			d.words = words
			if err != nil {
				return err
			}
			continue
		}
		if p.key == "strength" {
			strength = p.value.GetToken()
			if e.Strength, err = readStrength(p.value); err != nil {
				return err
			}
			continue
		}
		if p.key == "price" {
			if err := d.value(reflect.ValueOf(&price).Elem(), p.value, `"price"`); err != nil {
				return err
			}
			if !(price > 0) {
				return wrong(p.value.GetToken(), `"price" is %v; give a positive number, as in 20, or leave it out for `+
					"a statement that has to hold", price)
			}
			continue
		}
		if kind != "" {
			return wrong(p.token, "a statement of the kinds %q and %q; give each a dash of its own", kind, p.key)
		}
		kind = p.key
		if e.Statement, err = d.statementOf(p); err != nil {
			return err
		}
	}
	if kind == "" {
		return wrong(start(n), "no statement; its kind is one of %s", say.List(kinds()))
	}
	if price > 0 {
		e.Statement = constraint.AtPrice{Statement: e.Statement, Price: price}
	}
	if err := e.checkStrength(); err != nil {
		return placeOf(strength).wrong(err)
	}
	return nil
}

// statementOf reads what stands under the key of a class.
func (d *decoder) statementOf(p pair) (constraint.Constraint, error) {
	for _, c := range classes() {
		if c.key != p.key {
			continue
		}
		s := reflect.New(c.of).Elem()
		if err := d.value(s, p.value, fmt.Sprintf("%q", c.key)); err != nil {
			return nil, err
		}
		return s.Interface().(constraint.Constraint), nil
	}
	if p.key == "formula" {
		return nil, wrong(p.token, "a formula is Go code, and cannot be in a file; add a constraint.Formula to "+
			"the statements in the program")
	}
	return nil, wrong(p.token, "%q is no kind of statement%s; the kinds are %s, and beside one stand source, mark, "+
		"strength and price", p.key, guess(p.key, append(kinds(), "source", "mark", "strength", "price")),
		say.List(kinds()))
}

// kinds lists the keys of all classes.
func kinds() []string {
	var list []string
	for _, c := range classes() {
		list = append(list, c.key)
	}
	return list
}
