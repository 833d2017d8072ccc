package structure

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// share hands the tasks 0..n−1 to the workers; start is called once in each.
func share(n, workers int, start func() func(task int)) {
	workers = min(workers, n)
	if workers <= 1 {
		if n > 0 {
			do := start()
			for task := range n {
				do(task)
			}
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			do := start()
			for {
				task := int(next.Add(1)) - 1
				if task >= n {
					return
				}
				do(task)
			}
		})
	}
	wg.Wait()
}

// processors is the number of goroutines that a setting means.
func processors(workers int) int {
	if workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return workers
}
