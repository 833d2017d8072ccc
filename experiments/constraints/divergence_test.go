package constraints

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/constraint"
)

func sceneOf(t *testing.T, class string) Scene {
	t.Helper()
	scenes, err := Scenes()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenes {
		if s.Class == class {
			return s
		}
	}
	t.Fatalf("no scene of class %s", class)
	return Scene{}
}

// Only the bound rows count, each by its probability among them: by hand for type 10,
// whose statement binds all three languages, and for type 11, which binds English alone.
func TestDivergenceOfTables(t *testing.T) {
	for class, want := range map[string]float64{"10": 0.4, "11": 1} {
		s := sceneOf(t, class)
		d, err := NewDivergence(s)
		if err != nil {
			t.Fatal(err)
		}
		q := s.Truth.Clone()
		row := q.CPT(1).Row(0) // English
		row[0], row[7] = row[7], row[0]
		got, err := d.Of(q)
		if err != nil {
			t.Fatal(err)
		}
		kl := 0.27*math.Log(0.27/0.28) + 0.28*math.Log(0.28/0.27)
		near(t, got, want*kl, 1e-15, 0)
	}
}

// E_x KL of two normal distributions by quadrature over y and a simulation over x. The
// moments of x by hand: Var MSFT = 2.25, Var INTL = 0.36·2.25 + 1.44 = 2.25, Cov = 1.35.
func TestDivergenceOfWeights(t *testing.T) {
	s := sceneOf(t, "12")
	d, err := NewDivergence(s)
	if err != nil {
		t.Fatal(err)
	}
	m := 0.05
	for i, want := range []float64{
		1, m, 0.6 * m,
		m, 2.25 + m*m, 1.35 + 0.6*m*m,
		0.6 * m, 1.35 + 0.6*m*m, 2.25 + 0.36*m*m,
	} {
		near(t, d.second[i], want, 1e-14, 0)
	}

	q := s.Truth.Clone()
	g := q.Gaussian(d.target)
	g.Intercept[0], g.Variance[0] = 0.3, 1.7
	copy(g.Weights[0], []float64{0.1, 0.6})
	got, err := d.Of(q)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Truth.Gaussian(d.target)
	kl := func(x []float64) float64 { // by quadrature
		a := distuv.Normal{Mu: p.Mean(0, x), Sigma: math.Sqrt(p.Variance[0])}
		b := distuv.Normal{Mu: g.Mean(0, x), Sigma: math.Sqrt(g.Variance[0])}
		return quad.Fixed(func(y float64) float64 { return a.Prob(y) * (a.LogProb(y) - b.LogProb(y)) }, a.Mu-9, a.Mu+9,
			60, nil, 0)
	}
	sampler, err := s.Truth.Sampler(rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	const draws = 20000
	var sum, square float64
	values := make([]float64, s.Truth.Len())
	for range draws {
		sampler.Draw(nil, values)
		k := kl(values[:2]) // MSFT, INTL
		sum, square = sum+k, square+k*k
	}
	mean := sum / draws
	stderr := math.Sqrt((square/draws - mean*mean) / draws)
	if math.Abs(got-mean) > 4*stderr || stderr > 0.01 {
		t.Errorf("divergence %v, simulated %v with a standard error of %v", got, mean, stderr)
	}
}

// The mean over replicates of type 2 beside what theory says for many cases: about half a
// parameter a nat-case, KL ≈ (free parameters) / (2 · cases of the row).
func TestLargeSamples(t *testing.T) {
	s := sceneOf(t, "2")
	r, err := ComputeClasses(t.Context(), job(3), "", []Scene{s}, sceneStream,
		Config{Sizes: []int{2000}, Replicates: 300})
	if err != nil {
		t.Fatal(err)
	}
	// The rows have 1,000 cases each and 3 free parameters, or 1 under the statements.
	near(t, r.mean(0, 0, 0), 3.0/2000, 0, 0.15)
	near(t, r.mean(0, 1, 0), 1.0/2000, 0, 0.25)
}

func TestBound(t *testing.T) {
	s := sceneOf(t, "8")
	v, configs, err := bound(s.Truth, s.Statements)
	if err != nil || v != 1 || len(configs) != 2 {
		t.Errorf("variable %d, configurations %v, error %v; want 1 and both", v, configs, err)
	}
	if _, _, err := bound(s.Truth, nil); err == nil {
		t.Error("no error without statements")
	}
	two := append(s.Statements, constraint.ShareStates{Var: "language", Groups: [][]string{{"Italian", "Spanish"}}})
	if _, _, err := bound(s.Truth, two); err == nil {
		t.Error("no error for statements about two variables")
	}
}
