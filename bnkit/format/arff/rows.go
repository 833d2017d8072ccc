package arff

import (
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/limit"
)

// row reads a row, dense or sparse, and its weight.
func (r *reader) row(s *scanner) error {
	first, err := s.next()
	if err != nil {
		return err
	}
	var end token
	if first.sign == '{' {
		end, err = r.sparse(s)
	} else {
		end, err = r.dense(s, first)
	}
	if err != nil {
		return err
	}
	weight := 1.0
	if end.sign == '{' {
		if weight, err = s.weight(); err != nil {
			return err
		}
		if r.weights == nil {
			r.weights = make([]float64, r.rows)
			for i := range r.weights {
				r.weights[i] = 1
			}
		}
		if end, err = s.next(); err != nil {
			return err
		}
	}
	if end.isWord || end.sign != 0 {
		return s.fail(end.at, "%w: found %v after the %d values of the row", data.ErrRagged, end, len(r.attributes))
	}
	if r.weights != nil {
		r.weights = append(r.weights, weight)
	}
	r.rows++
	return nil
}

// dense reads a value for each attribute, separated by commas or white space, and returns the
// token after them.
func (r *reader) dense(s *scanner, t token) (token, error) {
	for i, a := range r.attributes {
		switch {
		case t.sign == 0 && !t.isWord || t.sign == '{':
			return t, s.fail(t.at, "%w: %d values, there are %d attributes", data.ErrRagged, i, len(r.attributes))
		case !t.isWord:
			return t, s.fail(t.at, "found %v where a value of %q should stand; write ? for a missing one", t, a.name)
		}
		if err := a.put(s, t); err != nil {
			return t, err
		}
		var err error
		if t, err = r.afterValue(s, i+1 == len(r.attributes)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// afterValue returns the token after a value and the comma that may separate them.
func (r *reader) afterValue(s *scanner, last bool) (token, error) {
	t, err := s.next()
	if err != nil || t.sign != ',' {
		return t, err
	}
	comma := t.at
	if t, err = s.next(); err == nil && t.sign == 0 && !t.isWord && last {
		err = s.fail(comma, "%w: a comma after the last value", data.ErrRagged)
	}
	return t, err
}

// sparse reads {number value, …}, attributes numbered from 0 and ascending; those left out are 0,
// or the first state. It returns the token after the row.
func (r *reader) sparse(s *scanner) (token, error) {
	next, wanted := 0, r.wanted // the attribute that comes next, and those to read from there
	for {
		t, err := s.next()
		if err != nil {
			return t, err
		}
		if t.sign == '}' { // all is left out
			break
		}
		n, err := strconv.Atoi(t.word)
		if !t.isWord || err != nil || n < 0 || n >= len(r.attributes) {
			return t, s.fail(t.at, "found %v where the number of an attribute should stand (0 to %d)", t,
				len(r.attributes)-1)
		}
		if n < next {
			return t, s.fail(t.at, "attribute %d stands after attribute %d in a sparse row; they must ascend", n,
				next-1)
		}
		if wanted, err = r.leaveOut(s, wanted, n, t.at); err != nil {
			return t, err
		}
		value, err := s.next()
		if err != nil {
			return t, err
		}
		if !value.isWord {
			return t, s.fail(value.at, "found %v where the value of attribute %d should stand", value, n)
		}
		if err := r.attributes[n].put(s, value); err != nil {
			return t, err
		}
		if next = n + 1; len(wanted) > 0 && wanted[0] == n {
			wanted = wanted[1:]
		}
		if t, err = s.next(); err != nil {
			return t, err
		}
		if t.sign == '}' {
			break
		}
		if t.sign != ',' {
			return t, s.fail(t.at, "found %v where a comma or } should stand in the sparse row", t)
		}
	}
	if _, err := r.leaveOut(s, wanted, len(r.attributes), s.at-1); err != nil {
		return token{}, err
	}
	return r.afterValue(s, true)
}

// leaveOut fills the wanted attributes before attribute n, which a sparse row leaves out, and returns
// the others. A row of two bytes may leave out thousands of cells, so that they are counted.
func (r *reader) leaveOut(s *scanner, wanted []int, n, at int) ([]int, error) {
	most := r.opts.MaxCells
	if most <= 0 {
		most = limit.Cells + 16*r.bytes
	}
	for len(wanted) > 0 && wanted[0] < n {
		if r.leftOut++; r.leftOut > most {
			return nil, s.fail(at, "%w", &limit.Error{What: "what sparse rows leave out", Most: int64(most),
				Unit: "cells", Option: "Options.MaxCells"})
		}
		if err := r.attributes[wanted[0]].leaveOut(s, at); err != nil {
			return nil, err
		}
		wanted = wanted[1:]
	}
	return wanted, nil
}

// put stores a value.
func (a *attribute) put(s *scanner, t token) error {
	if a.skip {
		return nil
	}
	if t.word == "?" && !t.isQuoted {
		a.gap()
		return nil
	}
	if a.kind == numeric {
		x, ok := parseNumber(t.word)
		if !ok {
			return s.fail(t.at, "attribute %q, value %q: %w", a.name, t.word, data.ErrNumber)
		}
		if a.number {
			a.values = append(a.values, x)
			return nil
		}
		t.word = strconv.FormatFloat(x+0, 'f', -1, 64) // −0 + 0 = 0
	}
	state, ok := a.index[t.word]
	if !ok {
		if a.kind == nominal {
			_, err := bn.Discrete(a.name, a.texts...).StateIndex(t.word)
			return s.fail(t.at, "%w", err)
		}
		if t.word == "" {
			a.gap()
			return nil
		}
		if len(a.texts) == bn.MaxStates {
			return s.fail(t.at, "attribute %q has more than %d different values; leave it out by Options.Drop if "+
				"it is no variable", a.name, bn.MaxStates)
		}
		state = bn.State(len(a.texts))
		a.add(t.word)
	}
	a.states = append(a.states, state)
	return nil
}

// leaveOut stores what a sparse row means by leaving the attribute out.
func (a *attribute) leaveOut(s *scanner, at int) error {
	switch {
	case a.skip:
	case a.kind == text:
		return s.fail(at, "the sparse row leaves out the string attribute %q, which has no value to stand for that",
			a.name)
	case a.number:
		a.values = append(a.values, 0)
	case a.kind == numeric:
		return a.put(s, token{word: "0", isWord: true})
	default:
		a.states = append(a.states, 0)
	}
	return nil
}

// parseNumber reads a decimal number: anything else, such as Infinity or 0x10, is not ok.
func parseNumber(s string) (float64, bool) {
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}
