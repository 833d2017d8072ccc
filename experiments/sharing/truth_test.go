package sharing

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTruthIsDrawnAsInThePaper checks the construction of N06 §5.1.1 on many
// draws.
func TestTruthIsDrawnAsInThePaper(t *testing.T) {
	c := Paper()
	cut, lengths := 0, make(map[int]int)
	for replicate := range 2000 {
		d := drawTruth(c, rand.New(rand.NewPCG(11, uint64(replicate))))
		sum, next := 0.0, 0
		for _, p := range d.p {
			if !(p > 0 && p < 1) {
				t.Fatalf("a probability of %v", p)
			}
			sum += p
		}
		if len(d.p) != 50 || math.Abs(sum-1) > 1e-12 {
			t.Fatalf("%d states that sum to %v", len(d.p), sum)
		}
		for i, group := range d.groups {
			last := i == len(d.groups)-1
			if n := len(group); n > 5 || n < 1 || n < 2 && !last {
				t.Fatalf("group %d of %d has %d places", i+1, len(d.groups), n)
			}
			for _, state := range group {
				if state != next || d.p[state] != d.p[group[0]] {
					t.Fatalf("group %v, next free place %d, probabilities %v", group, next, d.p)
				}
				next++
			}
			if last && len(group) == 1 {
				cut++
			}
			if !last {
				lengths[len(group)]++
			}
		}
		if next != 25 {
			t.Fatalf("%d places are shared, want 25", next)
		}
		distinct := make(map[float64]bool)
		for _, p := range d.p {
			distinct[p] = true
		}
		if want := len(d.groups) + 25; len(distinct) != want {
			t.Fatalf("%d distinct parameters, want %d", len(distinct), want)
		}
	}
	if cut == 0 {
		t.Error("no last run was cut to one place in 2,000 draws")
	}
	if len(lengths) != 4 {
		t.Errorf("runs have the lengths %v, want 2, 3, 4 and 5", lengths)
	}
}

func TestStatementSaysWhatIsShared(t *testing.T) {
	d := truth{p: []float64{0.3, 0.3, 0.2, 0.2}, groups: [][]int{{0, 1}, {2}}}
	if got, want := d.statement().String(), "P(X=x1) = P(X=x2); P(X=x3)"; got != want {
		t.Errorf("the statement is %q, want %q", got, want)
	}
}
