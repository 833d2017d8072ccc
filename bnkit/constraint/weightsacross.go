package constraint

import (
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// ShareWeightsAcross states that weights are the same in several configurations of the
// discrete parents: parallel regressions, whose variances may still differ. It is type 12
// over more than one distribution, as type 6 is of type 2 (N06 §4.3).
type ShareWeightsAcross struct {
	Var string
	// Given lists the configurations that share, by the states of some or all discrete
	// parents; one that leaves parents open stands for all that match. Nil shares over
	// all configurations.
	Given []bn.Given `json:",omitempty"`
	// ForEach names discrete parents whose states keep apart: the statement is made for
	// each of their joint states by itself.
	ForEach []string `json:",omitempty"`
	// Parents whose weights are shared, each with itself. Nil shares the weights of all
	// continuous parents, but not the intercept, which is shared where [Intercept] is
	// named.
	Parents []string `json:",omitempty"`
}

// String prints the statement, as in "for each region, each of the weights of MSFT and INTL
// for DELL is the same wherever market=up or market=flat".
func (s ShareWeightsAcross) String() string {
	text := "each weight"
	switch names := strings.Join(s.Parents, " and "); len(s.Parents) {
	case 0:
	case 1:
		text = "the weight of " + names
	default:
		text = "each of the weights of " + names
	}
	text = forEach(s.ForEach) + text + " for " + s.Var + " is the same"
	where := wherever(s.Given)
	switch {
	case where != "":
		return text + where
	case len(s.ForEach) > 0:
		return text + " whatever the other discrete parents"
	}
	return text + " whatever the discrete parents"
}

// Bind implements [Constraint].
func (s ShareWeightsAcross) Bind(net *bn.Network) ([]Bound, error) {
	f, err := regressionOf(net, s, s.Var)
	if err != nil {
		return nil, err
	}
	parents, err := s.parents(f)
	if err != nil {
		return nil, say.Errorf("constraint: %q: %w", s, err)
	}
	parts, err := s.parts(f)
	if err != nil {
		return nil, say.Errorf("constraint: %q: %w", s, err)
	}
	var bounds []Bound
	for _, configs := range parts {
		if len(configs) < 2 {
			continue
		}
		var b Bound
		for _, config := range configs {
			b.Links = append(b.Links, Row{f.v, config})
		}
		for _, p := range parents {
			w := Weights{Var: f.v}
			for _, config := range configs {
				w.Terms = append(w.Terms, WeightTerm{Config: config, Parent: p, Scale: 1})
			}
			b.Shares = append(b.Shares, w)
		}
		bounds = append(bounds, b)
	}
	if bounds == nil {
		return nil, say.Errorf("constraint: %q: it joins no two configurations of the discrete parents of %q (%s); "+
			"name more configurations in Given, fewer parents in ForEach, or leave Given nil for all", s, s.Var,
			names(f.node.Discrete))
	}
	return bounds, nil
}

// parents resolves the names whose weights are shared.
func (s ShareWeightsAcross) parents(f regression) ([]int, error) {
	var parents []int
	if s.Parents == nil {
		for p := range f.node.Continuous {
			parents = append(parents, p)
		}
	}
	for _, name := range s.Parents {
		p, err := f.parent(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(parents, p) {
			return nil, say.Errorf("%w: %q appears twice", bn.ErrDuplicate, name)
		}
		parents = append(parents, p)
	}
	if len(parents) == 0 {
		return nil, say.Errorf("no weights are named, and %q has the continuous parents: %s; to share the intercept "+
			"name constraint.Intercept", s.Var, names(f.node.Continuous))
	}
	return parents, nil
}

// parts divides the configurations that share by the joint state of the ForEach parents.
func (s ShareWeightsAcross) parts(f regression) ([][]int, error) {
	given := s.Given
	if given == nil {
		given = []bn.Given{nil}
	}
	var apart []int // places of the ForEach parents
	for _, name := range s.ForEach {
		i := whichOf(f.node.Discrete, name)
		if i < 0 {
			return nil, say.Errorf("%w: ForEach names %q, which is no discrete parent of %q (discrete parents: %s)",
				bn.ErrUnknownVariable, name, s.Var, names(f.node.Discrete))
		}
		if slices.Contains(apart, i) {
			return nil, say.Errorf("%w: ForEach names %q twice", bn.ErrDuplicate, name)
		}
		apart = append(apart, i)
	}
	var parts [][]int
	part := make(map[int]int) // by the joint state of ForEach
	seen := make(map[int]bool)
	states := make([]int, len(f.node.Discrete))
	for _, g := range given {
		configs, err := f.matching(g)
		if err != nil {
			return nil, err
		}
		for _, config := range configs {
			if seen[config] {
				continue
			}
			seen[config] = true
			f.node.Configs().States(states, config)
			key := 0
			for _, i := range apart {
				key += states[i] * f.node.Configs().Stride(i)
			}
			at, ok := part[key]
			if !ok {
				at = len(parts)
				part[key] = at
				parts = append(parts, nil)
			}
			parts[at] = append(parts[at], config)
		}
	}
	return parts, nil
}
