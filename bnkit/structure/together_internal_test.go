package structure

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/pool"
)

// keyed draws replicates that have their numbers for counts.
type keyed struct{ data.Source }

func (keyed) Variables() []bn.Variable { return nil }

func (keyed) Replicates(_ context.Context, n int, _ uint64) ([]float64,
	func(context.Context, []data.Family, *data.CountOptions) ([][]data.FamilyCounts, error), error) {
	return make([]float64, n), func(_ context.Context, families []data.Family, _ *data.CountOptions) (
		[][]data.FamilyCounts, error) {
		out := make([][]data.FamilyCounts, len(families))
		for k := range out {
			for i := range n {
				out[k] = append(out[k], data.FamilyCounts{N: []float64{float64(i)}})
			}
		}
		return out, nil
	}, nil
}

// TestTogetherAtOnce: of many searches that wait for each other, of which some end early, no more compute at once than
// workers, and each gets its own counts.
func TestTogetherAtOnce(t *testing.T) {
	const n = 60
	for _, workers := range []int{1, 3, n} {
		group, err := newTogether(t.Context(), keyed{}, n, 1, workers)
		if err != nil {
			t.Fatal(err)
		}
		var computing, most atomic.Int64
		pool.Each(n, n, func(i int) {
			group.begun()
			defer group.ended(t.Context())
			for round := range 1 + i%5 {
				now := computing.Add(1)
				for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
				}
				for range 20 {
					runtime.Gosched()
				}
				computing.Add(-1)
				asked := []data.Family{{Child: fmt.Sprint(round)}, {Child: fmt.Sprint(round, i%7)}}
				got, err := replicate{group, i}.CountFamilies(t.Context(), asked, nil)
				if err != nil || got[0].N[0] != float64(i) || got[1].N[0] != float64(i) {
					t.Errorf("replicate %d: %v, %v", i, got, err)
				}
			}
		})
		if most := most.Load(); most > int64(workers) {
			t.Errorf("%d searches computed at once, for %d workers", most, workers)
		}
		if len(group.slots) != 0 {
			t.Errorf("%d slots are still taken", len(group.slots))
		}
	}
}
