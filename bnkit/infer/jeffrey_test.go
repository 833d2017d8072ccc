package infer_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// distribution draws one over the states that are possible, with some zeros.
func distribution(rng *rand.Rand, v bn.Variable, possible []float64) infer.Distribution {
	d, sum := infer.Distribution{}, 0.0
	for s, p := range possible {
		if p > 0 && (sum == 0 || rng.IntN(4) > 0) {
			d[v.States[s]] = rng.ExpFloat64()
			sum += d[v.States[s]]
		}
	}
	for s := range d {
		d[s] /= sum
	}
	return d
}

// Jeffrey's rule by its definition, P'(x) = Σ_j q_j · P(x | e_j, the other evidence), by enumeration.
func TestJeffrey(t *testing.T) {
	answers(t, some(150), 40, nil, func(rng *rand.Rand, net *bn.Network, e *infer.Engine, evidence infer.Evidence,
		total float64) {
		if total == 0 {
			return
		}
		v := rng.IntN(net.Len())
		variable := net.Variable(v)
		delete(evidence, variable.Name)
		total, prior := infertest.Enumerate(net, evidence)
		q := distribution(rng, variable, prior[v])
		want := make([][]float64, net.Len())
		for u := range want {
			want[u] = make([]float64, net.Variable(u).Cardinality())
		}
		for state, p := range q {
			evidence[variable.Name] = state
			part, given := infertest.Enumerate(net, evidence)
			for u := range want {
				for s := range want[u] {
					want[u][s] += p * given[u][s] / part
				}
			}
		}
		evidence[variable.Name] = q
		got, err := e.Marginals(evidence)
		if err != nil {
			t.Fatal(err)
		}
		for u := range want {
			for s, p := range got.P[u] {
				numtest.Close(t, p, want[u][s], 1e-12, 0)
			}
		}
		// A distribution is no observation: the probability is that of the rest.
		log, err := e.LogProbability(evidence)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, log, math.Log(total), 1e-10, 0)
		// The likelihood of the fit gives the same answers.
		fitted, convergence, err := e.Jeffrey(evidence)
		if err != nil || convergence.Rounds != 1 {
			t.Fatal(convergence, err)
		}
		if _, ok := fitted[variable.Name].(infer.Likelihood); !ok || len(fitted) != len(evidence) {
			t.Errorf("fitted evidence %v", fitted)
		}
		again, err := e.Marginals(fitted)
		if err != nil {
			t.Fatal(err)
		}
		for u := range want {
			for s, p := range again.P[u] {
				numtest.Close(t, p, want[u][s], 1e-12, 0)
			}
		}
	})
}

// Several distributions: margins hold, and the result is that of proportional fitting of the whole joint
// table.
func TestProportionalFitting(t *testing.T) {
	fits := 0
	answers(t, some(100), 41, nil, func(rng *rand.Rand, net *bn.Network, e *infer.Engine, evidence infer.Evidence,
		total float64) {
		if total == 0 || net.Len() < 3 {
			return
		}
		perm := rng.Perm(net.Len())[:3]
		for _, v := range perm {
			delete(evidence, net.Variable(v).Name)
		}
		var joint []float64
		var at [][]int
		infertest.Joint(net, func(states []int, p float64) {
			if p *= infertest.Weight(net, states, evidence); p > 0 {
				joint, at = append(joint, p), append(at, append([]int(nil), states...))
			}
		})
		// Distributions that some joint distribution has: margins of the table with other weights.
		other, sum := make([]float64, len(joint)), 0.0
		for i := range other {
			other[i] = rng.ExpFloat64()
			sum += other[i]
		}
		for _, v := range perm {
			d := infer.Distribution{}
			for i, states := range at {
				d[net.Variable(v).States[states[v]]] += other[i] / sum
			}
			evidence[net.Variable(v).Name] = d
		}
		fits++
		scale := func(v int) float64 {
			d := evidence[net.Variable(v).Name].(infer.Distribution)
			p, worst := map[string]float64{}, 0.0
			total := 0.0
			for i, states := range at {
				p[net.Variable(v).States[states[v]]] += joint[i]
				total += joint[i]
			}
			for i, states := range at {
				s := net.Variable(v).States[states[v]]
				worst = max(worst, math.Abs(p[s]/total-d[s]))
				joint[i] *= d[s] / p[s]
			}
			return worst
		}
		for worst := 1.0; worst > 1e-13; {
			worst = 0
			for _, v := range perm {
				worst = max(worst, scale(v))
			}
		}
		got, err := e.Marginals(evidence)
		if err != nil {
			t.Fatal(err)
		}
		want := make([][]float64, net.Len())
		for v := range want {
			want[v] = make([]float64, net.Variable(v).Cardinality())
			for i, states := range at {
				want[v][states[v]] += joint[i]
			}
			for s, p := range got.P[v] {
				numtest.Close(t, p, want[v][s], 1e-9, 0)
			}
		}
		if _, c, err := e.Jeffrey(evidence); err != nil || !(c.Difference <= 1e-11) || c.Rounds < 1 {
			t.Errorf("convergence %+v %v", c, err)
		}
	})
	if fits < some(100)/6 {
		t.Errorf("only %d fits", fits)
	}
}

func TestEvidenceErrors(t *testing.T) {
	net := infertest.Asia()
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	stage := bn.Discrete("stage", "first", "fourth", "second")
	stage.Sorted = true
	unordered, err := bn.New("[stage][x|stage]", stage, bn.Continuous("x"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := infer.New(unordered, nil)
	if err != nil {
		t.Fatal(err)
	}
	half := infer.Distribution{"yes": .5, "no": .5}
	for name, c := range map[string]struct {
		e        *infer.Engine
		evidence infer.Evidence
		is       error
		want     string
	}{
		"type":        {e, infer.Evidence{"lung": []int{1}}, nil, `"lung" cannot be a []int; give a state (string)`},
		"nil":         {e, infer.Evidence{"lung": nil}, nil, `"lung" cannot be null`},
		"number":      {e, infer.Evidence{"lung": 1}, bn.ErrUnknownState, `unknown state "1" of "lung"`},
		"interval":    {e, infer.Evidence{"lung": infer.Interval{}}, nil, `"lung" cannot be a infer.Interval`},
		"name":        {e, infer.Evidence{"luna": "yes"}, bn.ErrUnknownVariable, `"luna"`},
		"state":       {e, infer.Evidence{"lung": infer.OneOf("maybe")}, bn.ErrUnknownState, `"maybe" of "lung"`},
		"states":      {e, infer.Evidence{"lung": infer.OneOf()}, nil, "without states"},
		"no order":    {other, infer.Evidence{"stage": infer.AtLeast("second")}, nil, "declare the order"},
		"order state": {e, infer.Evidence{"lung": infer.AtMost("maybe")}, bn.ErrUnknownState, `"maybe"`},
		"zeros":       {e, infer.Evidence{"lung": infer.Likelihood{"yes": 0, "no": 0}}, nil, "zero in every state"},
		"left out":    {e, infer.Evidence{"lung": infer.Likelihood{"yes": 1}}, nil, `leaves out "no"`},
		"negative":    {e, infer.Evidence{"lung": infer.Likelihood{"yes": -1, "no": 1}}, nil, `-1 for "yes"`},
		"NaN":         {e, infer.Evidence{"lung": infer.Likelihood{"yes": math.NaN(), "no": 1}}, nil, `NaN for "yes"`},
		"infinite":    {e, infer.Evidence{"lung": infer.Likelihood{"yes": math.Inf(1), "no": 1}}, nil, `Inf for`},
		"sum":         {e, infer.Evidence{"lung": infer.Distribution{"yes": .5, "no": .2}}, nil, "sums to 0.7, not 1"},
		"wrong state": {e, infer.Evidence{"lung": infer.Distribution{"some": 1}}, bn.ErrUnknownState, `"some"`},
		"excluded": {e, infer.Evidence{"either": "no", "lung": half}, infer.ErrImpossibleEvidence,
			`"lung" must have probability 0.5 of "yes"`},
		"contradictory": {e, infer.Evidence{"either": infer.Distribution{"yes": .2, "no": .8}, "lung": half},
			infer.ErrNoConvergence, "either: distribution"},
		"empty":        {other, infer.Evidence{"x": infer.Interval{Low: 2, High: 2}}, nil, "no length"},
		"backwards":    {other, infer.Evidence{"x": infer.Interval{Low: 2, High: 1}}, nil, "no length"},
		"NaN interval": {other, infer.Evidence{"x": infer.Interval{Low: math.NaN(), High: 1}}, nil, "no length"},
		"not finite":   {other, infer.Evidence{"x": math.Inf(1)}, nil, "not a finite number"},
		"text":         {other, infer.Evidence{"x": "high"}, nil, "not a finite number"},
		"set of x":     {other, infer.Evidence{"x": infer.OneOf("a")}, nil, "give a number (float64, int)"},
	} {
		_, err := c.e.Marginals(c.evidence)
		_, errLog := c.e.LogProbability(c.evidence)
		_, _, errMost := c.e.MostProbable(c.evidence)
		for _, err := range []error{err, errLog, errMost} {
			if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %v %q", name, err, c.is, c.want)
			}
		}
	}
	if _, err := infer.LikelihoodWeighting(net, infer.Evidence{"lung": infer.Distribution{"yes": 1}}, 10,
		rand.NewPCG(1, 1)); err == nil || !strings.Contains(err.Error(), "Engine.Jeffrey") {
		t.Errorf("error %v", err)
	}
}
