package hpm

import "sync"

// each calls do for the tasks 0 … n−1, on some workers. Each worker has a W of its own. Tasks
// begin in order.
func each[W any](workers, n int, do func(task int, own *W)) {
	var (
		mu   sync.Mutex
		next int
		wait sync.WaitGroup
	)
	for range min(workers, n) {
		wait.Go(func() {
			var own W
			for {
				mu.Lock()
				task := next
				next++
				mu.Unlock()
				if task >= n {
					return
				}
				do(task, &own)
			}
		})
	}
	wait.Wait()
}
