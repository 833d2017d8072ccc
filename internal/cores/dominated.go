package cores

import (
	"bnlab/internal/presolve"
	"errors"
	"math"
	"slices"
	"sync"

	"bnlab/internal/dominance"
	"bnlab/internal/spare"
)

// dominated are distributions in stochastic order (W00 Eqs. 5 and 6; Y13 Eq. 1): sums over
// the same states, upwards from each, that rise from one distribution to another or pay for it.
type dominated struct {
	s      *dominance.Solver
	binary bool      // isotonic regression
	place  []int     // by entry of the solver, row by row: where it is in the core
	scale  []float64 // by entry: the value in the core of a probability of 1
	backup func() (*linear, error)
	spaces spare.List[*dominatedSpace]
}

// dominatedLimit bounds the nodes of such a core, since the factors of Newton's method are
// full matrices at worst. Larger ones go to the interior-point method, which keeps them sparse.
const dominatedLimit = 1 << 10

type dominatedSpace struct{ x, n, from []float64 }

// newDominated returns nil when the relations are of another kind.
func newDominated(relations []presolve.Relation, nodes int) *dominated {
	v := &dominated{backup: sync.OnceValues(func() (*linear, error) { return newLinear(relations, nodes) })}
	p, ok := v.read(relations, nodes)
	if !ok {
		return nil
	}
	v.binary = p.States == 2
	for _, a := range p.Arcs {
		v.binary = v.binary && math.IsInf(a.Price, 1)
	}
	if nodes > dominatedLimit && !v.binary {
		return nil
	}
	var err error
	if v.s, err = dominance.New(p); err != nil {
		return nil // a circle
	}
	v.spaces.Fresh = func() *dominatedSpace {
		return &dominatedSpace{make([]float64, nodes), make([]float64, nodes), make([]float64, nodes)}
	}
	return v
}

// read finds rows and arcs. Each row is an equality of its own with equal coefficients; each
// inequality compares two rows in sums of equally many nodes; the sums of a row nest, which
// puts its nodes in order; and what is said of two rows is said of all their sums.
func (v *dominated) read(relations []presolve.Relation, nodes int) (p dominance.Problem, ok bool) {
	row := slices.Repeat([]int{-1}, nodes)
	value := make([]float64, nodes) // of a node with the probability 1
	first := slices.IndexFunc(relations, func(r presolve.Relation) bool { return r.AtMost })
	if first < 2 || len(relations[0].Index)*first != nodes {
		return p, false
	}
	p.Rows, p.States = first, len(relations[0].Index)
	for k, r := range relations[:first] {
		for i, node := range r.Index {
			if row[node] >= 0 || len(r.Index) != p.States || r.Coef[i] != r.Coef[0] || !(r.Value/r.Coef[0] > 0) {
				return p, false
			}
			row[node], value[node] = k, r.Value/r.Coef[0]
		}
	}
	sums := make(map[sumOf][]int)
	prices := make(map[[2]int][]float64) // by pair of rows and size of the sums
	var pairs [][2]int                   // in order
	for _, r := range relations[first:] {
		low, high, price, ok := comparison(r, row, value)
		if !ok {
			return p, false
		}
		for _, side := range [...][]int{low, high} {
			at := sumOf{row[side[0]], len(side)}
			if known, ok := sums[at]; ok && !slices.Equal(known, side) {
				return p, false
			}
			sums[at] = side
		}
		pair := [2]int{row[low[0]], row[high[0]]}
		if prices[pair] == nil {
			prices[pair] = make([]float64, p.States)
			pairs = append(pairs, pair)
		}
		prices[pair][len(low)%p.States] += price
	}
	v.place = make([]int, nodes)
	v.scale = make([]float64, nodes)
	rank := make([]int, nodes) // the number of sums that a node is in
	for _, side := range sums {
		for _, node := range side {
			rank[node]++
		}
	}
	for node, k := range rank {
		if k >= p.States {
			return p, false
		}
		v.place[row[node]*p.States+k], v.scale[row[node]*p.States+k] = node, value[node]
	}
	// All ranks are there once only when the sums nest: the largest leaves out one node, which is in
	// none then, the next that node and the one that is in no other, and so on.
	if len(sums) != p.Rows*(p.States-1) || slices.Contains(v.scale, 0) {
		return p, false
	}
	for _, pair := range pairs {
		price := prices[pair][1:]
		if slices.Min(price) != slices.Max(price) {
			return p, false
		}
		p.Arcs = append(p.Arcs, dominance.Arc{Low: pair[0], High: pair[1], Price: price[0]})
	}
	return p, true
}

// sumOf is a sum of some nodes of a row.
type sumOf struct{ row, size int }

// comparison reads an inequality between sums of probabilities of two rows, Σ low ≤ Σ high. The
// price is that of a difference of probabilities.
func comparison(r presolve.Relation, row []int, value []float64) (low, high []int, price float64, ok bool) {
	if r.Value != 0 {
		return nil, nil, 0, false
	}
	unit := math.Abs(r.Coef[0]) * value[r.Index[0]]
	for i, node := range r.Index {
		c := r.Coef[i] * value[node]
		if math.Abs(math.Abs(c)-unit) > presolve.EqualTol*unit {
			return nil, nil, 0, false
		}
		if c > 0 {
			low = append(low, node)
		} else {
			high = append(high, node)
		}
	}
	if len(low) == 0 || len(low) != len(high) || row[low[0]] == row[high[0]] {
		return nil, nil, 0, false
	}
	for i := range low {
		if row[low[i]] != row[low[0]] || row[high[i]] != row[high[0]] {
			return nil, nil, 0, false
		}
	}
	if price = r.Price * unit; price == 0 {
		price = math.Inf(1)
	}
	return low, high, price, true
}

func (v *dominated) name() string {
	if v.binary {
		return isotonicRegression
	}
	return newtonByBlocks
}

func (v *dominated) solve(x, n []float64) (Report, error) { return v.improve(x, n, nil) }

// improve starts at a point, when it is not nil.
func (v *dominated) improve(x, n, from []float64) (Report, error) {
	w := v.spaces.Take()
	defer v.spaces.Give(w)
	for i, node := range v.place {
		w.n[i] = n[node]
	}
	var start []float64
	if from != nil {
		start = w.from
		for i, node := range v.place {
			start[i] = from[node] / v.scale[i]
		}
	}
	r, err := v.s.Solve(w.x, w.n, start)
	if errors.Is(err, dominance.ErrNotConverged) {
		l, err := v.backup()
		if err != nil {
			return Report{}, err
		}
		return l.solve(x, n)
	}
	if err != nil {
		return Report{}, err
	}
	for i, node := range v.place {
		x[node] = w.x[i] * v.scale[i]
	}
	out := Report{Method: v.name(), Iterations: r.Iterations, Gap: r.Gap, Certificate: GlobalMaximum}
	if r.Exact && !v.binary {
		out.Method = closedForm
	}
	return out, nil
}
