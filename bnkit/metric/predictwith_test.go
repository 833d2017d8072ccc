package metric_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/metric"
)

// TestPredictionsWith: with other tables the predictions are those of Predict, in complete rows and others.
func TestPredictionsWith(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	net := infertest.Asia()
	whole, err := data.Sample(net, 30, rng)
	if err != nil {
		t.Fatal(err)
	}
	cols := whole.Columns()
	for i := range cols {
		cols[i].States = slices.Clone(cols[i].States)
		for row := range 15 {
			if rng.IntN(4) == 0 {
				cols[i].States[row] = bn.Missing
			}
		}
	}
	part, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]*data.Table{"complete": whole, "incomplete": part} {
		first, err := metric.Predict(net, table, "lung")
		if err != nil {
			t.Fatal(err)
		}
		other := net.Clone()
		for range 3 {
			for v := range other.Len() {
				infertest.Fill(rng, other.CPT(v), 0)
			}
			got, err := first.With(other)
			if err != nil {
				t.Fatal(err)
			}
			want, err := metric.Predict(other, table, "lung")
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got.P, want.P, slices.Equal) || slices.EqualFunc(got.P, first.P, slices.Equal) {
				t.Errorf("%s: %v, want %v", name, got.P, want.P)
			}
		}
		another, err := bn.New("[a]", bn.Discrete("a", "0", "1"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := first.With(another); err == nil {
			t.Errorf("%s: no error for another network", name)
		}
	}
	if _, err := new(metric.Predictions).With(net); err == nil {
		t.Error("no error for predictions from elsewhere")
	}
}
