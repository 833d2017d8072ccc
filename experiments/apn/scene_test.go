package apn

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/metric"
	"bnlab/experiments/apn/baseline"
	"bnlab/experiments/run"
)

// near checks that got is want to an absolute error; NaN never is.
func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !scalar.EqualWithinAbs(got, want, tol) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestFirstScene adds up the 3-1-3 network by hand.
func TestFirstScene(t *testing.T) {
	s, err := firstScene(rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		t.Fatal(err)
	}
	net := s.truth
	p := func(name string, config, state int) float64 {
		table, err := net.Table(name)
		if err != nil {
			t.Fatal(err)
		}
		return table.Row(config)[state]
	}
	if len(s.x) != 27 || len(s.want) != 27 {
		t.Fatalf("%d inputs and %d predictions, want 27", len(s.x), len(s.want))
	}
	mean := make([]float64, 9)
	for config := range 27 {
		a, b, c := config/9, config/3%3, config%3
		near(t, "weight", s.weight[config], p("I1", 0, a)*p("I2", 0, b)*p("I3", 0, c), 1e-15)
		for o, output := range firstOutputs {
			for state := range 3 {
				want := p("H", config, 0)*p(output, 0, state) + p("H", config, 1)*p(output, 1, state)
				near(t, "prediction", s.want[config][3*o+state], want, 1e-14)
				mean[3*o+state] += s.weight[config] * want
			}
		}
	}
	spread := 0.0
	for config := range 27 {
		for value, q := range s.want[config] {
			spread += s.weight[config] * (q - mean[value]) * (q - mean[value]) / 9
		}
	}
	near(t, "spread", s.spread(), spread, 1e-15)
	got, err := s.networkError(net)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "error of the truth", got, 0, 1e-15)
	near(t, "error of a constant", s.meanSquaredError(baseline.PredictAll(baseline.Proportions(mean), []int{3, 3, 3},
		s.x)), spread, 1e-15)
}

func TestSizes(t *testing.T) {
	hidden, err := ThreeOneThree()
	if err != nil {
		t.Fatal(err)
	}
	direct, err := ThreeThree()
	if err != nil {
		t.Fatal(err)
	}
	// 3·2 + 27·1 + 3·2·2 and 3·2 + 3·27·2
	if hidden.FreeParameters() != 45 || direct.FreeParameters() != 168 {
		t.Errorf("%d and %d parameters", hidden.FreeParameters(), direct.FreeParameters())
	}
}

// TestFloored: evidence of probability zero has a prediction, that of the limit.
func TestFloored(t *testing.T) {
	net, err := bn.New("[I][O|I]", bn.Discrete("I", "a", "b"), bn.Discrete("O", "c", "d"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{1, 0})
	copy(net.CPT(1).P, []float64{0.5, 0.5, 0.2, 0.8})
	test, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{1}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := predictions(floored(net), test, []string{"O"})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "P(c | b)", p[0][0], 0.2, 1e-12)
	near(t, "P(b)", floored(net).CPT(0).P[1], floor, 1e-15)
	if net.CPT(0).P[1] != 0 {
		t.Error("the network itself has changed")
	}
}

// TestTestNLL compares with the likelihood of the library, where nothing is at the floor.
func TestTestNLL(t *testing.T) {
	s, err := firstScene(rand.New(rand.NewPCG(2, 0)))
	if err != nil {
		t.Fatal(err)
	}
	complete, err := data.Sample(s.truth, 50, rand.NewPCG(3, 0))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := s.newSample(complete)
	if err != nil {
		t.Fatal(err)
	}
	got, err := testNLL(s.truth, cases.table)
	if err != nil {
		t.Fatal(err)
	}
	want, err := metric.LogScore(s.truth, cases.table)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "negative log-likelihood", got, -want.LogScore/50, 1e-7) // the floor moves entries by 1e-9
}

// TestStepClaim repeats the numbers of R95 §4's counter-example: the slopes are Σg² − (Σ g w)(Σ g)
// and Σg² − (Σg)²/4 for g = n/w = (300, 200, 200, 200), hence −57,300 and 7,500 for each unit.
func TestStepClaim(t *testing.T) {
	g, w := [...]float64{300, 200, 200, 200}, [...]float64{0.97, 0.01, 0.01, 0.01}
	gg, gw, sum := 0.0, 0.0, 0.0
	for i := range g {
		gg, gw, sum = gg+g[i]*g[i], gw+g[i]*w[i], sum+g[i]
	}
	near(t, "slope after division", gg-gw*sum, -57_300, 1e-6)
	near(t, "slope after projection", gg-sum*sum/4, 7_500, 1e-6)
	divided, projected := stepRises()
	near(t, "rise by division", divided, -57_300*1e-6, 2e-3) // the step is not infinitely small
	near(t, "rise by projection", projected, 7_500*1e-6, 1e-4)
}

func TestCurves(t *testing.T) {
	c := Curves{{Name: "a", Sizes: []int{10, 20}, Errors: [][]float64{{4, 2}, {1, 1}}},
		{Name: "b", Sizes: []int{10, 20, 40}, Errors: [][]float64{{5, 5}, {1, 0}, {0, 0}}}}
	a, b := c.Of("a"), c.Of("b")
	near(t, "mean", a.At(10), 3, 0)
	if got := a.Reaches(2); got != 20 {
		t.Errorf("reaches 2 at %d, want 20", got)
	}
	if got := a.Reaches(0.5); got != 0 {
		t.Errorf("reaches 0.5 at %d, want never", got)
	}
	want := []run.Comparison{{Name: "10", Differences: []float64{1, 3}}, {Name: "20", Differences: []float64{0, -1}}}
	if parts, text := a.below(b, 0); !reflect.DeepEqual(parts, want) || text != "10: 3, 5; 20: 1, 0.5" {
		t.Errorf("%+v, %q; want %+v", parts, text, want)
	}
	want = []run.Comparison{{Name: "20", Differences: []float64{0, 1}}}
	if parts, _ := b.below(a, 15); !reflect.DeepEqual(parts, want) {
		t.Errorf("from 15 on %+v, want %+v", parts, want)
	}
	if math.IsNaN(b.Mean()[2]) {
		t.Error("NaN")
	}
}
