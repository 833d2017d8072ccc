package constraint

import "sync"

// spare keeps workspaces for later calls. Unlike a sync.Pool it never forgets one, so
// that solving allocates once for each call that runs at the same time, and no more.
type spare[T any] struct {
	fresh func() T
	lock  sync.Mutex
	idle  []T
}

func (s *spare[T]) take() T {
	s.lock.Lock()
	defer s.lock.Unlock()
	last := len(s.idle) - 1
	if last < 0 {
		return s.fresh()
	}
	t := s.idle[last]
	s.idle = s.idle[:last]
	return t
}

func (s *spare[T]) give(t T) {
	s.lock.Lock()
	s.idle = append(s.idle, t)
	s.lock.Unlock()
}
