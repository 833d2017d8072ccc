package knowledge

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/nfc"
	"bnlab/internal/say"
)

// DataColumn returns the data column of the variable, empty for a hidden one.
func (v Variable) DataColumn() string {
	switch {
	case v.Hidden:
		return ""
	case v.Column == "":
		return v.Name
	}
	return v.Column
}

// State returns the state of a data cell: [bn.Missing] for an empty cell and the signs of
// [data.DefaultMissing], unless the variable lists them. Between cut points a cell is a number, or
// a band of numbers on one side of each cut: "50-59", or "70+" for 70 and more. Errors wrap
// [data.ErrNumber] and [bn.ErrUnknownState].
func (v Variable) State(cell string) (bn.State, error) {
	if i, ok := v.listed(cell); ok {
		return bn.State(i), nil
	}
	other := slices.Index(v.States, v.Otherwise)
	switch {
	case cell == "" || slices.Contains(data.DefaultMissing(), cell):
		return bn.Missing, nil
	case v.From != nil || v.Above != nil:
		return v.between(cell)
	case v.Values == nil:
		return 0, say.Errorf("%w of %q (states: %s)%s; correct the cell, add the state, or say which values it has",
			bn.ErrUnknownState, v.Name, say.List(v.States), guess(cell, v.States))
	case other < 0:
		return 0, say.Errorf("%w: no state of %q has this value%s; correct the cell, add it to the values of a "+
			"state, or say otherwise: %s", bn.ErrUnknownState, v.Name, guess(cell, slices.Concat(v.lists()...)),
			v.States[0])
	}
	if named := slices.Index(v.States, cell); named >= 0 {
		other = named // the state itself is no value that nobody listed
	}
	return bn.State(other), nil
}

// listed is the state of a cell that is named: as it stands, else composed otherwise.
func (v Variable) listed(cell string) (state int, ok bool) {
	lists := v.lists()
	for i, list := range lists {
		if slices.Contains(list, cell) {
			return i, true
		}
	}
	named, ok := nfc.Name(slices.Concat(lists...), cell)
	return slices.IndexFunc(lists, func(list []string) bool { return slices.Contains(list, named) }), ok
}

// lists are the cells that a state is named by, by state; none when there are cut points.
func (v Variable) lists() [][]string {
	if v.From != nil || v.Above != nil {
		return nil
	}
	lists := make([][]string, len(v.States))
	for i, state := range v.States {
		if lists[i] = v.Values[state]; v.Values == nil {
			lists[i] = []string{state}
		}
	}
	return lists
}

// between is the state of a number or band among the cut points.
func (v Variable) between(cell string) (bn.State, error) {
	lo, hi, ok := band(cell)
	if !ok {
		return 0, say.Errorf("%w, nor a band such as 50-59 or 70+, which the cut points of %q need; correct the "+
			"cell, or list values in place of cuts", data.ErrNumber, v.Name)
	}
	below, above := v.bin(lo), v.bin(hi)
	if below != above {
		return 0, say.Errorf("%w: the band lies on both sides of a cut of %q (%v); move the cut to an end of the bands",
			bn.ErrUnknownState, v.Name, slices.Concat(v.From, v.Above))
	}
	return bn.State(below), nil
}

// bin is the number of cut points below x, or up to x when states begin at cuts.
func (v Variable) bin(x float64) int {
	n := 0
	for _, c := range v.From {
		if x >= c {
			n++
		}
	}
	for _, c := range v.Above {
		if x > c {
			n++
		}
	}
	return n
}

// band reads a number x as [x, x], "lo-hi" as [lo, hi], and "lo+" as [lo, ∞).
func band(value string) (lo, hi float64, ok bool) {
	if x, ok := number(value); ok {
		return x, x, true
	}
	if rest, open := strings.CutSuffix(value, "+"); open {
		x, ok := number(strings.TrimSpace(rest))
		return x, math.Inf(1), ok
	}
	for i := 1; i < len(value); i++ { // a minus in front is no hyphen
		if value[i] != '-' {
			continue
		}
		lo, ok := number(strings.TrimSpace(value[:i]))
		if !ok {
			continue // the hyphen is of an exponent
		}
		hi, ok = number(strings.TrimSpace(value[i+1:]))
		return lo, hi, ok && lo <= hi
	}
	return 0, 0, false
}

// number reads a finite decimal number: digits, a point, a sign, an exponent.
func number(text string) (float64, bool) {
	if text == "" || strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}
