package learn

import (
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
)

// What is too much work is skipped, and said so: the derivatives, or the rank.
func TestIdentifySkips(t *testing.T) {
	net, err := bn.New("[H][X|H][Y|H]", bn.Discrete("H", "0", "1"), bn.Discrete("X", "0", "1"),
		bn.Discrete("Y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := data.New(
		data.Column{Var: net.Variable(1), States: []bn.State{0, 0, 1, 1}},
		data.Column{Var: net.Variable(2), States: []bn.State{0, 1, 0, 1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	p, err := compile(net, ML{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := infer.NewPlan(net, cases, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Four terms of 10 derivatives have 200 products; with 5 equations and factors it is 1,450.
	for limit, skips := range map[float64]bool{199: true, 1449: true, 1450: false} {
		r, err := p.identify(plan, cases, tables(net), limit)
		if err != nil {
			t.Fatal(err)
		}
		if skips != (r.Skipped != "") || skips != (r.Parameters == 0) {
			t.Errorf("limit %v: %v", limit, r)
		}
	}
}
