package infer_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// wide are numbers of 600 bits, in which nothing that a float64 can hold is lost.
type wide = *big.Float

func widen(x float64) wide { return new(big.Float).SetPrec(600).SetFloat64(x) }

func plus(a, b wide) wide  { return widen(0).Add(a, b) }
func minus(a, b wide) wide { return widen(0).Sub(a, b) }
func times(a, b wide) wide { return widen(0).Mul(a, b) }
func over(a, b wide) wide  { return widen(0).Quo(a, b) }

// extremes makes the rows of a network extreme: some entries are powers of ten down to 1e-30, one is 1 less the
// others, and some rows are certain.
func extremes(rng *rand.Rand, net *bn.Network) {
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			row := t.Row(config)
			main, rest := rng.IntN(len(row)), 0.0
			for i := range row {
				row[i] = 0
				if i != main && rng.IntN(5) > 0 {
					row[i] = math.Pow(10, -0.7-float64(rng.IntN(30))) * rng.Float64()
					rest += row[i]
				}
			}
			row[main] = 1 - rest
		}
	}
}

// wideAnswer returns P(state, evidence) and P(evidence) with one row of the network replaced.
func wideAnswer(net *bn.Network, evidence infer.Evidence, target, state, moved, config int,
	row []wide) (joint, total wide) {
	joint, total = widen(0), widen(0)
	infertest.Joint(net, func(states []int, _ float64) {
		p := widen(infertest.Weight(net, states, evidence))
		for v := range net.Len() {
			t := net.CPT(v)
			var given []int
			for _, u := range net.DAG().Parents(v) {
				given = append(given, states[u])
			}
			c := t.Configs().Index(given)
			if v == moved && c == config {
				p = times(p, row[states[v]])
			} else {
				p = times(p, widen(t.Row(c)[states[v]]))
			}
		}
		total = plus(total, p)
		if states[target] == state {
			joint = plus(joint, p)
		}
	})
	return joint, total
}

// wideRow is a row with an entry at x and the others in proportion, or equal where they are zero.
func wideRow(row []float64, state int, x float64) []wide {
	rest := widen(0)
	for i, p := range row {
		if i != state {
			rest = plus(rest, widen(p))
		}
	}
	left := plus(rest, minus(widen(row[state]), widen(x)))
	if x > row[state] {
		left = over(times(rest, minus(widen(1), widen(x))), minus(widen(1), widen(row[state])))
	}
	out := make([]wide, len(row))
	for i, p := range row {
		switch {
		case i == state:
			out[i] = widen(x)
		case rest.Sign() > 0:
			out[i] = times(over(widen(p), rest), left)
		default:
			out[i] = over(left, widen(float64(len(row)-1)))
		}
	}
	return out
}

// TestSensitivityOfExtremeTables compares answers with an entry moved, and derivatives, with enumeration in 600 bits:
// all digits of an answer are right, whether it is 1e-40 or misses 1 by as little, and derivatives have those that
// the sizes of their terms leave.
func TestSensitivityOfExtremeTables(t *testing.T) {
	answers, tiny := 0, 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 33))
		net := infertest.Random(rng, 2+rng.IntN(3), 0)
		extremes(rng, net)
		evidence := infertest.Evidence(rng, net, 0.4)
		v := rng.IntN(net.Len())
		state := rng.IntN(net.Variable(v).Cardinality())
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.Sensitivity(evidence, net.Variable(v).Name, net.Variable(v).States[state])
		if errors.Is(err, infer.ErrImpossibleEvidence) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for cell := range net.Layout().Len() {
			u, config, i := net.Layout().Locate(cell)
			row := net.CPT(u).Row(config)
			if len(row) == 1 {
				continue
			}
			for _, x := range []float64{0, row[i], row[i] / 3, min(1, 2*row[i]), 0.25, 1} {
				joint, total := wideAnswer(net, evidence, v, state, u, config, wideRow(row, i, x))
				got := s.At(cell, x)
				if total.Sign() == 0 {
					if !math.IsNaN(got) {
						t.Errorf("seed %d: %v with impossible evidence", seed, got)
					}
					continue
				}
				want, _ := over(joint, total).Float64()
				if answers++; want < 1e-12 && want > 0 {
					tiny++
				}
				if !numtest.Close(t, got, want, 0, 1e-12) {
					t.Fatalf("seed %d: P(%s=%d | %v) with entry %d, %d of %q, %v, at %v", seed, net.Variable(v).Name,
						state, evidence, config, i, net.Variable(u).Name, row, x)
				}
			}
		}
	}
	if answers < 1000 || tiny < 50 {
		t.Errorf("%d answers, %d of them tiny: too few to tell", answers, tiny)
	}
}

// TestSensitivityOfRareError is a test that nearly never errs: with P(positive | well) = x, P(ill | positive) is
// 1/(1 + x·(1 − π)/π) by Bayes' rule, so it is 1 at x = 0, and its derivative by the prevalence π is x/(π + x(1 − π))²,
// the sensitivity being 1.
func TestSensitivityOfRareError(t *testing.T) {
	for _, x := range []float64{1e-3, 1e-15, 1e-18, 1e-100} {
		net, err := bn.New("[ill][test|ill]", bn.Discrete("ill", "yes", "no"), bn.Discrete("test", "pos", "neg"))
		if err != nil {
			t.Fatal(err)
		}
		copy(net.CPT(0).P, []float64{0.25, 0.75})
		copy(net.CPT(1).P, []float64{1, 0, x, 1 - x})
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.Sensitivity(infer.Evidence{"test": "pos"}, "ill", "yes")
		if err != nil {
			t.Fatal(err)
		}
		entry, prevalence := net.Layout().Cell(1, 1, 0), net.Layout().Cell(0, 0, 0)
		for _, y := range []float64{0, x, 2 * x, 0.5, 1} {
			numtest.Close(t, s.At(entry, y), 1/(1+3*y), 0, 1e-15)
		}
		numtest.Close(t, s.Derivative(prevalence), x/math.Pow(0.25+0.75*x, 2), 0, 1e-14)
		if alpha, beta, gamma, delta := s.Coefficients(entry); alpha != 0 || beta != delta || !(gamma > 0) {
			t.Errorf("P(positive | well) = %v: P = (%v·x + %v)/(%v·x + %v)", x, alpha, beta, gamma, delta)
		}
		if !s.DependsOn(entry) || !s.DependsOn(prevalence) {
			t.Errorf("P(positive | well) = %v: the answer is said not to depend on it or the prevalence", x)
		}
	}
}
