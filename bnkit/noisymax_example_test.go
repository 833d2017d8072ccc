package bnkit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"bnlab/bnkit"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/format"
	"bnlab/bnkit/learn"
)

// wardFile is a network from GeNIe in which the strongest of what flu and a cold do is seen as fever.
const wardFile = `<smile version="1.0" id="ward" numsamples="1000"><nodes>
<cpt id="flu"><state id="severe" /><state id="light" /><state id="none" />
<probabilities>0.1 0.3 0.6</probabilities></cpt>
<cpt id="cold"><state id="yes" /><state id="no" /><probabilities>0.4 0.6</probabilities></cpt>
<noisymax id="fever"><state id="high" /><state id="mild" /><state id="none" /><parents>flu cold</parents>
<strengths>0 1 2 0 1</strengths>
<parameters>0.7 0.2 0.1 0.1 0.6 0.3 0 0 1 0.05 0.35 0.6 0 0 1 0.01 0.04 0.95</parameters></noisymax>
</nodes></smile>`

// A noisy-MAX node of GeNIe is learned anew from a frame, with what an expert knows of its leak, and written back as
// such a node.
func ExampleFit_noisyMAX() {
	dir, err := os.MkdirTemp("", "noisymax")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "ward.xdsl")
	if err := os.WriteFile(path, []byte(wardFile), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	f, err := format.Read(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.Sample(f.Network, 2000, rand.NewPCG(1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}

	idle := f.NoisyMAX["fever"].Idle() // flu=none, cold=no
	most := constraint.NoisyMAX{Child: "fever", Idle: idle, Min: true}
	leak := constraint.AtMost{Var: "fever", Given: idle, States: []string{"mild", "high"}, P: 0.05}
	model, err := bnkit.Fit(context.Background(), f.Network, df,
		learn.ML{Constraints: []constraint.Constraint{most, leak}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	effects, err := most.Effects(model.Net)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range effects {
		fmt.Println(e)
	}
	if err := f.Refit(model.Net); err != nil {
		fmt.Println(err)
		return
	}
	lost, err := format.Write(path, f)
	fmt.Println("lost:", lost, err)
	// Output:
	// {flu}: 0.732 0.16 0.109; 0.126 0.599 0.274; 0 0 1
	// {cold}: 0.0497 0.381 0.569; 0 0 1
	// leak: 0.00755 0.0346 0.958
	// lost: [] <nil>
}
