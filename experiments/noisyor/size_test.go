package noisyor

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/knowledge"
	"bnlab/experiments/runtest"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// TestSizes counts by hand: with n binary parents an influence compares 2^(n−1) pairs of rows,
// a synergy 2^(n−2) squares.
func TestSizes(t *testing.T) {
	runtest.Offline(t)
	all, err := Domains(t.Context(), "breast")
	if err != nil {
		t.Fatal(err)
	}
	want := map[knowledge.Learner]Size{
		knowledge.None:            {0, 32},
		knowledge.NoisyOR:         {0, 1 + 3 + 7},
		knowledge.Monotone:        {5 * 16, 32},
		knowledge.Synergy:         {5*16 + 2*8, 32},
		knowledge.MonotoneNoisyOR: {2*2 + 3*4, 11},         // {age, menopause} and a set of three
		knowledge.SynergyNoisyOR:  {2*2 + 3*4 + 1 + 2, 11}, // a square, and one for each state of irradiat
	}
	d := all[0]
	for _, l := range knowledge.Learners() {
		got, err := sizeOf(d.Net, d.Target, l.Select(d.Knowledge.Statements()))
		if err != nil || got != want[l] {
			t.Errorf("%s: %+v, want %+v (%v)", l, got, want[l], err)
		}
	}
	for n, counts := range map[int][2]int{2: {2*2 + 1, 5}, 6: {6*32 + 3*16, 15}} {
		if full, sets, err := growth(n); full != counts[0] || sets != counts[1] {
			t.Errorf("%d parents: %d and %d inequalities, want %v (%v)", n, full, sets, counts, err)
		}
	}
}
