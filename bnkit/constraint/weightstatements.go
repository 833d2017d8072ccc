package constraint

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Intercept stands for the intercept of a linear-Gaussian node wherever a statement about
// weights names continuous parents.
const Intercept = "(intercept)"

// ShareWeights states that some continuous parents have the same weight for a
// linear-Gaussian variable, as two suppliers may matter equally for the price of a
// computer maker's stock. Weights in no group are free. In N06's words it is parameter
// sharing within one continuous distribution (type 12).
type ShareWeights struct {
	Var string
	// Given limits the statement to the configurations in which the named discrete
	// parents have these states. Nil makes it for every configuration, each with
	// parameters of its own.
	Given bn.Given `json:",omitempty"`
	// Groups of continuous parents, disjoint, at least two names in each; [Intercept] is
	// one that may be named.
	Groups [][]string
}

// ProportionalWeights states that the weights of some continuous parents are in known
// proportions, as when a small supplier matters a fifth as much as a large one:
//
//	w_p = Weights[p] · β    for each named parent p, with one unknown β.
//
// In N06's words it is the class of proportionality constants within one continuous
// distribution (type 13).
type ProportionalWeights struct {
	Var string
	// Given limits the statement to matching configurations, as in [ShareWeights].
	Given bn.Given `json:",omitempty"`
	// Weights are the proportions by parent, at least two; not zero, and negative for a
	// parent that acts the other way. [Intercept] is one that may be named.
	Weights map[string]float64
}

var (
	_ Constraint = ShareWeights{}
	_ Constraint = ProportionalWeights{}
	_ Constraint = ShareWeightsAcross{}
)

// String prints the statement, as in "the weights of MSFT and INTL for DELL are equal
// given market=up".
func (s ShareWeights) String() string {
	parts := make([]string, len(s.Groups))
	for i, group := range s.Groups {
		parts[i] = "the weights of " + strings.Join(group, " and ") + " for " + s.Var + " are equal"
	}
	return strings.Join(parts, "; ") + givenWeights(s.Given)
}

// String prints the statement with the parents in the order of their names, as in "the
// weights of INTL, MSFT, PSUPPLY for DELL are as 1 : 1 : 0.2".
func (s ProportionalWeights) String() string {
	names := slices.Sorted(maps.Keys(s.Weights))
	numbers := make([]string, len(names))
	for i, name := range names {
		numbers[i] = fmt.Sprint(s.Weights[name])
	}
	return "the weights of " + strings.Join(names, ", ") + " for " + s.Var + " are as " + strings.Join(numbers, " : ") +
		givenWeights(s.Given)
}

func givenWeights(given bn.Given) string {
	if len(given) == 0 {
		return ""
	}
	return " given " + given.String()
}

// Bind implements [Constraint].
func (s ShareWeights) Bind(net *bn.Network) ([]Bound, error) {
	if len(s.Groups) == 0 {
		return nil, say.Errorf("constraint: a statement about the weights for %q has no groups of parents; name "+
			"those that are alike, as in Groups: [][]string{{\"MSFT\", \"INTL\"}}", s.Var)
	}
	f, err := regressionOf(net, s, s.Var)
	if err != nil {
		return nil, err
	}
	configs, err := f.matching(s.Given)
	if err != nil {
		return nil, say.Errorf("constraint: %q: %w", s, err)
	}
	used := make(map[int]bool)
	groups := make([][]WeightTerm, len(s.Groups))
	for i, group := range s.Groups {
		if len(group) < 2 {
			return nil, say.Errorf("constraint: %q: group %d has %d parents; name at least two", s, i+1, len(group))
		}
		for _, name := range group {
			p, err := f.parent(name)
			if err != nil {
				return nil, say.Errorf("constraint: %q: %w", s, err)
			}
			if used[p] {
				return nil, say.Errorf("constraint: %q: %w: %q appears twice; groups must be disjoint", s, ErrOverlap,
					name)
			}
			used[p] = true
			groups[i] = append(groups[i], WeightTerm{Parent: p, Scale: 1})
		}
	}
	return f.each(configs, groups), nil
}

// Bind implements [Constraint].
func (s ProportionalWeights) Bind(net *bn.Network) ([]Bound, error) {
	if len(s.Weights) < 2 {
		return nil, say.Errorf("constraint: a statement about the weights for %q has %d proportions; name at least "+
			"two parents, as in Weights: map[string]float64{\"MSFT\": 1, \"PSUPPLY\": 0.2}", s.Var, len(s.Weights))
	}
	f, err := regressionOf(net, s, s.Var)
	if err != nil {
		return nil, err
	}
	configs, err := f.matching(s.Given)
	if err != nil {
		return nil, say.Errorf("constraint: %q: %w", s, err)
	}
	var terms []WeightTerm
	for _, name := range slices.Sorted(maps.Keys(s.Weights)) {
		p, err := f.parent(name)
		if err != nil {
			return nil, say.Errorf("constraint: %q: %w", s, err)
		}
		scale := s.Weights[name]
		if scale == 0 || math.IsNaN(scale) || math.IsInf(scale, 0) {
			return nil, say.Errorf("constraint: %q: the proportion %v of %q must be finite and not zero; leave a "+
				"parent without weight out of the network", s, scale, name)
		}
		terms = append(terms, WeightTerm{Parent: p, Scale: scale})
	}
	return f.each(configs, [][]WeightTerm{terms}), nil
}

// A regression is the linear-Gaussian node that a statement is about.
type regression struct {
	v    int
	node *bn.LinearGaussian
}

func regressionOf(net *bn.Network, s Constraint, name string) (regression, error) {
	if name == "" {
		return regression{}, noVar(s)
	}
	v, err := variable(net, name)
	if err != nil {
		return regression{}, say.Errorf("constraint: %q: %w", s, err)
	}
	node := net.Gaussian(v)
	if node == nil {
		return regression{}, say.Errorf("constraint: %q: a statement about weights, but %q is discrete and has a table",
			s, name)
	}
	return regression{v, node}, nil
}

// matching returns the configurations in which the discrete parents that given names have
// the given states.
func (f regression) matching(given bn.Given) ([]int, error) {
	for _, p := range f.node.Continuous {
		if _, ok := asNamed(f.node.Continuous, given)[p.Name]; ok {
			return nil, say.Errorf("%w: %v names %q, which has no states to choose a configuration by",
				bn.ErrNotDiscrete, given, p.Name)
		}
	}
	// A table over the same parents numbers their configurations alike.
	t, err := bn.NewCPT(bn.Discrete(f.node.Child.Name, "any"), f.node.Discrete...)
	if err != nil {
		return nil, err
	}
	return matching(t, given)
}

// parent returns the place of a continuous parent, −1 for the intercept.
func (f regression) parent(name string) (int, error) {
	if i := whichOf(f.node.Continuous, name); i >= 0 {
		return i, nil
	}
	if name == Intercept {
		return -1, nil
	}
	if whichOf(f.node.Discrete, name) >= 0 {
		return 0, say.Errorf("%w: %q is discrete and has no weight; its states choose the regression, see Given",
			bn.ErrUnknownVariable, name)
	}
	return 0, say.Errorf("%w: %q is no continuous parent of %q (continuous parents: %s)", bn.ErrUnknownVariable, name,
		f.node.Child.Name, names(f.node.Continuous))
}

// each binds groups of weights in each of the configurations by itself.
func (f regression) each(configs []int, groups [][]WeightTerm) []Bound {
	bounds := make([]Bound, len(configs))
	for i, config := range configs {
		bounds[i].Links = []Row{{f.v, config}}
		for _, group := range groups {
			w := Weights{Var: f.v, Terms: slices.Clone(group)}
			for k := range w.Terms {
				w.Terms[k].Config = config
			}
			bounds[i].Shares = append(bounds[i].Shares, w)
		}
	}
	return bounds
}
