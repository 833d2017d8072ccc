// Package progress keeps reports of progress in order.
package progress

import "sync"

// OneAtATime lets one call of f happen at a time, and the fraction done of a report never fall, nor
// pass 1 by rounding. A nil f is called by nobody.
func OneAtATime[R any](f func(R), done func(*R) *float64) func(R) {
	if f == nil {
		return func(R) {}
	}
	var mutex sync.Mutex
	most := 0.0
	return func(r R) {
		mutex.Lock()
		defer mutex.Unlock()
		most = min(max(most, *done(&r)), 1)
		*done(&r) = most
		f(r)
	}
}
