package infer_test

import (
	"fmt"
	"log"
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/numtest"
)

// incinerator is the waste incinerator of Lauritzen (1992): emissions of dust and heavy metals depend on the filter,
// the burning regimen and the waste; light penetrability and CO2 are what is measured. All in logarithms.
func incinerator() (*bn.Network, error) {
	net, err := bn.New("[burning][filter][waste][efficiency|filter:waste][CO2|burning][dust|burning:waste:efficiency]"+
		"[light|dust][metal_in|waste][metal_out|metal_in:dust]",
		bn.Discrete("burning", "stable", "unstable"), bn.Discrete("filter", "intact", "defect"),
		bn.Discrete("waste", "industrial", "household"), bn.Continuous("efficiency"), bn.Continuous("CO2"),
		bn.Continuous("dust"), bn.Continuous("light"), bn.Continuous("metal_in"), bn.Continuous("metal_out"))
	if err != nil {
		return nil, err
	}
	copy(net.CPT(0).P, []float64{0.85, 0.15})
	copy(net.CPT(1).P, []float64{0.95, 0.05})
	copy(net.CPT(2).P, []float64{2. / 7, 5. / 7})
	for v, rows := range map[int][][]float64{ // intercept, variance, weights
		3: {{-3.9, 0.00002}, {-3.2, 0.00002}, {-0.4, 0.0001}, {-0.5, 0.0001}},
		4: {{-2, 0.1}, {-1, 0.3}},
		5: {{6.5, 0.03, 1}, {6, 0.04, 1}, {7.5, 0.1, 1}, {7, 0.1, 1}},
		6: {{3, 0.25, -0.5}},
		7: {{0.5, 0.01}, {-0.5, 0.005}},
		8: {{0, 0.002, 1, 1}},
	} {
		for config, row := range rows {
			g := net.Gaussian(v)
			g.Intercept[config], g.Variance[config] = row[0], row[1]
			copy(g.Weights[config], row[2:])
		}
	}
	return net, nil
}

// How much metal leaves the incinerator, when industrial waste burns with little light through the smoke and much
// CO2? The answer is a mixture over what is not known of the filter and the burning.
func ExampleEngine_Expectation() {
	net, err := incinerator()
	if err != nil {
		log.Fatal(err)
	}
	e, err := infer.New(net, nil)
	if err != nil {
		log.Fatal(err)
	}
	x, err := e.Expectation(infer.Evidence{"waste": "industrial", "light": "1.1", "CO2": "-0.9"}, "metal_out")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(x)
	// Output:
	// metal_out: mean 4.108, sd 0.3438
	// burning=stable, filter=intact with probability 0.01215
	//   metal_out: mean 3.135, sd 0.2028
	// burning=stable, filter=defect with probability 9.872e-05
	//   metal_out: mean 6.533, sd 0.203
	// burning=unstable, filter=intact with probability 0.9874
	//   metal_out: mean 4.118, sd 0.3208
	// burning=unstable, filter=defect with probability 0.000375
	//   metal_out: mean 7.3, sd 0.3209
}

// TestIncinerator has the published numbers, which have three digits: Lauritzen 1992, and Cowell et al. 1999, §7.7.
func TestIncinerator(t *testing.T) {
	net, err := incinerator()
	if err != nil {
		t.Fatal(err)
	}
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		given    infer.Evidence
		name     string
		mean, sd float64
	}{
		{nil, "efficiency", -3.25, 0.709}, {nil, "CO2", -1.85, 0.507}, {nil, "dust", 3.04, 0.770},
		{nil, "light", 1.48, 0.631}, {nil, "metal_in", -0.214, 0.459}, {nil, "metal_out", 2.83, 0.860},
		{infer.Evidence{"waste": "industrial", "light": "1.1", "CO2": "-0.9"}, "efficiency", -3.90, 0.076},
		{infer.Evidence{"waste": "industrial", "light": "1.1", "CO2": "-0.9"}, "dust", 3.61, 0.326},
		{infer.Evidence{"waste": "industrial", "light": "1.1", "CO2": "-0.9"}, "metal_in", 0.5, 0.1},
		{infer.Evidence{"waste": "industrial", "light": "1.1", "CO2": "-0.9"}, "metal_out", 4.11, 0.344},
	} {
		x, err := e.Expectation(c.given, c.name)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, x.Mean[0], c.mean, 0.00501, 0)
		numtest.Close(t, math.Sqrt(x.Covariance[0][0]), c.sd, 0.000501, 0)
	}
	p, err := e.Posterior(infer.Evidence{"waste": "industrial", "light": "1.1", "CO2": "-0.9"}, "filter", "burning")
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, p.Of("filter")[0], 0.9995, 0.00005, 0)
	numtest.Close(t, p.Of("burning")[0], 0.0122, 0.0001, 0)
}
