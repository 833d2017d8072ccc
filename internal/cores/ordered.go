package cores

import (
	"bnlab/internal/presolve"
	"math"
	"slices"

	"bnlab/internal/isotonic"
	"bnlab/internal/spare"
)

// ordered is one mass divided among nodes that are ordered, x_a ≤ c·x_b (N06 type 10, in
// chains and partial orders). In y = x/s, with factors s that make every c one, it is the
// isotonic regression of n/k' with weights k' = k·s, divided by the number of cases.
type ordered struct {
	order  *isotonic.Order
	s, k   []float64 // k is k·s
	b      float64
	even   []float64 // table entries behind each node, for no counts
	spaces spare.List[*orderedSpace]
}

type orderedSpace struct{ y, g []float64 }

// newOrdered returns nil when the relations are not orders with consistent factors.
func newOrdered(relations []presolve.Relation, weight []float64) (solver, error) {
	u := presolve.NewMultiples(len(weight))
	var arcs [][2]int
	for _, r := range relations[1:] {
		if r.Value != 0 || len(r.Index) != 2 || r.Coef[0]*r.Coef[1] >= 0 {
			return nil, nil
		}
		a, b := 0, 1 // coef_a x_a ≤ −coef_b x_b with coef_a > 0
		if r.Coef[0] < 0 {
			a, b = 1, 0
		}
		if !u.Join(r.Index[a], r.Index[b], -r.Coef[b]/r.Coef[a]) {
			return nil, nil
		}
		arcs = append(arcs, [2]int{r.Index[a], r.Index[b]})
	}
	v := &ordered{k: slices.Clone(relations[0].Coef), b: relations[0].Value, even: weight}
	for i := range weight {
		_, scale := u.Find(i)
		v.s = append(v.s, scale)
		v.k[i] *= scale
	}
	var err error
	if v.order, err = isotonic.NewOrder(len(weight), arcs); err != nil {
		return nil, err
	}
	v.spaces.Fresh = func() *orderedSpace {
		return &orderedSpace{make([]float64, len(weight)), make([]float64, len(weight))}
	}
	return v, nil
}

func (v *ordered) name() string { return isotonicRegression }

func (v *ordered) solve(x, n []float64) (Report, error) {
	s := v.spaces.Take()
	defer v.spaces.Give(s)
	largest := slices.Max(n)
	if largest == 0 {
		n, largest = v.even, slices.Max(v.even)
	}
	for i, c := range n {
		s.y[i] = c / largest / v.k[i]
	}
	if err := v.order.Solve(s.g, s.y, v.k); err != nil {
		return Report{}, err
	}
	mass := 0.0
	for i, g := range s.g {
		mass += v.k[i] * g
	}
	for i, g := range s.g {
		x[i] = v.s[i] * math.Max(g, 0) * v.b / mass
	}
	return Report{Certificate: GlobalMaximum}, nil
}
