package structure

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
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
	func(context.Context, []data.Family, *data.CountOptions, int, int) ([][]data.FamilyCounts, error), error) {
	return make([]float64, n), func(_ context.Context, families []data.Family, _ *data.CountOptions, from, to int) (
		[][]data.FamilyCounts, error) {
		out := make([][]data.FamilyCounts, len(families))
		for k := range out {
			for i := from; i < to; i++ {
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

// TestTogetherBounded: no more counts than most are asked for at once, but for those of one replicate, and while some
// replicates have theirs no others are counted in. All get their own.
func TestTogetherBounded(t *testing.T) {
	const n = 40
	for _, most := range []float64{1, 5, 12, 1000} {
		group, err := newTogether(t.Context(), keyed{}, n, 1, 3)
		if err != nil {
			t.Fatal(err)
		}
		group.most, group.room = most, most
		for i := range 7 {
			group.vars = append(group.vars, bn.Discrete(fmt.Sprint(i), "only"))
		}
		var held, calls atomic.Int64 // replicates that use what they got
		inner := group.count
		group.count = func(ctx context.Context, families []data.Family, opts *data.CountOptions, from, to int) (
			[][]data.FamilyCounts, error) {
			calls.Add(1)
			if size := float64(len(families) * (to - from)); size > most && to > from+1 {
				t.Errorf("%v counts at once, at most %v", size, most)
			}
			if held := held.Load(); held > 0 {
				t.Errorf("%d replicates have counts while others are counted in", held)
			}
			return inner(ctx, families, opts, from, to)
		}
		pool.Each(n, n, func(i int) {
			group.begun()
			defer group.ended(t.Context())
			for round := range 1 + i%5 {
				asked := []data.Family{{Child: fmt.Sprint(round)}, {Child: fmt.Sprint((round + i) % 7)}}
				got, err := replicate{group, i}.CountFamilies(t.Context(), asked, nil)
				held.Add(1)
				if err != nil || got[0].N[0] != float64(i) || got[1].N[0] != float64(i) {
					t.Errorf("replicate %d: %v, %v", i, got, err)
				}
				runtime.Gosched()
				held.Add(-1)
			}
		})
		if calls := calls.Load(); most == 1000 && calls > 5 {
			t.Errorf("%d calls for five rounds that fit", calls)
		}
	}
}

// failing draws replicates, and cannot count in them.
type failing struct{ *data.Table }

func (f failing) Replicates(_ context.Context, n int, _ uint64) ([]float64,
	func(context.Context, []data.Family, *data.CountOptions, int, int) ([][]data.FamilyCounts, error), error) {
	return slices.Repeat([]float64{f.TotalWeight()}, n), func(_ context.Context, _ []data.Family,
		_ *data.CountOptions, from, to int) ([][]data.FamilyCounts, error) {
		return nil, errors.New("the connection is lost")
	}, nil
}

// TestTogetherFails: an error of counting names the replicates that were counted in.
func TestTogetherFails(t *testing.T) {
	src := failing{drawnCases(t, 3, 50)}
	_, err := ArcStrengths(t.Context(), src, BIC{}, HillClimb{}, Bootstrap{Replicates: 6}, nil)
	if want := "replicates 1 to 6, counted at once: "; err == nil || !strings.HasPrefix(err.Error(), want) ||
		!strings.HasSuffix(err.Error(), "the connection is lost") {
		t.Errorf("%v, want %s…", err, want)
	}
	if got := (&roundError{2, 3, errors.New("lost")}).Error(); got != "replicate 3: lost" {
		t.Error(got)
	}
}
