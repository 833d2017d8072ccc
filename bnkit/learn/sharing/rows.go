package sharing

import (
	"context"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
)

// GroupRows finds groups of parent configurations in which a variable has the same
// distribution: context-specific independence, and sharing that no context describes. The log
// probability of the cases in a class of configurations with the pooled counts N_j is
//
//	Σ_j [lnΓ(a+N_j) − lnΓ(a)] − lnΓ(ra+N) + lnΓ(ra),
//
// a being the Dirichlet count of each of the r states (see [Settings]) and N = Σ_j N_j,
// and that of a partition is the sum over its classes. The search is agglomerative: from
// separate configurations it merges the two classes whose union has the greatest gain until one is
// left, and returns the best partition on the way, which need not be the best of all.
// Configurations without cases gain nothing under the default prior and stay separate. It takes about O(c² r)
// steps and O(c²) memory for c configurations, at most 10,000.
//
// There is one statement, a [constraint.ShareAcross], for each class of two or more; it
// names few parents where their states describe the class. Without cases, or without
// parents, nothing is shared. The errors are those of [GroupStates]. Sharing of
// this kind is a case of N06's type 6; learning it from data is mentioned in N06 §3.2.
func GroupRows(ctx context.Context, net *bn.Network, counts *data.Counts, name string, g *Settings) (*Groups, error) {
	set, err := g.begin()
	if err != nil {
		return nil, err
	}
	t, n, err := set.family(net, counts, name)
	if err != nil {
		return nil, err
	}
	groups, err := set.distributions(ctx, t, n)
	if err != nil {
		return nil, err
	}
	by := suggestedBy(net, counts, name)
	groups.average = func() *Average { return set.averageRows(n, t.Child.Cardinality()) }
	for _, class := range groups.Classes {
		if len(class) > 1 {
			groups.Statements = append(groups.Statements, constraint.ShareAcross{Var: name, Given: contexts(t, class),
				SuggestedBy: by})
		}
	}
	return groups, nil
}

// distributions groups the rows of a table.
func (s *search) distributions(ctx context.Context, t *bn.CPT, n []float64) (*Groups, error) {
	rows := t.Configs().Len()
	if err := s.feasible(t.Child.Name, rows, 1, rows); err != nil {
		return nil, err
	}
	groups, err := s.choose(ctx, rowGrouper{s.Settings, t.Child.Cardinality()}, n)
	if err != nil {
		return nil, err
	}
	groups.Of = "distributions of " + t.Child.Name
	return groups, nil
}

// contexts describes the configurations of a class by contexts: the states of as few
// parents as can be left fixed, one after another, while everything in the context is in
// the class. It is nil for all configurations.
func contexts(t *bn.CPT, class []int) []bn.Given {
	state := func(config, p int) int { return config / t.Configs().Stride(p) % t.Parents[p].Cardinality() }
	var list []bn.Given
	for left := slices.Clone(class); len(left) > 0; {
		first, size := left[0], 1
		fixed := make([]bool, len(t.Parents))
		for p := range fixed {
			fixed[p] = true
		}
		matches := func(config int) bool {
			for p := range fixed {
				if fixed[p] && state(config, p) != state(first, p) {
					return false
				}
			}
			return true
		}
		for p, parent := range t.Parents {
			fixed[p] = false
			wider := 0
			for _, config := range class {
				if matches(config) {
					wider++
				}
			}
			if wider == size*parent.Cardinality() {
				size = wider
			} else {
				fixed[p] = true
			}
		}
		if size == t.Configs().Len() {
			return nil
		}
		context := bn.Given{}
		for p, parent := range t.Parents {
			if fixed[p] {
				context[parent.Name] = parent.States[state(first, p)]
			}
		}
		list = append(list, context)
		left = slices.DeleteFunc(left, matches)
	}
	return list
}

// A rowGrouper groups rows of so many states; counts are by row and then state.
type rowGrouper struct {
	Settings
	states int
}

var _ grouper = rowGrouper{}

// score is the log probability of the cases of a class.
func (p rowGrouper) score(pooled []float64, rows int) float64 {
	a := p.count(1, rows)
	all, total, one := float64(len(pooled))*a, 0.0, num.Lgamma(a)
	s := 0.0
	for _, x := range pooled {
		if x > 0 {
			s += num.Lgamma(a+x) - one
			total += x
		}
	}
	return s - (num.Lgamma(all+total) - num.Lgamma(all))
}

func (p rowGrouper) path(ctx context.Context, n []float64) (path, error) {
	joins, score, err := agglomerate(ctx, slices.Collect(slices.Chunk(n, p.states)), p.score)
	if err != nil {
		return path{}, err
	}
	rows := len(score)
	return path{score, func(m int) [][]int {
		members := make([][]int, rows)
		for i := range members {
			members[i] = []int{i}
		}
		for _, j := range joins[:rows-m] {
			members[j.into] = append(members[j.into], members[j.gone]...)
			members[j.gone] = nil
		}
		return ordered(slices.DeleteFunc(members, func(class []int) bool { return class == nil }))
	}}, nil
}

// predict writes θ_j = (N_j + a) / (N + ra) of each class to its rows.
func (p rowGrouper) predict(dst, n []float64, classes [][]int) {
	for _, class := range classes {
		a := p.count(1, len(class))
		first := dst[class[0]*p.states : (class[0]+1)*p.states]
		total := 0.0
		for j := range first {
			first[j] = a
			for _, row := range class {
				first[j] += n[row*p.states+j]
			}
			total += first[j]
		}
		for j := range first {
			first[j] /= total
		}
		for _, row := range class[1:] {
			copy(dst[row*p.states:], first)
		}
	}
}

// A join makes two classes one. A class is numbered by its first member.
type join struct{ into, gone int }

// agglomerate joins the members with the given counts two classes at a time until one
// class is left, each time those whose union raises the sum of the scores most. score is
// that of a class with pooled counts and so many members. It returns the joins in their
// order, and the sum of the scores with m classes at m − 1. It fails only when the context is done.
func agglomerate(ctx context.Context, counts [][]float64, score func(pooled []float64, size int) float64) (
	[]join, []float64, error) {
	k := len(counts)
	pooled, own, size := make([][]float64, k), make([]float64, k), make([]int, k)
	gain := make([][]float64, k) // of joining with an earlier class
	partner := make([]int, k)    // the best earlier class, −1 for none
	live := make([]int, k)       // the classes left, ascending
	both := make([]float64, len(counts[0]))
	union := func(i, j int) float64 {
		for s := range both {
			both[s] = pooled[i][s] + pooled[j][s]
		}
		return score(both, size[i]+size[j]) - own[i] - own[j]
	}
	look := func(i int) {
		partner[i] = -1
		for _, j := range live {
			if j >= i {
				return
			}
			if partner[i] < 0 || gain[i][j] > gain[i][partner[i]] {
				partner[i] = j
			}
		}
	}
	for i := range k {
		if err := interrupted(ctx); err != nil {
			return nil, nil, err
		}
		live[i], size[i] = i, 1
		pooled[i] = slices.Clone(counts[i])
		own[i] = score(pooled[i], 1)
		gain[i] = make([]float64, i)
		for j := range i {
			gain[i][j] = union(i, j)
		}
	}
	for i := range k {
		look(i)
	}
	joins, total := make([]join, 0, k-1), make([]float64, k)
	for m := k; ; m-- {
		for _, i := range live {
			total[m-1] += own[i]
		}
		if m == 1 {
			return joins, total, nil
		}
		if err := interrupted(ctx); err != nil {
			return nil, nil, err
		}
		gone, most := -1, math.Inf(-1)
		for _, i := range live[1:] {
			if x := gain[i][partner[i]]; gone < 0 || x > most {
				gone, most = i, x
			}
		}
		into := partner[gone]
		joins = append(joins, join{into, gone})
		for s := range both {
			pooled[into][s] += pooled[gone][s]
		}
		size[into] += size[gone]
		own[into] = score(pooled[into], size[into])
		live = slices.DeleteFunc(live, func(i int) bool { return i == gone })
		for _, i := range live {
			if i < into {
				gain[into][i] = union(into, i)
			} else if i > into {
				gain[i][into] = union(i, into)
			}
		}
		for _, i := range live {
			switch {
			case i == into || i > into && (partner[i] == into || partner[i] == gone):
				look(i)
			case i > into && gain[i][into] > gain[i][partner[i]]:
				partner[i] = into
			}
		}
	}
}
