package constraint

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// ErrNoOrder is wrapped by the errors for a statement that needs an order of the states of a
// variable where nobody declared one; see [bn.Variable].Sorted.
var ErrNoOrder = errors.New("no order declared")

// scales are words that say an order, lowest first. They serve for what is advised, and tell two
// states that stand the wrong way round; words on one place mean as much.
var scales = [][][]string{
	{{"no"}, {"yes"}}, {{"n"}, {"y"}}, {{"false"}, {"true"}}, {{"off"}, {"on"}},
	{{"absent"}, {"present"}}, {{"negative", "neg"}, {"positive", "pos"}}, {{"normal"}, {"abnormal"}},
	{{"none", "zero"}, {"very low", "very-low", "very_low"}, {"low"},
		{"medium", "middle", "moderate", "normal", "mid", "average"},
		{"high"}, {"very high", "very-high", "very_high"}},
	{{"none"}, {"small"}, {"medium", "middle", "moderate"}, {"large", "big"}},
	{{"none", "no"}, {"mild", "light"}, {"moderate", "medium"}, {"severe", "heavy"}},
	{{"none"}, {"minor"}, {"moderate"}, {"major"}},
	{{"short"}, {"medium", "middle"}, {"long", "tall"}}, {{"narrow"}, {"wide"}}, {{"thin"}, {"thick"}},
	{{"child", "young"}, {"adult", "middle", "middle-aged"}, {"old", "senior"}}, {{"early"}, {"late"}},
	{{"slow"}, {"normal", "medium"}, {"fast"}}, {{"weak"}, {"medium", "moderate"}, {"strong"}},
	{{"cold"}, {"cool"}, {"mild"}, {"warm"}, {"hot"}}, {{"easy"}, {"medium"}, {"hard", "difficult"}},
	{{"bad", "poor"}, {"fair"}, {"good"}, {"very good"}, {"excellent"}}, {{"worse"}, {"same"}, {"better"}},
	{{"never"}, {"rarely"}, {"sometimes"}, {"often"}, {"always"}}, {{"rare"}, {"common", "frequent"}},
	{{"none"}, {"few"}, {"some"}, {"many"}}, {{"less", "fewer"}, {"same"}, {"more"}},
	{{"minimum", "min"}, {"maximum", "max"}}, {{"down"}, {"up"}},
}

// inWords returns states in the order that their names say, as those of a scale or "no-recurrence" and "recurrence",
// nil when they say none.
func inWords(states []string) []string {
	if len(states) == 2 {
		for i, none := range states {
			word, other := strings.ToLower(none), strings.ToLower(states[1-i])
			for _, no := range []string{"no-", "no ", "no_", "non-", "not-", "not ", "not_", "without "} {
				if word == no+other {
					return []string{none, states[1-i]}
				}
			}
		}
	}
	for _, scale := range scales {
		rank := func(state string) int {
			word := strings.ToLower(state)
			return slices.IndexFunc(scale, func(words []string) bool { return slices.Contains(words, word) })
		}
		ordered := slices.Clone(states)
		slices.SortStableFunc(ordered, func(a, b string) int { return rank(a) - rank(b) })
		known := rank(ordered[0]) >= 0
		for i := range ordered[1:] {
			known = known && rank(ordered[i]) < rank(ordered[i+1])
		}
		if known {
			return ordered
		}
	}
	return nil
}

// more stands for the states that an error leaves out.
const more = "…"

// few are the first states, as an error lists them.
func few(states []string) []string {
	if len(states) > 8 {
		return append(slices.Clone(states[:8]), more)
	}
	return states
}

// checkOrder returns an error for a variable of three states or more whose order nobody declared.
func checkOrder(vars ...bn.Variable) error {
	for _, v := range vars {
		if v.Sorted && len(v.States) > 2 {
			return say.Errorf("%w: the states of %q were found as text or declared nominal, and stand as %s; declare "+
				"them%s",
				ErrNoOrder, v.Name, strings.Join(few(v.States), " < "), declaration(v))
		}
	}
	return nil
}

// declaration is how to declare the order of the states: in Go and in a knowledge file.
func declaration(v bn.Variable) string {
	right, how := inWords(v.States), ""
	if right == nil && len(v.States) == 2 {
		right = v.States // as they should stand
	}
	if right == nil {
		right, how = few(v.States), " (put them in their order, lowest first)"
	}
	quoted := make([]string, len(right))
	for i, s := range right {
		if quoted[i] = strconv.Quote(s); s == more {
			quoted[i] = s
		}
	}
	list := strings.Join(quoted, ", ")
	const ways = " by NetworkOptions{States: map[string][]string{%q: {%s}}}, in a knowledge file by {name: %q, " +
		"states: [%s]}%s"
	return fmt.Sprintf(ways, v.Name, list, v.Name, list, how)
}

// orderNote says what is odd about the order of states that a statement speaks of; see [Describe].
func orderNote(net *bn.Network, s Constraint) string {
	var notes []string
	for _, name := range orderedNames(s) {
		i, err := net.Index(name)
		if err != nil {
			continue
		}
		v := net.Variable(i)
		if right := inWords(v.States); v.Sorted && len(v.States) == 2 && (right == nil || right[0] != v.States[0]) {
			other := v
			other.States = []string{v.States[1], v.States[0]}
			notes = append(notes, fmt.Sprintf("%s < %s in %q: %q is taken as the higher state; if %q is, declare "+
				"them%s", v.States[0], v.States[1], name, v.States[1], v.States[0], declaration(other)))
		}
	}
	return strings.Join(notes, "; ")
}

// orderedNames are the variables of whose order a statement speaks.
func orderedNames(s Constraint) []string {
	switch s := s.(type) {
	case AtPrice:
		return orderedNames(s.Statement)
	case *AtPrice:
		return orderedNames(s.Statement)
	case Influence:
		return []string{s.Parent, s.Child}
	case *Influence:
		return []string{s.Parent, s.Child}
	case Synergy:
		return append(slices.Clone(s.Parents), s.Child)
	case *Synergy:
		return append(slices.Clone(s.Parents), s.Child)
	case NoisyMAX:
		return []string{s.Child}
	case *NoisyMAX:
		return []string{s.Child}
	case NoisyOR:
		if s.Present == "" { // the last state
			return []string{s.Child}
		}
	case *NoisyOR:
		if s.Present == "" {
			return []string{s.Child}
		}
	}
	return nil
}
