package main

import (
	"bytes"
	"testing"
	"time"

	"bnlab/experiments/run"
)

// TestMeter: beta takes three times as long as alpha, and its steps 1 and 3 parts of that.
func TestMeter(t *testing.T) {
	var out bytes.Buffer
	m := newMeter(&out, t.TempDir(), []string{"alpha", "beta"})
	steps := []run.Step{{Name: "draw", Seconds: 1}, {Name: "learn", Seconds: 3}}
	m.weights = []weight{{"alpha", 100, nil}, {"beta", 300, steps}}
	clock := m.start
	m.now = func() time.Time { return clock }
	m.begin()
	m.update("fit", 1, 2)
	clock = clock.Add(100 * time.Second)
	m.begin()
	m.update("draw", 0, 10)
	clock = clock.Add(60 * time.Second)
	m.update("draw", 10, 10)
	clock = clock.Add(time.Second) // too soon for a line
	m.update("learn", 1, 3)
	clock = clock.Add(139 * time.Second)
	m.update("learn", 5, 9)
	want := "0 %  alpha: fit 1/2\n" +
		"25 %, about 5 min left  beta: draw 0/10\n" + // 100 s for a quarter
		"44 %, about 3 min left  beta: draw 10/10\n" + // 160 s for 175 of 400: 206 s
		"75 %, about 2 min left  beta: learn 5/9\n" // 300 s for 300 of 400: 100 s
	if got := out.String(); got != want {
		t.Errorf("printed\n%swant\n%s", got, want)
	}
}
