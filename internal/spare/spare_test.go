package spare

import (
	"sync"
	"testing"
)

func TestListReuses(t *testing.T) {
	made := 0
	l := List[*int]{Fresh: func() *int { made++; return new(int) }}
	a, b := l.Take(), l.Take()
	if a == b || made != 2 {
		t.Fatalf("two calls at a time share a workspace, or %d were made", made)
	}
	l.Give(a)
	if l.Take() != a || made != 2 {
		t.Errorf("an idle workspace is not used again: %d were made", made)
	}
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			for range 1000 {
				w := l.Take()
				*w++ // the race detector sees a workspace that two calls have
				l.Give(w)
			}
		})
	}
	calls.Wait()
}
