package run_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"bnlab/experiments/run"
)

func TestReplicateStreams(t *testing.T) {
	job := &run.Job{Seed: 5, Workers: 3}
	got := make([]uint64, 50)
	err := job.Replicates(t.Context(), "draw", len(got), func(replicate int, src *rand.PCG) error {
		got[replicate] = src.Uint64()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[uint64]bool)
	for replicate, x := range got {
		if want := rand.NewPCG(5, uint64(replicate)).Uint64(); x != want {
			t.Errorf("replicate %d draws %d, want %d", replicate, x, want)
		}
		for stream := range uint32(3) {
			seen[job.Source(stream, replicate).Uint64()] = true
		}
	}
	if len(seen) != 150 {
		t.Errorf("%d different first numbers in 3 streams of 50 replicates", len(seen))
	}
}

func TestReplicatesReturnsTheLowestError(t *testing.T) {
	job := &run.Job{Workers: 2}
	var both atomic.Int32
	err := job.Replicates(t.Context(), "draw", 2, func(replicate int, _ *rand.PCG) error {
		both.Add(1)
		for both.Load() < 2 { // until both have begun
		}
		return fmt.Errorf("error %d", replicate)
	})
	if err == nil || err.Error() != "draw, replicate 0: error 0" {
		t.Errorf("error %v", err)
	}
}

func TestReplicatesStops(t *testing.T) {
	for _, workers := range []int{1, 2} {
		ctx, cancel := context.WithCancel(t.Context())
		var begun atomic.Int32
		err := (&run.Job{Workers: workers}).Replicates(ctx, "draw", 1000, func(int, *rand.PCG) error {
			begun.Add(1)
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if n := int(begun.Load()); n > workers {
			t.Errorf("%d workers began %d replicates after cancelling", workers, n)
		}
	}
}

func TestBand(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[99-i] = float64(i + 1)
	}
	if got, want := run.NewBand(values), (run.Band{Mean: 50.5, P05: 5, P50: 50, P95: 95,
		Replicates: 100}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	values[0], values[1] = math.Inf(1), math.Inf(1)
	if got := run.NewBand(values); got.P95 != 95 || !math.IsInf(got.Mean, 1) {
		t.Errorf("with two infinite values: %+v", got)
	}
}

func TestFormat(t *testing.T) {
	for x, want := range map[float64]string{0.1: "0.1", 1.0 / 3: "0.3333333333333333", 1e-9: "1e-09", 12: "12",
		-0.25: "-0.25"} {
		if got := run.Format(x); got != want {
			t.Errorf("Format(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestParseProfile(t *testing.T) {
	if _, err := run.ParseProfile("slow"); err == nil || !strings.Contains(err.Error(), "quick, paper") {
		t.Errorf("error %v, want one that lists the profiles", err)
	}
}

// A stream that was partly used goes on from its state.
func TestState(t *testing.T) {
	src := (&run.Job{Seed: 7}).Source(3, 5)
	for range 10 {
		seed, stream := run.State(src)
		if got, want := rand.NewPCG(seed, stream).Uint64(), src.Uint64(); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	}
}
