package factor

import (
	"fmt"
	"slices"
)

// The factor without variables that changes nothing as a multiplier, and the list of the
// only table there is.
var (
	one   = []float64{1}
	first = []int32{0}
)

// Product writes the pointwise product to dst and returns it. Without dst the
// variables are those of a and then those that b adds.
func Product(dst, a, b *Factor) *Factor {
	dst = into(dst, union(a.Shape, b.Shape))
	NewContraction(dst.Shape, a.Shape, b.Shape).Sum(dst.Values, a.Values, b.Values, first, first)
	return dst
}

// union lists the variables of a and then those that b adds.
func union(a, b Shape) Shape {
	all := Shape{slices.Clone(a.Vars), slices.Clone(a.Cards)}
	for i, v := range b.Vars {
		if !slices.Contains(a.Vars, v) {
			all.Vars = append(all.Vars, v)
			all.Cards = append(all.Cards, b.Cards[i])
		}
	}
	return all
}

// SumOut writes to dst the sum of a over the states of the given variables and
// returns it.
func SumOut(dst, a *Factor, vars ...int) *Factor {
	dst = into(dst, a.without(present(a, vars)))
	NewContraction(dst.Shape, a.Shape, Shape{}).Sum(dst.Values, a.Values, one, first, first)
	return dst
}

// MaxOut writes to dst the greatest value of a over the states of the given
// variables and returns it.
func MaxOut(dst, a *Factor, vars ...int) *Factor {
	dst = into(dst, a.without(present(a, vars)))
	NewContraction(dst.Shape, a.Shape, Shape{}).Max(dst.Values, a.Values, one, first, first)
	return dst
}

// Slice writes to dst the values of a where the given variables have the given
// states, a function of the other variables, and returns it.
func Slice(dst, a *Factor, vars, states []int) *Factor {
	if len(vars) != len(states) {
		panic(fmt.Sprintf("factor: %d states for %d variables", len(states), len(vars)))
	}
	rest := a.without(present(a, vars))
	dst = into(dst, rest)
	at := 0
	for i, v := range vars {
		if states[i] < 0 || states[i] >= a.Card(v) {
			panic(fmt.Sprintf("factor: state %d of a variable with %d states", states[i], a.Card(v)))
		}
		at += states[i] * a.Stride(v)
	}
	strided(dst.Shape, a.Shape).Sum(dst.Values, a.Values[at:], one, first, first)
	return dst
}

// Permute writes a to dst with its variables in the given order and returns dst.
// With dst the order is that of dst, and vars may be left out.
func Permute(dst, a *Factor, vars ...int) *Factor {
	if dst == nil {
		order := Shape{Vars: slices.Clone(present(a, vars))}
		for _, v := range vars {
			order.Cards = append(order.Cards, a.Card(v))
		}
		dst = New(order.Vars, order.Cards)
	}
	dst = into(dst, a.Shape)
	strided(dst.Shape, a.Shape).Sum(dst.Values, a.Values, one, first, first)
	return dst
}

// present returns vars and panics when a lacks one.
func present(a *Factor, vars []int) []int {
	for _, v := range vars {
		if !slices.Contains(a.Vars, v) {
			panic(fmt.Sprintf("factor: no variable %d among %v", v, a.Vars))
		}
	}
	return vars
}

// into returns dst, made when nil, and panics when its variables are not those of
// the shape.
func into(dst *Factor, s Shape) *Factor {
	if dst == nil {
		return New(s.Vars, s.Cards)
	}
	if len(dst.Vars) != len(s.Vars) || len(dst.Values) != s.Size() {
		panic(fmt.Sprintf("factor: the result has variables %v, dst has %v", s.Vars, dst.Vars))
	}
	for i, v := range s.Vars {
		if dst.Card(v) != s.Cards[i] {
			panic(fmt.Sprintf("factor: the result has variables %v, dst has %v", s.Vars, dst.Vars))
		}
	}
	return dst
}
