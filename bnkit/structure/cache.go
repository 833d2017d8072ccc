package structure

import "sync"

// A cache keeps what was computed for families, up to a budget; what is over it is computed
// again. It is safe for several goroutines.
type cache[T any] struct {
	shards [16]struct {
		sync.Mutex
		of map[string]T
	}
	budget int // entries of a shard
}

func newCache[T any](entries int) *cache[T] {
	c := &cache[T]{budget: (entries + 15) / 16}
	for i := range c.shards {
		c.shards[i].of = make(map[string]T)
	}
	return c
}

// get returns what is kept for a family of this key.
func (c *cache[T]) get(child int, key []byte) (T, bool) {
	s := &c.shards[child&15]
	s.Lock()
	v, ok := s.of[string(key)]
	s.Unlock()
	return v, ok
}

// put keeps v when the budget allows it.
func (c *cache[T]) put(child int, key []byte, v T) {
	s := &c.shards[child&15]
	s.Lock()
	if len(s.of) < c.budget {
		s.of[string(key)] = v
	}
	s.Unlock()
}
