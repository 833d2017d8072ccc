// Package natural puts states that were found in a file in the order of [data.ReadCSV], so that
// the same cases have the same variables whatever format they come from.
package natural

import (
	"bytes"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// Order returns the column with its states in natural order: "<5" first, 2 before 10, ">5"
// last. It returns an error for states that CSV cannot hold (a carriage return, text that is
// not UTF-8).
func Order(c data.Column) (data.Column, error) {
	each := make([]bn.State, len(c.Var.States))
	for s := range each {
		each[s] = bn.State(s)
	}
	t, err := data.New(data.Column{Var: c.Var, States: each})
	if err != nil {
		return c, err
	}
	var b bytes.Buffer
	if err := t.WriteCSV(&b); err != nil {
		return c, fmt.Errorf("column %q: %w", c.Var.Name, err)
	}
	sorted, err := data.ParseCSV(b.Bytes(), &data.CSVOptions{Discrete: []string{c.Var.Name}, Missing: []string{}, KeepSpace: true})
	if err != nil {
		return c, fmt.Errorf("column %q: %w", c.Var.Name, err)
	}
	v := sorted.Variables()[0]
	if t, err = data.New(c); err != nil {
		return c, err
	}
	states, err := t.As(v)
	return data.Column{Var: v, States: states}, err
}
