package dbn_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/internal/numtest"
)

// TestLongKalman has 3,000 slices, which take an hour when each is asked for in the unrolled network.
func TestLongKalman(t *testing.T) {
	w := walk{a: 0.2, f: 0.9, q: 0.5, c: 1, h: 1.5, r: 0.7, m: -1, p: 2}
	net := w.network(t)
	rng := rand.New(rand.NewPCG(8, 0))
	var text strings.Builder
	text.WriteString("series,time,y\n")
	y := make([]float64, 3000)
	for slice := range y {
		if y[slice] = 3 * rng.NormFloat64(); rng.IntN(5) == 0 {
			y[slice] = math.NaN()
			fmt.Fprintf(&text, "a,%d,\n", slice)
		} else {
			fmt.Fprintf(&text, "a,%d,%v\n", slice, y[slice])
		}
	}
	s := csv(t, text.String())
	filtered, smoothed, predicted, loglik := w.smooth(y)
	for name, c := range map[string]struct {
		got  [][]infer.Expectation
		want [][2]float64
	}{
		"filter":  {must(net.FilterContinuous(s))(t), filtered},
		"smooth":  {must(net.SmoothContinuous(s))(t), smoothed},
		"predict": {must(net.PredictContinuous(s, 2))(t), predicted},
	} {
		for slice, want := range c.want {
			mean, variance := c.got[0][slice].Of("x")
			if !numtest.Close(t, mean, want[0], 1e-10, 0) || !numtest.Close(t, variance, want[1], 1e-10, 0) {
				t.Fatalf("%s: slice %d", name, slice)
			}
		}
	}
	numtest.Close(t, must(net.LogLikelihood(s))(t), loglik, 1e-8, 0)
}

// TestNormalPass compares the pass through the slices with the unrolled network: several variables, an observed mode
// that some depend on, missing cells, and weights and variances of zero.
func TestNormalPass(t *testing.T) {
	const length, steps = 7, 3
	answers := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		vars := []bn.Variable{bn.Continuous("x"), bn.Continuous("v"), bn.Continuous("y")}
		model := "[x|x[t-1]:v[t-1]][v|v[t-1]:x][y|x:v:y[t-1]][y[0]|x]"
		mode := seed%3 == 0 // after the end it is hidden
		if mode {
			model = "[m|m[t-1]]" + strings.Replace(model, "[v|", "[v|m:", 1)
			vars = append(vars, bn.Discrete("m", "0", "1"))
		}
		net := network(t, model, vars...)
		random(net, rng)
		for _, g := range gaussians(net) {
			for config := range g.Variance {
				if rng.IntN(4) == 0 {
					g.Variance[config] = 0
				}
				for i := range g.Weights[config] {
					if rng.IntN(4) == 0 {
						g.Weights[config][i] = 0
					}
				}
			}
			if err := net.Template().SetGaussian(g); err != nil {
				t.Fatal(err)
			}
		}
		text, given := unrolledCase(t, net, length, rng)
		s := csv(t, text)
		long := must(infer.New(must(net.Unroll(length+steps))(t), nil))(t)
		answer, err := net.FilterContinuous(s)
		if _, same := long.Expectation(given, "x[6]"); err != nil || same != nil {
			if !errors.Is(err, infer.ErrNoDensity) || !errors.Is(same, infer.ErrNoDensity) {
				t.Fatalf("seed %d: error %v, of the unrolled network %v", seed, err, same)
			}
			continue
		}
		answers++
		filter, smooth := answer[0], must(net.SmoothContinuous(s))(t)[0]
		for slice := range length {
			until := infer.Evidence{}
			for name, x := range given {
				var at int
				if _, err := fmt.Sscanf(name[1:], "[%d]", &at); err != nil {
					t.Fatal(err)
				}
				if at <= slice {
					until[name] = x
				}
			}
			alike(t, seed, filter[slice], long, until, slice)
			alike(t, seed, smooth[slice], long, given, slice)
		}
		if !mode {
			predict := must(net.PredictContinuous(s, steps))(t)[0]
			for slice := range steps {
				alike(t, seed, predict[slice], long, given, length+slice)
			}
		}
	}
	if answers < 20 {
		t.Errorf("%d answers only", answers)
	}
}

// gaussians are copies of the linear-Gaussian nodes of the template.
func gaussians(net *dbn.Network) []*bn.LinearGaussian {
	var list []*bn.LinearGaussian
	for i := range net.Template().Len() {
		if g := net.Template().Gaussian(i); g != nil {
			list = append(list, g.Clone())
		}
	}
	return list
}

// unrolledCase draws a series with missing numbers, as text and as evidence in the unrolled network.
func unrolledCase(t *testing.T, net *dbn.Network, length int, rng *rand.Rand) (string, infer.Evidence) {
	t.Helper()
	row := must(data.Sample(must(net.Unroll(length))(t), 1, rng))(t)
	names := []string{"x", "v", "y"}
	if _, err := row.Column("m[0]"); err == nil {
		names = append(names, "m")
	}
	text, given := "series,time,"+strings.Join(names, ",")+"\n", infer.Evidence{}
	for slice := range length {
		text += fmt.Sprintf("a,%d", slice)
		for i, name := range names {
			text += ","
			if i < 3 && rng.IntN(2) == 0 {
				continue
			}
			c := must(row.Column(dbn.At(name, slice)))(t)
			text += c.Text(0)
			if given[c.Var.Name] = c.Text(0); i < 3 {
				given[c.Var.Name] = c.Values[0]
			}
		}
		text += "\n"
	}
	return text, given
}

func alike(t *testing.T, seed uint64, got infer.Expectation, e *infer.Engine, given infer.Evidence, slice int) {
	t.Helper()
	var names []string
	for _, v := range got.Variables {
		names = append(names, dbn.At(v.Name, slice))
	}
	want := must(e.Expectation(given, names...))(t)
	if len(got.Components) != 1 || len(want.Components) != 1 || got.Components[0].Weight != 1 {
		t.Fatalf("seed %d: components %v, want %v", seed, got.Components, want.Components)
	}
	for i := range names {
		if !numtest.Close(t, got.Mean[i], want.Mean[i], 1e-8, 1e-8) {
			t.Fatalf("seed %d: mean of %s", seed, names[i])
		}
		for j := range names {
			if !numtest.Close(t, got.Covariance[i][j], want.Covariance[i][j], 1e-9, 1e-9) {
				t.Fatalf("seed %d: covariance of %s and %s", seed, names[i], names[j])
			}
		}
	}
}
