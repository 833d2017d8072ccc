package infer_test

import (
	"errors"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
)

// A plan, and each pass over its cases, ends with the error of Options.Ended.
func TestEnded(t *testing.T) {
	net, err := bn.New("[H][X|H][Y|H]", bn.Discrete("H", "0", "1"), bn.Discrete("X", "0", "1"),
		bn.Discrete("Y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(data.Column{Var: net.Variable(1), States: []bn.State{0, 1, 1}},
		data.Column{Var: net.Variable(2), States: []bn.State{0, 1, bn.Missing}})
	if err != nil {
		t.Fatal(err)
	}
	enough, done := errors.New("enough"), false
	opts := &infer.Options{Ended: func() error {
		if done {
			return enough
		}
		return nil
	}}
	plan, err := infer.NewPlan(net, table, opts)
	if err != nil {
		t.Fatal(err)
	}
	theta := []float64{.5, .5, .9, .1, .2, .8, .9, .1, .2, .8}
	for _, done = range []bool{false, true, false} {
		_, err := plan.LogLikelihood(theta)
		if _, other := plan.Expect(make([]float64, len(theta)), theta); done != errors.Is(err, enough) ||
			done != errors.Is(other, enough) {
			t.Errorf("ended %v: errors %v and %v", done, err, other)
		}
	}
	done = true
	if _, err := infer.NewPlan(net, table, opts); !errors.Is(err, enough) {
		t.Errorf("the plan: %v", err)
	}
}
