package infer_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
)

func ExamplePosterior() {
	net := infertest.Asia()
	post, err := infer.Posterior(net, infer.Evidence{"xray": "yes", "smoke": "no"}, "lung", "tub")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(post)
	_, err = infer.Posterior(net, infer.Evidence{"either": "no", "lung": "yes"}, "tub")
	fmt.Println(err)
	// Output:
	// lung: no 0.8577, yes 0.1423
	// tub: no 0.852, yes 0.148
	// infer: the evidence has probability zero: either=no, lung=yes; leave out a finding, or fit with pseudocounts
}

func ExampleEngine() {
	e, err := infer.New(infertest.Asia(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, xray := range []string{"no", "yes"} {
		evidence := infer.Evidence{"xray": xray}
		all, err := e.Marginals(evidence)
		if err != nil {
			log.Fatal(err)
		}
		p, err := e.LogProbability(evidence)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("P(%v) = %.4f, P(lung | %v) = %.4f\n", evidence, math.Exp(p), evidence, all.Of("lung")[1])
	}
	states, p, err := e.MostProbable(infer.Evidence{"xray": "yes"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v: %.4f\n", states, math.Exp(p))
	// Output:
	// P(xray=no) = 0.8897, P(lung | xray=no) = 0.0012
	// P(xray=yes) = 0.1103, P(lung | xray=yes) = 0.4887
	// asia=no, bronc=yes, dysp=yes, either=yes, lung=yes, smoke=yes, tub=no, xray=yes: 0.0259
}

// One E-step: the expected counts of every family when nobody has recorded whether the
// patients smoke.
func ExampleNewPlan() {
	net := infertest.Asia()
	full, err := data.Sample(net, 1000, rand.NewPCG(1, 0))
	if err != nil {
		log.Fatal(err)
	}
	seen, err := full.Keep("asia", "xray", "dysp", "bronc")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := infer.NewPlan(net, seen, nil)
	if err != nil {
		log.Fatal(err)
	}
	layout := net.Layout()
	theta, counts := make([]float64, layout.Len()), make([]float64, layout.Len())
	for v := range net.Len() {
		lo, _ := layout.Family(v)
		copy(theta[lo:], net.CPT(v).P)
	}
	if _, err := plan.Expect(counts, theta); err != nil {
		log.Fatal(err)
	}
	smoke, _ := layout.Family(2)
	fmt.Printf("hidden: %v\n", plan.Hidden())
	fmt.Printf("expected smokers: %.1f of %.0f\n", counts[smoke+1], plan.Weight())
	// Output:
	// hidden: [tub smoke lung either]
	// expected smokers: 496.7 of 1000
}

func ExampleLikelihoodWeighting() {
	e, err := infer.LikelihoodWeighting(infertest.Asia(), infer.Evidence{"xray": "yes"}, 20_000,
		rand.NewPCG(1, 0), "lung")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f ± %.3f\n", e.Of("lung")[1], e.StandardErrors[0][1])
	// Output: 0.49 ± 0.008
}
