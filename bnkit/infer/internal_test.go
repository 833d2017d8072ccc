package infer

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/internal/numtest"
)

// TestJoin numbers pairs by a plain table and, when there could be many, by hashing; a map
// says which pairs are the same.
func TestJoin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	var b builder
	for _, n := range []int{1, 2, 30, 200, 1000, 5000} {
		x, y := keys{n: n}, keys{n: n}
		for range 3000 {
			of := rng.Int32N(int32(n))
			x.of = append(x.of, of)
			y.of = append(y.of, (of+rng.Int32N(3))%int32(n))
		}
		xy, ofX, ofY := b.pairs(x, y)
		numbers := make(map[[2]int32]int32)
		for row, number := range xy.of {
			p := [2]int32{x.of[row], y.of[row]}
			if ofX[number] != p[0] || ofY[number] != p[1] {
				t.Fatalf("n = %d: row %d has the pair %v and number %d, which stands for %d, %d", n, row, p, number,
					ofX[number], ofY[number])
			}
			if known, ok := numbers[p]; ok && known != number {
				t.Fatalf("n = %d: the pair %v has the numbers %d and %d", n, p, known, number)
			}
			numbers[p] = number
		}
		if n > 1 && len(numbers) != xy.n {
			t.Errorf("n = %d: %d pairs have %d numbers", n, len(numbers), xy.n)
		}
		if got := b.join.pairs(make([]int32, 3000), x, y); n > 1 && got.n != len(numbers) {
			t.Errorf("n = %d: %d pairs are counted as %d", n, len(numbers), got.n)
		}
	}
}

// TestWeightSums adds weights of very different size, ascending and then descending, and
// compares with the formulas.
func TestWeightSums(t *testing.T) {
	net, err := bn.New("[x]", bn.Discrete("x", "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := newModel(net)
	if err != nil {
		t.Fatal(err)
	}
	q, err := resolve(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	const shift = -1000 // weights of e^-1000 and less
	logs := []float64{-2, -1, 0, 1.5, math.Inf(-1), 0.5, -30}
	states := []int{0, 1, 0, 0, 1, 1, 1}
	s := newWeighting(q, []int{0})
	var sum, squares, in, inSquare float64
	for i, x := range logs {
		s.states[0] = states[i]
		s.add(x + shift)
		w := math.Exp(x)
		sum += w
		squares += w * w
		if states[i] == 1 {
			in += w
			inSquare += w * w
		}
	}
	e, err := s.estimates(len(logs), []int{0})
	if err != nil {
		t.Fatal(err)
	}
	p := in / sum
	numtest.Close(t, e.P[0][1], p, 1e-12, 0)
	numtest.Close(t, e.StandardErrors[0][1], math.Sqrt(inSquare*(1-p)*(1-p)+(squares-inSquare)*p*p)/sum, 1e-12, 0)
	numtest.Close(t, e.EffectiveSamples, sum*sum/squares, 1e-10, 0)
	numtest.Close(t, e.LogProbability, shift+math.Log(sum/7), 1e-10, 0)
	numtest.Close(t, e.RelativeError, math.Sqrt((squares/7-sum*sum/49)/7)/(sum/7), 1e-12, 0)
}
