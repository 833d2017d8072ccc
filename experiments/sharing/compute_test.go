package sharing

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bnlab/experiments/run"
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
	r := &Curves{Config: Config{Examples: 4, Search: 12, Every: 2}, Equivalent: [][]float64{{9, 5, 9, 6}, {9, 2, 9, math.Inf(1)}}}
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
	if peak, heights, falls := shape(gap); peak != 60 || !falls {
		t.Errorf("peak at %d, %s, falls %v", peak, heights, falls)
	}
	gap[999].Mean = 2
	if peak, _, _ := shape(gap); peak != 1000 {
		t.Errorf("peak at %d, want 1000", peak)
	}
	gap[999].Mean = 0.5
	if _, heights, falls := shape(gap); falls {
		t.Errorf("a gap that grows in the end falls: %s", heights)
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

func TestCtrlC(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compute(ctx, &run.Job{Seed: 1, Workers: 2}, Paper()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestSameBytes runs the quick profile with one and with two workers.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the whole quick profile twice")
	}
	one, two := t.TempDir(), t.TempDir()
	for dir, workers := range map[string]int{one: 1, two: 2} {
		o := run.Options{Profile: run.Quick, Seed: 7, Out: dir, Workers: workers}
		_, claims, err := run.Execute(t.Context(), Experiment{}, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range claims {
			if c.Failed() {
				t.Errorf("does not hold with seed 7: %s (ours %s)", c.Claim, c.Value())
			}
		}
	}
	files, err := os.ReadDir(filepath.Join(one, "sharing"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
		a, err1 := os.ReadFile(filepath.Join(one, "sharing", f.Name()))
		b, err2 := os.ReadFile(filepath.Join(two, "sharing", f.Name()))
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if f.Name() != "run.json" && string(a) != string(b) {
			t.Errorf("%s differs between 1 and 2 workers", f.Name())
		}
	}
	for _, want := range []string{"claims.csv", "n06-fig2-kl.csv", "n06-fig2-kl.png", "n06-fig2-kl.svg", "n06-tab1-equivalent-size.csv", "run.json"} {
		if !slices.Contains(names, want) {
			t.Errorf("no file %s among %v", want, names)
		}
	}
}
