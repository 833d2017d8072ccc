package infer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// Evidence as JSON is decoded gives the posterior of the findings that it stands for. P(b) is that of the written out
// finding, computed by the same engine, whose answers are tested elsewhere.
func TestEvidenceFromJSON(t *testing.T) {
	dag, err := bn.ParseDAG("[a][b|a]")
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(dag, []bn.Variable{bn.Discrete("a", "0.0", "1.0", "2.0"),
		bn.Discrete("b", "false", "true")})
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string][]float64{"a": {.2, .3, .5}, "b": {.9, .1, .6, .4, .25, .75}} {
		v, _ := net.Index(name)
		copy(net.CPT(v).P, table)
	}
	engine, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, same := range map[string]infer.Evidence{
		`{"a": 1}`:              {"a": "1.0"},
		`{"a": "01"}`:           {"a": "1.0"},
		`{"a": [0, "2"]}`:       {"a": infer.OneOf("0.0", "2.0")},
		`{"a": ["0.0", "2.0"]}`: {"a": infer.OneOf("0.0", "2.0")},
		`{"a": {"0.0": 1, "1.0": 0.5, "2.0": 0}}`: {"a": infer.Likelihood{"0.0": 1, "1.0": .5, "2.0": 0}},
	} {
		var e infer.Evidence
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		got, err := engine.Posterior(e, "b")
		want, wantErr := engine.Posterior(same, "b")
		if err != nil || wantErr != nil || fmt.Sprint(got.P) != fmt.Sprint(want.P) {
			t.Errorf("%s: %v, error %v, want %v, %v", text, got, err, want, wantErr)
		}
	}
	if p, err := engine.Posterior(infer.Evidence{"b": true}, "a"); err != nil || p.P[0][1] == .3 {
		t.Errorf("a truth value: %v, error %v", p, err)
	}
	for _, c := range []struct {
		value any
		want  string
	}{
		{[]any{[]any{"0.0"}}, `"a" cannot be the list [[0.0]]; give a state`},
		{map[string]any{"0.0": "x"}, `cannot be the map map[0.0:x]`},
		{nil, `"a" cannot be null`},
		{3.0, "unknown state"},
	} {
		if _, err := engine.Posterior(infer.Evidence{"a": c.value}, "b"); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.value, err, c.want)
		}
	}
}
