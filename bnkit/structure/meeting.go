package structure

import (
	"context"
	"sync"
)

// A meeting makes one batch of what all climbs want next, so that a database is asked as often for
// eight climbs as for one. A climb waits until every other has asked or ended.
type meeting struct {
	sync.Mutex
	all      *neighbours
	wake     *sync.Cond
	climbing int
	waiting  []*request
}

type request struct {
	rings []*ring
	done  bool
	err   error
}

func newMeeting(n *neighbours, climbs int) *meeting {
	m := &meeting{all: n, climbing: climbs}
	m.wake = sync.NewCond(m)
	return m
}

// score fills in rings together with those of the other climbs.
func (m *meeting) score(ctx context.Context, rings []*ring, workers int) error {
	m.Lock()
	defer m.Unlock()
	r := &request{rings: rings}
	m.waiting = append(m.waiting, r)
	m.serve(ctx, workers)
	for !r.done {
		m.wake.Wait()
	}
	return r.err
}

// leave says that a climb has ended.
func (m *meeting) leave(ctx context.Context, workers int) {
	m.Lock()
	defer m.Unlock()
	m.climbing--
	m.serve(ctx, workers)
}

// serve scores all rings when every climb waits.
func (m *meeting) serve(ctx context.Context, workers int) {
	if len(m.waiting) == 0 || len(m.waiting) < m.climbing {
		return
	}
	var rings []*ring
	first := make(map[string]*ring)
	for _, r := range m.waiting {
		for _, ring := range r.rings {
			key := string(ring.key())
			if first[key] == nil {
				first[key] = ring
				rings = append(rings, ring)
			}
		}
	}
	err := m.all.score(ctx, rings, workers)
	for _, r := range m.waiting {
		for _, ring := range r.rings {
			if same := first[string(ring.key())]; err == nil && same != ring {
				copy(ring.scores, same.scores)
			}
		}
		r.done, r.err = true, err
	}
	m.waiting = m.waiting[:0]
	m.wake.Broadcast()
}
