package infer

import (
	"maps"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/factor"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// Weights returns, by state of a discrete variable, the likelihood that its finding gives it: 1 or 0 for a state
// and a [StateSet], the numbers of a [Likelihood]. Errors are those of a query with this evidence, and one for a
// variable without a finding; a [Distribution] has no likelihood of its own.
func (e Evidence) Weights(v bn.Variable) ([]float64, error) {
	finding, ok := e[v.Name]
	if !ok {
		return nil, say.Errorf("infer: evidence: there is none on %q", v.Name)
	}
	if !v.IsDiscrete() {
		return nil, say.Errorf("infer: evidence: %q: %w", v.Name, bn.ErrNotDiscrete)
	}
	if _, must := finding.(Distribution); must {
		return nil, say.Errorf("infer: evidence: %q: a distribution has no likelihood without the rest of the "+
			"evidence; see Engine.Jeffrey", v.Name)
	}
	weights, err := weigh(v, finding, false)
	if err != nil {
		return nil, say.Errorf("infer: evidence: %w", err)
	}
	return weights, nil
}

func weigh(v bn.Variable, value any, isDistribution bool) ([]float64, error) {
	switch value := plain(v, value).(type) {
	case string:
		s, err := v.StateIndex(value)
		if err != nil {
			return nil, err
		}
		weights := make([]float64, v.Cardinality())
		weights[s] = 1
		return weights, nil
	case StateSet:
		return value.indicators(v)
	case Likelihood:
		return byState(v, value, isDistribution)
	}
	return nil, say.Errorf("%q cannot be %s; give %s", v.Name, described(value), kinds(v))
}

// indicators are 1 for the states of the set and 0 for the others.
func (s StateSet) indicators(v bn.Variable) ([]float64, error) {
	in := make([]float64, v.Cardinality())
	if s.from == "" && s.to == "" {
		if len(s.names) == 0 {
			return nil, say.Errorf("%q: OneOf without states; name at least one (%s)", v.Name, say.List(v.States))
		}
		for _, name := range s.names {
			i, err := v.StateIndex(name)
			if err != nil {
				return nil, err
			}
			in[i] = 1
		}
		return in, nil
	}
	if v.Sorted && len(v.States) > 2 {
		return nil, say.Errorf("%q: %v needs an order, and its states were found as text or are nominal (%s); "+
			"declare the order, or list the states with OneOf", v.Name, s, say.List(v.States))
	}
	i, err := v.StateIndex(s.from + s.to)
	if err != nil {
		return nil, err
	}
	from, to := 0, i+1
	if s.from != "" {
		from, to = i, len(in)
	}
	for j := from; j < to; j++ {
		in[j] = 1
	}
	return in, nil
}

// byState lists the numbers of a likelihood, or of a distribution, in the order of the states.
func byState(v bn.Variable, by map[string]float64, isDistribution bool) ([]float64, error) {
	out := make([]float64, v.Cardinality())
	for _, state := range slices.Sorted(maps.Keys(by)) {
		i, err := v.StateIndex(state)
		if err != nil {
			return nil, err
		}
		if out[i] = by[state]; !(out[i] >= 0) || math.IsInf(out[i], 0) {
			return nil, say.Errorf("%q: %v for %q is not a number that is finite and not negative", v.Name, out[i],
				state)
		}
	}
	sum := num.Sum(out)
	if isDistribution {
		if !(math.Abs(sum-1) <= num.RowTolerance) {
			return nil, say.Errorf("%q: the distribution sums to %v, not 1; a likelihood, of which only ratios "+
				"matter, is given by infer.Likelihood", v.Name, sum)
		}
		for i := range out {
			out[i] /= sum
		}
		return out, nil
	}
	for _, state := range v.States {
		if _, ok := by[state]; !ok {
			return nil, say.Errorf("%q: the likelihood leaves out %q; give every state its number, 0 where the "+
				"finding is impossible", v.Name, state)
		}
	}
	if sum == 0 {
		return nil, say.Errorf("%q: the likelihood is zero in every state, so that the finding cannot occur; one "+
			"must be positive", v.Name)
	}
	return out, nil
}

// normalise divides weights by the greatest, so that products of them do not overflow, and returns its
// logarithm.
func normalise(weights []float64) float64 {
	high := slices.Max(weights)
	if !(high > 0) {
		return 0
	}
	for i := range weights {
		weights[i] /= high
	}
	return factor.Log(high)
}
