package validate

import (
	"context"
	"sync"

	"bnlab/internal/interrupt"
	"bnlab/internal/pool"
)

// each calls do for the tasks 0 … n−1, in order on one worker and otherwise on several, and
// progress after each. It returns which were done. A task that fails is the last to be begun;
// the error is that of the first such task, whatever the number of workers. A done context ends
// it without an error, and then what a task still brings is left out: a fit may have ended early; progress is
// told so.
func each(ctx context.Context, workers, n int, progress func(done, total int), do func(task int, b *buffer) error) (
	[]bool, error) {
	var mu sync.Mutex
	next, count := 0, 0
	done, failed := make([]bool, n), make([]error, n)
	begin := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == n || ctx.Err() != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	end := func(task int, err error) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			failed[task], next = err, n
			return
		}
		done[task] = true
		count++
		if progress != nil {
			progress(count, n)
		}
	}
	var wait sync.WaitGroup
	for range min(pool.Workers(workers), n) {
		wait.Go(func() {
			var b buffer
			for {
				task, ok := begin()
				if !ok {
					return
				}
				end(task, do(task, &b))
			}
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		interrupt.Last(progress, count, n)
	}
	for _, err := range failed {
		if err != nil {
			return done, err
		}
	}
	return done, nil
}
