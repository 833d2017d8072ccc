package bnkit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

// TestPriorNetworkIsThatOfScores: a case adds to BDe's score of a family the logarithm of what posterior means
// predicted before it, with one prior network and weight for both. (Heckerman, Geiger and Chickering 1995,
// Eq. 28.) So a network that is searched and fitted has one prior.
func TestPriorNetworkIsThatOfScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for round := range 5 {
		prior := infertest.Random(rng, 6, 0)
		if round > 0 { // rows of files of a few digits
			for v := range prior.Len() {
				row := prior.CPT(v).Row(0)
				row[0] -= 9e-7 * row[0]
			}
		}
		net := must[*bn.Network](t)(bn.New("[x0][x1|x0][x2][x3|x2:x1][x4][x5|x3]", prior.Variables()...))
		size := 1 + 20*rng.Float64()
		alpha := must[map[string][]float64](t)(learn.PriorNetwork(net, prior, size))
		score := must[structure.Score](t)(structure.BDe{EquivalentSampleSize: size, Prior: prior}.Bind(net.Variables()))
		for v := range net.Len() {
			cpt := net.CPT(v)
			r, a := cpt.Child.Cardinality(), alpha[cpt.Child.Name]
			c := &structure.Counts{
				Child: cpt.Child, Parents: cpt.Parents, R: r, N: make([]float64, len(cpt.P)), Scale: 1,
			}
			before := score.Family(c)
			for range 30 {
				cell := rng.IntN(len(c.N))
				row, sum := cell-cell%r, 0.0
				for i := row; i < row+r; i++ {
					sum += a[i] + c.N[i]
				}
				predicted := math.Log((a[cell] + c.N[cell]) / sum)
				c.N[cell]++
				after := score.Family(c)
				numtest.Close(t, after-before, predicted, 1e-10, 1e-10)
				before = after
			}
		}
	}
}
