package infer

import (
	"encoding/json"
	"fmt"
	"strconv"

	"bnlab/bnkit/bn"
)

// plain returns the finding that a value of other Go types stands for, as JSON is decoded to them: for a discrete
// variable a number or a truth value is the state of that name, a list is [OneOf] and a map a [Likelihood]; for a
// continuous one a list of two numbers is an [Interval]. Other values come back as they are.
func plain(v bn.Variable, value any) any {
	if !v.IsDiscrete() {
		switch list := value.(type) {
		case json.Number:
			return list.String()
		case int64:
			return float64(list)
		case []float64:
			if len(list) == 2 {
				return Interval{Low: list[0], High: list[1]}
			}
		case []any:
			if len(list) == 2 {
				low, okLow := list[0].(float64)
				high, okHigh := list[1].(float64)
				if okLow && okHigh {
					return Interval{Low: low, High: high}
				}
			}
		}
		return value
	}
	if name, ok := stateName(value); ok {
		return name
	}
	switch value := value.(type) {
	case []string:
		return OneOf(value...)
	case []any:
		names := make([]string, len(value))
		for i, element := range value {
			var ok bool
			if names[i], ok = stateName(element); !ok {
				return value
			}
		}
		return OneOf(names...)
	case map[string]float64:
		return Likelihood(value)
	case map[string]any:
		by := make(Likelihood, len(value))
		for state, element := range value {
			x, ok := element.(float64)
			if !ok {
				return value
			}
			by[state] = x
		}
		return by
	}
	return value
}

// stateName is the name of the state that a single value stands for.
func stateName(value any) (string, bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case float64:
		return number(value), true
	case int:
		return strconv.Itoa(value), true
	case int64:
		return strconv.FormatInt(value, 10), true
	case json.Number:
		return value.String(), true
	case bool:
		return strconv.FormatBool(value), true
	}
	return "", false
}

// described says in words what a value is that cannot be a finding.
func described(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case []any:
		return fmt.Sprintf("the list %v", value)
	case map[string]any:
		return fmt.Sprintf("the map %v", value)
	}
	return fmt.Sprintf("a %T", value)
}
