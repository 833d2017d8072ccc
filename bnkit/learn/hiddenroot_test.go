package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// A hidden root of 400 children of ten states: the probability of a case is near 1e−400,
// below the smallest float64, its logarithm is not.
func TestHiddenRootOfManyChildren(t *testing.T) {
	const children, rows = 400, 30
	rng := rand.New(rand.NewPCG(1, 1))
	vars := []bn.Variable{bn.Discrete("H", "a", "b")}
	model := "[H]"
	var cols []data.Column
	for i := range children {
		v := bn.Discrete(fmt.Sprint("V", i), "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
		vars, model = append(vars, v), model+fmt.Sprintf("[V%d|H]", i)
		states := make([]bn.State, rows)
		for row := range states {
			states[row] = bn.State(rng.IntN(10))
		}
		cols = append(cols, data.Column{Var: v, States: states})
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := learn.Fit(t.Context(), net, table, learn.EM{Pseudocount: 1}, &learn.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for row := range rows {
		var joint [2]float64 // log P(H, children)
		for h := range joint {
			joint[h] = math.Log(fit.Net.CPT(0).P[h])
			for i, c := range cols {
				joint[h] += math.Log(fit.Net.CPT(i + 1).Row(h)[c.States[row]])
			}
		}
		top := max(joint[0], joint[1])
		want += top + math.Log(math.Exp(joint[0]-top)+math.Exp(joint[1]-top))
	}
	if !(math.Abs(fit.LogLikelihood-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("the log-likelihood is %v, want %v", fit.LogLikelihood, want)
	}
}
