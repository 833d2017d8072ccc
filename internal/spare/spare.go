// Package spare keeps workspaces for later calls.
package spare

import "sync"

// A List of workspaces is safe for concurrent use. Unlike a sync.Pool it never forgets one, so
// that one is made for each call that runs at the same time, and no more.
type List[T any] struct {
	Fresh func() T // makes one when none is idle

	lock sync.Mutex
	idle []T
}

// Take returns a workspace that no other call uses.
func (l *List[T]) Take() T {
	l.lock.Lock()
	defer l.lock.Unlock()
	last := len(l.idle) - 1
	if last < 0 {
		return l.Fresh()
	}
	t := l.idle[last]
	l.idle = l.idle[:last]
	return t
}

// Give returns a workspace for later calls.
func (l *List[T]) Give(t T) {
	l.lock.Lock()
	l.idle = append(l.idle, t)
	l.lock.Unlock()
}
