package bnkit_test

import (
	"math"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/internal/numtest"
)

// doses is z → x → y and z → y: x = z + noise and y = 2x + 3z + noise, all noises of variance 1.
func doses(t *testing.T) *bn.Network {
	t.Helper()
	net, err := bn.New("[z][x|z][y|x:z]", bn.Continuous("z"), bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	net.Gaussian(1).Weights[0][0] = 1
	copy(net.Gaussian(2).Weights[0], []float64{2, 3})
	return net
}

// Under intervention the slope is 2; as seen it is 2 + 3·cov(x, z)/var(x) = 3.5.
func TestEffectOfContinuousTreatment(t *testing.T) {
	df, err := bnkit.Effect(t.Context(), doses(t), "x", "y", &bnkit.EffectSettings{Levels: []float64{-1, 0, 2}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{"seen": {-3.5, 0, 7}, "do": {-2, 0, 4}, "difference": {0, 2, 6},
		"slope": {math.NaN(), 2, 2}} {
		for i, got := range df.Col(name).Float() {
			if math.IsNaN(want[i]) != math.IsNaN(got) {
				t.Errorf("%s of level %d is %v, want %v", name, i, got, want[i])
			} else if !math.IsNaN(got) {
				numtest.Close(t, got, want[i], 1e-9, 0)
			}
		}
	}
	if note := df.Col("note").Records()[0]; note != "adjust for z" {
		t.Errorf("note %q", note)
	}
}

// Severity 1 in half of the cases, who are treated 9 in 10 times, others 1 in 10; y = 5·treated + 10·severity.
func TestEffectOnContinuousOutcome(t *testing.T) {
	net, err := bn.New("[s][t|s][y|t:s]", bn.Discrete("s", "0", "1"), bn.Discrete("t", "0", "1"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{0.5, 0.5})
	copy(net.CPT(1).P, []float64{0.9, 0.1, 0.1, 0.9})
	copy(net.Gaussian(2).Intercept, []float64{0, 10, 5, 15})
	df, err := bnkit.Effect(t.Context(), net, "t", "y", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{"seen": {1, 14}, "do": {5, 10}, "difference": {0, 5}} {
		for i, got := range df.Col(name).Float() {
			numtest.Close(t, got, want[i], 1e-9, 0)
		}
	}
}

func TestContinuousEffectRefused(t *testing.T) {
	net := doses(t)
	ask := func(m bn.Model, x, y string, set *bnkit.EffectSettings) error {
		return second(bnkit.Effect(t.Context(), m, x, y, set))
	}
	levels := []float64{0, 1}
	mixed, err := bn.New("[d][x|d]", bn.Discrete("d", "0", "1"), bn.Continuous("x"))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"no levels":        {ask(net, "x", "y", nil), "EffectSettings.Levels"},
		"one level":        {ask(net, "x", "y", &bnkit.EffectSettings{Levels: levels[:1]}), "EffectSettings.Levels"},
		"NaN":              {ask(net, "x", "y", &bnkit.EffectSettings{Levels: []float64{0, math.NaN()}}), "NaN"},
		"discrete outcome": {ask(mixed, "x", "d", &bnkit.EffectSettings{Levels: levels}), "discretise the treatment"},
		"levels of states": {ask(mixed, "d", "x", &bnkit.EffectSettings{Levels: levels}), "leave out Levels"},
		"intervals": {ask(net, "x", "y", &bnkit.EffectSettings{Levels: levels, Intervals: &bnkit.IntervalSettings{}}),
			"draws are of tables"},
		"unknown": {ask(net, "x", "w", &bnkit.EffectSettings{Levels: levels}), `"w"`},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, tt.err, tt.want)
		}
	}
}
