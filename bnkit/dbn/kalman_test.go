package dbn_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// walk is a state space in one dimension: x_t = a + f·x_(t−1) + N(0, q), y_t = c + h·x_t + N(0, r), x_0 ~ N(m, p).
type walk struct{ a, f, q, c, h, r, m, p float64 }

func (w walk) network(t testing.TB) *dbn.Network {
	t.Helper()
	net := network(t, "[x|x[t-1]][y|x]", bn.Continuous("x"), bn.Continuous("y"))
	for _, v := range net.Template().Variables() {
		i, _ := net.Template().Index(v.Name)
		g := net.Template().Gaussian(i).Clone()
		switch {
		case strings.HasPrefix(v.Name, "y"):
			g.Intercept[0], g.Weights[0][0], g.Variance[0] = w.c, w.h, w.r
		case len(g.Continuous) > 0:
			g.Intercept[0], g.Weights[0][0], g.Variance[0] = w.a, w.f, w.q
		default:
			g.Intercept[0], g.Variance[0] = w.m, w.p
		}
		if err := net.Template().SetGaussian(g); err != nil {
			t.Fatal(err)
		}
	}
	return net
}

// smooth is the filter of Kalman and the smoother of Rauch, Tung and Striebel, as textbooks have them, with two
// steps of prediction; a NaN is not observed. Each pair is a mean and a variance.
func (w walk) smooth(y []float64) (filtered, smoothed, predicted [][2]float64, loglik float64) {
	before := make([][2]float64, len(y))
	for t := range y {
		m, p := w.m, w.p
		if t > 0 {
			m, p = w.a+w.f*filtered[t-1][0], w.f*w.f*filtered[t-1][1]+w.q
		}
		before[t] = [2]float64{m, p}
		if !math.IsNaN(y[t]) {
			s := w.h*w.h*p + w.r
			e, k := y[t]-w.c-w.h*m, p*w.h/s
			loglik -= (math.Log(2*math.Pi*s) + e*e/s) / 2
			m, p = m+k*e, (1-k*w.h)*p
		}
		filtered = append(filtered, [2]float64{m, p})
	}
	smoothed = append(smoothed, filtered...)
	for t := len(y) - 2; t >= 0; t-- {
		g := filtered[t][1] * w.f / before[t+1][1]
		smoothed[t][0] += g * (smoothed[t+1][0] - before[t+1][0])
		smoothed[t][1] += g * g * (smoothed[t+1][1] - before[t+1][1])
	}
	now := filtered[len(y)-1]
	for range 2 {
		now = [2]float64{w.a + w.f*now[0], w.f*w.f*now[1] + w.q}
		predicted = append(predicted, now)
	}
	return filtered, smoothed, predicted, loglik
}

// TestKalman compares filtering, smoothing, prediction and the log-likelihood with the textbook's equations.
func TestKalman(t *testing.T) {
	w := walk{a: 0.2, f: 0.9, q: 0.5, c: 1, h: 1.5, r: 0.7, m: -1, p: 2}
	net := w.network(t)
	rng := rand.New(rand.NewPCG(8, 0))
	text, y := "series,time,y\n", []float64{}
	for slice := range 25 {
		y = append(y, 3*rng.NormFloat64())
		if cell := fmt.Sprint(y[slice]); slice == 7 || slice == 8 {
			y[slice] = math.NaN()
			text += fmt.Sprintf("a,%d,\n", slice)
		} else {
			text += fmt.Sprintf("a,%d,%s\n", slice, cell)
		}
	}
	s := csv(t, text)
	filtered, smoothed, predicted, loglik := w.smooth(y)
	for name, c := range map[string]struct {
		got  [][]infer.Expectation
		want [][2]float64
	}{
		"filter":  {must(net.FilterContinuous(s))(t), filtered},
		"smooth":  {must(net.SmoothContinuous(s))(t), smoothed},
		"predict": {must(net.PredictContinuous(s, 2))(t), predicted},
	} {
		if len(c.got) != 1 || len(c.got[0]) != len(c.want) {
			t.Fatalf("%s: %d slices, want %d", name, len(c.got[0]), len(c.want))
		}
		for slice, want := range c.want {
			mean, variance := c.got[0][slice].Of("x")
			numtest.Close(t, mean, want[0], 1e-10, 0)
			numtest.Close(t, variance, want[1], 1e-10, 0)
		}
		// y is its value where it is observed, and otherwise c + h·x + noise.
		mean, variance := c.got[0][len(c.want)-1].Of("y")
		if last := c.want[len(c.want)-1]; name == "predict" {
			numtest.Close(t, mean, w.c+w.h*last[0], 1e-10, 0)
			numtest.Close(t, variance, w.h*w.h*last[1]+w.r, 1e-10, 0)
		} else if mean != y[24] || variance != 0 {
			t.Errorf("%s: y has mean %v and variance %v", name, mean, variance)
		}
	}
	numtest.Close(t, must(net.LogLikelihood(s))(t), loglik, 1e-10, 0)
	if _, err := net.PredictContinuous(s, 0); err == nil || !strings.Contains(err.Error(), "give 1 to") {
		t.Errorf("error %v", err)
	}
}

// TestSwitching has a hidden mode that moves a hidden number: the filter compared with sums over all paths of modes,
// each of which has a Kalman filter.
func TestSwitching(t *testing.T) {
	net := network(t, "[mode|mode[t-1]][x|mode:x[t-1]][y|x]", bn.Discrete("mode", "rest", "move"), bn.Continuous("x"),
		bn.Continuous("y"))
	two := net.Template()
	drift := []float64{0, 2}
	stay := [][]float64{{0.9, 0.1}, {0.3, 0.7}}
	for i := range two.Len() {
		if table := two.CPT(i); table != nil {
			for at := range table.P {
				if table.P[at] = 0.5; len(table.P) > 2 {
					table.P[at] = stay[at/2][at%2]
				}
			}
			continue
		}
		g := two.Gaussian(i)
		if strings.HasPrefix(two.Variable(i).Name, "y") {
			g.Weights[0][0], g.Variance[0] = 1, 0.5
			continue
		}
		for config := range g.Intercept {
			g.Intercept[config], g.Variance[config] = drift[config], 0.3
			if len(g.Continuous) > 0 {
				g.Weights[config][0] = 1
			}
		}
	}
	y := []float64{0.2, 0.1, 2.3, 4.1, 4}
	text := "series,time,y\n"
	for slice, x := range y {
		text += fmt.Sprintf("a,%d,%v\n", slice, x)
	}
	s := csv(t, text)
	posterior, numbers := must(net.Filter(s))(t), must(net.FilterContinuous(s))(t)
	for last := range y {
		var total, moving, mean, square float64
		for path := range 1 << (last + 1) {
			p, m, v := 0.5, 0.0, 0.0
			for slice := range last + 1 {
				mode := path >> slice & 1
				if slice > 0 {
					p *= stay[path>>(slice-1)&1][mode]
				}
				m, v = m+drift[mode], v+0.3
				k := v / (v + 0.5)
				p *= normalAt(y[slice], m, v+0.5)
				m, v = m+k*(y[slice]-m), (1-k)*v
			}
			total, mean, square = total+p, mean+p*m, square+p*(v+m*m)
			if path>>last == 1 {
				moving += p
			}
		}
		numtest.Close(t, posterior[0][last].Of("mode")[1], moving/total, 1e-10, 0)
		gotMean, gotVariance := numbers[0][last].Of("x")
		numtest.Close(t, gotMean, mean/total, 1e-10, 0)
		numtest.Close(t, gotVariance, square/total-mean/total*mean/total, 1e-10, 0)
	}
	smooth := must(net.Smooth(s))(t)
	numtest.Close(t, smooth[0][4].Of("mode")[1], posterior[0][4].Of("mode")[1], 1e-12, 0)
	if p := must(net.Predict(s, 1))(t)[0][0].Of("mode"); true {
		now := posterior[0][4].Of("mode")
		numtest.Close(t, p[1], now[0]*stay[0][1]+now[1]*stay[1][1], 1e-12, 0)
	}
	for slice := 5; slice < 60; slice++ {
		text += fmt.Sprintf("a,%d,4\n", slice)
	}
	_, err := net.SmoothContinuous(csv(t, text))
	if !errors.Is(err, infer.ErrTooWide) || !strings.Contains(err.Error(), "hidden continuous") {
		t.Errorf("error %v", err)
	}
}

func normalAt(x, mean, variance float64) float64 {
	return math.Exp(-(x-mean)*(x-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
}

// TestKalmanEM fits the parameters of a state space that nobody sees: the log-likelihood never falls and passes that
// of the truth.
func TestKalmanEM(t *testing.T) {
	w := walk{a: 0.1, f: 0.8, q: 0.6, c: 1, h: 1.5, r: 0.4, m: 0, p: 1}
	truth := w.network(t)
	drawn := must(truth.Sample([]int{40, 25, 40}, rand.NewPCG(5, 0)))(t)
	table := must(drawn.Table().Keep("series", "time", "y"))(t)
	s := must(dbn.NewSeries(table, nil))(t)
	r, err := dbn.Fit(context.Background(), truth, s, learn.EM{VarianceFloor: 0.01}, &learn.Settings{Seed: 2,
		Starts: 2, MaxIterations: 40})
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range r.Trace[1:] {
		if step.LogLikelihood < r.Trace[i].LogLikelihood-1e-9 {
			t.Errorf("step %d: %v after %v", i+1, step.LogLikelihood, r.Trace[i].LogLikelihood)
		}
	}
	if want := must(truth.LogLikelihood(s))(t); r.LogLikelihood < want {
		t.Errorf("log-likelihood %v, less than %v of the truth", r.LogLikelihood, want)
	}
}
