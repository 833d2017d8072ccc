package nb

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
)

func TestSearchLines(t *testing.T) {
	for _, tt := range []struct {
		p    structure.Progress
		want string
	}{
		{structure.Progress{Done: 0.5, Score: -12.345, What: "hill climbing"},
			"████████████░░░░░░░░░░░░ x: 50 %, hill climbing, score -12.35"},
		{structure.Progress{Done: 0.999, Score: math.Inf(-1), What: "families"},
			"███████████████████████░ x: 99 %, families"},
		{structure.Progress{Done: 0.25, Score: -3, What: "replicates"}, "██████░░░░░░░░░░░░░░░░░░ x: 25 %, replicates"},
		{structure.Progress{Done: 1, Score: -12, What: "done"}, "x: done, score -12.00"},
		{structure.Progress{Done: 0.378, Score: -12, What: "hill climbing", Interrupted: true},
			"x: interrupted at 37 %, score -12.00"},
	} {
		if got := searchLine("x", tt.p); got != tt.want {
			t.Errorf("%+v is %q, want %q", tt.p, got, tt.want)
		}
	}
}

// Whatever a search and how it ends, in a notebook its line ends in its true state, also when nothing is
// shown after it.
func TestSearchProgress(t *testing.T) {
	table, err := data.ReadCSV(strings.NewReader("a,b,c\n0,0,1\n1,1,1\n0,0,0\n1,1,0\n0,0,1\n1,0,1\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	end := func(run func(ctx context.Context, set *structure.Settings), stop int) string {
		sent := recorder(t)
		ctx, cancel := context.WithCancel(t.Context())
		show, calls := Progress("x").Search, 0
		run(ctx, &structure.Settings{Workers: 1, Progress: func(p structure.Progress) {
			show(p)
			if calls++; calls == stop {
				cancel()
			}
		}})
		return (*sent)[len(*sent)-1].Data[protocol.MIMETextPlain].(string)
	}
	boot := structure.Bootstrap{Replicates: 4, Seed: 1}
	strengths := func(ctx context.Context, set *structure.Settings) {
		structure.ArcStrengths(ctx, table, structure.BIC{}, structure.HillClimb{}, boot, set)
	}
	for _, how := range []structure.Search{structure.HillClimb{}, structure.Exact{},
		structure.Annealing{Seed: 1}} {
		learn := func(ctx context.Context, set *structure.Settings) {
			structure.Learn(ctx, table, structure.BIC{}, how, set)
		}
		if got := end(learn, 0); !strings.HasPrefix(got, "x: done, score -") {
			t.Errorf("%v ends as %q", how, got)
		}
		if got := end(learn, 1); !strings.HasPrefix(got, "x: interrupted at ") {
			t.Errorf("%v, interrupted, ends as %q", how, got)
		}
	}
	if got := end(strengths, 0); got != "x: done" {
		t.Errorf("arc strengths end as %q", got)
	}
	if got := end(strengths, 2); got != "x: interrupted at 50 %" {
		t.Errorf("interrupted arc strengths end as %q", got)
	}
}

func TestFitProgressInterrupted(t *testing.T) {
	sent := recorder(t)
	show := Progress("EM").Fit
	show(step(1, 2, 0, -20, -20, 0, 0))
	show(step(1, 2, 1, -12, -12, 0, 0))
	p := step(1, 2, 1, -12, -12, 0, 0)
	p.Interrupted = true
	show(p)
	if got := (*sent)[len(*sent)-1].Data[protocol.MIMETextPlain]; got != "EM: start 1 of 2, iteration 1, "+
		"log-likelihood -12.00; interrupted" {
		t.Errorf("it ends as %q", got)
	}
	var _ func(learn.Progress) = show
}
