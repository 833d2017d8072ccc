package infer_test

import (
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/numtest"
)

// TestSubnormalProducts: the product of two tables that are small, though neither so small as to be scaled up, has all
// digits where float64 has few or none left, below 2e-308. P = Σ ½·P(a|h)·P(b|h) = ½·(1·1 + 0.1·2)·s, by hand.
func TestSubnormalProducts(t *testing.T) {
	net, err := bn.New("[h][a|h][b|h]", bn.Discrete("h", "0", "1"), bn.Discrete("a", "0", "1"),
		bn.Discrete("b", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []float64{-30, -45, -56, -60, -200, -230, -250, -260, -265, -270} {
		for _, more := range []float64{-30, -45, -56, -60, -70, -76, -250, -260, -270} {
			x, y := math.Pow(10, at), math.Pow(10, more)
			copy(net.CPT(1).P, []float64{1 - x, x, 1 - x/10, x / 10})
			copy(net.CPT(2).P, []float64{1 - y, y, 1 - 2*y, 2 * y})
			e, err := infer.New(net, nil)
			if err != nil {
				t.Fatal(err)
			}
			evidence := infer.Evidence{"a": "1", "b": "1"}
			got, err := e.LogProbability(evidence)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, got, math.Log(0.6)+math.Log(x)+math.Log(y), 0, 1e-14)
			post, err := e.Posterior(evidence, "h")
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, post.P[0][0], 5.0/6, 1e-14, 0)
		}
	}
}

// TestSubnormalMessage: where the largest entry of a message is impossible, what is left may be so small that few of
// its digits are there. P(a) = 1·0 + x·y·z, by hand.
func TestSubnormalMessage(t *testing.T) {
	net, err := bn.New("[h][a|h][b|h]", bn.Discrete("h", "0", "1"), bn.Discrete("a", "0", "1"),
		bn.Discrete("b", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{1e-280, 1e-295, 1e-300, 1e-305} {
		for _, y := range []float64{1e-8, 1e-13, 1e-15, 1e-18, 1e-23, 1e-40} {
			copy(net.CPT(0).P, []float64{1, x})
			copy(net.CPT(1).P, []float64{1, 0, 1, y})
			copy(net.CPT(2).P, []float64{0.5, 0.5, 0.7, 0.3})
			e, err := infer.New(net, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.LogProbability(infer.Evidence{"a": "1", "b": "1"})
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, got, math.Log(x)+math.Log(y)+math.Log(0.3), 0, 1e-14)
		}
	}
}

// TestSubnormalEntry: as before, where the message is scaled up before its largest entry turns out to be impossible.
// P = 1e-258·7e-65, and nothing to speak of, 1e-73·1·2e-150·1e-300, by hand.
func TestSubnormalEntry(t *testing.T) {
	two := func(name string) bn.Variable { return bn.Discrete(name, "0", "1") }
	net, err := bn.New("[a|h][b|h][h][c|h]", two("a"), two("b"), two("h"), two("c"))
	if err != nil {
		t.Fatal(err)
	}
	for v, p := range [][]float64{{1, 1e-258, 0, 1}, {1, 7e-65, 1, 2e-150}, {1, 1e-73}, {0, 1, 1, 1e-300}} {
		copy(net.CPT(v).P, p)
	}
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.LogProbability(infer.Evidence{"a": "1", "b": "1", "c": "1"})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, got, math.Log(1e-258)+math.Log(7e-65), 0, 1e-14)
}

// TestBlurredEntry: what has lost digits is 1e-13 of the largest entry of its message, and matters when something else
// speaks for it. P(h=1 | e, f) = 1e-300·8e-15 / (7.8e-302·1e-8 + 1e-300·8e-15), by hand.
func TestBlurredEntry(t *testing.T) {
	two := func(name string) bn.Variable { return bn.Discrete(name, "0", "1") }
	net, err := bn.New("[h][e|h][f|h]", two("h"), two("e"), two("f"))
	if err != nil {
		t.Fatal(err)
	}
	for v, p := range [][]float64{{1, 1e-300}, {1, 7.8e-302, 1, 8e-15}, {1, 1e-8, 0, 1}} {
		copy(net.CPT(v).P, p)
	}
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Posterior(infer.Evidence{"e": "1", "f": "1"}, "h")
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, got.Of("h")[1], 8e-5/(7.8+8e-5), 0, 1e-12)
}

// TestSensitivityOfTinyEntry: with P(h=0) at 0 all of h is its other state, whatever little it had.
func TestSensitivityOfTinyEntry(t *testing.T) {
	net, err := bn.New("[h][e|h]", bn.Discrete("h", "0", "1"), bn.Discrete("e", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{1, 6e-298})
	copy(net.CPT(1).P, []float64{.6, .4, 1, 8e-70})
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Sensitivity(infer.Evidence{"e": "1"}, "h", "1")
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, s.At(0, 0), 1, 0, 1e-15)
}
