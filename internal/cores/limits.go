package cores

import (
	"bnlab/internal/presolve"
	"bnlab/internal/say"
	"fmt"
	"math"
	"slices"

	"bnlab/internal/spare"
	"bnlab/internal/waterfill"
)

// limits is one mass divided among nodes with limits on nodes and on nested sets of them
// (N06 type 11). The maximum is x_p = clip(n_p/(λ k_p), lo_p, hi_p), with a λ of its own
// inside each set whose limit binds.
type limits struct {
	tree   *waterfill.Tree
	leaves int // the first nodes of the tree are those of the core
	k      []float64
	lo, hi []float64 // by node of the tree
	b      float64
	even   []float64 // table entries behind each node, for no counts
	spaces spare.List[*limitsSpace]
}

type limitsSpace struct {
	w      waterfill.Workspace
	n, dst []float64
}

// newLimits returns nil when the relations are not limits on nested sets.
func newLimits(relations []presolve.Relation, weight []float64) (solver, error) {
	sum := relations[0]
	type set struct {
		members []int
		lo, hi  float64
	}
	var sets []*set
	for i := range weight {
		sets = append(sets, &set{[]int{i}, 0, math.Inf(1)})
	}
	for _, r := range relations[1:] {
		// Σ r_i x_i with r_i = a·k_i is a limit on the mass of the set.
		a := r.Coef[0] / sum.Coef[r.Index[0]]
		for i, at := range r.Index {
			if math.Abs(r.Coef[i]-a*sum.Coef[at]) > presolve.EqualTol*math.Abs(r.Coef[i]) {
				return nil, nil
			}
		}
		var s *set
		for _, have := range sets {
			if slices.Equal(have.members, r.Index) {
				s = have
			}
		}
		if s == nil {
			s = &set{slices.Clone(r.Index), 0, math.Inf(1)}
			sets = append(sets, s)
		}
		limit := r.Value / a
		if len(r.Index) == 1 {
			limit /= sum.Coef[r.Index[0]] // on x, not on its mass
		}
		if a > 0 {
			s.hi = min(s.hi, limit)
		} else {
			s.lo = max(s.lo, limit)
		}
	}
	v := &limits{leaves: len(weight), k: slices.Clone(sum.Coef), b: sum.Value, even: weight}
	slices.SortStableFunc(sets[v.leaves:], func(a, b *set) int { return len(a.members) - len(b.members) })
	root := len(sets)
	parent := make([]int, root+1)
	for i, s := range sets {
		v.lo, v.hi = append(v.lo, s.lo), append(v.hi, s.hi)
		parent[i] = root
		if s.lo > s.hi {
			if s.lo > s.hi+presolve.FeasibleTol {
				return nil, fmt.Errorf("%w: a sum would have to be at least %.6g and at most %.6g",
					presolve.ErrInfeasible, s.lo,
					s.hi)
			}
			v.hi[i] = max(s.hi, 0) // it may be negative by rounding
			v.lo[i] = v.hi[i]
		}
		for j := max(i+1, v.leaves); j < root; j++ {
			common := 0
			for _, m := range s.members {
				if slices.Contains(sets[j].members, m) {
					common++
				}
			}
			if common == len(s.members) {
				parent[i] = j
				break
			}
			if common > 0 {
				return nil, nil // sets that overlap
			}
		}
	}
	parent[root] = -1
	v.lo, v.hi = append(v.lo, v.b), append(v.hi, v.b)
	v.k = append(v.k, make([]float64, root+1-v.leaves)...)
	var err error
	if v.tree, err = waterfill.NewTree(parent); err != nil {
		return nil, err
	}
	v.spaces.Fresh = func() *limitsSpace {
		return &limitsSpace{n: make([]float64, root+1), dst: make([]float64, root+1)}
	}
	s := v.spaces.Take()
	defer v.spaces.Give(s)
	if _, err := s.w.Nested(v.tree, s.dst, s.n, v.k, v.lo, v.hi, v.b); err != nil {
		return nil, fmt.Errorf("%w: the bounds leave no room", presolve.ErrInfeasible)
	}
	return v, nil
}

// forced lists the nodes that get nothing although all have cases.
func (v *limits) forced(nodes []int) []int {
	x := make([]float64, len(nodes))
	if _, err := v.solve(x, slices.Repeat([]float64{1}, len(nodes))); err != nil {
		return nil
	}
	var out []int
	for i, node := range nodes {
		if x[i] <= 0 {
			out = append(out, node)
		}
	}
	return out
}

func (v *limits) name() string { return "closed form with limits" }

func (v *limits) solve(x, n []float64) (Report, error) {
	s := v.spaces.Take()
	defer v.spaces.Give(s)
	if slices.Max(n) == 0 {
		n = v.even
	}
	copy(s.n, n)
	if _, err := s.w.Nested(v.tree, s.dst, s.n, v.k, v.lo, v.hi, v.b); err != nil {
		return Report{}, say.Errorf("%w: the bounds leave no room: %w", presolve.ErrInfeasible, err)
	}
	copy(x, s.dst)
	return Report{Certificate: GlobalMaximum}, nil
}
