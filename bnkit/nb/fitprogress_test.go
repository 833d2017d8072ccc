package nb

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

func step(start, starts, iteration int, loglik, objective, heldOut, violation float64) learn.Progress {
	return learn.Progress{Start: start, Starts: starts, Step: learn.Step{Iteration: iteration, LogLikelihood: loglik,
		Objective: objective, HeldOut: heldOut, Violation: violation}}
}

// The lines of fits, one after the other.
func TestFitLines(t *testing.T) {
	for _, tt := range []struct {
		name  string
		label string
		steps []learn.Progress
		want  string // the last line
	}{
		{"one start", "EM", []learn.Progress{step(1, 1, 0, -20, -20, 0, 0), step(1, 1, 1, -12.345, -12.345, 0, 0)},
			"EM: iteration 1, log-likelihood -12.35"},
		{"no label", "", []learn.Progress{step(1, 3, 7, -12, -12, 0, 0)},
			"start 1 of 3, iteration 7, log-likelihood -12.00"},
		{"everything", "APN", []learn.Progress{step(1, 1, 2, -12, -15.5, -3, 0.125)},
			"APN: iteration 2, log-likelihood -12.00, objective -15.50, held-out -3.00, violation 0.125"},
		// Without held-out cases a start is as good as where it ends.
		{"the end counts", "", []learn.Progress{step(1, 2, 0, -5, -5, 0, 0), step(1, 2, 1, -9, -9, 0, 0),
			step(2, 2, 0, -8, -8, 0, 0)},
			"start 2 of 2, iteration 0, log-likelihood -8.00; best so far: start 2, -8.00"},
		{"the first is better", "", []learn.Progress{step(1, 2, 3, -7, -7, 0, 0), step(2, 2, 0, -8, -8, 0, 0)},
			"start 2 of 2, iteration 0, log-likelihood -8.00; best so far: start 1, -7.00"},
		// With them it is as good as where it was best for these.
		{"held-out cases", "", []learn.Progress{step(1, 2, 0, -9, -9, -4, 0), step(1, 2, 1, -8, -8, -6, 0),
			step(2, 2, 0, -7, -7, -5, 0)},
			"start 2 of 2, iteration 0, log-likelihood -7.00, held-out -5.00; best so far: start 1, -4.00"},
		{"another fit", "", []learn.Progress{step(1, 2, 0, -1, -1, 0, 0), step(2, 2, 0, -1, -1, -1, 0),
			step(1, 2, 0, -9, -9, 0, 0), step(2, 2, 0, -8, -8, 0, 0)},
			"start 2 of 2, iteration 0, log-likelihood -8.00; best so far: start 2, -8.00"},
		{"no start", "", []learn.Progress{{}},
			"iteration 0, log-likelihood 0.00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &lines{}
			use(t, s)
			show := Progress(tt.label).Fit
			for _, p := range tt.steps {
				show(p)
			}
			if len(s.got) != len(tt.steps) || s.got[len(s.got)-1] != tt.want {
				t.Errorf("lines %q, want %q at the end", s.got, tt.want)
			}
		})
	}
}

// In a notebook a fit leaves one line, in the state in which the fit ended, above what is
// shown next; a terminal gets lines on the standard error only.
func TestFitProgress(t *testing.T) {
	net, err := bn.New("[H][A|H][B|H]", bn.Discrete("H", "0", "1"), bn.Discrete("A", "0", "1"),
		bn.Discrete("B", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	rows.WriteString("A,B\n")
	for row := range 60 {
		fmt.Fprintf(&rows, "%d,%d\n", row%2, row%3/2)
	}
	table, err := data.ReadCSV(strings.NewReader(rows.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	fit := func() *learn.Result {
		r, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{Starts: 3, Seed: 1,
			Progress: Progress("EM").Fit})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Run("notebook", func(t *testing.T) {
		sent := recorder(t)
		Println("before")
		fit()
		Println("after")
		all := *sent
		end := all[len(all)-2].Data[protocol.MIMETextPlain].(string)
		if !strings.HasPrefix(end, "EM: start 3 of 3, iteration ") || !strings.Contains(end, "; best so far: start ") {
			t.Errorf("the line ends as %q", end)
		}
		if after := all[len(all)-1]; after.Data[protocol.MIMETextPlain] != "after" ||
			after.DisplayID == all[0].DisplayID {
			t.Errorf("what follows is %v, in the block of what came before or not the last", after.Data)
		}
		for _, d := range all[1 : len(all)-1] {
			if d.DisplayID != all[1].DisplayID {
				t.Errorf("a line of its own: %v", d.Data)
			}
		}
		// Again the same state, whatever the speed.
		fit()
		Println("again")
		if got := (*sent)[len(*sent)-2].Data[protocol.MIMETextPlain]; got != end {
			t.Errorf("the same fit ends as %q, before as %q", got, end)
		}
	})
	t.Run("terminal", func(t *testing.T) {
		var out, errs bytes.Buffer
		use(t, &plain{out: &out, err: &errs})
		fit()
		if out.Len() > 0 {
			t.Errorf("standard output %q", out.String())
		}
	})
}

// A state that came too soon is shown once, before the next thing of whatever kind.
func TestStatusSettles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // no time passes but by Sleep
		sent := recorder(t)
		update := show().status()
		for _, s := range []string{"one", "two", "three"} {
			update(s, false)
		}
		show().(*notebook).display("text/markdown", "text", nil)
		Println("more")
		update("four", false)
		update("five", false)
		Println("and more")
		update("six", false)
		time.Sleep(time.Second)
		update("seven", false)
		update("eight", true)
		Println("end")
		var got []string
		for _, d := range *sent {
			for _, content := range d.Data {
				got = append(got, fmt.Sprint(content))
			}
		}
		if s := strings.Join(got, "|"); s != "one|three|text|more|five|more\nand more|seven|eight|more\nand more\nend" {
			t.Errorf("shown: %q", s)
		}
	})
}
