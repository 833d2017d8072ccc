package dbn

import (
	"errors"
	"slices"

	"bnlab/bnkit/infer"
	"bnlab/internal/elimination"
	"bnlab/internal/factor"
)

// mostCells bounds the table that an elimination makes.
const mostCells = 1 << 27

// eliminate sums all variables but those to keep, if they are in it, out of a product of factors
// whose values are natural logarithms.
func (n *Network) eliminate(list []*factor.Factor, keep []int) (*factor.Factor, error) {
	f, err := elimination.SumProduct(list, keep, elimination.Logs, mostCells)
	var large *elimination.TooLargeError
	if !errors.As(err, &large) {
		return f, err
	}
	e := &infer.WidthError{Cells: large.Cells, Limit: mostCells, Clique: large.Cells}
	for _, v := range large.Vars {
		name := n.vars[v%len(n.vars)].Name
		if !slices.Contains(e.Variables, name) {
			e.Variables = append(e.Variables, name)
		}
	}
	return nil, e
}
