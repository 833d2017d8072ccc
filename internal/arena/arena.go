// Package arena hands out short slices from long ones.
package arena

// An Arena makes slices that are all given back at once. The zero value is ready for use. It may not be
// used by several goroutines at once.
type Arena[T any] struct {
	all, left []T
}

// Take returns a slice of n elements, which have any values when the arena was reset before.
func (a *Arena[T]) Take(n int) []T {
	if n > len(a.left) {
		a.all = make([]T, max(n, 2*len(a.all))) // slices of the last one stay as they are
		a.left = a.all
	}
	s := a.left[:n:n]
	a.left = a.left[n:]
	return s
}

// Reset takes all slices back: their memory is given out again.
func (a *Arena[T]) Reset() { a.left = a.all }
