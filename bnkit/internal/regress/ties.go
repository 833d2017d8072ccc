package regress

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// ties say which coefficients of a node are multiples of which free parameter. The
// coefficients of a configuration are the intercept and then the weights.
type ties struct {
	class  [][]int     // by configuration and coefficient
	scale  [][]float64 // likewise
	linked [][]int     // configurations that have classes in common, directly or through others
	limits limits
}

// tiesOf lays out the shares that are about variable v.
func tiesOf(node *bn.LinearGaussian, v int, shares []constraint.Weights) ties {
	n, coefficients := node.Configs().Len(), len(node.Continuous)+1
	t := ties{class: make([][]int, n), scale: make([][]float64, n)}
	root := make([]int, n)
	for config := range n {
		root[config] = config
		t.class[config], t.scale[config] = make([]int, coefficients), make([]float64, coefficients)
		for j := range coefficients {
			t.class[config][j], t.scale[config][j] = config*coefficients+j, 1
		}
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, s := range shares {
		if s.Var != v {
			continue
		}
		first := s.Terms[0]
		if low, high := s.Limits(); s.AtLeast != nil || s.AtMost != nil {
			if t.limits == nil {
				t.limits = make(limits)
			}
			t.limits[first.Config*coefficients+first.Parent+1] = [2]float64{low, high}
		}
		for _, term := range s.Terms {
			t.class[term.Config][term.Parent+1] = first.Config*coefficients + first.Parent + 1
			t.scale[term.Config][term.Parent+1] = term.Scale
			a, b := find(first.Config), find(term.Config)
			root[max(a, b)] = min(a, b)
		}
	}
	place := make(map[int]int)
	for config := range n {
		r := find(config)
		at, ok := place[r]
		if !ok {
			at = len(t.linked)
			place[r] = at
			t.linked = append(t.linked, nil)
		}
		t.linked[at] = append(t.linked[at], config)
	}
	return t
}

// expand writes w = Cβ to a configuration of node.
func (t ties) expand(node *bn.LinearGaussian, config int, s solution) {
	for j, class := range t.class[config] {
		w := t.scale[config][j] * s.beta[s.classes[class]]
		if j == 0 {
			node.Intercept[config] = w
		} else {
			node.Weights[config][j-1] = w
		}
	}
}

// classes numbers the free parameters of some configurations.
func (t ties) classes(configs []int) map[int]int {
	number := make(map[int]int)
	for _, config := range configs {
		for _, class := range t.class[config] {
			if _, ok := number[class]; !ok {
				number[class] = len(number)
			}
		}
	}
	return number
}

// reduce appends to dst the rows [x·C, y] in the free parameters of number, divided by scale.
func (t ties) reduce(dst, rows []float64, config int, number map[int]int, scale float64) []float64 {
	k, q := len(t.class[config])+1, len(number)
	for ; len(rows) > 0; rows = rows[k:] {
		at := len(dst)
		dst = slices.Grow(dst, q+1)[:at+q+1]
		row := dst[at:]
		clear(row)
		for j, class := range t.class[config] {
			row[number[class]] += t.scale[config][j] * rows[j] / scale
		}
		row[q] = rows[k-1] / scale
	}
	return dst
}

// leastSquares keeps the limits, if there are any.
func (t ties) leastSquares(rows []float64, number map[int]int) (solution, error) {
	q, any := len(number), false
	low, high := make([]float64, q), make([]float64, q)
	for class, at := range number {
		low[at], high[at] = math.Inf(-1), math.Inf(1)
		if l, ok := t.limits[class]; ok {
			low[at], high[at], any = l[0], l[1], true
		}
	}
	if !any {
		return leastSquares(rows, q)
	}
	return limited(rows, q, low, high)
}

// solve is least squares over the configurations, each weighted by one over its variance.
func (r *regressor) solve(configs []int, variance []float64) (solution, error) {
	number := r.ties.classes(configs)
	var rows []float64
	for i, config := range configs {
		rows = r.ties.reduce(rows, r.rows[config], config, number, math.Sqrt(variance[i]))
	}
	s, err := r.ties.leastSquares(rows, number)
	if err != nil {
		return s, say.Errorf("constraint: %q: %w", r.node.Child.Name, err)
	}
	s.classes = number
	return s, nil
}
