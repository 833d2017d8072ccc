package dbn_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// Somebody smells rain on day 2, and one day the umbrella was not seen but remembered with some doubt.
func ExampleSeries_Given() {
	net, err := dbn.New("[rain|rain[t-1]][umbrella|rain]", bn.Discrete("rain", "no", "yes"),
		bn.Discrete("umbrella", "no", "yes"))
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range map[string]string{
		"rain[1]":     "rain[0] | no yes\n no | 0.7 0.3\n yes | 0.3 0.7",
		"umbrella[1]": "rain[1] | no yes\n no | 0.8 0.2\n yes | 0.1 0.9",
	} {
		if err := net.SetTable(name, text); err != nil {
			log.Fatal(err)
		}
	}
	table, err := data.ReadCSV(strings.NewReader("series,time,umbrella\na,1,yes\na,2,NA\na,3,NA\n"), nil)
	if err != nil {
		log.Fatal(err)
	}
	s, err := dbn.NewSeries(table, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, finding := range []infer.Evidence{
		nil,
		{"umbrella": infer.Likelihood{"yes": 0.8, "no": 0.4}},
		{"rain": infer.Distribution{"yes": 0.9, "no": 0.1}},
	} {
		given, err := s.Given("a", 2, finding)
		if err != nil {
			log.Fatal(err)
		}
		smooth, err := net.Smooth(given)
		if err != nil {
			log.Fatal(err)
		}
		var rain []float64
		for _, slice := range smooth[0] {
			rain = append(rain, slice.Of("rain")[1])
		}
		fmt.Printf("%.3f given %q\n", rain, finding)
	}
	// Output:
	// [0.818 0.627 0.551] given ""
	// [0.844 0.727 0.591] given "umbrella: likelihood (no 0.4, yes 0.8)"
	// [0.888 0.900 0.660] given "rain: distribution (no 0.1, yes 0.9)"
}

// Findings in chosen slices: smoothed against the joint states of the unrolled network, filtered and
// predicted against those of the slices up to there, and further.
func TestGiven(t *testing.T) {
	net := network(t, "[a|a[t-1]:b[t-1]][b|b[t-1]:a][y|a:b]", bn.Discrete("a", "1", "2", "3"),
		bn.Discrete("b", "no", "yes"), bn.Discrete("y", "low", "high"))
	random(net, rand.New(rand.NewPCG(3, 0)))
	s := csv(t, "series,time,y\n p,5,low\n q,1,high\n q,2,\n q,3,low\n")
	findings := map[int]infer.Evidence{ // by time of series q
		1: {"a": infer.OneOf("1", "3")},
		2: {"y": infer.Likelihood{"low": 0.3, "high": 0.8}, "b": infer.Likelihood{"no": 2, "yes": 5}},
		3: {"a": "2", "b": infer.AtLeast("yes")},
	}
	for time, evidence := range findings {
		var err error
		if s, err = s.Given("q", int64(time), evidence); err != nil {
			t.Fatal(err)
		}
	}
	s = s.Select(1, 0)
	check := func(what string, got infer.Posteriors, length, last, slice int) {
		t.Helper()
		unrolled, err := net.Unroll(length)
		if err != nil {
			t.Fatal(err)
		}
		evidence := infer.Evidence{}
		for slice, state := range []string{"high", "", "low"}[:last] {
			if state != "" {
				evidence[dbn.At("y", slice)] = state
			}
			for name, finding := range findings[slice+1] {
				evidence[dbn.At(name, slice)] = finding
			}
		}
		total, p := infertest.Enumerate(unrolled, evidence)
		for i, v := range got.Variables {
			at, err := unrolled.Index(dbn.At(v.Name, slice))
			if err != nil {
				t.Fatal(err)
			}
			for state, x := range got.P[i] {
				if !numtest.Close(t, x, p[at][state]/total, 1e-12, 0) {
					t.Errorf("%s, slice %d, %s", what, slice, v.Name)
				}
			}
		}
	}
	smooth, filter, predict := must(net.Smooth(s))(t), must(net.Filter(s))(t), must(net.Predict(s, 1))(t)
	for slice := range 3 {
		check("smoothed", smooth[0][slice], 3, 3, slice)
		check("filtered", filter[0][slice], slice+1, slice+1, slice)
	}
	check("predicted", predict[0][0], 4, 3, 3)
	paths, _, err := net.MostProbable(s)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := paths.Table().Column("a"); err != nil || c.Text(2) != "2" || c.Text(0) == "2" {
		t.Errorf("the path does not keep the evidence: %v %v", c, err)
	}
	// A distribution holds after smoothing.
	some, err := csv(t, "series,time,y\n q,1,high\n q,2,low\n").Given("q", 1, infer.Evidence{
		"a": infer.Distribution{"1": 0.2, "2": 0.5, "3": 0.3}})
	if err != nil {
		t.Fatal(err)
	}
	for state, p := range must(net.Smooth(some))(t)[0][0].Of("a") {
		numtest.Close(t, p, []float64{0.2, 0.5, 0.3}[state], 1e-12, 0)
	}
	if _, err := net.Filter(some); err == nil || !strings.Contains(err.Error(), "ask Smooth") {
		t.Errorf("error %v", err)
	}
}

// An interval of a sensor in one slice, filtered and smoothed, by the normal distribution function.
func TestGivenInterval(t *testing.T) {
	net := network(t, "[s|s[t-1]][x|s]", bn.Discrete("s", "off", "on"), bn.Continuous("x"))
	for i := range 2 {
		v, err := net.Template().Index(dbn.At("x", i))
		if err != nil {
			continue
		}
		g := net.Template().Gaussian(v)
		copy(g.Intercept, []float64{0, 2})
		copy(g.Variance, []float64{1, 4})
	}
	s, err := csv(t, "series,time\n a,1\n").Given("a", 1, infer.Evidence{"x": infer.Interval{Low: 1, High: 3}})
	if err != nil {
		t.Fatal(err)
	}
	off := distuv.Normal{Mu: 0, Sigma: 1}
	on := distuv.Normal{Mu: 2, Sigma: 2}
	p, q := off.CDF(3)-off.CDF(1), on.CDF(3)-on.CDF(1)
	for _, list := range [][][]infer.Posteriors{must(net.Filter(s))(t), must(net.Smooth(s))(t)} {
		numtest.Close(t, list[0][0].Of("s")[1], q/(p+q), 1e-12, 0)
	}
	number, err := csv(t, "series,time\n a,1\n").Given("a", 1, infer.Evidence{"x": 1.5})
	if err != nil {
		t.Fatal(err)
	}
	cell := csv(t, "series,time,x\n a,1,1.5\n")
	numtest.Close(t, must(net.Filter(number))(t)[0][0].Of("s")[1], must(net.Filter(cell))(t)[0][0].Of("s")[1], 0, 0)
}

func TestGivenErrors(t *testing.T) {
	net := weather(t)
	s := csv(t, "series,time,umbrella\n a,1,yes\n a,3,yes\n")
	given := func(time int64, e infer.Evidence) *dbn.Series {
		t.Helper()
		out, err := s.Given("a", time, e)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if _, err := s.Given("b", 1, nil); err == nil || !strings.Contains(err.Error(), `no series "b"`) {
		t.Errorf("error %v", err)
	}
	for _, time := range []int64{0, 4, math.MaxInt64, math.MinInt64} {
		if _, err := s.Given("a", time, nil); err == nil || !strings.Contains(err.Error(), "from 1 to 3") {
			t.Errorf("error %v", err)
		}
	}
	twice := given(2, infer.Evidence{"rain": "yes"})
	if _, err := twice.Given("a", 2, infer.Evidence{"rain": "no"}); !errors.Is(err, bn.ErrDuplicate) {
		t.Errorf("error %v", err)
	}
	for name, c := range map[string]struct {
		s    *dbn.Series
		want string
	}{
		"unknown":  {given(2, infer.Evidence{"snow": "yes"}), `"snow"`},
		"a cell":   {given(1, infer.Evidence{"umbrella": "yes"}), `time 1: the cell of "umbrella" is not missing`},
		"state":    {given(1, infer.Evidence{"rain": "much"}), `"much" of "rain"`},
		"zeros":    {given(1, infer.Evidence{"rain": infer.Likelihood{"no": 0, "yes": 0}}), "zero in every state"},
		"type":     {given(1, infer.Evidence{"rain": 1.5}), `unknown state "1.5" of "rain`},
		"excluded": {given(1, infer.Evidence{"rain": infer.OneOf()}), "without states"},
	} {
		_, errSmooth := net.Smooth(c.s)
		_, errFilter := net.Filter(c.s)
		for _, err := range []error{errSmooth, errFilter} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q", name, err, c.want)
			}
		}
	}
	_, errCases := net.Cases(twice, nil)
	_, errFit := dbn.Fit(t.Context(), net, twice, learn.EM{}, nil)
	for _, err := range []error{errCases, errFit} {
		if err == nil || !strings.Contains(err.Error(), "evidence besides their cells") {
			t.Errorf("error %v", err)
		}
	}
}
