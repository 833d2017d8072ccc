package infer_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
)

func ExampleEvidence() {
	engine, err := infer.New(infertest.Asia(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, evidence := range []infer.Evidence{
		{"xray": "yes"},
		{"xray": infer.OneOf("no", "yes"), "smoke": "yes"},
		{"smoke": infer.AtLeast("yes"), "bronc": infer.AtMost("no")},
		{"xray": infer.Likelihood{"yes": 0.9, "no": 0.2}}, // a blurred picture: P(as seen | state)
		{"xray": infer.Distribution{"yes": 0.7, "no": 0.3}},
	} {
		post, err := engine.Posterior(evidence, "lung", "xray")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("lung %.4f, xray %.4f: %v\n", post.Of("lung")[1], post.Of("xray")[1], evidence)
	}
	// Output:
	// lung 0.4887, xray 1.0000: xray=yes
	// lung 0.1000, xray 0.1517: smoke=yes, xray=no or yes
	// lung 0.1000, xray 0.1517: bronc≤no, smoke≥yes
	// lung 0.1758, xray 0.3581: xray: likelihood (no 0.2, yes 0.9)
	// lung 0.3425, xray 0.7000: xray: distribution (no 0.3, yes 0.7)
}

// A number of a continuous variable may be known up to an interval.
func ExampleInterval() {
	net, err := bn.New("[ill][temp|ill]", bn.Discrete("ill", "no", "yes"), bn.Continuous("temp"))
	if err != nil {
		log.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{0.9, 0.1})
	temp := net.Gaussian(1)
	copy(temp.Intercept, []float64{36.8, 38.6})
	copy(temp.Variance, []float64{0.16, 0.64})
	for _, finding := range []any{38.0, infer.Interval{Low: 37.5, High: 38.5}} {
		post, err := infer.Posterior(net, infer.Evidence{"temp": finding}, "ill")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.3f\n", post.Of("ill")[1])
	}
	// Output:
	// 0.791
	// 0.504
}

// Two distributions that must hold together are fitted in turn.
func ExampleEngine_Jeffrey() {
	engine, err := infer.New(infertest.Asia(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fitted, convergence, err := engine.Jeffrey(infer.Evidence{
		"smoke": infer.Distribution{"yes": 0.3, "no": 0.7}, "xray": infer.Distribution{"yes": 0.5, "no": 0.5},
	})
	if err != nil {
		log.Fatal(err)
	}
	post, err := engine.Posterior(fitted, "smoke", "xray", "lung")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d rounds, off by less than 1e-11: %v\n", convergence.Rounds, convergence.Difference < 1e-11)
	fmt.Print(post)
	// Output:
	// 10 rounds, off by less than 1e-11: true
	// smoke: no 0.7, yes 0.3
	// xray: no 0.5, yes 0.5
	// lung: no 0.8302, yes 0.1698
}

func ExampleEngine_Joint() {
	engine, err := infer.New(infertest.Asia(), nil)
	if err != nil {
		log.Fatal(err)
	}
	joint, err := engine.Joint(infer.Evidence{"xray": "yes"}, "lung", "tub")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(joint)
	both, err := joint.Of(bn.Given{"lung": "yes", "tub": "yes"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("both %.4f\n", both)
	// Output:
	// lung, tub
	// no, no 0.424
	// no, yes 0.08733
	// yes, no 0.4836
	// yes, yes 0.005083
	// both 0.0051
}

func ExampleEngine_Explanations() {
	engine, err := infer.New(infertest.Asia(), nil)
	if err != nil {
		log.Fatal(err)
	}
	list, err := engine.Explanations(infer.Evidence{"dysp": "yes", "xray": "yes"}, 3, "lung", "tub", "bronc")
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range list {
		fmt.Printf("%.3f %v (exact: %v)\n", x.P, x.States, x.IsExact())
	}
	// What is most probable can be evidence itself.
	evidence := make(infer.Evidence)
	for name, state := range list[0].States {
		evidence[name] = state
	}
	p, err := engine.LogProbability(evidence)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("without evidence %.4f\n", math.Exp(p))
	// Output:
	// 0.389 bronc=yes, lung=yes, tub=no (exact: true)
	// 0.234 bronc=yes, lung=no, tub=no (exact: true)
	// 0.226 bronc=no, lung=yes, tub=no (exact: true)
	// without evidence 0.0312
}

func ExampleEngine_Sample() {
	engine, err := infer.New(infertest.Asia(), nil)
	if err != nil {
		log.Fatal(err)
	}
	table, err := engine.Sample(infer.Evidence{"either": "yes"}, 1000, rand.NewPCG(1, 0))
	if err != nil {
		log.Fatal(err)
	}
	ill := 0
	lung, err := table.Column("lung")
	if err != nil {
		log.Fatal(err)
	}
	for _, state := range lung.States {
		ill += int(state)
	}
	fmt.Printf("lung cancer in %d of %d, P = %.3f\n", ill, table.Rows(), 0.055/0.064828)
	// Output: lung cancer in 840 of 1000, P = 0.848
}
