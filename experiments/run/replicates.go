package run

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"bnlab/internal/say"
)

// Replicates calls f once for each replicate 0 … n−1, spread over the workers,
// as a step of that name. Each replicate has its own stream,
// rand.NewPCG(seed, replicate); f keeps its results at the replicate's index, so
// that nothing depends on the number of workers or on their order.
//
// After the first error no new replicate begins; of the errors that came, that
// of the lowest replicate is returned. When ctx is done its error is returned.
func (j *Job) Replicates(ctx context.Context, step string, n int, f func(replicate int, src *rand.PCG) error) error {
	j.Step(step)
	j.Progress(step, 0, n)
	var (
		wg         sync.WaitGroup
		next, done atomic.Int64
		stop       atomic.Bool
		mu         sync.Mutex
		first      = n
		failure    error
	)
	for range min(max(j.Workers, 1), max(n, 1)) {
		wg.Go(func() {
			for !stop.Load() && ctx.Err() == nil {
				replicate := int(next.Add(1)) - 1
				if replicate >= n {
					return
				}
				if err := f(replicate, j.Source(0, replicate)); err != nil {
					stop.Store(true)
					mu.Lock()
					if replicate < first {
						first, failure = replicate, err
					}
					mu.Unlock()
					return
				}
				j.Progress(step, int(done.Add(1)), n)
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	if failure != nil {
		return say.Errorf("%s, replicate %d: %w", step, first, failure)
	}
	return nil
}
