// Package relabel renames the states of hidden variables: as influences demand, or, where nothing tells them apart,
// so that samples of their tables can be averaged.
package relabel

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A Variable holds the table entries that are renamed with the states of a variable: cells[s][k] is
// the k-th entry that has its state s, and differs from cells[0][k] in that only.
type Variable struct{ cells [][]int }

// New returns those of the hidden variables whose states nothing tells apart: neither a
// statement nor Dirichlet counts of their own speak of the variable's table or a child's.
func New(net *bn.Network, hidden []string, statements []constraint.Constraint, alpha map[string][]float64) (
	[]Variable, error) {
	told := make([]bool, net.Len())
	for _, s := range statements {
		bounds, err := s.Bind(net)
		if err != nil {
			return nil, err
		}
		for _, b := range bounds {
			for _, row := range b.Links {
				told[row.Var] = true
			}
		}
	}
	var list []Variable
	for _, name := range hidden {
		v, err := net.Index(name)
		if err != nil {
			return nil, err
		}
		families := append([]int{v}, net.DAG().Children(v)...)
		if slices.ContainsFunc(families, func(f int) bool { return told[f] || alpha[net.Variable(f).Name] != nil }) {
			continue
		}
		l := Variable{make([][]int, net.Variable(v).Cardinality())}
		for _, f := range families {
			l.add(net, v, f)
		}
		list = append(list, l)
	}
	return list, nil
}

// add adds the entries of a family of which v is a member.
func (l Variable) add(net *bn.Network, v, f int) {
	lo, hi := net.Layout().Family(f)
	stride := 1
	if f != v {
		t := net.CPT(f)
		stride = t.Configs().Stride(slices.Index(net.DAG().Parents(f), v)) * t.Child.Cardinality()
	}
	for cell := lo; cell < hi; cell++ {
		s := (cell - lo) / stride % len(l.cells)
		l.cells[s] = append(l.cells[s], cell)
	}
}

// mostRounds bounds the search for the names of several variables.
const mostRounds = 10

// Align renames the states of each variable so that theta is as near as possible to the
// reference, in the sum of squares; of one variable exactly, of several one after another
// until none gains.
func Align(theta, reference []float64, vars []Variable) {
	for range mostRounds {
		moved := false
		for _, l := range vars {
			moved = l.align(theta, reference) || moved
		}
		if !moved {
			return
		}
	}
}

func (l Variable) align(theta, reference []float64) (moved bool) {
	cost := make([][]float64, len(l.cells))
	for s := range cost {
		cost[s] = make([]float64, len(l.cells))
		for name := range cost[s] {
			for k, cell := range l.cells[s] {
				d := theta[cell] - reference[l.cells[name][k]]
				cost[s][name] += d * d
			}
		}
	}
	names := assign(cost)
	old := slices.Clone(theta)
	for s, name := range names {
		moved = moved || s != name
		for k, cell := range l.cells[s] {
			theta[l.cells[name][k]] = old[cell]
		}
	}
	return moved
}
