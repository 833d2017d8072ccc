package posterior_test

import (
	"strings"
	"testing"

	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/posterior"
	"bnlab/internal/numtest"
)

// Three graphs with a probability each, by hand: a → b and b → c in most, and c → a in the third, so that the arc
// that is left out is the weakest of a cycle.
func TestAverageLeavesOutTheWeakest(t *testing.T) {
	scores := make(given, 3)
	for v := range scores {
		scores[v] = make([]float64, 8)
		for set := range scores[v] {
			scores[v][set] = -40
		}
		scores[v][0] = 0
	}
	scores[1][1], scores[2][2], scores[0][4] = 6, 5, 4 // a → b, b → c, c → a
	got := learn(t, scores, posterior.Exact{}, nil)
	average, err := got.Average(0.1)
	if err != nil {
		t.Fatal(err)
	}
	if s := average.DAG.String(); s != "[V00][V01|V00][V02|V01]" {
		t.Errorf("average %s", s)
	}
	if len(average.LeftOut) != 1 || average.LeftOut[0].Arc != (structure.Arc{From: "V02", To: "V00"}) {
		t.Errorf("left out %v", average.LeftOut)
	}
	p, _ := got.Arc(0, 1)
	back, _ := got.Arc(1, 0)
	numtest.Close(t, average.Map()[[2]string{"V00", "V01"}], p+back, 1e-12, 0)
	numtest.Close(t, average.Arcs[0].Direction, p/(p+back), 1e-12, 0)
	if !strings.Contains(got.String(), "V00 → V01") {
		t.Errorf("%v", got)
	}
	if _, err := got.Average(1); err == nil {
		t.Error("no error of a threshold of 1")
	}
}
