package constraint

import (
	"errors"

	"bnlab/internal/linprog"
)

// Forced returns the places, in the list that was compiled, of statements whose inequalities the others force to hold
// with equality: two opposite influences leave no influence, and the same may follow from a chain of orders or from
// bounds that leave no room. Such a set of statements says that distributions are equal, or probabilities known, which
// no statement of it says. What is an equality by itself is not listed; parts with ratios or functions, or too large
// for a small linear program, are not examined.
func (p *Problem) Forced() ([]int, error) {
	forced := make([]bool, len(p.statements))
	for _, part := range p.parts {
		list := p.statementsOf(part.members)
		if len(list) < 2 {
			continue
		}
		set, of, ok := p.linearSet(part, -1)
		if !ok {
			continue
		}
		_, _, tight, err := linprog.Interior(set)
		if errors.Is(err, linprog.ErrStalled) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for i, isTight := range tight {
			if !isTight || forced[of[i]] {
				continue
			}
			alone, from, _ := p.linearSet(part, of[i])
			_, _, itself, err := linprog.Interior(alone)
			if err != nil {
				return nil, err
			}
			// The inequalities of a statement have the same order in both.
			k := 0
			for j := range i {
				if of[j] == of[i] {
					k++
				}
			}
			for j := range from {
				if from[j] != of[i] {
					continue
				}
				if k == 0 {
					forced[of[i]] = !itself[j]
					break
				}
				k--
			}
		}
	}
	var out []int
	for s, f := range forced {
		if f {
			out = append(out, s)
		}
	}
	return out, nil
}

// linearSet is what the statements of a part, or one of them, leave of its distributions, with the statement of each
// inequality; false when they say more than linear relations or are too many.
func (p *Problem) linearSet(part *plan, only int) (_ linprog.Problem, of []int, ok bool) {
	set, leaf := p.sumsToOne(part)
	for _, m := range part.members {
		b := p.bounds[m]
		if len(b.Ratios) > 0 || len(b.Smooth) > 0 || b.price > 0 {
			return set, nil, false
		}
		if only >= 0 && p.of[m] != only {
			continue
		}
		equal, atMost := b.linear(leaf)
		set.Equal, set.AtMost = append(set.Equal, equal...), append(set.AtMost, atMost...)
		for range atMost {
			of = append(of, p.of[m])
		}
	}
	return set, of, set.Len*(len(set.Equal)+len(set.AtMost)) <= redundantLimit
}
