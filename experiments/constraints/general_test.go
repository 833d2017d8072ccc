package constraints

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
)

// Restated statements say the same: they hold where the statement holds, fail where it
// fails, and their gradients are those of finite differences.
func TestFunctions(t *testing.T) {
	scenes, err := Scenes()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenes[:11] {
		t.Run(s.Class, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, 0))
			for _, statement := range s.Statements {
				bounds, err := general{statement}.Bind(s.Truth)
				if err != nil {
					t.Fatal(err)
				}
				for i, b := range bounds {
					f := b.Smooth[0]
					truth, other := make([]float64, len(f.Cells)), make([]float64, len(f.Cells))
					for k, cell := range f.Cells {
						v, config, state := s.Truth.Layout().Locate(cell)
						truth[k], other[k] = s.Truth.CPT(v).Row(config)[state], rng.Float64()
					}
					original, err := statement.Bind(s.Truth)
					if err != nil {
						t.Fatal(err)
					}
					theta := make([]float64, s.Truth.Layout().Len())
					for k, cell := range f.Cells {
						theta[cell] = other[k]
					}
					broken := original[i].Violation(theta) > 1e-9
					worst := 0.0
					for k, g := range slices.Concat(f.Equal, f.AtMost) {
						at := g.Value(truth)
						if k < len(f.Equal) {
							at = math.Abs(at)
							worst = max(worst, math.Abs(g.Value(other)))
						} else {
							worst = max(worst, g.Value(other))
						}
						if at > 1e-12 {
							t.Errorf("function %d is %v at the truth", k, at)
						}
						got := make([]float64, len(truth))
						g.Gradient(got, other)
						for j, want := range fd.Gradient(nil, g.Value, other, &fd.Settings{Formula: fd.Central}) {
							near(t, got[j], want, 1e-8, 0)
						}
					}
					if broken != (worst > 1e-9) {
						t.Errorf("the statement is broken: %v, its functions miss by %v", broken, worst)
					}
				}
			}
		})
	}
	stocks := sceneOf(t, "12")
	if _, err := (general{stocks.Statements[0]}).Bind(stocks.Truth); err == nil {
		t.Error("weights have no table, and no error")
	}
}

// The general method is another one than that which is checked, and both agree.
func TestChecks(t *testing.T) {
	s := sceneOf(t, "4")
	p, err := constraint.Compile(s.Truth, general{s.Statements[0]})
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, p.Layout().Len())
	for i := range n {
		n[i] = float64(1 + i)
	}
	solution, err := p.Solve(n)
	if err != nil {
		t.Fatal(err)
	}
	if m := solution.Parts[0].Method; m != "augmented Lagrangian" {
		t.Errorf("the general method is %q", m)
	}
	checks, err := ComputeChecks(t.Context(), job(3), []Scene{s, sceneOf(t, "12")}, Config{Checks: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(checks) != 1 || checks[0].Methods[0] != "closed form" || !(checks[0].Objective < 1e-9) ||
		!(checks[0].Parameter < 1e-6) || !checks[0].Certified {
		t.Errorf("checks %+v", checks)
	}
}

// Theorem 1 against an optimiser of gonum's, in logarithms: θ_i = e^μ_i / Σ k e^μ.
func TestTheorem1(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	s := sceneOf(t, "2")
	k := []float64{3, 1} // of X given Y = 1: {1, 3, 4} and 2
	for range 5 {
		n := make([]float64, s.Truth.Layout().Len())
		for i := range n {
			n[i] = 1 + 10*rng.Float64()
		}
		p, err := constraint.Compile(s.Truth, s.Statements...)
		if err != nil {
			t.Fatal(err)
		}
		theta := make([]float64, len(n))
		if err := p.Maximize(theta, n); err != nil {
			t.Fatal(err)
		}
		group := []float64{n[6] + n[8] + n[9], n[7]}
		result, err := optimize.Minimize(optimize.Problem{Func: func(mu []float64) float64 {
			log := math.Log(k[0]*math.Exp(mu[0]) + k[1]*math.Exp(mu[1]))
			return -group[0]*(mu[0]-log) - group[1]*(mu[1]-log)
		}}, []float64{0, 0}, nil, &optimize.NelderMead{})
		if err != nil {
			t.Fatal(err)
		}
		total := k[0]*math.Exp(result.X[0]) + k[1]*math.Exp(result.X[1])
		near(t, theta[6], math.Exp(result.X[0])/total, 1e-4, 0)
		near(t, theta[7], math.Exp(result.X[1])/total, 1e-4, 0)
	}
}

// Without sharing N06's Z is that of a Dirichlet density, a ratio of gamma functions, and
// with sharing that of quadrature, to rounding.
func TestNormaliser(t *testing.T) {
	b, _ := math.Lgamma(4 + 7)
	x, _ := math.Lgamma(4)
	y, _ := math.Lgamma(7)
	near(t, logNormaliser([]float64{4, 7}, []float64{1, 1}, 0), x+y-b, 1e-12, 0)
	near(t, logIntegral([]float64{4, 7}, []float64{1, 1}), x+y-b, 1e-12, 0)
	near(t, logNormaliser([]float64{4, 7}, []float64{3, 2}, 1), logIntegral([]float64{4, 7}, []float64{3, 2}), 1e-11, 0)
	worst, err := checkNormaliser(t.Context(), job(2), Config{Checks: 3})
	if err != nil || !(worst < 1e-10) {
		t.Errorf("log probabilities differ by %v, error %v", worst, err)
	}
}

// Ten cases by hand: y = 0 with X = 1, 1, 1, 2, 3, 3 and y = 1 with X = 1, 2, 2, 4.
func TestNewVariables(t *testing.T) {
	truth, err := FourValues()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := data.New(
		data.Column{Var: truth.Variable(0), States: []bn.State{0, 0, 0, 0, 0, 0, 1, 1, 1, 1}},
		data.Column{Var: truth.Variable(1), States: []bn.State{0, 0, 0, 1, 2, 2, 0, 1, 1, 3}},
	)
	if err != nil {
		t.Fatal(err)
	}
	f, err := fitFourValues(t.Context(), cases)
	if err != nil {
		t.Fatal(err)
	}
	alone := []float64{3. / 6, 1. / 6, 2. / 6, 0, 1. / 4, 2. / 4, 0, 1. / 4}
	stated := []float64{2. / 6, 2. / 6, 1. / 6, 1. / 6, 1. / 6, 2. / 4, 1. / 6, 1. / 6}
	for cell := range alone {
		near(t, f.alone[cell], alone[cell], 1e-15, 0)
		near(t, f.expanded[cell], alone[cell], 1e-15, 0)
		near(t, f.stated[cell], stated[cell], 1e-15, 0)
	}
	// Y: 1. X12: 2. X134: 4. X: 8 rows of 3. The statements leave one in each row of X.
	if f.parameters != 31 || f.bound != 4 {
		t.Errorf("%d free parameters with new variables, %d bound; want 31 and 4", f.parameters, f.bound)
	}
}
