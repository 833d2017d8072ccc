package presolve

// A slab hands out many small slices of zeros from few large ones. What is handed out is
// never taken back, and keeps its large one alive.
type slab[T any] struct{ free []T }

// slabSize is the length of a large slice.
const slabSize = 4096

func (s *slab[T]) Take(n int) []T {
	if n > len(s.free) {
		if n > slabSize/4 {
			return make([]T, n)
		}
		s.free = make([]T, slabSize)
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// copyOf returns a copy of list.
func (s *slab[T]) copyOf(list []T) []T {
	out := s.Take(len(list))
	copy(out, list)
	return out
}
