package main

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/say"
)

// long is the precision of numbers that stand for exact ones: no case here cancels a thousand of its digits.
const long = 1200

func exact(x float64) *big.Float { return new(big.Float).SetPrec(long).SetFloat64(x) }

func add(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(long).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(long).Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(long).Mul(a, b) }
func div(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(long).Quo(a, b) }

func float(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}

// tryCancellation asks for numbers that floating point loses when it takes one from another.
func tryCancellation(t *trial) (string, error) {
	switch t.rng.IntN(4) {
	case 0:
		return tryExtremeTables(t.rng)
	case 1:
		return tryLargeCoefficients(t.rng)
	case 2:
		return trySmallLimits(t.rng)
	}
	return tryOffsets(t.rng)
}

// extreme is a probability, often next to nothing, of the least positive size.
func extreme(rng *rand.Rand, least float64) float64 {
	switch rng.IntN(4) {
	case 0:
		return rng.Float64()
	case 1:
		return math.Pow(10, -20*rng.Float64())
	case 2:
		return []float64{1e-15, 1e-18, least, 0}[rng.IntN(4)]
	}
	return math.Pow(least, rng.Float64())
}

// tryExtremeTables compares posteriors in a network of extreme tables with sums over joint states. The joint
// probabilities of some of them differ by no more than 1e230, the range of a message, and every digit is right; of the
// others the absolute error is small, and the probability of the evidence is right however small it is.
func tryExtremeTables(rng *rand.Rand) (string, error) {
	net := infertest.Random(rng, 1+rng.IntN(5), 0)
	least, tiny := 1e-45, 0.0
	if rng.IntN(2) == 0 {
		least, tiny = 1e-300, 1e-11
	}
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			row, left := t.Row(config), 1.0
			for i := range row[1:] {
				row[i] = left * extreme(rng, least)
				left -= row[i]
			}
			row[len(row)-1] = left
			rng.Shuffle(len(row), func(i, j int) { row[i], row[j] = row[j], row[i] })
		}
	}
	evidence := infertest.Evidence(rng, net, 0.4)
	sums, all := longSums(net, evidence, func(v, config, state int) *big.Float {
		return exact(net.CPT(v).Row(config)[state])
	})
	engine, err := infer.New(net, nil)
	if err != nil {
		return "", err
	}
	got, err := engine.Marginals(evidence)
	if errors.Is(err, infer.ErrImpossibleEvidence) && all.Sign() == 0 {
		return "impossible evidence", nil
	}
	where := func(err error) error { return say.Errorf("%w\ngiven %s in %s", err, evidence, texts(net)) }
	if err != nil {
		return "", where(err)
	}
	for v := range sums {
		for s, sum := range sums[v] {
			want := float(div(sum, all))
			if p := got.P[v][s]; !(math.Abs(p-want) <= 1e-11*want+tiny) {
				return "", where(say.Errorf("P(%s=%s) is %v, want %v", net.Variable(v).Name, net.Variable(v).States[s],
					p, want))
			}
		}
	}
	logP, err := engine.LogProbability(evidence)
	mantissa := exact(0)
	exponent := all.MantExp(mantissa)
	want := math.Log(float(mantissa)) + float64(exponent)*math.Ln2
	if err == nil && !(math.Abs(logP-want) <= 1e-12*max(1, -want)) {
		err = say.Errorf("the log probability of the evidence is %v, want %v", logP, want)
	}
	if err != nil {
		return "", where(err)
	}
	if err := moveExtreme(rng, engine, net, evidence, float(all), least, tiny); err != nil {
		return "", where(err)
	}
	return "extreme tables", nil
}

// longSums are the probabilities of states together with the evidence, by variable, and that of the evidence.
func longSums(net *bn.Network, evidence infer.Evidence, cell func(v, config, state int) *big.Float) ([][]*big.Float,
	*big.Float) {
	all, sums := exact(0), make([][]*big.Float, net.Len())
	for v := range sums {
		for range net.Variable(v).Cardinality() {
			sums[v] = append(sums[v], exact(0))
		}
	}
	infertest.Joint(net, func(states []int, _ float64) {
		if infertest.Weight(net, states, evidence) == 0 {
			return
		}
		q := exact(1)
		for v, s := range states {
			var given []int
			for _, u := range net.DAG().Parents(v) {
				given = append(given, states[u])
			}
			q = mul(q, cell(v, net.CPT(v).Configs().Index(given), s))
		}
		all = add(all, q)
		for v, s := range states {
			sums[v][s] = add(sums[v][s], q)
		}
	})
	return sums, all
}

// moveExtreme compares the sensitivity of an answer with sums in which an entry is another and the others of its row
// share what that leaves in their proportions.
func moveExtreme(rng *rand.Rand, engine *infer.Engine, net *bn.Network, evidence infer.Evidence, p, least,
	tiny float64) error {
	target, entry, x := rng.IntN(net.Len()), rng.IntN(net.Layout().Len()), extreme(rng, least)
	variable := net.Variable(target)
	state := rng.IntN(variable.Cardinality())
	s, err := engine.Sensitivity(evidence, variable.Name, variable.States[state])
	if err != nil {
		if p < 1e-100 { // derivatives may be as large as one over the probability of the evidence
			return presentable(err.Error())
		}
		return err
	}
	of, in, at := net.Layout().Locate(entry)
	row := net.CPT(of).Row(in)
	rest := exact(0)
	for i, y := range row {
		if i != at {
			rest = add(rest, exact(y))
		}
	}
	sums, all := longSums(net, evidence, func(v, config, state int) *big.Float {
		switch y := exact(net.CPT(v).Row(config)[state]); {
		case v != of || config != in:
			return y
		case state == at:
			return exact(x)
		case rest.Sign() == 0:
			return div(sub(exact(1), exact(x)), exact(float64(len(row)-1)))
		default:
			return div(mul(y, sub(exact(1), exact(x))), rest)
		}
	})
	if all.Sign() == 0 {
		return nil
	}
	slack := 1e-9
	if was := row[at]; x > was { // a row sums to one but for rounding, of which what is left is a multiple
		slack += 1e-15 / (1 - was)
	}
	want, got := float(div(sums[target][state], all)), s.At(entry, x)
	if !(math.Abs(got-want) <= slack*want+tiny) {
		return say.Errorf("with entry %d of %s at %v P(%s=%s) is %v, want %v", entry, net.Variable(of).Name, x,
			variable.Name, variable.States[state], got, want)
	}
	return nil
}

// texts are the tables of a network.
func texts(net *bn.Network) string {
	s := net.String()
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			s += fmt.Sprintf("\n%s %v", t.Child.Name, t.P)
		} else {
			g := net.Gaussian(v)
			s += fmt.Sprintf("\n%s %v %v %v", g.Child.Name, g.Intercept, g.Weights, g.Variance)
		}
	}
	return s
}

// trySmallLimits bounds states of one distribution by next to nothing. The maximum: what exceeds its limit has that,
// the others share the rest as their counts.
func trySmallLimits(rng *rand.Rand) (string, error) {
	r := 3 + rng.IntN(4)
	var states []string
	for s := range r {
		states = append(states, fmt.Sprint("s", s))
	}
	net := must(bn.New("[X]", bn.Discrete("X", states...)))
	n, limit := make([]float64, r), make([]float64, r)
	var statements []constraint.Constraint
	for s := range r {
		n[s] = float64(1 + rng.IntN(1000))
		if s > 0 && rng.IntN(2) == 0 {
			limit[s] = math.Pow(10, -1-250*rng.Float64())
			statements = append(statements, constraint.AtMost{Var: "X", States: states[s : s+1], P: limit[s]})
		}
	}
	p, err := constraint.Compile(net, statements...)
	theta := make([]float64, r)
	if err == nil {
		err = p.Maximize(theta, n)
	}
	if err != nil {
		return "", say.Errorf("%w\nfrom %s and %v", err, fmt.Sprint(statements), n)
	}
	// Which limits bind: a state that exceeds its limit does so all the more when others have less.
	binds, left, cases := make([]bool, r), exact(1), exact(0)
	for _, k := range n {
		cases = add(cases, exact(k))
	}
	for again := true; again; {
		again = false
		for s := range r {
			if limit[s] > 0 && !binds[s] && div(mul(exact(n[s]), left), cases).Cmp(exact(limit[s])) > 0 {
				binds[s], again = true, true
				left, cases = sub(left, exact(limit[s])), sub(cases, exact(n[s]))
			}
		}
	}
	for s := range r {
		want := limit[s]
		if !binds[s] {
			want = float(div(mul(exact(n[s]), left), cases))
		}
		if !(math.Abs(theta[s]-want) <= 1e-11*want) {
			return "", say.Errorf("P(%s) is %v, want %v\nfrom %s and %v", states[s], theta[s], want,
				fmt.Sprint(statements), n)
		}
	}
	return "small limits", nil
}
