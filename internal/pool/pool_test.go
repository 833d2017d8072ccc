package pool

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// Each task runs once, whatever the number of workers, and none of a worker's tasks beside
// another of it.
func TestShare(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 1000} {
		for _, workers := range []int{-1, 0, 1, 2, 8, 5000} {
			t.Run(fmt.Sprint(n, " tasks ", workers, " workers"), func(t *testing.T) {
				ran, each := make([]int, n), make([]int, n)
				var starts atomic.Int64
				Share(n, workers, func() func(int) {
					starts.Add(1)
					busy := false // the race detector sees two at once
					return func(task int) {
						if busy {
							t.Error("two tasks of one worker at once")
						}
						busy = true
						ran[task]++
						runtime.Gosched()
						busy = false
					}
				})
				Each(n, workers, func(task int) { each[task]++ })
				once := slices.Repeat([]int{1}, n)
				if !slices.Equal(ran, once) || !slices.Equal(each, once) {
					t.Error("a task ran not at all, or twice")
				}
				if s := int(starts.Load()); s > min(n, max(workers, 1)) || n > 0 && s == 0 {
					t.Errorf("%d workers began", s)
				}
			})
		}
	}
}

// Tasks that wait for each other end only when as many run at once as there are workers.
func TestAtOnce(t *testing.T) {
	const n = 4
	var here atomic.Int64
	all := make(chan struct{})
	Each(n, n, func(int) {
		if here.Add(1) == n {
			close(all)
		}
		<-all
	})
}

// One worker does the tasks in their order, in the goroutine of the caller, without memory.
func TestAlone(t *testing.T) {
	var order []int
	Each(5, 1, func(task int) { order = append(order, task) })
	Share(3, 1, func() func(int) { return func(task int) { order = append(order, task) } })
	if !slices.Equal(order, []int{0, 1, 2, 3, 4, 0, 1, 2}) {
		t.Errorf("order %v", order)
	}
	sum := 0
	do := func(task int) { sum += task }
	if n := testing.AllocsPerRun(100, func() { Each(5, 1, do) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWorkers(t *testing.T) {
	for setting, want := range map[int]int{-1: runtime.GOMAXPROCS(0), 0: runtime.GOMAXPROCS(0), 1: 1, 7: 7} {
		if n := Workers(setting); n != want {
			t.Errorf("%d means %d, want %d", setting, n, want)
		}
	}
}
