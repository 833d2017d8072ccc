package learn_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// ward draws 400 cases of a disease, two tests of it of one make, and a fever.
func ward() (*bn.Network, *data.Table) {
	yes := func(name string) bn.Variable { return bn.Discrete(name, "no", "yes") }
	net, err := bn.New("[disease][age][test1|disease][test2|disease][fever|disease:age]", yes("disease"),
		bn.Discrete("age", "young", "old"), yes("test1"), yes("test2"), yes("fever"))
	if err != nil {
		log.Fatal(err)
	}
	const test = "disease | no yes\nno | 0.9 0.1\nyes | 0.2 0.8"
	for name, text := range map[string]string{"disease": "no yes\n0.7 0.3", "test1": test, "test2": test,
		"fever": "disease age | no yes\nno young | 0.95 0.05\nno old | 0.9 0.1\nyes young | 0.4 0.6\nyes old | 0.2 0.8",
	} {
		if err := net.SetTable(name, text); err != nil {
			log.Fatal(err)
		}
	}
	cases, err := data.Sample(net, 400, rand.NewPCG(1, 0))
	if err != nil {
		log.Fatal(err)
	}
	return net, cases
}

// Two tests of one make err alike: one table for both, from the cases of both.
func ExampleSharedTable() {
	net, cases := ward()
	fit, err := learn.Fit(context.Background(), net, cases,
		learn.APN{CPDs: []learn.ParametricCPD{learn.SharedTable{Children: []string{"test1", "test2"}}}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"test1", "test2"} {
		t, err := fit.Net.Table(name)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: positive %.3f of the healthy, %.3f of the ill\n", name, t.Row(0)[1], t.Row(1)[1])
	}
	// Output:
	// test1: positive 0.089 of the healthy, 0.822 of the ill
	// test2: positive 0.089 of the healthy, 0.822 of the ill
}

// Disease and age bring a fever independently, each through a hidden cause of its own.
func ExampleNoisyORSetsCPD() {
	net, cases := ward()
	cpd := learn.NoisyORSetsCPD{Child: "fever", Sets: [][]string{{"disease"}, {"age"}}}
	fit, err := learn.Fit(context.Background(), net, cases, learn.APN{CPDs: []learn.ParametricCPD{cpd}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	t, err := fit.Net.Table("fever")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cpd)
	for config := range 4 {
		fmt.Printf("%.2f ", t.Row(config)[1])
	}
	fmt.Println()
	// Output:
	// noisy-OR of fever from {disease} and {age}
	// 0.01 0.11 0.68 0.71
}

// Two hidden units make the table of a fever.
func ExampleNeuralNet() {
	net, cases := ward()
	cpd := learn.NeuralNet{Child: "fever", Hidden: 2}
	fit, err := learn.Fit(context.Background(), net, cases, learn.APN{Pseudocount: 1, CPDs: []learn.ParametricCPD{cpd}},
		&learn.Settings{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	t, err := fit.Net.Table("fever")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cpd)
	for config := range 4 {
		fmt.Printf("%.2f ", t.Row(config)[1])
	}
	fmt.Println()
	// Output:
	// neural net of fever with 2 hidden units
	// 0.02 0.11 0.57 0.82
}

// Why a fit ended is part of its result: the best so far is there in each case.
func ExampleStatus() {
	net, cases := ward()
	hidden, err := cases.Keep("age", "test1", "test2", "fever")
	if err != nil {
		log.Fatal(err)
	}
	stopped, stop := context.WithCancel(context.Background())
	for _, run := range []struct {
		ctx        context.Context
		iterations int
	}{{context.Background(), 0}, {context.Background(), 3}, {stopped, 0}} {
		set := &learn.Settings{Seed: 1, Starts: 1, MaxIterations: run.iterations}
		if run.ctx == stopped {
			set.Progress = func(p learn.Progress) { // the user's Ctrl-C
				if p.Step.Iteration == 2 {
					stop()
				}
			}
		}
		fit, err := learn.Fit(run.ctx, net, hidden, learn.EM{}, set)
		if err != nil {
			log.Fatal(err)
		}
		switch fit.Status {
		case learn.Converged:
			fmt.Println("at a maximum:", fit.Status)
		case learn.IterationLimit:
			fmt.Println("more iterations may help:", fit.Status)
		case learn.Interrupted:
			fmt.Println("the best so far:", fit.Status)
		}
	}
	stop()
	// Output:
	// at a maximum: converged
	// more iterations may help: iteration limit
	// the best so far: interrupted
}

// The strongest of what two diseases do is seen: an APN learns what each does, and a leak.
func ExampleNoisyMAXCPD() {
	net, err := bn.New("[flu][cold][fever|flu:cold]", bn.Discrete("flu", "no", "yes"), bn.Discrete("cold", "no", "yes"),
		bn.Discrete("fever", "none", "mild", "high"))
	if err != nil {
		log.Fatal(err)
	}
	cpd := learn.NoisyMAXCPD{Child: "fever", Idle: bn.Given{"flu": "no", "cold": "no"}}
	bound, err := cpd.Bind(net)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cpd)
	for _, name := range bound.Names {
		fmt.Println(name)
	}
	// Output:
	// the highest of independent effects of each parent is seen as fever (noisy-MAX), with a leak
	// P(effect of {flu}=mild | flu=yes)
	// P(effect of {flu}=high | flu=yes)
	// P(effect of {cold}=mild | cold=yes)
	// P(effect of {cold}=high | cold=yes)
	// P(leak=mild)
	// P(leak=high)
}
