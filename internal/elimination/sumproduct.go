package elimination

import (
	"fmt"
	"slices"

	"bnlab/internal/factor"
)

// Values says what the values of factors are.
type Values int

const (
	Plain Values = iota // numbers
	Logs                // natural logarithms, −∞ for 0
)

// A TooLargeError reports a product that would be larger than the limit.
type TooLargeError struct {
	Cells float64 // joint states of the variables of the product
	Limit float64
	Vars  []int // of the product
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("a table of %.4g entries over %d variables, and %.4g are allowed", e.Cells, len(e.Vars), e.Limit)
}

// SumProduct returns the product of the factors, summed over all variables but those to keep:
// next always the variable with the smallest product of its factors, the first that appears
// among equals (Zhang and Poole 1996). No table has more cells than the limit; if one had, the
// error is a *TooLargeError. The product of no factors is the factor without variables that
// changes nothing. A result may share its values with one of the factors.
func SumProduct(list []*factor.Factor, keep []int, values Values, limit float64) (*factor.Factor, error) {
	list = slices.Clone(list)
	for {
		v, _, _ := Smallest(scopesOf(list), cardOf(list), others(list, keep))
		if v < 0 {
			return multiply(list, values, limit)
		}
		m, err := multiply(holding(list, v), values, limit)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(f *factor.Factor) bool { return slices.Contains(f.Vars, v) })
		if values == Logs {
			list = append(list, factor.SumOutLogs(nil, m, v))
		} else {
			list = append(list, factor.SumOut(nil, m, v))
		}
	}
}

// multiply returns the product of factors, the factor itself of one.
func multiply(list []*factor.Factor, values Values, limit float64) (*factor.Factor, error) {
	if len(list) == 0 {
		one := factor.New(nil, nil)
		if values == Plain {
			one.Values[0] = 1
		}
		return one, nil
	}
	e := &TooLargeError{Cells: 1, Limit: limit}
	for _, f := range list {
		for i, v := range f.Vars {
			if !slices.Contains(e.Vars, v) {
				e.Vars = append(e.Vars, v)
				e.Cells *= float64(f.Cards[i])
			}
		}
	}
	if e.Cells > limit {
		return nil, e
	}
	m := list[0]
	for _, f := range list[1:] {
		if values == Logs {
			m = factor.ProductLogs(nil, m, f)
		} else {
			m = factor.Product(nil, m, f)
		}
	}
	return m, nil
}

// holding returns the factors of variable v.
func holding(list []*factor.Factor, v int) []*factor.Factor {
	var with []*factor.Factor
	for _, f := range list {
		if slices.Contains(f.Vars, v) {
			with = append(with, f)
		}
	}
	return with
}

// others lists the variables of the factors that are not to be kept, in the order in which they appear.
func others(list []*factor.Factor, keep []int) []int {
	var vars []int
	for _, f := range list {
		for _, v := range f.Vars {
			if !slices.Contains(keep, v) && !slices.Contains(vars, v) {
				vars = append(vars, v)
			}
		}
	}
	return vars
}

func scopesOf(list []*factor.Factor) [][]int {
	scopes := make([][]int, len(list))
	for i, f := range list {
		scopes[i] = f.Vars
	}
	return scopes
}

func cardOf(list []*factor.Factor) func(v int) int {
	cards := make(map[int]int)
	for _, f := range list {
		for i, v := range f.Vars {
			cards[v] = f.Cards[i]
		}
	}
	return func(v int) int { return cards[v] }
}
