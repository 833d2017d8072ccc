package linprog

import "math"

// vertices finds those of the set by trying every choice of as many rows and bounds as
// there are variables.
func vertices(p Problem) (found [][]float64) {
	var normal [][]float64
	var value []float64
	add := func(r Row) {
		a := make([]float64, p.Len)
		for k, j := range r.Index {
			a[j] += r.Factor(k)
		}
		normal, value = append(normal, a), append(value, r.Value)
	}
	for _, r := range p.Equal {
		add(r)
	}
	for _, r := range p.AtMost {
		add(r)
	}
	for j := range p.Len {
		add(Row{Index: []int{j}})
	}
	var chosen []int
	var choose func(from int)
	choose = func(from int) {
		if len(chosen) == p.Len {
			if x := intersect(normal, value, chosen); x != nil && inside(p, x, 1e-9) {
				found = append(found, x)
			}
			return
		}
		for i := from; i < len(normal); i++ {
			chosen = append(chosen, i)
			choose(i + 1)
			chosen = chosen[:len(chosen)-1]
		}
	}
	choose(0)
	return found
}

// intersect solves the chosen equations by elimination, or returns nil.
func intersect(normal [][]float64, value []float64, chosen []int) []float64 {
	n := len(chosen)
	m := make([][]float64, n)
	for i, c := range chosen {
		m[i] = append(append([]float64(nil), normal[c]...), value[c])
	}
	for k := range n {
		best := k
		for i := k; i < n; i++ {
			if math.Abs(m[i][k]) > math.Abs(m[best][k]) {
				best = i
			}
		}
		m[k], m[best] = m[best], m[k]
		if math.Abs(m[k][k]) < 1e-9 {
			return nil
		}
		for i := range n {
			if f := m[i][k] / m[k][k]; i != k {
				for j := range m[i] {
					m[i][j] -= f * m[k][j]
				}
			}
		}
	}
	x := make([]float64, n)
	for k := range x {
		x[k] = m[k][n] / m[k][k]
	}
	return x
}

func inside(p Problem, x []float64, tol float64) bool {
	for _, v := range x {
		if !(v >= -tol) {
			return false
		}
	}
	at := func(r Row) float64 {
		sum := -r.Value
		for k, j := range r.Index {
			sum += r.Factor(k) * x[j]
		}
		return sum
	}
	for _, r := range p.Equal {
		if !(math.Abs(at(r)) <= tol) {
			return false
		}
	}
	for _, r := range p.AtMost {
		if !(at(r) <= tol) {
			return false
		}
	}
	return true
}

// rays are the directions d ≥ 0, Σ d = 1, in which the set goes on for ever, if it is
// not empty: the vertices of a set themselves.
func rays(p Problem) [][]float64 {
	cone := Problem{Len: p.Len}
	all := Row{Value: 1}
	for j := range p.Len {
		all.Index = append(all.Index, j)
	}
	for _, r := range p.Equal {
		cone.Equal = append(cone.Equal, Row{Index: r.Index, Coef: r.Coef})
	}
	for _, r := range p.AtMost {
		cone.AtMost = append(cone.AtMost, Row{Index: r.Index, Coef: r.Coef})
	}
	cone.Equal = append(cone.Equal, all)
	return vertices(cone)
}
