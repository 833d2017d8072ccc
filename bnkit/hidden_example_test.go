package bnkit_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// Nobody measures the load of a user's mind, but it rises with the difficulty of the task,
// and slow answers and errors are its signs. In truth 0.35 of 0.365 wrong answers to hard tasks
// come from a high load. (After W00 §5.1.)
func ExampleFit_hidden() {
	truth, err := bn.New("[task][load|task][slow|load][error|load]", bn.Discrete("task", "easy", "hard"),
		bn.Discrete("load", "low", "high"), bn.Discrete("slow", "no", "yes"), bn.Discrete("error", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for name, table := range map[string]string{
		"load":  "task | low high\neasy | 0.9 0.1\nhard | 0.3 0.7",
		"slow":  "load | no yes\nlow | 0.8 0.2\nhigh | 0.2 0.8",
		"error": "load | no yes\nlow | 0.95 0.05\nhigh | 0.5 0.5",
	} {
		if err := truth.SetTable(name, table); err != nil {
			fmt.Println(err)
			return
		}
	}
	df, err := bnkit.Sample(truth, 1000, rand.NewPCG(1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	df = df.Drop("load")

	net, err := bnkit.NewNetwork("[task][load|task][slow|load][error|load]", df,
		&bnkit.NetworkOptions{Hidden: map[string][]string{"load": {"low", "high"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	knowledge := []constraint.Constraint{
		constraint.Influence{Parent: "task", Child: "load"},
		constraint.Influence{Parent: "load", Child: "error"},
	}
	model, err := bnkit.Fit(context.Background(), net, df, learn.EM{Constraints: knowledge}, &bnkit.Settings{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	post, err := bnkit.Posterior(model, infer.Evidence{"task": "hard", "error": "yes"}, "load")
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, state := range post.Col("state").Records() {
		fmt.Printf("load %s: %.2f\n", state, post.Col("probability").Float()[i])
	}
	// Output:
	// load low: 0.04
	// load high: 0.96
}

// A disease that nobody observes, and two tests: their four results have three free probabilities, too few for the
// five parameters. A third test would tell all.
func ExampleIdentify() {
	yes := func(name string) bn.Variable { return bn.Discrete(name, "no", "yes") }
	net, err := bn.New("[disease][test1|disease][test2|disease]", yes("disease"), yes("test1"), yes("test2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, test := range []string{"test1", "test2"} {
		if err := net.SetTable(test, "disease | no yes\nno | 0.9 0.1\nyes | 0.2 0.8"); err != nil {
			fmt.Println(err)
			return
		}
	}
	df, err := bnkit.Sample(net, 200, rand.NewPCG(1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	df = df.Drop("disease")
	m, err := bnkit.Fit(context.Background(), net, df, learn.EM{},
		&bnkit.Settings{Seed: 1, Hidden: []string{"disease"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	told, err := bnkit.Identify(m, df)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d parameters\n", told.Determined, told.Parameters)
	for _, f := range told.Flags {
		fmt.Printf("%s given %q\n", f.Var, f.Given)
	}
	// Output:
	// 3 of 5 parameters
	// disease given ""
	// test1 given "disease=no"
	// test1 given "disease=yes"
	// test2 given "disease=no"
	// test2 given "disease=yes"
}
