package factor

import (
	"fmt"
	"slices"
)

// A Shape is a list of distinct variables with their cardinalities. A table of
// that shape has an entry for each joint state, the last variable varying fastest.
type Shape struct {
	Vars  []int
	Cards []int
}

// Size is the number of joint states, 1 without variables.
func (s Shape) Size() int {
	size := 1
	for _, card := range s.Cards {
		size *= card
	}
	return size
}

// Stride is the distance between two entries that differ by one step of variable v
// only, 0 when v is not in the shape.
func (s Shape) Stride(v int) int {
	step := 1
	for i := len(s.Vars) - 1; i >= 0; i-- {
		if s.Vars[i] == v {
			return step
		}
		step *= s.Cards[i]
	}
	return 0
}

// Card is the cardinality of variable v, 0 when it is not in the shape.
func (s Shape) Card(v int) int {
	if i := slices.Index(s.Vars, v); i >= 0 {
		return s.Cards[i]
	}
	return 0
}

// without returns the shape that is left when variables are taken out.
func (s Shape) without(vars []int) Shape {
	var rest Shape
	for i, v := range s.Vars {
		if !slices.Contains(vars, v) {
			rest.Vars = append(rest.Vars, v)
			rest.Cards = append(rest.Cards, s.Cards[i])
		}
	}
	return rest
}

// A Factor is a function of the joint states of its variables.
type Factor struct {
	Shape
	Values []float64 // one for each joint state
}

// New returns the factor that is 0 everywhere. It panics when a variable stands
// twice, a cardinality is not positive or the lists differ in length.
func New(vars, cards []int) *Factor {
	if len(vars) != len(cards) {
		panic(fmt.Sprintf("factor: %d variables with %d cardinalities", len(vars), len(cards)))
	}
	for i, v := range vars {
		if slices.Contains(vars[:i], v) {
			panic(fmt.Sprintf("factor: variable %d appears twice", v))
		}
		if cards[i] < 1 {
			panic(fmt.Sprintf("factor: variable %d has %d states", v, cards[i]))
		}
	}
	f := &Factor{Shape: Shape{slices.Clone(vars), slices.Clone(cards)}}
	f.Values = make([]float64, f.Size())
	return f
}

// At returns the value in a joint state, given in the order of the variables. It
// panics when the number of states is not that of the variables or one is out of
// range.
func (f *Factor) At(states ...int) float64 {
	if len(states) != len(f.Vars) {
		panic(fmt.Sprintf("factor: %d states for %d variables", len(states), len(f.Vars)))
	}
	at := 0
	for i, s := range states {
		if s < 0 || s >= f.Cards[i] {
			panic(fmt.Sprintf("factor: state %d of a variable with %d states", s, f.Cards[i]))
		}
		at = at*f.Cards[i] + s
	}
	return f.Values[at]
}

// Sum is the sum of all values.
func (f *Factor) Sum() float64 {
	sum := 0.0
	for _, x := range f.Values {
		sum += x
	}
	return sum
}
