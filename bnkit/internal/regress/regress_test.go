package regress_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/internal/regress"
	"bnlab/internal/numtest"
)

// linear returns y with p continuous parents x1 … xp and, when states > 0, the discrete
// parent s with that many states. It is the last variable.
func linear(t testing.TB, p, states int) (*bn.Network, int) {
	t.Helper()
	vars := []bn.Variable{bn.Continuous("y")}
	model, parents := "", []string{}
	if states > 0 {
		s := bn.Variable{Name: "s"}
		for i := range states {
			s.States = append(s.States, string(rune('a'+i)))
		}
		vars, model, parents = append(vars, s), "[s]", append(parents, "s")
	}
	for i := range p {
		name := fmt.Sprintf("x%d", i+1)
		vars, model, parents = append(vars, bn.Continuous(name)), model+"["+name+"]", append(parents, name)
	}
	if len(parents) == 0 {
		model += "[y]"
	} else {
		model += "[y|" + strings.Join(parents, ":") + "]"
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	return net, net.Len() - 1
}

// rows are cases [1, x, y].
type rows [][]float64

// drawn draws n cases of y = 1 + Σ j·x_j + noise.
func drawn(rng *rand.Rand, n, p int, noise float64) rows {
	r := make(rows, n)
	for i := range r {
		r[i] = make([]float64, p+2)
		r[i][0], r[i][p+1] = 1, 1+noise*rng.NormFloat64()
		for j := 1; j <= p; j++ {
			r[i][j] = rng.NormFloat64()
			r[i][p+1] += float64(j) * r[i][j]
		}
	}
	return r
}

// factor is the triangle of the rows by gonum.
func (r rows) factor(t testing.TB) data.Factor {
	t.Helper()
	k := len(r[0])
	qr := mat.NewDense(max(len(r), k), k, nil)
	for i, row := range r {
		qr.SetRow(i, row)
	}
	var f mat.QR
	f.Factorize(qr)
	var upper mat.Dense
	f.RTo(&upper)
	out := data.Factor{N: float64(len(r)), R: make([]float64, k*k)}
	for i := range k {
		for j := i; j < k; j++ {
			out.R[i*k+j] = upper.At(i, j)
		}
	}
	return out
}

// squares is the sum of squares that w = [intercept, weights] leaves.
func (r rows) squares(w []float64) float64 {
	total := 0.0
	for _, row := range r {
		e := floats.Dot(row[:len(w)], w) - row[len(w)]
		total += e * e
	}
	return total
}

func coefficients(g *bn.LinearGaussian, config int) []float64 {
	return append([]float64{g.Intercept[config]}, g.Weights[config]...)
}

func estimate(t testing.TB, net *bn.Network, v int, cases []rows, prior *constraint.GaussianPrior, floor float64,
	statements ...constraint.Constraint) *regress.Regression {
	t.Helper()
	r, err := tryRegress(t, net, v, cases, prior, floor, statements...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func tryRegress(t testing.TB, net *bn.Network, v int, cases []rows, prior *constraint.GaussianPrior, floor float64,
	statements ...constraint.Constraint) (*regress.Regression, error) {
	t.Helper()
	shares, rest, err := constraint.BindWeights(net, statements...)
	if err != nil || len(rest) > 0 {
		t.Fatal(err, rest)
	}
	factors := make([]data.Factor, len(cases))
	for config, r := range cases {
		if len(r) > 0 {
			factors[config] = r.factor(t)
		}
	}
	return regress.Regress(net, v, factors, shares, prior, floor)
}

// Four cases by hand: y = 4 + 3x leaves 0, 1, 1 and 0.
func TestRegressByHand(t *testing.T) {
	net, v := linear(t, 1, 0)
	r := estimate(t, net, v, []rows{{{1, -1, 1}, {1, 0, 3}, {1, 0, 5}, {1, 1, 7}}}, nil, 0)
	numtest.Close(t, r.Node.Intercept[0], 4, 1e-14, 0)
	numtest.Close(t, r.Node.Weights[0][0], 3, 1e-14, 0)
	numtest.Close(t, r.Node.Variance[0], 0.5, 1e-14, 0) // (0 + 1 + 1 + 0)/4
	numtest.Close(t, r.LogLikelihood, -2*math.Log(2*math.Pi*0.5)-2, 1e-13, 0)
	if len(r.Flags) != 0 {
		t.Errorf("flags %v", r.Flags)
	}
}

// constrained is least squares under Aw = 0 by the formula of Lagrange multipliers,
//
//	ŵ − (X'X)⁻¹A'[A(X'X)⁻¹A']⁻¹Aŵ,
//
// for rows of several regressions side by side, each weighted.
func constrained(t testing.TB, cases []rows, weight []float64, a *mat.Dense) []float64 {
	t.Helper()
	k := len(cases[0][0]) - 1
	total := k * len(cases)
	xx, xy := mat.NewDense(total, total, nil), mat.NewVecDense(total, nil)
	for config, r := range cases {
		for _, row := range r {
			for i := range k {
				for j := range k {
					xx.Set(config*k+i, config*k+j, xx.At(config*k+i, config*k+j)+weight[config]*row[i]*row[j])
				}
				xy.SetVec(config*k+i, xy.AtVec(config*k+i)+weight[config]*row[i]*row[k])
			}
		}
	}
	var inverse, ai, aia, back mat.Dense
	if err := inverse.Inverse(xx); err != nil {
		t.Fatal(err)
	}
	var w, aw, step mat.VecDense
	w.MulVec(&inverse, xy)
	ai.Mul(a, &inverse)
	aia.Mul(&ai, a.T())
	aw.MulVec(a, &w)
	if err := step.SolveVec(&aia, &aw); err != nil {
		t.Fatal(err)
	}
	back.Mul(&inverse, a.T())
	aw.Reset()
	aw.MulVec(&back, &step)
	w.SubVec(&w, &aw)
	return w.RawVector().Data
}

func TestRegressAgainstConstrainedLeastSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	scale := []float64{0, 1, -2, 0.2, 1.5}
	for name, class := range map[string]struct {
		statement constraint.Constraint
		a         *mat.Dense // of the coefficients: intercept, x1 … x4
	}{
		"equal": {
			constraint.ShareWeights{Var: "y", Groups: [][]string{{"x1", "x2"}, {"x3", "x4", constraint.Intercept}}},
			mat.NewDense(3, 5, []float64{0, 1, -1, 0, 0, 0, 0, 0, 1, -1, 1, 0, 0, 0, -1}),
		},
		"proportional": {
			constraint.ProportionalWeights{Var: "y", Weights: map[string]float64{"x1": scale[1], "x2": scale[2],
				"x3": scale[3], "x4": scale[4]}},
			mat.NewDense(3, 5, []float64{0, scale[2], -scale[1], 0, 0, 0, scale[3], 0, -scale[1], 0, 0, scale[4], 0, 0,
				-scale[1]}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			net, v := linear(t, 4, 0)
			for range 25 {
				cases := drawn(rng, 6+rng.IntN(40), 4, 2)
				want := constrained(t, []rows{cases}, []float64{1}, class.a)
				r := estimate(t, net, v, []rows{cases}, nil, 0, class.statement)
				got := coefficients(r.Node, 0)
				for j := range want {
					numtest.Close(t, got[j], want[j], 1e-11, 1e-11)
				}
				n := float64(len(cases))
				numtest.Close(t, r.Node.Variance[0], cases.squares(want)/n, 0, 1e-11)
				numtest.Close(t, r.LogLikelihood, -n/2*(math.Log(2*math.Pi*cases.squares(want)/n)+1), 0, 1e-11)
			}
		})
	}
	// Shared over three configurations of different variance: given its own variances the
	// estimate is weighted least squares, and the variances are those of its residuals.
	t.Run("across", func(t *testing.T) {
		net, v := linear(t, 2, 3)
		a := mat.NewDense(4, 9, nil) // x1 and x2 in configurations 1 and 2 as in 0
		for i, at := range [][2]int{{1, 4}, {2, 5}, {1, 7}, {2, 8}} {
			a.Set(i, at[0], 1)
			a.Set(i, at[1], -1)
		}
		for range 25 {
			cases := []rows{drawn(rng, 8, 2, 0.5), drawn(rng, 30, 2, 2), drawn(rng, 12, 2, 5)}
			r := estimate(t, net, v, cases, nil, 0, constraint.ShareWeightsAcross{Var: "y"})
			weight := make([]float64, 3)
			for config, variance := range r.Node.Variance {
				weight[config] = 1 / variance
			}
			want := constrained(t, cases, weight, a)
			for config := range 3 {
				w := coefficients(r.Node, config)
				for j := range w {
					numtest.Close(t, w[j], want[config*3+j], 1e-4, 1e-4) // the likelihood is flat to 1e-12 there
				}
				numtest.Close(t, r.Node.Variance[config], cases[config].squares(w)/float64(len(cases[config])), 0,
					1e-11)
			}
			for i, steps := 1, r.Steps[0]; i < len(steps); i++ {
				if steps[i] < steps[i-1]-1e-12*math.Abs(steps[i]) {
					t.Errorf("the likelihood falls: %v", steps)
				}
			}
			if len(r.Steps) != 1 || len(r.Steps[0]) < 3 ||
				math.Abs(r.Steps[0][len(r.Steps[0])-1]-r.LogLikelihood) > 1e-9 {
				t.Errorf("steps %v to the log-likelihood %v", r.Steps, r.LogLikelihood)
			}
		}
	})
}

// logPosterior is written from the densities: Σ log N(y; ·) + log N(w; μ, σ²/λ) + log IG(σ²).
func logPosterior(cases rows, w []float64, variance float64, prior constraint.GaussianPrior) float64 {
	n := float64(len(cases))
	total := -n/2*math.Log(2*math.Pi*variance) - cases.squares(w)/(2*variance)
	for j, x := range w {
		precision, name := prior.Precision, fmt.Sprintf("x%d", j)
		if j == 0 {
			precision, name = prior.InterceptPrecision, constraint.Intercept
		}
		if precision > 0 {
			d := x - prior.Mean[name]
			total += math.Log(precision/(2*math.Pi*variance))/2 - precision*d*d/(2*variance)
		}
	}
	lg, _ := math.Lgamma(prior.Shape)
	return total + prior.Shape*math.Log(prior.Scale) - lg - (prior.Shape+1)*math.Log(variance) - prior.Scale/variance
}

// At the mode the gradient in the free parameters and the log variances is zero.
func TestRegressMode(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	prior := constraint.GaussianPrior{Shape: 1.5, Scale: 2, Precision: 0.7, Mean: map[string]float64{"x1": 3, "x3": -1}}
	for name, test := range map[string]struct {
		intercept float64
		statement constraint.Constraint
		expand    func(beta []float64, config int) []float64
		free      int
	}{
		"equal": {0.3, constraint.ShareWeights{Var: "y", Groups: [][]string{{"x1", "x3"}}},
			func(b []float64, config int) []float64 {
				b = b[3*config:]
				return []float64{b[0], b[1], b[2], b[1]}
			}, 6},
		"proportional, flat intercept": {0, constraint.ProportionalWeights{Var: "y",
			Weights: map[string]float64{"x1": 2, "x2": -1}},
			func(b []float64, config int) []float64 {
				b = b[3*config:]
				return []float64{b[0], b[1], -b[1] / 2, b[2]}
			}, 6},
		"across": {0.3, constraint.ShareWeightsAcross{Var: "y", Parents: []string{"x1", "x2", constraint.Intercept}},
			func(b []float64, config int) []float64 { return []float64{b[0], b[1], b[2], b[3+config]} }, 5},
	} {
		t.Run(name, func(t *testing.T) {
			p := prior
			p.InterceptPrecision = test.intercept
			net, v := linear(t, 3, 2)
			for range 5 {
				cases := []rows{drawn(rng, 3, 3, 1), drawn(rng, 9, 3, 3)}
				r := estimate(t, net, v, cases, &p, 0, test.statement)
				objective := func(x []float64) float64 {
					total := 0.0
					for config := range 2 {
						total += logPosterior(cases[config], test.expand(x, config), math.Exp(x[test.free+config]), p)
					}
					return total
				}
				x := make([]float64, test.free+2)
				for config := range 2 {
					w := coefficients(r.Node, config)
					// Read the free parameters back: their places in w.
					switch name {
					case "equal":
						copy(x[3*config:], w[:3])
					case "proportional, flat intercept":
						x[3*config], x[3*config+1], x[3*config+2] = w[0], w[1], w[3]
					default:
						copy(x, w[:3])
						x[3+config] = w[3]
					}
					if got := test.expand(x, config); !floats.EqualApprox(got, w, 1e-12) {
						t.Errorf("the weights %v do not obey %s", w, test.statement)
					}
					x[test.free+config] = math.Log(r.Node.Variance[config])
				}
				for i, slope := range fd.Gradient(nil, objective, x, &fd.Settings{Formula: fd.Central}) {
					if !(math.Abs(slope) < 1e-4) { // steps end 1e-12 below the maximum, so about 1e-5 from it
						t.Errorf("slope %v in parameter %d", slope, i)
					}
				}
			}
		})
	}
}

// More weights than cases: sharing makes them known.
func TestMoreParentsThanCases(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 0))
	net, v := linear(t, 12, 0)
	cases := make(rows, 6)
	for i := range cases {
		cases[i] = make([]float64, 14)
		cases[i][0] = 1
		sums := [2]float64{}
		for j := range 12 {
			cases[i][j+1] = rng.NormFloat64()
			sums[j/6] += cases[i][j+1]
		}
		cases[i][13] = 5 + 2*sums[0] - 3*sums[1] + 0.001*rng.NormFloat64()
	}
	if _, err := tryRegress(t, net, v, []rows{cases}, nil, 0); !errors.Is(err, constraint.ErrUnbounded) ||
		!strings.Contains(err.Error(), "VarianceFloor") {
		t.Errorf("12 free weights of 6 cases: %v", err)
	}
	group := [][]string{nil, nil}
	for j := range 12 {
		group[j/6] = append(group[j/6], fmt.Sprintf("x%d", j+1))
	}
	r := estimate(t, net, v, []rows{cases}, nil, 0, constraint.ShareWeights{Var: "y", Groups: group})
	numtest.Close(t, r.Node.Intercept[0], 5, 0.01, 0)
	numtest.Close(t, r.Node.Weights[0][0], 2, 0.01, 0)
	numtest.Close(t, r.Node.Weights[0][11], -3, 0.01, 0)
	if len(r.Flags) != 0 {
		t.Errorf("flags %v", r.Flags)
	}
	open := estimate(t, net, v, []rows{cases}, nil, 0.25)
	if open.Node.Variance[0] != 0.25 || len(open.Flags) != 1 || !strings.Contains(open.Flags[0].Text, "x1, x2, x3") {
		t.Errorf("with a floor: variance %v, flags %v", open.Node.Variance, open.Flags)
	}
}

// Two parents that are multiples of each other: x2 = −4·x1. In units of the columns' norms
// the effect of 8 by unit of x1 is halved.
func TestRankDeficient(t *testing.T) {
	net, v := linear(t, 3, 0)
	var cases rows
	for i, e := range []float64{1, -1, -1, 1} {
		x := float64(i) - 1.5
		cases = append(cases, []float64{1, x, -4 * x, 0, 8*x + e})
	}
	r := estimate(t, net, v, []rows{cases}, nil, 0)
	for j, want := range []float64{0, 4, -1, 0} {
		numtest.Close(t, coefficients(r.Node, 0)[j], want, 1e-12, 0)
	}
	numtest.Close(t, r.Node.Variance[0], 1, 1e-12, 0)
	want := "P(y): not identified: the cases do not determine the weights of x1, x2, x3; of those that fit alike the " +
		"smallest are given"
	if len(r.Flags) != 1 || r.Flags[0].String() != want {
		t.Errorf("flags %v, want %s", r.Flags, want)
	}
}

func TestConfigurationWithoutCases(t *testing.T) {
	net, v := linear(t, 1, 3)
	rng := rand.New(rand.NewPCG(14, 0))
	cases := []rows{drawn(rng, 9, 1, 1), nil, drawn(rng, 9, 1, 1)}
	r := estimate(t, net, v, cases, nil, 0)
	if r.Node.Intercept[1] != 0 || r.Node.Weights[1][0] != 0 || r.Node.Variance[1] != 1 {
		t.Errorf("unseen: %+v", r.Node)
	}
	if len(r.Flags) != 1 || r.Flags[0].Given != "s=b" || !strings.Contains(r.Flags[0].Text, "no cases") {
		t.Errorf("flags %v", r.Flags)
	}
	shared := estimate(t, net, v, cases, nil, 0, constraint.ShareWeightsAcross{Var: "y"})
	if shared.Node.Weights[1][0] != shared.Node.Weights[0][0] ||
		shared.Node.Weights[0][0] != shared.Node.Weights[2][0] || shared.Node.Intercept[1] != 0 {
		t.Errorf("unseen, with the weight of the others: %+v", shared.Node)
	}
	// Under a prior the mode of an unseen configuration is that of the prior.
	prior := constraint.GaussianPrior{Shape: 2, Scale: 3, Precision: 1, InterceptPrecision: 1,
		Mean: map[string]float64{"x1": 7}}
	under := estimate(t, net, v, cases, &prior, 0)
	numtest.Close(t, under.Node.Weights[1][0], 7, 1e-12, 0)
	numtest.Close(t, under.Node.Variance[1], 3/(2+1.+1), 1e-12, 0) // b/(a + p/2 + 1), p = 2
	if len(under.Flags) != 0 {
		t.Errorf("flags %v", under.Flags)
	}
}

// A slope that configurations of unlike size, noise and slope share has several local
// maxima; the estimate is the highest on a fine grid of the slope, where each intercept
// and variance has its best value.
func TestSharedSlopeIsHighest(t *testing.T) {
	net, v := linear(t, 1, 3)
	flagged := 0
	for seed := range 40 {
		rng := rand.New(rand.NewPCG(uint64(seed), 12))
		var cases []rows
		for range 3 {
			var r rows
			slope, noise := 4*rng.NormFloat64(), math.Exp(2*rng.NormFloat64()-2)
			for range 3 + rng.IntN(20) {
				x := rng.NormFloat64()
				r = append(r, []float64{1, x, slope*x + noise*rng.NormFloat64()})
			}
			cases = append(cases, r)
		}
		got := estimate(t, net, v, cases, nil, 0, constraint.ShareWeightsAcross{Var: "y"})
		best := math.Inf(-1)
		for slope := -20.0; slope < 20; slope += 0.001 {
			total := 0.0
			for _, r := range cases {
				mean, squares := 0.0, 0.0
				for _, z := range r {
					mean += (z[2] - slope*z[1]) / float64(len(r))
				}
				for _, z := range r {
					e := z[2] - slope*z[1] - mean
					squares += e * e
				}
				n := float64(len(r))
				total -= n / 2 * (math.Log(2*math.Pi*squares/n) + 1)
			}
			best = max(best, total)
		}
		if got.LogLikelihood < best-1e-9 {
			t.Errorf("data %d: log-likelihood %v, on the grid %v", seed, got.LogLikelihood, best)
		}
		flagged += len(got.Flags)
	}
	if flagged == 0 {
		t.Error("no data have several maxima")
	}
}

func TestRegressErrors(t *testing.T) {
	net, v := linear(t, 1, 2)
	good := rows{{1, 0, 0}, {1, 1, 2}, {1, 2, 1}, {1, 3, 4}}
	line := rows{{1, 0, 1}, {1, 1, 3}, {1, 2, 5}, {1, 3, 7}}
	f := good.factor(t)
	for name, test := range map[string]struct {
		factors []data.Factor
		prior   *constraint.GaussianPrior
		floor   float64
		says    string
	}{
		"on a line": {[]data.Factor{f, line.factor(t)}, nil, 0, "y given s=b"},
		"constant": {[]data.Factor{f, rows{{1, 0, 0}, {1, 1, 0}, {1, 2, 0}}.factor(t)}, nil, 0,
			"unbounded"},
		"one case":   {[]data.Factor{f, line[:1].factor(t)}, nil, 0, "the 1 cases of y given s=b"},
		"one factor": {[]data.Factor{f}, nil, 0, "1 factors"},
		"NaN": {[]data.Factor{f, {N: 4, R: []float64{1, 0, 0, 0, math.NaN(), 0, 0, 0, 1}}}, nil, 0,
			"NaN"},
		"negative cases":  {[]data.Factor{f, {N: -1}}, nil, 0, "-1"},
		"too few numbers": {[]data.Factor{f, {N: 4, R: make([]float64, 4)}}, nil, 0, "4 numbers"},
		"negative floor":  {[]data.Factor{f, f}, nil, -1, "floor"},
		"NaN floor":       {[]data.Factor{f, f}, nil, math.NaN(), "floor"},
		"no shape":        {[]data.Factor{f, f}, &constraint.GaussianPrior{Scale: 1}, 0, "Shape"},
		"NaN precision": {[]data.Factor{f, f}, &constraint.GaussianPrior{Shape: 1, Scale: 1,
			Precision: math.NaN()}, 0, "Precision"},
		"an infinite mean": {[]data.Factor{f, f}, &constraint.GaussianPrior{Shape: 1, Scale: 1,
			Mean: map[string]float64{"x1": math.Inf(1)}}, 0, `"x1"`},
		"huge": {[]data.Factor{f, {N: 4, R: []float64{2, 0, 0, 0, 1, 0, 0, 0, 1e200}}}, nil, 0,
			"unit"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := regress.Regress(net, v, test.factors, nil, test.prior, test.floor)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, result %v, want an error that says %q", err, r, test.says)
			}
		})
	}
	// Weights shared with a configuration that determines them leave one with a single case an
	// exact fit by its own intercept.
	shares, _, err := constraint.BindWeights(net, constraint.ShareWeightsAcross{Var: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := regress.Regress(net, v, []data.Factor{f, line[:1].factor(t)}, shares, nil, 0); !errors.Is(err,
		constraint.ErrUnbounded) {
		t.Errorf("one case and an intercept of its own: %v", err)
	}
}

// Rounding far from zero: the cases of TestRegressByHand a million to the right.
func TestRegressFarFromZero(t *testing.T) {
	net, v := linear(t, 1, 0)
	far := rows{{1, 1e6, 1e6 + 1}, {1, 1e6 + 1, 1e6 + 3}, {1, 1e6 + 1, 1e6 + 5}, {1, 1e6 + 2, 1e6 + 7}}
	r := estimate(t, net, v, []rows{far}, nil, 0)
	numtest.Close(t, r.Node.Weights[0][0], 3, 1e-8, 0)
	numtest.Close(t, r.Node.Variance[0], 0.5, 1e-7, 0)
}

// TestRegressBeyondDigits moves cases so far that beside the means hardly a digit is left: from there least squares is
// that of the differences, whatever is added to all values.
func TestRegressBeyondDigits(t *testing.T) {
	names := []string{"x", "z", "y"}
	net, err := bn.New("[x][z][y|x:z]", bn.Continuous("x"), bn.Continuous("z"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	moments := func(offset float64, exact bool) []data.Factor {
		rng := rand.New(rand.NewPCG(5, 0)) // 5,000 rows are gathered in two blocks
		columns := make([]data.Column, 3)
		for i, name := range names {
			columns[i] = data.Column{Var: bn.Continuous(name), Values: make([]float64, 5000)}
		}
		for row := range 5000 { // in steps of 8, which float64 has up to 3e16
			x, z, noise := 8*math.Round(8*rng.NormFloat64()), 8*math.Round(8*rng.NormFloat64()),
				8*math.Round(4*rng.NormFloat64())
			if exact {
				noise = 0
			}
			for i, value := range []float64{x, z, 2*x - 3*z + noise} {
				columns[i].Values[row] = offset + value
			}
		}
		table, err := data.New(columns...)
		if err != nil {
			t.Fatal(err)
		}
		m, err := table.Crossproducts(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m.Factors[2]
	}
	want, err := regress.Regress(net, 2, moments(0, false), nil, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, offset := range []float64{1e9, -1e13, 1e14, 1e15, 1e16} {
		got, err := regress.Regress(net, 2, moments(offset, false), nil, nil, 0)
		if err != nil || len(got.Flags) > 0 {
			t.Errorf("at %g: error %v, flags %v", offset, err, got)
			continue
		}
		for i, w := range want.Node.Weights[0] {
			numtest.Close(t, got.Node.Weights[0][i], w, 1e-12, 0)
		}
		numtest.Close(t, got.Node.Variance[0], want.Node.Variance[0], 0, 1e-12)
		numtest.Close(t, got.LogLikelihood, want.LogLikelihood, 0, 1e-12)
		line := offset - offset*(want.Node.Weights[0][0]+want.Node.Weights[0][1]) + want.Node.Intercept[0]
		numtest.Close(t, got.Node.Intercept[0], line, 0, 1e-12)
		if _, err := regress.Regress(net, 2, moments(offset, true), nil, nil, 0); !errors.Is(err,
			constraint.ErrUnbounded) {
			t.Errorf("at %g: cases on a line: %v", offset, err)
		}
	}
}

func ExampleRegress() {
	net, err := bn.New("[MSFT][INTL][DELL|MSFT:INTL]", bn.Continuous("MSFT"), bn.Continuous("INTL"),
		bn.Continuous("DELL"))
	if err != nil {
		fmt.Println(err)
		return
	}
	alike := constraint.ShareWeights{Var: "DELL", Groups: [][]string{{"MSFT", "INTL"}}}
	shares, _, err := constraint.BindWeights(net, alike)
	if err != nil {
		fmt.Println(err)
		return
	}
	// Four days with the changes (1, 1), (1, −1), (−1, 1), (−1, −1) of the parents and
	// 5, 1, −1, −1 of DELL: R'R has the sums 4 on the diagonal of 1, MSFT and INTL.
	factor := data.Factor{N: 4, R: []float64{
		2, 0, 0, 2,
		0, 2, 0, 4,
		0, 0, 2, 2,
		0, 0, 0, 2,
	}}
	r, err := regress.Regress(net, 2, []data.Factor{factor}, shares, nil, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(alike)
	fmt.Printf("DELL = %.3g + %.3g (MSFT + INTL), variance %.3g\n", r.Node.Intercept[0], r.Node.Weights[0][0],
		r.Node.Variance[0])
	// Output:
	// the weights of MSFT and INTL for DELL are equal
	// DELL = 1 + 1.5 (MSFT + INTL), variance 1.5
}

func BenchmarkRegress(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, p := range []int{5, 50} {
		net, v := linear(b, p, 4)
		shares, _, err := constraint.BindWeights(net, constraint.ShareWeightsAcross{Var: "y"})
		if err != nil {
			b.Fatal(err)
		}
		factors := make([]data.Factor, 4)
		for config := range factors {
			factors[config] = drawn(rng, 4*p, p, float64(config+1)).factor(b)
		}
		for name, s := range map[string][]constraint.Weights{"free": nil, "across": shares} {
			b.Run(fmt.Sprintf("p=%d/%s", p, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := regress.Regress(net, v, factors, s, nil, 0); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
