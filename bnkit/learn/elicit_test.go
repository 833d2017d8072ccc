package learn_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// kl is the divergence of two distributions on two states, by the probability of one.
func kl(x, y float64) float64 { return x*math.Log(x/y) + (1-x)*math.Log((1-x)/(1-y)) }

// TestElicitOneInfluence: one influence on binary tables, by integration over a grid. Its reverse is the rest of the
// tables, so that it holds as often as under the uniform prior.
func TestElicitOneInfluence(t *testing.T) {
	n := []float64{5, 15, 3, 2, 7, 8}
	r := averaged(t, pair(t), n, learn.Averaged{})
	const steps, right = 4000, 0.85
	var all, mass, low, high, meanLow, meanHigh float64
	x, y := make([]float64, steps), make([]float64, steps)
	for i := range steps {
		p := (float64(i) + 0.5) / steps
		x[i], y[i] = math.Pow(1-p, 3)*math.Pow(p, 2), math.Pow(1-p, 7)*math.Pow(p, 8)
	}
	for i := range steps {
		for j := range steps {
			w, p, q := x[i]*y[j], (float64(i)+0.5)/steps, (float64(j)+0.5)/steps
			all, meanLow, meanHigh = all+w, meanLow+w*p, meanHigh+w*q
			switch {
			case i == j:
				w /= 2
			case i > j:
				continue
			}
			mass, low, high = mass+w, low+w*p, high+w*q
		}
	}
	holds, low, high, meanLow, meanHigh := mass/all, low/all, high/all, meanLow/all, meanHigh/all
	after := func(a, b float64) (p, gain float64) {
		p = a*holds + b*(1-holds)
		return p, 6./22*kl((a*low+b*(meanLow-low))/p, meanLow) + 16./22*kl((a*high+b*(meanHigh-high))/p, meanHigh)
	}
	yes, ifYes := after(right, 1-right)
	no, ifNo := after(1-right, right)
	list, err := r.Elicit(t.Context(), []constraint.Constraint{rises}, &learn.ElicitSettings{Reliability: right})
	if err != nil {
		t.Fatal(err)
	}
	q := list[0]
	numtest.Close(t, q.Holds, holds, 1e-6, 0)
	numtest.Close(t, q.Yes, yes, 1e-6, 0)
	numtest.Close(t, q.IfYes, ifYes, 1e-8, 1e-5)
	numtest.Close(t, q.IfNo, ifNo, 1e-8, 1e-5)
	numtest.Close(t, q.Gain, yes*ifYes+no*ifNo, 1e-8, 1e-5)
	if q.StdErr != 0 {
		t.Errorf("a closed form has the standard error %v", q.StdErr)
	}
	// Both signs are what there is to ask, and the answers tell the same.
	both, err := r.Elicit(t.Context(), nil, &learn.ElicitSettings{Reliability: right})
	if err != nil || len(both) != 2 {
		t.Fatalf("%v, %v: want two signs", both, err)
	}
	numtest.Close(t, both[0].Gain, both[1].Gain, 1e-10, 0)
	numtest.Close(t, both[0].Holds+both[1].Holds, 1, 1e-9, 0)
	if !(q.Cases > 0.2 && q.Cases < 5) {
		t.Errorf("worth %v cases", q.Cases)
	}
}

// TestElicitAgainstDraws: beside statements that the fit weighs, and for one that it weighs, holds and gain are sums
// over tables drawn from the uniform prior.
func TestElicitAgainstDraws(t *testing.T) {
	net, statements, holds := doubtful(t)
	n := []float64{10, 10, 10, 10, 4, 6, 7, 3, 5, 5, 3, 7}
	weighed := []int{0, 2}
	m := learn.Averaged{Constraints: []constraint.Constraint{statements[0], statements[2]}, Draws: 40_000}
	r := averaged(t, net, n, m)
	rng := rand.New(rand.NewPCG(1, 0))
	const draws = 1_000_000
	type sums struct {
		volume, mass float64
		mean         [4]float64
	}
	// By what is imposed of the statements and, as bit 4, of the reverse of the candidate, and by whether the
	// candidate holds.
	var found [4][32][2]sums
	y := make([]float64, 4)
	for range draws {
		likelihood := 1.0
		for row := range y {
			y[row] = rng.Float64()
			likelihood *= math.Pow(1-y[row], n[4+2*row]) * math.Pow(y[row], n[5+2*row])
		}
		bits := 0
		for i := range statements {
			if holds(i, y) {
				bits |= 1 << i
			}
		}
		for candidate := range statements {
			all := bits
			if candidate == 1 && y[0] <= y[1] && y[2] <= y[3] || candidate == 3 && y[0] >= 0.6 {
				all |= 16
			}
			isHeld := bits >> candidate & 1
			for s := range 32 {
				if s&^all == 0 {
					f := &found[candidate][s][isHeld]
					f.volume++
					f.mass += likelihood
					for i := range y {
						f.mean[i] += likelihood * y[i]
					}
				}
			}
		}
	}
	list, err := r.Elicit(t.Context(), statements, &learn.ElicitSettings{Reliability: 0.8, Draws: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	for candidate, s := range statements {
		isWeighed := candidate == 0 || candidate == 2
		var total, held float64
		var mean, heldMean [4]float64
		for imposed := range 32 {
			reliable, poor, prior := 0.8, 0.2, 1.0
			for _, i := range weighed {
				if imposed>>i&1 == 1 {
					reliable, poor = reliable*0.8, poor*0.2
				} else {
					reliable, poor = reliable*0.2, poor*0.8
				}
			}
			rest := imposed &^ 5
			switch {
			case isWeighed && rest != 0, !isWeighed && rest&^(16|1<<candidate) != 0, rest == 16|1<<candidate:
				continue
			case !isWeighed:
				prior = 1. / 3
			}
			f := found[candidate][imposed]
			w := (reliable + poor) * prior / (f[0].volume + f[1].volume)
			for k := range f {
				total += w * f[k].mass
				for i := range mean {
					mean[i] += w * f[k].mean[i]
				}
			}
			held += w * f[1].mass
			for i := range mean {
				heldMean[i] += w * f[1].mean[i]
			}
		}
		h := held / total
		gain := 0.0
		for _, a := range [][2]float64{{0.8, 0.2}, {0.2, 0.8}} {
			p := a[0]*h + a[1]*(1-h)
			for i := range mean {
				now := mean[i] / total
				gain += p * 0.25 * kl((a[0]*heldMean[i]/total+a[1]*(now-heldMean[i]/total))/p, now)
			}
		}
		for _, q := range list {
			if q.Statement.String() != s.String() {
				continue
			}
			t.Logf("%v: holds %.4f (draws %.4f), gain %.6f ± %.6f (draws %.6f), %.2f cases", s, q.Holds, h, q.Gain,
				q.StdErr, gain, q.Cases)
			numtest.Close(t, q.Holds, h, 0.01, 0)
			numtest.Close(t, q.Gain, gain, 4*q.StdErr+0.00002, 0)
			if q.StdErr > 0.1*q.Gain {
				t.Errorf("%v: the gain %v has the standard error %v", s, q.Gain, q.StdErr)
			}
		}
	}
}

// TestElicitSettled: what is certain is not worth asking, and both signs of an arc with an influence are not asked.
func TestElicitSettled(t *testing.T) {
	n := []float64{10, 10, 4, 6, 6, 4}
	sure := averaged(t, pair(t), n, learn.Averaged{Constraints: []constraint.Constraint{rises},
		Strengths: []float64{1}})
	list, err := sure.Elicit(t.Context(), []constraint.Constraint{rises}, nil)
	if err != nil || list[0].Gain != 0 || list[0].Holds != 1 || list[0].Cases != 0 {
		t.Errorf("%v, %v: what is certain is worth nothing", list, err)
	}
	if _, err := sure.Elicit(t.Context(), nil, nil); err == nil || !strings.Contains(err.Error(), "nothing to ask") {
		t.Errorf("%v, want nothing to ask", err)
	}
	weighed := averaged(t, pair(t), n, learn.Averaged{Constraints: []constraint.Constraint{rises}})
	list, err = weighed.Elicit(t.Context(), []constraint.Constraint{rises}, nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, list[0].Holds, weighed.Weighing.Statements[0].After, 1e-9, 0)
	// Its reverse is the rest of the tables, whatever its own prior.
	falls := rises
	falls.Sign = constraint.Negative
	list, err = weighed.Elicit(t.Context(), []constraint.Constraint{falls}, &learn.ElicitSettings{Prior: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, list[0].Holds, 1-weighed.Weighing.Statements[0].After, 1e-6, 0)
}

func TestElicitErrors(t *testing.T) {
	n := []float64{10, 10, 4, 6, 6, 4}
	sure := averaged(t, pair(t), n, learn.Averaged{Constraints: []constraint.Constraint{rises},
		Strengths: []float64{1}})
	falls := rises
	falls.Sign = constraint.Negative
	colour := bn.Discrete("X", "red", "green", "blue")
	colour.Sorted = true // by nobody
	colours, err := bn.New("[X][Y|X]", colour, bn.Discrete("Y", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	unordered := averaged(t, colours, []float64{5, 5, 5, 1, 2, 3, 1, 2, 3}, learn.Averaged{})
	expected, priced := *sure, *sure
	expected.Expected = true
	dear := constraint.AtPrice{Statement: rises, Price: 2}
	priced.Statements = []constraint.Constraint{dear}
	for name, test := range map[string]struct {
		r    *learn.Result
		list []constraint.Constraint
		set  *learn.ElicitSettings
		want string
	}{
		"none":         {sure, []constraint.Constraint{}, nil, "the list of candidates is empty"},
		"no order":     {unordered, nil, nil, "declare the orders"},
		"unordered":    {unordered, []constraint.Constraint{rises}, nil, "no order declared"},
		"nil":          {sure, []constraint.Constraint{rises, nil}, nil, "candidate 2 is nil"},
		"contradicts":  {sure, []constraint.Constraint{falls}, nil, "contradicts the statements that are certain"},
		"unknown":      {sure, []constraint.Constraint{constraint.Influence{Parent: "Z", Child: "Y"}}, nil, "Z"},
		"equality":     {sure, []constraint.Constraint{constraint.ShareAcross{Var: "Y"}}, nil, "is an equality"},
		"reliability":  {sure, nil, &learn.ElicitSettings{Reliability: 0.5}, "above 0.5"},
		"prior":        {sure, nil, &learn.ElicitSettings{Prior: 0.6}, "from above 0 to 0.5"},
		"NaN":          {sure, nil, &learn.ElicitSettings{Prior: math.NaN()}, "from above 0 to 0.5"},
		"draws":        {sure, nil, &learn.ElicitSettings{Draws: -1}, "give 100 or more"},
		"expected":     {&expected, nil, nil, "fit again by learn.Fit"}, // without their rows
		"priced":       {&priced, nil, nil, "needs a posterior of free tables"},
		"a price":      {sure, []constraint.Constraint{dear}, nil, "has a price"},
		"not fitted":   {&learn.Result{Net: colours}, nil, nil, "needs a fit to cases"},
		"no result":    {nil, nil, nil, "needs a fit to cases"},
		"says nothing": {sure, []constraint.Constraint{saysNothing{}}, nil, "says nothing"},
	} {
		if _, err := test.r.Elicit(t.Context(), test.list, test.set); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := unordered.Elicit(ctx, []constraint.Constraint{constraint.AtMost{Var: "Y", States: []string{"yes"},
		P: 0.5, Given: bn.Given{"X": "red"}}}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a done context: %v", err)
	}
}

type saysNothing struct{}

func (saysNothing) String() string                               { return "nothing" }
func (saysNothing) Bind(*bn.Network) ([]constraint.Bound, error) { return nil, nil }
