package bnkit

import (
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/posterior"
	"bnlab/internal/numtest"
)

// Two graphs with two draws of tables each, by hand: means 0.2 and 0.7, variances 0.02 and 0.08, so 0.05 within. The
// means vary by 0.0625, of which ¼ (0.02 + 0.08)/2 = 0.0125 comes from having two draws each.
func TestSpreadByHand(t *testing.T) {
	g := &Graphs{Graphs: &posterior.Graphs{Draws: make([]*bn.DAG, 4)}}
	mean, tables, graphs, sd := g.spread([]graphGroup{{times: 2}, {times: 2}},
		[][][]float64{{{0.1}, {0.3}}, {{0.5}, {0.9}}}, 1)
	for i, want := range []float64{0.45, math.Sqrt(0.05), math.Sqrt(0.05), math.Sqrt(0.1)} {
		numtest.Close(t, []float64{mean[0], tables[0], graphs[0], sd[0]}[i], want, 1e-12, 0)
	}
}
