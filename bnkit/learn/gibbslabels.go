package learn

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
)

// A renaming holds the table entries that are renamed with the states of a variable: cells[s][k] is
// the k-th entry that has its state s, and differs from cells[0][k] in that only.
type renaming struct{ cells [][]int }

// renamings returns those of the hidden variables whose states nothing tells apart: neither a
// statement nor Dirichlet counts of their own speak of the variable's table or a child's.
func (m Gibbs) renamings(net *bn.Network, hidden []string) ([]renaming, error) {
	told := make([]bool, net.Len())
	for _, s := range m.Constraints {
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
	var list []renaming
	for _, name := range hidden {
		v, err := net.Index(name)
		if err != nil {
			return nil, err
		}
		families := append([]int{v}, net.DAG().Children(v)...)
		if slices.ContainsFunc(families, func(f int) bool { return told[f] || m.Alpha[net.Variable(f).Name] != nil }) {
			continue
		}
		l := renaming{make([][]int, net.Variable(v).Cardinality())}
		for _, f := range families {
			l.add(net, v, f)
		}
		list = append(list, l)
	}
	return list, nil
}

// add adds the entries of a family of which v is a member.
func (l renaming) add(net *bn.Network, v, f int) {
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

// align renames the states of each variable so that theta is as near as possible to the
// reference, in the sum of squares; of one variable exactly, of several one after another
// until none gains.
func align(theta, reference []float64, vars []renaming) {
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

func (l renaming) align(theta, reference []float64) (moved bool) {
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

// assign returns for each row of a square matrix a column of its own such that the sum of
// their entries is the least: rows are added one by one along shortest augmenting paths,
// with dual prices of rows and columns (Kuhn 1955; Tomizawa 1971).
func assign(cost [][]float64) []int {
	n := len(cost)
	row, column := make([]float64, n), make([]float64, n) // prices
	owner := make([]int, n)                               // by column, −1 for none
	for j := range owner {
		owner[j] = -1
	}
	for first := range n {
		distance, before, done := make([]float64, n), make([]int, n), make([]bool, n)
		for j := range distance {
			distance[j] = math.Inf(1)
		}
		last, at, length := -1, first, 0.0
		for { // from row at, which lies at this length from the first, to the nearest column
			next := -1
			for j := range n {
				if done[j] {
					continue
				}
				if d := length + cost[at][j] - row[at] - column[j]; d < distance[j] {
					distance[j], before[j] = d, last
				}
				if next < 0 || distance[j] < distance[next] {
					next = j
				}
			}
			done[next], last, length = true, next, distance[next]
			if owner[next] < 0 {
				break
			}
			at = owner[next]
		}
		row[first] += length
		for j := range n {
			if done[j] && j != last {
				row[owner[j]] += length - distance[j]
				column[j] -= length - distance[j]
			}
		}
		for j := last; ; j = before[j] {
			if before[j] < 0 {
				owner[j] = first
				break
			}
			owner[j] = owner[before[j]]
		}
	}
	names := make([]int, n)
	for j, i := range owner {
		names[i] = j
	}
	return names
}
