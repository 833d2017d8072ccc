package infer

import (
	"errors"
	"maps"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// An Information is the value of observing a variable for a target, given the evidence.
type Information struct {
	Variable bn.Variable
	// P is the joint distribution of variable and target, by state of the variable and then of the target.
	P [][]float64
	// MutualInformation of the two, in nats: by how much observing the variable lowers the entropy of the
	// target on average,
	//
	//	Σ P(v, t) log(P(v, t) / (P(v) P(t))).
	MutualInformation float64
}

// Information returns the mutual information of each unobserved discrete variable with a target, in the order
// of the network; likelihoods and sets of states do not count as observed. It takes a query of all marginals
// for each state of the target. Errors are those of [Engine.Posterior].
func (e *Engine) Information(evidence Evidence, target string) ([]Information, error) {
	t, err := e.target(target)
	if err != nil {
		return nil, err
	}
	if evidence, _, err = e.Jeffrey(evidence); err != nil {
		return nil, err
	}
	before, err := e.Marginals(evidence)
	if err != nil {
		return nil, err
	}
	q := before.Of(target)
	var out []Information
	var at []int // of the variables among all marginals
	for i, v := range before.Variables {
		if _, observed := evidence[v.Name].(string); observed || v.Name == target {
			continue
		}
		p := make([][]float64, len(v.States))
		for s := range p {
			p[s] = make([]float64, len(q))
		}
		out, at = append(out, Information{Variable: v, P: p}), append(at, i)
	}
	given := maps.Clone(evidence)
	if given == nil {
		given = Evidence{}
	}
	for state, share := range q {
		if share == 0 {
			continue
		}
		given[target] = e.m.net.Variable(t).States[state]
		after, err := e.Marginals(given)
		if err != nil {
			return nil, err
		}
		for i, v := range at {
			for s, p := range after.P[v] {
				out[i].P[s][state] = p * share
			}
		}
	}
	for i := range out {
		out[i].MutualInformation = mutual(out[i].P, q)
	}
	return out, nil
}

// apparent returns an information, or a difference of logarithms, that was found from terms of a size: 0
// where it is not above what rounding leaves of them, which would look like a small effect.
func apparent(x, size float64) float64 {
	const rounding = 1e-14
	if math.Abs(x) <= rounding*(1+size) {
		return 0
	}
	return x
}

// mutual is the mutual information of a joint distribution whose columns sum to q, 0 where rounding is all there is.
func mutual(p [][]float64, q []float64) float64 {
	sum := 0.0
	for _, row := range p {
		share := 0.0
		for _, x := range row {
			share += x
		}
		for t, x := range row {
			if x > 0 {
				sum += x * math.Log(x/(share*q[t]))
			}
		}
	}
	return max(0, apparent(sum, 0))
}

// An Impact is the effect of one finding on an answer, or of all of them together.
type Impact struct {
	Finding string // the variable; "" for all findings together
	// LogProbability is log P(finding), of it alone, natural logarithm. That of a likelihood is up to its scale.
	LogProbability float64
	// Without is the distribution of the target given the other findings, and Divergence of the
	// distribution given all from it, Σ P(t) log(P(t)/Without(t)), in nats.
	Without    []float64
	Divergence float64
	// Conflict is that of the finding with the others, in nats; see [Engine.Impacts].
	Conflict float64
}

// Impacts returns the effect of each finding on the distribution of a target, by name, after a first one for
// all findings together, whose conflict is Jensen's measure,
//
//	Σ_i log P(e_i) − log P(e),
//
// positive when the findings are less probable together than if they were independent: an error in the data, or a
// case that the network does not cover (Jensen, Chamberlain, Nordahl and Jensen 1991). The conflict of a
// finding is the part of it that vanishes when the finding is left out, log P(e_i) − log P(e_i | the others).
//
// It returns an error without evidence, for a finding that cannot occur, and those of [Engine.Posterior].
func (e *Engine) Impacts(evidence Evidence, target string) ([]Impact, error) {
	if len(evidence) == 0 {
		return nil, errors.New("infer: impacts need evidence")
	}
	evidence, _, err := e.Jeffrey(evidence)
	if err != nil {
		return nil, err
	}
	with, err := e.Posterior(evidence, target)
	if err != nil {
		return nil, err
	}
	together, err := e.LogProbability(evidence)
	if err != nil {
		return nil, err
	}
	// tell is the impact of a part of the evidence, of which the rest remains.
	tell := func(name string, rest Evidence) (Impact, error) {
		without, err := e.Posterior(rest, target)
		if err != nil {
			return Impact{}, err
		}
		p, err := e.LogProbability(rest)
		if err != nil {
			return Impact{}, err
		}
		i := Impact{Finding: name, Without: without.P[0], Conflict: p - together}
		for t, x := range with.P[0] {
			if x > 0 {
				i.Divergence += x * math.Log(x/i.Without[t])
			}
		}
		i.Divergence = max(0, apparent(i.Divergence, 0))
		return i, nil
	}
	all, err := tell("", nil)
	if err != nil {
		return nil, err
	}
	out := []Impact{all}
	size := math.Abs(together) // of the terms of Jensen's measure
	for _, name := range evidence.names() {
		rest := maps.Clone(evidence)
		delete(rest, name)
		i, err := tell(name, rest)
		if err != nil {
			return nil, say.Errorf("infer: without %q: %w", name, err)
		}
		if i.LogProbability, err = e.LogProbability(Evidence{name: evidence[name]}); err != nil {
			return nil, err
		}
		i.Conflict = apparent(i.Conflict+i.LogProbability, math.Abs(i.LogProbability)+math.Abs(together))
		out[0].LogProbability += i.LogProbability
		out[0].Conflict += i.LogProbability
		size += math.Abs(i.LogProbability)
		out = append(out, i)
	}
	out[0].Conflict = apparent(out[0].Conflict, size)
	return out, nil
}
