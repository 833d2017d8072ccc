package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bnlab/experiments/run"
)

// A meter shows how far the experiments are, and how long the others will take: one line with a bar that is written
// over on a terminal, and a line now and then elsewhere.
type meter struct {
	w        io.Writer
	now      func() time.Time
	terminal bool
	start    time.Time
	weights  []weight // of the experiments, in their order
	at       int      // the one that runs; -1 before the first
	within   float64  // share of it that is done
	step     string
	shown    time.Time
	open     bool // a terminal line without its end
}

// A weight is what an experiment has taken in the reference.
type weight struct {
	id      string
	seconds float64
	steps   []run.Step
}

// Pauses between two lines.
const (
	terminalPause = 100 * time.Millisecond
	logPause      = 30 * time.Second
)

// newMeter is one for these experiments; the reference says how they compare in time.
func newMeter(w io.Writer, reference string, ids []string) *meter {
	m := &meter{w: w, now: time.Now, at: -1}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		m.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	known, sum := 0, 0.0
	for _, id := range ids {
		one := weight{id: id}
		if r, err := run.Load(filepath.Join(reference, id)); err == nil && r.Seconds > 0 {
			one.seconds, one.steps = r.Seconds, r.Steps
			known, sum = known+1, sum+r.Seconds
		}
		m.weights = append(m.weights, one)
	}
	for i, one := range m.weights {
		if one.seconds == 0 { // as long as the others in the mean
			m.weights[i].seconds = max(sum, 1) / float64(max(known, 1))
		}
	}
	m.start = m.now()
	return m
}

// begin goes on to the next experiment.
func (m *meter) begin() {
	m.end()
	m.at, m.within, m.step = m.at+1, 0, ""
}

// share is how much of all experiments is done.
func (m *meter) share() float64 {
	done, all := 0.0, 0.0
	for i, one := range m.weights {
		all += one.seconds
		switch {
		case i < m.at:
			done += one.seconds
		case i == m.at:
			done += one.seconds * m.within
		}
	}
	return done / all
}

// left is how long the rest will take, in words; empty while nobody can tell.
func (m *meter) left() string {
	share, passed := m.share(), m.now().Sub(m.start)
	if share < 0.02 || passed < 2*time.Second {
		return ""
	}
	rest := time.Duration(float64(passed) * (1 - share) / share)
	if rest < 90*time.Second {
		return fmt.Sprintf(", about %d s left", int(rest.Round(5*time.Second).Seconds()))
	}
	return fmt.Sprintf(", about %d min left", int(rest.Round(time.Minute).Minutes()))
}

// advance notes how much of the experiment is done when a step is: as the steps have taken in the reference.
func (m *meter) advance(step string, done, total int) {
	before, all, own := 0.0, 0.0, -1.0
	for _, s := range m.weights[m.at].steps {
		if s.Name == step {
			before, own = all, s.Seconds
		}
		all += s.Seconds
	}
	if own >= 0 && all > 0 && total > 0 {
		m.within = max(m.within, min((before+own*float64(done)/float64(total))/all, 1))
	}
}

// update is called by one goroutine at a time.
func (m *meter) update(step string, done, total int) {
	m.advance(step, done, total)
	pause := logPause
	if m.terminal {
		pause = terminalPause
	}
	if now := m.now(); step == m.step && now.Sub(m.shown) < pause && !(m.terminal && done == total) ||
		!m.terminal && m.step != "" && now.Sub(m.shown) < pause {
		return
	}
	m.step, m.shown = step, m.now()
	share := m.share()
	text := fmt.Sprintf("%3.0f %%%s  %s: %s %d/%d", 100*share, m.left(), m.weights[m.at].id, step, done, total)
	if !m.terminal {
		fmt.Fprintln(m.w, strings.TrimSpace(text))
		return
	}
	const width, bar = 79, 20
	filled := int(share * bar)
	line := []rune("[" + strings.Repeat("#", filled) + strings.Repeat(".", bar-filled) + "]" + text)
	fmt.Fprintf(m.w, "\r\x1b[K%s", string(line[:min(len(line), width)]))
	m.open = true
}

// end finishes the line.
func (m *meter) end() {
	if m.open {
		fmt.Fprint(m.w, "\r\x1b[K")
		m.open = false
	}
}
