package structure

import (
	"math"
	"sync"
)

// A meter turns the moves of several climbs into progress. How many moves a climb will make is
// estimated: one and a half for each variable until a climb has ended, then as many as the climbs that
// ended made on average.
type meter struct {
	sync.Mutex
	p        *Problem
	climbs   int
	ended    int
	moves    int // of those that ended
	score    float64
	expected float64
}

func newMeter(p *Problem, climbs int) *meter {
	return &meter{p: p, climbs: climbs, score: math.Inf(-1), expected: 1.5 * float64(max(1, len(p.Scorer.vars)))}
}

// moved notes that a climb has made so many moves and what its best graph scores.
func (m *meter) moved(moves int, score float64) {
	m.Lock()
	m.score = max(m.score, score)
	part := min(float64(moves)/m.expected, 0.99)
	p := Progress{Done: (float64(m.ended) + part) / float64(m.climbs), Score: m.score, What: "hill climbing"}
	m.Unlock()
	p.Done = min(p.Done, 1)
	m.p.Progress(p)
}

// climbed notes that a climb has ended after so many moves.
func (m *meter) climbed(moves int) {
	m.Lock()
	m.ended++
	m.moves += moves
	m.expected = max(1, float64(m.moves)/float64(m.ended))
	p := Progress{Done: float64(m.ended) / float64(m.climbs), Score: m.score, What: "hill climbing"}
	m.Unlock()
	m.p.Progress(p)
}
