package dbn

import (
	"math"
	"slices"

	"bnlab/bnkit/factor"
	"bnlab/bnkit/infer"
)

// mostCells bounds the table that an elimination makes.
const mostCells = 1 << 27

// eliminate sums all variables but those to keep, if they are in it, out of a product, the one with the smallest
// product of its factors first. Values are natural logarithms.
func (n *Network) eliminate(list []*factor.Factor, keep []int) (*factor.Factor, error) {
	list = slices.Clone(list)
	for {
		best, least := -1, math.Inf(1)
		for _, f := range list {
			for _, v := range f.Vars {
				if slices.Contains(keep, v) {
					continue
				}
				if size := product(holding(list, v)); size < least {
					best, least = v, size
				}
			}
		}
		if best < 0 {
			break
		}
		m, err := n.multiply(holding(list, best))
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(f *factor.Factor) bool { return slices.Contains(f.Vars, best) })
		list = append(list, factor.SumOutLogs(nil, m, best))
	}
	return n.multiply(list)
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

// product is the number of joint states of the variables of some factors.
func product(list []*factor.Factor) float64 {
	size := 1.0
	var seen []int
	for _, f := range list {
		for i, v := range f.Vars {
			if !slices.Contains(seen, v) {
				seen, size = append(seen, v), size*float64(f.Cards[i])
			}
		}
	}
	return size
}

// multiply returns the product of factors, the factor itself of one.
func (n *Network) multiply(list []*factor.Factor) (*factor.Factor, error) {
	if size := product(list); size > mostCells {
		e := &infer.WidthError{Cells: size, Limit: mostCells, Clique: size}
		for _, f := range list {
			for _, v := range f.Vars {
				name := n.vars[v%len(n.vars)].Name
				if !slices.Contains(e.Variables, name) {
					e.Variables = append(e.Variables, name)
				}
			}
		}
		return nil, e
	}
	if len(list) == 0 {
		return factor.New(nil, nil), nil // the logarithm of 1
	}
	m := list[0]
	for _, f := range list[1:] {
		m = factor.ProductLogs(nil, m, f)
	}
	return m, nil
}
