package sharing_test

import (
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/sharing"
	"bnlab/internal/numtest"
)

// Two rows with (3, 0) and (0, 3): apart each has the likelihood 3!·0!/4! = 1/4, together 3!·3!/7! = 1/140. With equal
// priors they are tied with probability (1/140) / (1/140 + 1/16) = 16/156.
func TestAverageOfTwoRows(t *testing.T) {
	net, counts := twoRows(t, []float64{3, 0, 0, 3})
	groups, err := sharing.GroupRows(t.Context(), net, counts, "Y", nil)
	if err != nil {
		t.Fatal(err)
	}
	a := groups.Average()
	tied := 16.0 / 156
	numtest.Close(t, a.Tied[0][1], tied, 1e-12, 0)
	numtest.Close(t, a.Separate, 1-tied, 1e-12, 0)
	for i, apart := range []float64{0.8, 0.2, 0.2, 0.8} {
		numtest.Close(t, a.Mean[i], tied/2+(1-tied)*apart, 1e-12, 0)
	}
}

func twoRows(t *testing.T, n []float64) (*bn.Network, *data.Counts) {
	t.Helper()
	net, err := bn.New("[X][Y|X]", bn.Discrete("X", "a", "b"), bn.Discrete("Y", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	return net, &data.Counts{Layout: net.Layout(), Rows: 6, Skipped: make([]float64, 2),
		N: append([]float64{3, 3}, n...)}
}

// Runs do not tie the ends of three states without the middle; more than 10 states are sampled, with an error, and
// more than 500 are left out.
func TestAverageOfStates(t *testing.T) {
	average := func(set *sharing.Settings, n ...float64) *sharing.Average {
		names := make([]string, len(n))
		total := 0.0
		for i, x := range n {
			names[i] = string(rune('A' + i))
			total += x
		}
		net, err := bn.New("[X]", bn.Discrete("X", names...))
		if err != nil {
			t.Fatal(err)
		}
		groups, err := sharing.GroupStates(t.Context(), net, &data.Counts{Layout: net.Layout(), Rows: total,
			Skipped: make([]float64, 1), N: n}, "X", nil, set)
		if err != nil {
			t.Fatal(err)
		}
		return groups.Average()
	}
	free, runs := average(nil, 50, 10, 50), average(&sharing.Settings{Runs: true}, 50, 10, 50)
	// A block of k states with N cases has L(k, N) = lnΓ(k+N) − lnΓ(k) − N ln k. Nothing tied has the prior ½; by
	// Ewens' weights with θ = 3 the pairs have 9/66 each and all three 6/66.
	block := func(k, cases float64) float64 {
		a, _ := math.Lgamma(k + cases)
		b, _ := math.Lgamma(k)
		return a - b - cases*math.Log(k)
	}
	apart := block(1, 50) + block(1, 10) + block(1, 50)
	ends := 9.0 / 66 * math.Exp(block(2, 100)+block(1, 10)-apart)
	side := 9.0 / 66 * math.Exp(block(2, 60)+block(1, 50)-apart)
	all := 6.0 / 66 * math.Exp(block(3, 110)-apart)
	numtest.Close(t, free.Tied[0][2], (ends+all)/(0.5+ends+2*side+all), 1e-9, 0) // 0.687
	if runs.Tied[0][2] > 1e-6 || free.StdErr != 0 {
		t.Errorf("tied %v, as runs %v", free.Tied, runs.Tied)
	}
	many := make([]float64, 12)
	for i := range many {
		many[i] = float64(20 + 60*(i%2))
	}
	sampled := average(&sharing.Settings{Seed: 1}, many...)
	sum := 0.0
	for _, x := range sampled.Mean {
		sum += x
	}
	if !(sampled.Tied[0][2] > 0.5 && sampled.Tied[0][1] < 0.01 && sampled.StdErr > 0) || math.Abs(sum-1) > 1e-12 {
		t.Errorf("tied %.3f and %.3f with %v, sum %v", sampled.Tied[0][2], sampled.Tied[0][1], sampled.StdErr, sum)
	}
	if a := average(nil, make([]float64, 501)...); a != nil {
		t.Error("501 states are averaged")
	}
}
