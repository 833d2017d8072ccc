package structure

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/internal/ancestors"
	"bnlab/bnkit/structure/internal/require"
	"bnlab/internal/say"
)

// A slicePair is a variable of a dynamic network: its columns in the slice before and in the one
// after.
type slicePair struct {
	name          string
	before, after int
}

// slicesOf pairs the columns name[0] and name[1], in the order of the latter.
func slicesOf(vars []bn.Variable) ([]slicePair, error) {
	index := indexOf(vars)
	var two []slicePair
	for v, variable := range vars {
		name, ok := strings.CutSuffix(variable.Name, "[1]")
		if !ok {
			name, ok = strings.CutSuffix(variable.Name, "[0]")
			if !ok {
				return nil, say.Errorf("structure: the column %q is of no slice; pairs of slices have columns such "+
					"as rain[0] and rain[1], see dbn.Series.Transitions", variable.Name)
			}
			if _, ok := index[name+"[1]"]; !ok {
				return nil, say.Errorf("structure: %w: the column %q has no %s[1] in the next slice",
					bn.ErrUnknownVariable, variable.Name, name)
			}
			continue
		}
		before, ok := index[name+"[0]"]
		if !ok {
			return nil, say.Errorf("structure: %w: the column %q has no %s[0] in the slice before",
				bn.ErrUnknownVariable, variable.Name, name)
		}
		if !slices.Equal(vars[before].States, variable.States) {
			return nil, say.Errorf("structure: %q has the states %v in one slice and %v in the next; give both the "+
				"same list", name, vars[before].States, variable.States)
		}
		two = append(two, slicePair{name, before, v})
	}
	if len(two) == 0 {
		return nil, errors.New("structure: there are no columns; pairs of slices have columns such as rain[0] and " +
			"rain[1], see dbn.Series.Transitions")
	}
	return two, nil
}

// tiersOf numbers the tiers of variables by name, from 1.
func tiersOf(rules *Rules) map[string]int {
	tiers := make(map[string]int)
	if rules != nil {
		for i, names := range rules.Tiers {
			for _, name := range names {
				tiers[name] = i + 1
			}
		}
	}
	return tiers
}

// checkRequired returns a [*RuleError] for a required arc into the slice before, which no search has, and for
// required arcs that lead down the tiers, with which arcs found up the tiers could close a cycle.
func checkRequired(vars []bn.Variable, limits *Limits, two []slicePair, tiers map[string]int) error {
	above := ancestors.New(len(vars))
	above.Rebuild(limits.Required)
	for _, v := range two {
		if parents := limits.Required[v.before]; len(parents) > 0 {
			return &RuleError{Arc{vars[parents[0]].Name, vars[v.before].Name},
				errors.New("it is required, and arcs lead into the later slice only")}
		}
		to := vars[v.after].Name
		for _, u := range two {
			from := vars[u.after].Name
			if tiers[to] > 0 && tiers[from] > tiers[to] && above.Has(v.after, u.after) {
				return &RuleError{Err: say.Errorf("required arcs lead, by variables of no tier, from %q in tier %d "+
					"to %q in tier %d; put all of them in tiers", from, tiers[from], to, tiers[to])}
			}
		}
	}
	return nil
}

// search finds the parents of the variable in the later slice.
func (v slicePair) search(ctx context.Context, s *Scorer, how ParentSearch, prior GraphPrior, limits *Limits,
	two []slicePair, tiers map[string]int) (Parents, error) {
	required := limits.Required[v.after]
	var candidates []int
	for _, u := range two {
		if limits.Allowed(u.before, v.after) && !slices.Contains(required, u.before) {
			candidates = append(candidates, u.before)
		}
		own, other := tiers[v.name+"[1]"], tiers[u.name+"[1]"]
		if other > 0 && other < own && limits.Allowed(u.after, v.after) && !slices.Contains(required, u.after) {
			candidates = append(candidates, u.after)
		}
	}
	limit := limits.MaxParents - len(required)
	if limit == 0 { // which would mean no bound
		candidates = nil
	}
	found, err := how.Parents(ctx, require.Parents(withPrior(s, prior), required), v.after, candidates, limit)
	found.Set = require.Union(found.Set, required)
	return found, err
}

// required are the parents that the rules require, scored.
func (v slicePair) required(ctx context.Context, s *Scorer, prior GraphPrior, limits *Limits) (Parents, error) {
	set := limits.Required[v.after]
	scores, err := withPrior(s, prior).Families(ctx, v.after, [][]int{set})
	if err != nil {
		return Parents{}, err
	}
	return Parents{Set: set, Score: scores[0], Scored: 1, By: "rules"}, nil
}

func withPrior(s *Scorer, prior GraphPrior) Families {
	if prior == nil {
		return s
	}
	return priored{s, prior}
}

// priored are families with the graph's prior at the violations of each family by itself.
type priored struct {
	*Scorer
	prior GraphPrior
}

// Families implements [Families].
func (p priored) Families(ctx context.Context, child int, sets [][]int) ([]float64, error) {
	scores, err := p.Scorer.Families(ctx, child, sets)
	if err != nil {
		return nil, err
	}
	vars := p.Variables()
	for i, set := range sets {
		scores[i] += p.prior.LogPrior(p.prior.Violations(vars[child].Name, names(vars, set)))
		if math.IsNaN(scores[i]) || math.IsInf(scores[i], 1) {
			return nil, say.Errorf("structure: the score of %q given %s is %v with %v; a prior of graphs must give "+
				"numbers", vars[child].Name, quoted(vars, set), scores[i], p.prior)
		}
	}
	return scores, nil
}
