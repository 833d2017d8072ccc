package infer_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/numtest"
)

// measured is a class of three with a sign, a measurement x that depends on the class, and y that depends
// on the class and x.
func measured(t *testing.T) *bn.Network {
	t.Helper()
	net, err := bn.New("[class][sign|class][x|class][y|class:x]", bn.Discrete("class", "a", "b", "c"),
		bn.Discrete("sign", "no", "yes"), bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{0.5, 0.3, 0.2})
	copy(net.CPT(1).P, []float64{0.9, 0.1, 0.4, 0.6, 0.2, 0.8})
	x, y := net.Gaussian(2), net.Gaussian(3)
	copy(x.Intercept, []float64{0, 1, 4})
	copy(x.Variance, []float64{1, 4, 0})
	copy(y.Intercept, []float64{1, 0, -1})
	copy(y.Variance, []float64{0.25, 1, 2})
	for config, w := range []float64{2, -1, 0.5} {
		y.Weights[config][0] = w
	}
	return net
}

// P(class | x in an interval, sign) by the normal distribution function; with variance 0 it is 0 or 1.
func TestInterval(t *testing.T) {
	net := measured(t)
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	inf := math.Inf(1)
	for _, in := range []infer.Interval{{-1, 1}, {0.5, 5}, {-inf, 0.3}, {4, inf}, {-inf, inf}, {2, 2.000001},
		{12, 13}, {4, 4.5}, {-9, -8}, {50, 60}, {-80, -70}} {
		var want [3]float64
		total := 0.0
		for c := range want {
			want[c] = []float64{0.5, 0.3, 0.2}[c] * []float64{0.1, 0.6, 0.8}[c]
			mean := []float64{0, 1, 4}[c]
			if variance := []float64{1, 4, 0}[c]; variance > 0 {
				d := distuv.Normal{Mu: mean, Sigma: math.Sqrt(variance)}
				if in.Low > mean {
					want[c] *= d.Survival(in.Low) - d.Survival(in.High)
				} else {
					want[c] *= d.CDF(in.High) - d.CDF(in.Low)
				}
			} else if in.Low > mean || in.High < mean {
				want[c] = 0
			}
			total += want[c]
		}
		evidence := infer.Evidence{"x": in, "sign": "yes"}
		log, err := e.LogProbability(evidence)
		if err != nil {
			t.Fatalf("%v: %v", in, err)
		}
		post, err := e.Posterior(evidence, "class")
		if err != nil {
			t.Fatalf("%v: %v", in, err)
		}
		if total == 0 { // beyond the numbers of float64; the nearest mean with a variance has all
			if p := post.Of("class"); !(p[1] > 1-1e-12) || !(log > -3000 && log < -300) {
				t.Errorf("%v: %v, log probability %v", in, p, log)
			}
			continue
		}
		numtest.Close(t, log, math.Log(total), 1e-9, 1e-9)
		for c, p := range post.Of("class") {
			numtest.Close(t, p, want[c]/total, 1e-9, 1e-9)
		}
	}
	// A narrow one has its length times the density.
	narrow := infer.Interval{Low: 0.7, High: 0.7 + 1e-12}
	tiny, err := e.LogProbability(infer.Evidence{"class": "b", "x": narrow})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, tiny, math.Log(0.3)+distuv.Normal{Mu: 1, Sigma: 2}.LogProb(0.7)+math.Log(narrow.High-narrow.Low),
		1e-10, 0)
	// Far in a tail, by the asymptotic series: log P(Z > 50) = −1254.8313611…
	net.CPT(0).P[0], net.CPT(0).P[1], net.CPT(0).P[2] = 1, 0, 0
	if e, err = infer.New(net, nil); err != nil {
		t.Fatal(err)
	}
	log, err := e.LogProbability(infer.Evidence{"x": infer.Interval{Low: 50, High: inf}})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, log, -1254.8313611394, 1e-9, 0)
}

// y in an interval with x observed, y with x hidden, and x with y observed.
func TestIntervalAndParents(t *testing.T) {
	e, err := infer.New(measured(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	log, err := e.LogProbability(infer.Evidence{"class": "b", "x": 0.5, "y": infer.Interval{Low: -1, High: 2}})
	if err != nil {
		t.Fatal(err)
	}
	d := distuv.Normal{Mu: -0.5, Sigma: 1}
	numtest.Close(t, log, math.Log(0.3)+distuv.Normal{Mu: 1, Sigma: 2}.LogProb(0.5)+
		math.Log(d.CDF(2)-d.CDF(-1)), 1e-12, 0)
	for _, evidence := range []infer.Evidence{
		{"y": infer.Interval{Low: -1, High: 2}}, {"x": infer.Interval{Low: 0, High: 1}, "y": 1.5},
	} {
		if _, err := e.Marginals(evidence); !errors.Is(err, infer.ErrHiddenContinuous) || !strings.Contains(err.Error(),
			`"x"`) {
			t.Errorf("%v: error %v", evidence, err)
		}
	}
	if _, err := e.Marginals(infer.Evidence{"class": "c", "x": infer.Interval{Low: 5, High: 6}}); !errors.Is(err,
		infer.ErrImpossibleEvidence) || !strings.Contains(err.Error(), "class=c, x in [5, 6]") {
		t.Errorf("error %v", err)
	}
}

// Likelihood weighting takes every finding but distributions, and intervals with observed children too: the
// posterior of the class by numerical integration over x.
func TestWeightingEvidence(t *testing.T) {
	net := measured(t)
	net.Gaussian(2).Variance[2] = 0.25
	low, high, y := 0.5, 2.5, 1.2
	evidence := infer.Evidence{"x": infer.Interval{Low: low, High: high}, "y": y, "class": infer.OneOf("a", "c", "b"),
		"sign": infer.Likelihood{"no": 0.3, "yes": 0.6}}
	var want [3]float64
	total := 0.0
	for c := range want {
		x := net.Gaussian(2)
		dx := distuv.Normal{Mu: x.Intercept[c], Sigma: math.Sqrt(x.Variance[c])}
		g := net.Gaussian(3)
		const steps = 20_000
		for i := range steps {
			at := low + (high-low)*(float64(i)+0.5)/steps
			dy := distuv.Normal{Mu: g.Intercept[c] + g.Weights[c][0]*at, Sigma: math.Sqrt(g.Variance[c])}
			want[c] += dx.Prob(at) * dy.Prob(y) * (high - low) / steps
		}
		want[c] *= net.CPT(0).P[c] * (0.3*net.CPT(1).P[2*c] + 0.6*net.CPT(1).P[2*c+1])
		total += want[c]
	}
	got, err := infer.LikelihoodWeighting(net, evidence, 40_000, rand.NewPCG(2, 0), "class", "sign")
	if err != nil {
		t.Fatal(err)
	}
	for c, p := range got.Of("class") {
		numtest.Close(t, p, want[c]/total, 4*got.StandardErrors[0][c], 0)
	}
	numtest.Close(t, got.LogProbability, math.Log(total), 4*got.RelativeError, 0)
}

// Continuous variables of a sample: drawn given their parents, within intervals, observed ones constant.
func TestSampleContinuous(t *testing.T) {
	net := measured(t)
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	const n = 20_000
	table, err := e.Sample(infer.Evidence{"x": infer.Interval{Low: 0.5, High: 2}, "sign": "yes"}, n, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	// E[x | class, interval] of a truncated normal (Johnson, Kotz and Balakrishnan 1994, 13.10.1).
	z := distuv.UnitNormal
	var in [2]float64
	var sum, mean, second [2]float64
	for c, at := range []float64{0, 1} {
		s := []float64{1, 2}[c]
		a, b := (0.5-at)/s, (2-at)/s
		in[c] = z.CDF(b) - z.CDF(a)
		mean[c] = at + s*(z.Prob(a)-z.Prob(b))/in[c]
		in[c] *= []float64{0.5 * 0.1, 0.3 * 0.6}[c]
	}
	var count [3]float64
	columns := table.Columns()
	for row := range n {
		c := columns[0].States[row]
		x := columns[2].Values[row]
		if columns[1].States[row] != 1 || x < 0.5 || x > 2 {
			t.Fatalf("row %d is not the evidence", row)
		}
		count[c]++
		if c < 2 {
			sum[c] += x
			second[c] += x * x
		}
	}
	p := in[0] / (in[0] + in[1])
	numtest.Close(t, count[0]/n, p, 4*math.Sqrt(p*(1-p)/n), 0)
	for c := range sum {
		m := sum[c] / count[c]
		numtest.Close(t, m, mean[c], 4*math.Sqrt((second[c]/count[c]-m*m)/count[c]), 0)
	}
	if count[2] != 0 {
		t.Errorf("%v draws of a class that the interval excludes", count[2])
	}
	if table, err = e.Sample(infer.Evidence{"x": 1.5, "class": "a"}, 5, rand.NewPCG(1, 1)); err != nil ||
		table.Columns()[2].Values[4] != 1.5 {
		t.Errorf("the observed number is not kept: %v", err)
	}
}

// A hidden measurement of which something observed depends is drawn given both: moments of the draws against
// Expectation.
func TestSampleHiddenContinuous(t *testing.T) {
	net := measured(t)
	net.Gaussian(2).Variance[2] = 0.5
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, evidence := range []infer.Evidence{
		{"y": 1.2, "sign": infer.Likelihood{"no": 0.3, "yes": 0.6}}, {"y": 1.2, "class": "a"}, {"y": 1.2, "class": "b"},
	} {
		checkDraws(t, e, evidence)
	}
}

// checkDraws compares draws of x and of the class with what the engine says of both.
func checkDraws(t *testing.T, e *infer.Engine, evidence infer.Evidence) {
	t.Helper()
	const n = 4000
	table, err := e.Sample(evidence, n, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	want, err := e.Expectation(evidence, "x")
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Posterior(evidence, "class")
	if err != nil {
		t.Fatal(err)
	}
	mean, variance := want.Of("x")
	var sum, second, fourth float64
	var count [3]float64
	columns := table.Columns()
	for row := range n {
		x := columns[2].Values[row] - mean
		sum += x
		second += x * x
		fourth += x * x * x * x
		count[columns[0].States[row]]++
		if columns[3].Values[row] != 1.2 {
			t.Fatalf("row %d: y is %v", row, columns[3].Values[row])
		}
	}
	numtest.Close(t, sum/n, 0, 4*math.Sqrt(variance/n), 0)
	numtest.Close(t, second/n, variance, 4*math.Sqrt((fourth/n-variance*variance)/n), 0)
	for c, p := range p.Of("class") {
		numtest.Close(t, count[c]/n, p, 4*math.Sqrt(p*(1-p)/n), 0)
	}
}
