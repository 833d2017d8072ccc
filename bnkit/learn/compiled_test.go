package learn_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// What is compiled once gives for each of many counts what a fit from scratch gives, by Fit
// and, for methods with a prior and without, by Tables.
func TestCompiledOnce(t *testing.T) {
	net, err := bn.New("[a][b|a]", bn.Discrete("a", "1", "2", "3"), bn.Discrete("b", "low", "mid", "high"))
	if err != nil {
		t.Fatal(err)
	}
	rises := []constraint.Constraint{constraint.Influence{Parent: "a", Child: "b"}}
	for _, m := range []learn.Method{
		learn.ML{}, learn.ML{Constraints: rises},
		learn.MAP{Pseudocount: 0.5, Alpha: map[string][]float64{"a": {2, 3, 4}}, Constraints: rises},
	} {
		compiled, err := learn.Compile(net, m)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 5 {
			counts := &data.Counts{N: make([]float64, net.Layout().Len()), Rows: 100}
			for i := range counts.N {
				counts.N[i] = float64(rng.IntN(30))
			}
			before := slices.Clone(counts.N)
			want, err := learn.FitCounts(net, counts, m)
			if err != nil {
				t.Fatal(err)
			}
			got, err := compiled.Fit(counts, nil)
			if err != nil {
				t.Fatal(err)
			}
			theta := make([]float64, len(counts.N))
			if err := compiled.Tables(theta, counts.N); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(counts.N, before) {
				t.Fatalf("%s changed the counts", m)
			}
			if got.LogLikelihood != want.LogLikelihood || got.String() != want.String() {
				t.Errorf("%s: compiled\n%s\nfrom counts\n%s", m, got, want)
			}
			for v := range net.Len() {
				lo, hi := net.Layout().Family(v)
				if !slices.Equal(got.Net.CPT(v).P, want.Net.CPT(v).P) ||
					!slices.Equal(theta[lo:hi], want.Net.CPT(v).P) {
					t.Errorf("%s: tables %v and %v, from counts %v", m, got.Net.CPT(v).P, theta[lo:hi],
						want.Net.CPT(v).P)
				}
			}
		}
	}
	if _, err := learn.Compile(net, learn.EM{}); err == nil || !strings.Contains(err.Error(), "use Fit") {
		t.Errorf("EM compiled: %v", err)
	}
}

// A method that is made ready from another gives what it gives by itself, whether it has the same statements or not.
func TestCompiledWith(t *testing.T) {
	net, err := bn.New("[a][b|a]", bn.Discrete("a", "1", "2", "3"), bn.Discrete("b", "low", "mid", "high"))
	if err != nil {
		t.Fatal(err)
	}
	rises := []constraint.Constraint{constraint.Influence{Parent: "a", Child: "b"}}
	source := func() rand.Source { return rand.NewPCG(3, 4) }
	methods := func() []learn.Method {
		return []learn.Method{
			learn.ML{}, learn.ML{Constraints: rises}, learn.MAP{Pseudocount: 1}, learn.MAP{Constraints: rises},
			learn.MAP{Pseudocount: 0.5, Alpha: map[string][]float64{"a": {2, 3, 4}}, Constraints: rises},
			learn.MAP{Pseudocount: 0.5, Constraints: slices.Clone(rises)},
			learn.ExteriorPenalty{Constraints: rises, Src: source()},
			learn.ExteriorPenalty{Pseudocount: 1, Constraints: rises, StepCPT: 0.1, Src: source()},
			learn.ExteriorPenalty{Constraints: rises, Margin: 0.1}, learn.ExteriorPenalty{Constraints: rises},
		}
	}
	n := []float64{5, 6, 7, 3, 2, 4, 2, 1, 6, 1, 1, 8}
	tables := func(c *learn.Compiled, err error) []float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		theta := make([]float64, len(n))
		if err := c.Tables(theta, n); err != nil {
			t.Fatal(err)
		}
		return theta
	}
	for i := range methods() {
		for k := range methods() {
			from, err := learn.Compile(net, methods()[i])
			if err != nil {
				t.Fatal(err)
			}
			m := methods()[k]
			got, want := tables(from.With(m)), tables(learn.Compile(net, methods()[k]))
			if !slices.Equal(got, want) {
				t.Errorf("%s from %s: %v, want %v", m, methods()[i], got, want)
			}
		}
	}
	from, err := learn.Compile(net, learn.MAP{Constraints: rises})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []learn.Method{nil, learn.EM{}, learn.MAP{Pseudocount: -2, Constraints: rises},
		learn.MAP{Alpha: map[string][]float64{"c": {1}}, Constraints: rises}} {
		if _, err := from.With(m); err == nil {
			t.Errorf("%v was made ready", m)
		}
	}
}

// Many fits to counts under statements that are compiled once.
func BenchmarkCompiled(b *testing.B) {
	net, err := bn.New("[a][b|a]", bn.Discrete("a", "1", "2", "3"), bn.Discrete("b", "no", "yes"))
	if err != nil {
		b.Fatal(err)
	}
	m := learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{constraint.Influence{Parent: "a", Child: "b"}}}
	compiled, err := learn.Compile(net, m)
	if err != nil {
		b.Fatal(err)
	}
	n, theta := []float64{5, 6, 7, 3, 2, 4, 2, 1, 6}, make([]float64, net.Layout().Len())
	b.Run("Tables", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := compiled.Tables(theta, n); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("With", func(b *testing.B) { // another prior
		b.ReportAllocs()
		for b.Loop() {
			if _, err := compiled.With(learn.MAP{Pseudocount: 2, Constraints: m.Constraints}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
