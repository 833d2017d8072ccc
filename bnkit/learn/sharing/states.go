package sharing

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// GroupStates finds groups of states of a variable with equal probability in one parent
// configuration, given, which names the state of every parent (nil without parents). The
// groups G have k_G states each, the counts N_G and the Dirichlet counts α_G (see
// [Settings]); with N and α their sums over groups the probability of the cases is
//
//	ln P = Σ_G [lnΓ(α_G+N_G) − lnΓ(α_G) − N_G ln k_G] − lnΓ(α+N) + lnΓ(α).
//
// The search is exact: with the sizes of two groups fixed, ln P is strictly convex in how
// they divide their cases, so the best partition never has a state of one between states
// of the other in the order of counts, and dynamic programming over runs of that order
// finds it for each number of groups. States with equal counts are ordered by their
// numbers. It takes O(r³) steps and O(r²) memory for r states, at most 10,000.
//
// The partition is the best of very many, under a uniform prior of partitions. With few cases per state
// the maximum is partly noise: a log Bayes factor of a few nats is then weak evidence, and estimates under
// it may predict worse than without it. So take Statements for what the data suggest; [Groups.Average]
// has the probability that two states are tied and the estimate that weighs all partitions, as does
// learn.AveragedSharing. They carry the hash of the counts (SuggestedBy), and an audit on the same cases does not test
// them.
//
// The statement is one [constraint.ShareStates] with the groups of two states or more.
// Without cases nothing is shared. It returns an error for an unknown or continuous
// variable, a configuration that the table does not have, counts of another network, a
// count that is negative or not finite, parts of cases under cross-validation, a prior that
// does not exist, and a context that is done. Parameter sharing of this kind is N06's type 2;
// learning it from data is mentioned in N06 §3.2.
func GroupStates(ctx context.Context, net *bn.Network, counts *data.Counts, name string, given bn.Given,
	g *Settings) (*Groups, error) {
	set, err := g.begin()
	if err != nil {
		return nil, err
	}
	t, n, err := set.family(net, counts, name)
	if err != nil {
		return nil, err
	}
	config, err := t.Config(given)
	if err != nil {
		return nil, say.Errorf("sharing: %w", err)
	}
	r := t.Child.Cardinality()
	groups, err := set.states(ctx, name, n[config*r:(config+1)*r], 1)
	if err != nil {
		return nil, err
	}
	groups.average = func() *Average { return set.averageStates(n[config*r : (config+1)*r]) }
	groups.Of = "states of " + name
	if len(given) > 0 {
		groups.Of += " given " + given.String()
	}
	if st := shared(t, []int{config}, groups, suggestedBy(net, counts, name)); st != nil {
		groups.Statements = []constraint.Constraint{st}
	}
	return groups, nil
}

// states groups the states by n, the counts that so many equal distributions have
// together.
func (s *search) states(ctx context.Context, name string, n []float64, rows int) (*Groups, error) {
	if err := s.feasible(name, len(n), len(n), rows); err != nil {
		return nil, err
	}
	return s.choose(ctx, stateGrouper{s.Settings, rows}, n)
}

// givenOf names a parent configuration, nil without parents.
func givenOf(t *bn.CPT, config int) bn.Given {
	if len(t.Parents) == 0 {
		return nil
	}
	given := make(bn.Given, len(t.Parents))
	for i, state := range t.ConfigNames(config) {
		given[t.Parents[i].Name] = state
	}
	return given
}

func stateNames(v bn.Variable, states []int) []string {
	list := make([]string, len(states))
	for i, s := range states {
		list[i] = v.States[s]
	}
	return list
}

// A stateGrouper groups states of a distribution that stands in so many rows.
type stateGrouper struct {
	Settings
	rows int
}

var _ grouper = stateGrouper{}

// total is the Dirichlet count of all groups: their counts are linear in their sizes.
func (p stateGrouper) total(states, groups int) float64 {
	if p.Restrict {
		return p.count(states, p.rows) + float64(groups-1)
	}
	return p.count(states, p.rows)
}

// score is the term of a group of k states with n cases.
func (p stateGrouper) score(k int, n float64) float64 {
	a := p.count(k, p.rows)
	return num.Lgamma(a+n) - num.Lgamma(a) - n*math.Log(float64(k))
}

func (p stateGrouper) path(ctx context.Context, n []float64) (path, error) {
	k := len(n)
	order := make([]int, k)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(n[a], n[b]) })
	cases := make([]float64, k+1) // of the first so many in order
	for i, state := range order {
		cases[i+1] = cases[i] + n[state]
	}
	run := make([][]float64, k) // by first and length − 1
	for i := range run {
		run[i] = make([]float64, k-i)
		for j := range run[i] {
			run[i][j] = p.score(j+1, cases[i+j+1]-cases[i])
		}
	}
	// best[j] is the greatest sum for the first j in m groups, of which the last starts
	// at from[m−1][j].
	best, next := make([]float64, k+1), make([]float64, k+1)
	for j := 1; j <= k; j++ {
		best[j] = math.Inf(-1)
	}
	from := make([][]int32, k)
	out := path{logMarginal: make([]float64, k)}
	for m := 1; m <= k; m++ {
		if err := interrupted(ctx); err != nil {
			return path{}, err
		}
		from[m-1] = make([]int32, k+1)
		for j := range next {
			next[j] = math.Inf(-1)
			for i := m - 1; i < j; i++ {
				if s := best[i] + run[i][j-i-1]; s > next[j] {
					next[j], from[m-1][j] = s, int32(i)
				}
			}
		}
		best, next = next, best
		a := p.total(k, m)
		out.logMarginal[m-1] = best[k] - (num.Lgamma(a+cases[k]) - num.Lgamma(a))
	}
	out.classes = func(m int) [][]int {
		classes := make([][]int, 0, m)
		for j := k; m > 0; m-- {
			i := int(from[m-1][j])
			classes = append(classes, slices.Clone(order[i:j]))
			j = i
		}
		return ordered(classes)
	}
	return out, nil
}

// predict writes θ_j = (N_G + α_G) / (k_G (N + α)) for the states j of each group G.
func (p stateGrouper) predict(dst, n []float64, classes [][]int) {
	all := num.Sum(n) + p.total(len(n), len(classes))
	for _, class := range classes {
		mass := p.count(len(class), p.rows)
		for _, state := range class {
			mass += n[state]
		}
		for _, state := range class {
			dst[state] = mass / (float64(len(class)) * all)
		}
	}
}
