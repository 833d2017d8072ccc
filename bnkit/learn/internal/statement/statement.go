// Package statement tells statements by their type.
package statement

import "bnlab/bnkit/constraint"

// Bare are statements without their prices.
func Bare(list []constraint.Constraint) []constraint.Constraint {
	out := make([]constraint.Constraint, len(list))
	for i, s := range list {
		out[i] = s
		if priced, ok := As[constraint.AtPrice](s); ok && priced.Statement != nil {
			out[i] = priced.Statement
		}
	}
	return out
}

// As is a statement of one type, or what a pointer to one points at.
func As[T any](s constraint.Constraint) (T, bool) {
	switch s := any(s).(type) {
	case T:
		return s, true
	case *T:
		if s != nil {
			return *s, true
		}
	}
	var none T
	return none, false
}
