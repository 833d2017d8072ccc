package sharing

import (
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

func TestEquivalents(t *testing.T) {
	stbn := []float64{0.5, 0.3, 0.4, 0.2, 0.1}
	for kl, want := range map[float64]float64{0.6: 1, 0.5: 1, 0.35: 2, 0.3: 2, 0.25: 4, 0.1: 5, 0.05: math.Inf(1)} {
		if got := equivalents(stbn, []float64{kl})[0]; got != want {
			t.Errorf("STBN %v reaches %v at %v, want %v", stbn, kl, got, want)
		}
	}
}

func TestFactors(t *testing.T) {
	r := &Curves{Config: Config{Examples: 4, Search: 12, Every: 2},
		Equivalent: [][]float64{{9, 5, 9, 6}, {9, 2, 9, math.Inf(1)}}}
	mean, most, beyond := r.factors()
	if !slices.Equal(mean, []float64{2, 2}) || !slices.Equal(most, []float64{2.5, 3}) || beyond != 1 {
		t.Errorf("means %v, largest %v, %d beyond the search; want [2 2], [2.5 3], 1", mean, most, beyond)
	}
}

func TestLargest(t *testing.T) {
	height, size := largest([][]float64{{0, 0.2, 0.5, 0.5, 0.1}, {0.3, 0.1, 0, 0, 0}})
	if !slices.Equal(height, []float64{0.5, 0.3}) || !slices.Equal(size, []float64{3, 1}) {
		t.Errorf("largest gaps %v at %v, want [0.5 0.3] at [3 1]", height, size)
	}
}

func TestShape(t *testing.T) {
	gap := make([]run.Band, 1000)
	for i := range gap {
		n := float64(i + 1)
		gap[i].Mean = n / 60 * math.Exp(1-n/60)
	}
	if sizes, heights := shape(gap); !slices.Equal(sizes, []int{60, 200, 400, 800, 1000}) ||
		!strings.HasPrefix(heights, "1.000 at 60, 0.323 at 200") {
		t.Errorf("%v, %s", sizes, heights)
	}
	gap[999].Mean = 2
	if sizes, _ := shape(gap); sizes[0] != 1000 {
		t.Errorf("peak at %d, want 1000", sizes[0])
	}
	parts := shrinking([][]float64{{0, 5, 3, 4}, {0, 4, 3, 3}}, []int{2, 3, 4})
	if len(parts) != 2 || !slices.Equal(parts[0].Differences, []float64{2, 1}) ||
		!slices.Equal(parts[1].Differences, []float64{-1, 0}) {
		t.Errorf("%v", parts)
	}
}

// TestPDKBNIsNeverWorse is the law behind the first claim, in every replicate.
func TestPDKBNIsNeverWorse(t *testing.T) {
	c := Quick()
	c.Replicates, c.Search = 20, c.Examples
	r, err := Compute(t.Context(), &run.Job{Seed: 4, Workers: 2}, c)
	if err != nil {
		t.Fatal(err)
	}
	for replicate, gap := range r.Gap() {
		for i, g := range gap {
			if g < -1e-12 || r.PDKBN[replicate][i] < 0 {
				t.Fatalf("replicate %d, %d examples: gap %v, KL %v", replicate, i+1, g, r.PDKBN[replicate][i])
			}
		}
	}
}

func TestErrors(t *testing.T) { runtest.Refuses(t, Compute, Paper()) }

func TestSameResults(t *testing.T) {
	c := Quick()
	c.Replicates = 4
	runtest.SameResults(t, func(job *run.Job) (*Curves, error) { return Compute(t.Context(), job, c) })
}

func TestSameBytes(t *testing.T) {
	dir, claims := runtest.Once(t, Experiment{})
	runtest.Hold(t, claims)
	runtest.Files(t, dir, "n06-fig2-kl.csv", "n06-fig2-kl.png", "n06-fig2-kl.svg", "n06-tab1-equivalent-size.csv")
}
