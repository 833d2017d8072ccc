// Package pool hands numbered tasks to goroutines.
//
// A task keeps what it finds under its own number, so that nothing depends on how many workers
// there are or on which of them did what.
package pool

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers is the number of goroutines that a setting means: itself, or GOMAXPROCS for 0 and less.
func Workers(setting int) int {
	if setting <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return setting
}

// Each calls do for the tasks 0 … n−1 and returns when all are done. Tasks begin in order; with
// one worker, or one task, they run in the caller's goroutine.
func Each(n, workers int, do func(task int)) {
	if min(workers, n) <= 1 {
		for task := range n {
			do(task)
		}
		return
	}
	Share(n, workers, func() func(int) { return do })
}

// Share is [Each] for tasks that need room to work in: start is called once in each worker
// that has a task, and what it returns does the tasks of that worker, one at a time. With a worker
// for each task all run at once, and may wait for each other.
func Share(n, workers int, start func() func(task int)) {
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
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			var do func(task int)
			for {
				task := int(next.Add(1)) - 1
				if task >= n {
					return
				}
				if do == nil {
					do = start()
				}
				do(task)
			}
		})
	}
	wait.Wait()
}
