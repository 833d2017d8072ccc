package learn_test

import (
	"bnlab/bnkit/internal/regress"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

func coefficients(t testing.TB, r *learn.Result, name string) []learn.Coefficient {
	t.Helper()
	list, err := r.Coefficients(name)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// 1 + 3·dose leaves 0, −1, 1 of three cases: s² = 2 with one degree, and Z'Z = [3 2; 2 2]
// has the inverse [1 −1; −1 3/2]. The quantile of Student's t with one degree is a tangent,
// that of χ² the square of a normal one.
func TestCoefficientsByHand(t *testing.T) {
	net, table := trial(t)
	list := coefficients(t, fit(t, net, table, learn.ML{}), "effect")
	if len(list) != 6 || list[0].Term != constraint.Intercept || list[1].Term != "dose" ||
		list[2].Term != "(standard deviation)" || list[5].Config != 1 {
		t.Fatalf("terms %+v", list)
	}
	quantile := math.Tan(math.Pi * 0.475)
	for i, want := range []struct{ estimate, stdErr, low, high float64 }{
		{1, math.Sqrt(2), 1 - quantile*math.Sqrt(2), 1 + quantile*math.Sqrt(2)},
		{3, math.Sqrt(3), 3 - quantile*math.Sqrt(3), 3 + quantile*math.Sqrt(3)},
		{math.Sqrt(2. / 3), 1, math.Sqrt2 / distuv.UnitNormal.Quantile(0.9875), math.Sqrt2 /
			distuv.UnitNormal.Quantile(0.5125)},
	} {
		numtest.Close(t, list[i].Estimate, want.estimate, 1e-13, 0)
		numtest.Close(t, list[i].StdErr, want.stdErr, 1e-12, 0)
		numtest.Close(t, list[i].Low, want.low, 0, 1e-9)
		numtest.Close(t, list[i].High, want.high, 0, 1e-9)
		if !list[i].HasInterval || list[i].Note != "" {
			t.Errorf("%+v", list[i])
		}
	}
}

// plane is [x][z][y|x:z] with y = 1 + 2(x + z) and noise.
func plane(t testing.TB, rows int) (*bn.Network, *data.Table) {
	t.Helper()
	net, err := bn.New("[x][z][y|x:z]", bn.Continuous("x"), bn.Continuous("z"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 2))
	cols := []data.Column{{Var: net.Variable(0)}, {Var: net.Variable(1)}, {Var: net.Variable(2)}}
	for range rows {
		x, z := 3+rng.NormFloat64(), rng.NormFloat64()
		for i, value := range []float64{x, z, 1 + 2*(x+z) + 0.5*rng.NormFloat64()} {
			cols[i].Values = append(cols[i].Values, value)
		}
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

// Equal weights are the regression on a sum, proportional ones that on a weighted sum, whose
// standard errors textbooks know: s/√S for the slope, s·√(1/n + m²/S) for the intercept.
func TestCoefficientsUnderStatements(t *testing.T) {
	net, table := plane(t, 9)
	cols := table.Columns()
	for _, tt := range []struct {
		statement constraint.Constraint
		x, z      float64
	}{
		{constraint.ShareWeights{Var: "y", Groups: [][]string{{"x", "z"}}}, 1, 1},
		{constraint.ProportionalWeights{Var: "y", Weights: map[string]float64{"x": -0.5, "z": 3}}, -0.5, 3},
	} {
		list := coefficients(t, fit(t, net, table, learn.ML{Constraints: []constraint.Constraint{tt.statement}}), "y")
		sum := make([]float64, table.Rows())
		for i := range sum {
			sum[i] = tt.x*cols[0].Values[i] + tt.z*cols[1].Values[i]
		}
		a, b := stat.LinearRegression(sum, cols[2].Values, nil, false)
		mean, variance := stat.MeanVariance(sum, nil)
		n, squares, s := float64(len(sum)), 0.0, variance*float64(len(sum)-1)
		for i, x := range sum {
			squares += math.Pow(cols[2].Values[i]-a-b*x, 2)
		}
		sd := math.Sqrt(squares / (n - 2))
		for i, want := range []struct{ estimate, stdErr float64 }{
			{a, sd * math.Sqrt(1/n+mean*mean/s)}, {tt.x * b, math.Abs(tt.x) * sd / math.Sqrt(s)},
			{tt.z * b, tt.z * sd / math.Sqrt(s)},
			{math.Sqrt(squares / n), sd / math.Sqrt(2*(n-2))},
		} {
			numtest.Close(t, list[i].Estimate, want.estimate, 1e-11, 1e-11)
			numtest.Close(t, list[i].StdErr, want.stdErr, 0, 1e-10)
		}
	}
}

// Where the posterior is known, the standard error of the intercept is the scale of the
// prediction at zero without its noise, and Student's t has its degrees.
func TestCoefficientsOfPosterior(t *testing.T) {
	net, table := plane(t, 7)
	prior := constraint.GaussianPrior{Shape: 1.5, Scale: 2, Precision: 0.7, InterceptPrecision: 0.3,
		Mean: map[string]float64{"x": 1, constraint.Intercept: 2}}
	alike := constraint.ShareWeights{Var: "y", Groups: [][]string{{"x", "z"}}}
	for _, statements := range [][]constraint.Constraint{nil, {alike}} {
		r := fit(t, net, table, learn.MAP{GaussianOf: map[string]constraint.GaussianPrior{"y": prior},
			Constraints: statements})
		shares, _, err := constraint.BindWeights(net, statements...)
		if err != nil {
			t.Fatal(err)
		}
		post, err := regress.Posterior(net, 2, 0, r.Moments.Factors[2][0], shares, prior)
		if err != nil {
			t.Fatal(err)
		}
		at := post.Predict([]float64{0, 0})
		c := coefficients(t, r, "y")[0]
		numtest.Close(t, c.Estimate, at.Mu, 1e-11, 0)
		numtest.Close(t, c.StdErr, math.Sqrt(at.Sigma*at.Sigma-post.Scale/post.Shape), 1e-11, 0)
		numtest.Close(t, (c.High-c.Low)/2, c.StdErr*distuv.StudentsT{Sigma: 1, Nu: 2 * post.Shape}.Quantile(0.975),
			1e-10, 0)
	}
}

// Intervals of 95 % hold the truth in about 95 of 100 samples, also where parallel
// regressions share a weight and are approximate.
func TestCoefficientsCover(t *testing.T) {
	net, err := bn.New("[g][x][y|g:x]", bn.Discrete("g", "0", "1"), bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	truth := net.Gaussian(2)
	truth.Intercept, truth.Weights, truth.Variance = []float64{1, -1}, [][]float64{{2}, {2}}, []float64{1, 9}
	terms := []float64{1, 2, 1, -1, 2, 3}
	const samples = 600
	for _, statements := range [][]constraint.Constraint{nil, {constraint.ShareWeightsAcross{Var: "y"}}} {
		held := make([]int, len(terms))
		for s := range samples {
			table, err := data.Sample(net, 40, rand.NewPCG(uint64(s), 1))
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range coefficients(t, fit(t, net, table, learn.ML{Constraints: statements}), "y") {
				if c.Low <= terms[i] && terms[i] <= c.High {
					held[i]++
				}
			}
		}
		for i, n := range held {
			// five standard deviations of the simulation are 4.4 %
			if p := float64(n) / samples; math.Abs(p-0.95) > 0.044 {
				t.Errorf("term %d, %d statements: the truth is inside in %.3f of samples", i, len(statements), p)
			}
		}
	}
}

// What has no interval says why.
func TestCoefficientsWithoutInterval(t *testing.T) {
	net, table := plane(t, 6)
	cols := table.Columns()
	cols[1].Values = cols[0].Values
	same, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	arms, cases := trial(t)
	across := []constraint.Constraint{constraint.ShareWeightsAcross{Var: "effect"}}
	for _, tt := range []struct {
		name  string
		terms []learn.Coefficient
		notes []string // "" has an interval
	}{
		{"two columns alike", coefficients(t, fit(t, net, same, learn.ML{}), "y"),
			[]string{"", "do not determine", "do not determine", ""}},
		{"a floor above", coefficients(t, fit(t, net, table, learn.ML{VarianceFloor: 100}), "y"),
			[]string{"", "", "", "floor"}},
		{"two cases", coefficients(t, fit(t, arms, cases.Select([]int{0, 1, 3, 4}), learn.ML{VarianceFloor: 1}),
			"effect"), []string{"too few", "too few", "too few", "too few", "too few", "too few"}},
		{"an arm without cases", coefficients(t, fit(t, arms, cases.Select([]int{0, 1, 2}), learn.ML{VarianceFloor: 1}),
			"effect"), []string{"", "", "", "do not determine", "do not determine", "too few"}},
		{"an arm without cases that shares",
			coefficients(t, fit(t, arms, cases.Select([]int{0, 1, 2}), learn.ML{Constraints: across}), "effect"),
			[]string{"approximate", "approximate", "approximate", "do not determine", "approximate", "too few"}},
		{"not fitted", coefficients(t, &learn.Result{Net: net}, "y"), []string{"not fitted", "not fitted", "not fitted",
			"not fitted"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for i, c := range tt.terms {
				if !strings.Contains(c.Note, tt.notes[i]) || (tt.notes[i] == "") != (c.Note == "") {
					t.Errorf("the note of %s in %d is %q, want %q", c.Term, c.Config, c.Note, tt.notes[i])
				}
				if want := tt.notes[i] == "" || tt.notes[i] == "approximate"; c.HasInterval != want || !want &&
					(c.StdErr != 0 || c.Low != 0 || c.High != 0) {
					t.Errorf("%+v", c)
				}
			}
		})
	}
	// A floor widens: it is the variance of the weights too.
	if wide, narrow := coefficients(t, fit(t, net, table, learn.ML{VarianceFloor: 100}), "y"),
		coefficients(t, fit(t, net, table, learn.ML{}), "y"); !(wide[1].StdErr > 5*narrow[1].StdErr) {
		t.Errorf("standard error %v at a floor, %v without", wide[1].StdErr, narrow[1].StdErr)
	}
	r := fit(t, arms, cases, learn.ML{})
	for _, name := range []string{"arm", "nobody"} {
		if _, err := r.Coefficients(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("coefficients of %s: %v", name, err)
		}
	}
	r.Moments = &data.Moments{}
	if _, err := r.Coefficients("effect"); err == nil {
		t.Error("no error for moments of another network")
	}
}

func BenchmarkCoefficients(b *testing.B) {
	net, table := plane(b, 50)
	r := fit(b, net, table, learn.ML{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Coefficients("y"); err != nil {
			b.Fatal(err)
		}
	}
}

// Of many cases the intervals are those of a normal distribution, however many: 1.96 standard errors.
// Where the quantiles change over they agree to six digits.
func TestCoefficientsOfManyCases(t *testing.T) {
	net, table := plane(t, 50)
	for _, cases := range []float64{.9e7, 1.1e7, 1e16, 1e30, 1e149} {
		weights := make([]float64, table.Rows())
		for i := range weights {
			weights[i] = cases / 50
		}
		heavy, err := table.WithWeights(weights)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range coefficients(t, fit(t, net, heavy, learn.ML{}), "y") {
			if !c.HasInterval {
				t.Errorf("%v cases: %+v", cases, c)
			}
			numtest.Close(t, (c.High-c.Low)/(2*distuv.UnitNormal.Quantile(.975)), c.StdErr, 1e-15, 1e-6)
		}
	}
}
