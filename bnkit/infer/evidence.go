package infer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Evidence holds findings on variables, by name:
//
//	infer.Evidence{
//		"weather": "sunny",                               // a state
//		"sky":     infer.OneOf("clear", "cloudy"),        // one of several states
//		"stage":   infer.AtLeast("stage 2"),              // a state of an ordered variable, or a higher one
//		"test":    infer.Likelihood{"yes": .9, "no": .2}, // P(finding | state)
//		"rain":    infer.Distribution{"yes": .7, "no": .3}, // holds afterwards
//		"temp":    38.4,                                  // a number
//		"dose":    infer.Interval{Low: 1, High: 2},       // a number between two
//	}
//
// The first three and the last two are observations. A [Likelihood] is likelihood evidence, a
// [Distribution] is what Jeffrey's rule takes. A number may also be a string, "38.4", and the state of a discrete
// variable a number: 1 is the state "1", or "1.0".
//
// What JSON is decoded to will do: a list of states is [OneOf] them, an object of numbers by state a [Likelihood], and
// a list of two numbers, for a continuous variable, an [Interval].
type Evidence map[string]any

// A StateSet is a finding that leaves some states of a variable possible; [OneOf], [AtLeast] and
// [AtMost] make one.
type StateSet struct {
	names    []string
	from, to string // the lowest and the highest, of an ordered variable
}

// OneOf returns the finding that the variable is in one of the states.
func OneOf(states ...string) StateSet { return StateSet{names: slices.Clone(states)} }

// AtLeast returns the finding that an ordered variable is in the state or a higher one. Three or more
// states must have a declared order ([bn.Variable].Sorted).
func AtLeast(state string) StateSet { return StateSet{from: state} }

// AtMost returns the finding that an ordered variable is in the state or a lower one; see [AtLeast].
func AtMost(state string) StateSet { return StateSet{to: state} }

// String prints the states, as in "sunny or windy", and "≥stage 2".
func (s StateSet) String() string {
	switch {
	case s.from != "":
		return "≥" + s.from
	case s.to != "":
		return "≤" + s.to
	}
	return strings.Join(s.names, " or ")
}

// A Likelihood is likelihood evidence (virtual evidence) on a discrete variable: by state, the
// probability of the finding given the state. A positive test with sensitivity 0.9
// and specificity 0.8 is
//
//	infer.Likelihood{"ill": 0.9, "healthy": 0.2}
//
// For posteriors only the ratios matter; [Engine.LogProbability] takes the numbers as they are. Every
// state has its number, none is negative and not all are zero.
type Likelihood map[string]float64

// String prints the numbers by state, as in "likelihood (healthy 0.2, ill 0.9)".
func (l Likelihood) String() string { return "likelihood " + numbers(l) }

// A Distribution is soft evidence, a distribution that must hold in the posterior. The other
// probabilities change by Jeffrey's rule,
//
//	P'(x) = Σ over states s  Distribution[s] · P(x | s, the other evidence).
//
// Several are fitted jointly by iterated proportional fitting; see [Engine.Jeffrey]. The numbers
// sum to 1; a state that is left out has probability 0.
type Distribution map[string]float64

// String prints the numbers by state, as in "distribution (no 0.3, yes 0.7)".
func (d Distribution) String() string { return "distribution " + numbers(d) }

func numbers(by map[string]float64) string {
	var parts []string
	for _, state := range slices.Sorted(maps.Keys(by)) {
		parts = append(parts, fmt.Sprintf("%s %.4g", state, by[state]))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// An Interval is the finding that a continuous variable is in [Low, High]; one bound may be infinite.
//
// Its parents must be discrete or observed, and nothing observed may depend on the variable: then its
// probability by configuration of the discrete parents is a difference of normal distribution functions.
type Interval struct{ Low, High float64 }

// String prints the interval, as in "[1, 2]".
func (i Interval) String() string { return fmt.Sprintf("[%g, %g]", i.Low, i.High) }

// String prints what is known in the order of the names, as in "asia=no, weather=sunny or windy".
func (e Evidence) String() string {
	names := e.names()
	for i, name := range names {
		switch value := e[name].(type) {
		case float64:
			names[i] += "=" + number(value)
		case StateSet:
			if value.names != nil {
				names[i] += "="
			}
			names[i] += value.String()
		case Likelihood, Distribution:
			names[i] += fmt.Sprintf(": %v", value)
		case Interval:
			names[i] += fmt.Sprintf(" in %v", value)
		default:
			names[i] += fmt.Sprintf("=%v", value)
		}
	}
	return strings.Join(names, ", ")
}

// names returns the variables in sorted order.
func (e Evidence) names() []string { return slices.Sorted(maps.Keys(e)) }

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// For returns the evidence in the states of a model: strings and numbers may be values of the data, see
// Evidence of [bn.Model], whose errors it returns. Other kinds of findings are kept. Values of a column are
// returned under the variable's name.
func (e Evidence) For(m bn.Model) (Evidence, error) {
	out, raw := make(Evidence, len(e)), make(bn.Given)
	for _, name := range e.names() {
		switch value := e[name].(type) {
		case string:
			raw[name] = value
		case float64:
			raw[name] = number(value)
		case int:
			raw[name] = strconv.Itoa(value)
		default:
			out[name] = value
		}
	}
	states, err := m.Evidence(raw)
	if err != nil {
		return nil, err
	}
	for name, state := range states {
		if _, twice := out[name]; twice {
			return nil, say.Errorf("infer: evidence: %q is given twice, once by a value of its column; leave one out",
				name)
		}
		out[name] = state
	}
	return out, nil
}

// kinds says what a finding of a variable may be.
func kinds(v bn.Variable) string {
	if v.IsDiscrete() {
		return "a state (string), infer.OneOf, AtLeast, AtMost, Likelihood or Distribution"
	}
	return "a number (float64, int) or infer.Interval"
}
