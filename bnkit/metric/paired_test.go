package metric_test

import (
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

// Differences 1, 2, 3, 6: mean 3, squares 4+1+0+9 = 14, s² = 14/3, standard error √(14/12).
func TestPairedT(t *testing.T) {
	a, b := []float64{5, 4, 8, 9}, []float64{4, 2, 5, 3}
	got, err := metric.PairedT(a, b, 0)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, got.Difference, 3, 1e-15, 0)
	numtest.Close(t, got.StdErr, math.Sqrt(14./12), 1e-15, 0)
	numtest.Close(t, got.T, 3/math.Sqrt(14./12), 1e-14, 0)
	numtest.Close(t, got.Degrees, 3, 0, 0)
	// Student's distribution with 3 degrees: P(T ≤ t) = ½ + (x/(1+x²) + atan x)/π, x = t/√3.
	x := got.T / math.Sqrt(3)
	numtest.Close(t, got.P, 2*(0.5-(x/(1+x*x)+math.Atan(x))/math.Pi), 1e-13, 0)
	back, err := metric.PairedT(b, a, 0)
	if err != nil || back.T != -got.T || back.P != got.P {
		t.Errorf("turned round: %v, %v", back, err)
	}
	// (1/4 + 1/9)·14/3
	wide, err := metric.PairedT(a, b, 1./9)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, wide.StdErr, math.Sqrt(13./36*14/3), 1e-14, 0)
	if !(wide.P > got.P) || wide.Degrees != 3 {
		t.Errorf("%v", wide)
	}
}

// Critical values of Student's t, two-sided (Fisher and Yates, Statistical Tables, Table III).
func TestPairedTTable(t *testing.T) {
	for _, test := range []struct{ degrees, t05, t01, t001 float64 }{
		{1, 12.706, 63.657, 636.619}, {2, 4.303, 9.925, 31.598}, {5, 2.571, 4.032, 6.869}, {9, 2.262, 3.250, 4.781},
		{10, 2.228, 3.169, 4.587}, {20, 2.086, 2.845, 3.850}, {30, 2.042, 2.750, 3.646}, {120, 1.980, 2.617, 3.373},
	} {
		for _, c := range []struct{ t, p float64 }{{test.t05, 0.05}, {test.t01, 0.01}, {test.t001, 0.001}} {
			// n differences, half of them above and half below m by δ (one is m when n is odd), have
			// s² = kδ²/(n−1) with k of them off m; m is chosen to give t.
			n := int(test.degrees) + 1
			k := n - n%2
			a, b := make([]float64, n), make([]float64, n)
			m := c.t * math.Sqrt(float64(k)/test.degrees/float64(n))
			for i := range a {
				a[i] = m
				if i < k {
					a[i] += float64(1 - 2*(i%2))
				}
			}
			got, err := metric.PairedT(a, b, 0)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, got.T, c.t, 0, 1e-9)
			numtest.Close(t, got.P, c.p, 0, 0.003) // the table's last digit
		}
	}
}

func TestPairedTEqual(t *testing.T) {
	x, y := 0.1, 0.2 // their sums are rounded at run time
	for _, test := range []struct {
		name string
		a, b []float64
		t, p float64
	}{
		{"the same", []float64{1, 2, 3}, []float64{1, 2, 3}, 0, 1},
		{"the same but for rounding", []float64{x + y, 0.7, x + (y + y) + x}, []float64{0.3, 0.7, 0.6}, 0, 1},
		{"better by as much", []float64{2, 3, 4}, []float64{1, 2, 3}, math.Inf(1), 0},
		{"worse by as much", []float64{1, 2, 3}, []float64{2, 3, 4}, math.Inf(-1), 0},
		{"no difference on average", []float64{1, 2}, []float64{2, 1}, 0, 1},
	} {
		got, err := metric.PairedT(test.a, test.b, 0)
		if err != nil || got.T != test.t || got.P != test.p {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
	}
	for want, bad := range map[string][2][]float64{
		"3 and 2 scores":   {{1, 2, 3}, {1, 2}},
		"1 pairs":          {{1}, {1}},
		"0 pairs":          {nil, nil},
		"pair 2":           {{1, math.Inf(-1)}, {1, 2}},
		"finite ones":      {{1, math.NaN()}, {1, 2}},
		"scores -Inf and ": {{math.Inf(-1), 1}, {math.Inf(-1), 2}},
	} {
		if got, err := metric.PairedT(bad[0], bad[1], 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, error %v, want %q", got, err, want)
		}
	}
	if _, err := metric.PairedT([]float64{1, 2}, []float64{1, 3}, math.NaN()); err == nil {
		t.Error("NaN test cases are no error")
	}
	if s := (metric.TTest{Difference: 0.031, StdErr: 0.0081, T: 3.83, Degrees: 9,
		P: 0.004}).String(); s != "difference 0.031 ± 0.0081, t = 3.83 with 9 degrees of freedom, p = 0.004" {
		t.Error(s)
	}
}
