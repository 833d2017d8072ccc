package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// A meter shows how far an experiment is: one line that is written over on a
// terminal, and a line now and then elsewhere.
type meter struct {
	w        io.Writer
	id       string
	terminal bool
	step     string
	shown    time.Time
	open     bool // a terminal line without its end
}

// Pauses between two lines.
const (
	terminalPause = 100 * time.Millisecond
	logPause      = 10 * time.Second
)

func newMeter(w io.Writer, id string) *meter {
	m := &meter{w: w, id: id}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		m.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return m
}

// update is called by one goroutine at a time.
func (m *meter) update(step string, done, total int) {
	pause := logPause
	if m.terminal {
		pause = terminalPause
	}
	if step == m.step && time.Since(m.shown) < pause && !(m.terminal && done == total) {
		return
	}
	m.step, m.shown = step, time.Now()
	if m.terminal {
		fmt.Fprintf(m.w, "\r\x1b[K%s: %s %d/%d", m.id, step, done, total)
		m.open = true
	} else {
		fmt.Fprintf(m.w, "%s: %s %d/%d\n", m.id, step, done, total)
	}
}

// end finishes the line.
func (m *meter) end() {
	if m.open {
		fmt.Fprint(m.w, "\r\x1b[K")
		m.open = false
	}
}
