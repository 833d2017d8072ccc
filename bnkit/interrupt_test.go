package bnkit_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/learn/sharing"
	"bnlab/bnkit/structure"
)

// Verbs that are interrupted end with what they have, and say how far they came.
func TestInterruptedSearches(t *testing.T) {
	cancelAfter := func(n int) *bnkit.SearchSettings {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		return &bnkit.SearchSettings{Seed: 1, Replicates: 8, Workers: 1, Context: ctx,
			Progress: func(structure.Progress) {
				if calls++; calls == n {
					cancel()
				}
			}}
	}
	frame, strengths, err := bnkit.ArcStrengths(lawns(), nil, nil, cancelAfter(3))
	if err != nil || frame.Nrow() == 0 || !strings.Contains(strengths.String(), "3 of 8 replicates") {
		t.Errorf("arc strengths: %v, error %v", strengths, err)
	}
	found, err := bnkit.Search(lawns(), nil, structure.Exact{}, cancelAfter(2))
	if err != nil || !found.Interrupted || found.Model == nil || !strings.Contains(found.String(),
		"interrupted at 33 %: the best graph so far") {
		t.Errorf("search: %v, error %v", found, err)
	}
	set := cancelAfter(1)
	if _, _, err := bnkit.ArcStrengths(lawns(), structure.BIC{}, structure.HillClimb{Orders: -1}, set); err == nil ||
		strings.Contains(err.Error(), "cancel") {
		t.Errorf("a bad search: %v", err)
	}
}

// cancelAt returns a context and a progress that ends it at the n-th call; told collects the calls.
func cancelAt(t *testing.T, n int) (ctx context.Context, progress func(done, total int), told *[][2]int) {
	ctx, cancel := context.WithCancel(t.Context())
	told = new([][2]int)
	return ctx, func(done, total int) {
		if *told = append(*told, [2]int{done, total}); len(*told) == n {
			cancel()
		}
	}, told
}

func TestInterruptedAudit(t *testing.T) {
	share := func(a, b string) constraint.Constraint {
		return constraint.ShareStates{Var: "X", Groups: [][]string{{a, b}}}
	}
	m := letters(t, learn.ML{Constraints: []constraint.Constraint{share("a", "b"), share("b", "c")}})
	ctx, progress, told := cancelAt(t, 1)
	df, err := bnkit.Audit(m, &learn.AuditSettings{Context: ctx, Progress: progress})
	if err != nil || !slices.Equal(*told, [][2]int{{1, 2}, {1, 1}}) {
		t.Fatalf("steps %v, error %v", *told, err)
	}
	if cost := df.Col("cost_nats").Float(); math.IsNaN(cost[0]) || !math.IsNaN(cost[1]) ||
		!strings.Contains(df.Col("verdict").Records()[1], "interrupted after 1 of 2") {
		t.Errorf("the frame is %v", df)
	}
}

// Intervals end with the draws that were made, which are the first ones of a whole run.
func TestInterruptedIntervals(t *testing.T) {
	df := lawns()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[rain][grass|rain]", df, nil))
	statements := []constraint.Constraint{constraint.Influence{Parent: "rain", Child: "grass",
		Sign: constraint.Positive}}
	m := must[*bnkit.Model](t)(bnkit.Fit(net, df, learn.MAP{Pseudocount: 1, Constraints: statements}, nil))
	set := func(n int) (*bnkit.IntervalSettings, *[][2]int) {
		ctx, progress, told := cancelAt(t, n)
		return &bnkit.IntervalSettings{Draws: 1000, Src: rand.NewPCG(1, 0), Context: ctx, Progress: progress}, told
	}
	some, told := set(30)
	got, err := bnkit.Intervals(m, "grass", some)
	if err != nil || !slices.Equal((*told)[28:], [][2]int{{290, 1000}, {300, 1000}, {300, 300}}) {
		t.Fatalf("steps %v, error %v", *told, err)
	}
	if notes := got.Col("note").Records(); !strings.Contains(notes[0], "interrupted: 300 of 1000 draws") {
		t.Errorf("notes %q", notes)
	}
	all, told := set(101)
	if want, err := bnkit.Intervals(m, "grass", all); err != nil || len(*told) != 100 ||
		strings.Contains(want.Col("note").Records()[0], "interrupted") {
		t.Errorf("the whole run made %d steps, error %v", len(*told), err)
	} else if x, y := got.Col("low").Float(), want.Col("low").Float(); math.Abs(x[0]-y[0]) > 0.05 || x[0] == y[0] {
		t.Errorf("the first interval begins at %v, with all draws at %v", x[0], y[0])
	}
	few, _ := set(5)
	if _, err := bnkit.Intervals(m, "grass", few); !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), "after 50 of 1000 draws, and an interval needs 100") {
		t.Errorf("too few: %v", err)
	}
	none, _ := set(1)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	none.Context = ended
	if _, err := bnkit.Intervals(m, "grass", none); !errors.Is(err, context.Canceled) {
		t.Errorf("at once: %v", err)
	}
}

func TestInterruptedGroups(t *testing.T) {
	df := lawns()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[rain][grass|rain][weekday|rain]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(net, df, learn.ML{}, nil))
	all, _, err := bnkit.GroupAll(t.Context(), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, progress, told := cancelAt(t, 1)
	some, _, err := bnkit.GroupAll(ctx, m, &sharing.Settings{Progress: progress})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "interrupted after 1 of 3 variables") ||
		!slices.Equal(*told, [][2]int{{1, 3}, {1, 1}}) {
		t.Errorf("steps %v, error %v", *told, err)
	}
	if len(some) != 1 || len(all) < 2 || some[0].String() != all[0].String() {
		t.Errorf("found %v, of %v", some, all)
	}
}

// Ctrl-C does not kill what can end with what it has: the child says that it is under way, gets the signal, goes on
// and ends by itself.
func TestCtrlC(t *testing.T) {
	const child = "BNKIT_TEST_CTRL_C"
	if os.Getenv(child) == "" {
		if runtime.GOOS == "windows" {
			t.Skip("no signals to send")
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestCtrlC$")
		cmd.Env = append(os.Environ(), child+"=1")
		in := must[io.WriteCloser](t)(cmd.StdinPipe())
		out := must[io.ReadCloser](t)(cmd.StdoutPipe())
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for lines.Scan() && lines.Text() != "under way" {
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		in.Close()
		ended := false
		for lines.Scan() {
			ended = ended || lines.Text() == "ended by itself"
		}
		if err := cmd.Wait(); err != nil || !ended {
			t.Errorf("ended by itself: %v, error %v", ended, err)
		}
		return
	}
	df := lawns()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[rain][grass|rain]", df, nil))
	statements := []constraint.Constraint{constraint.Influence{Parent: "rain", Child: "grass",
		Sign: constraint.Positive}}
	m := must[*bnkit.Model](t)(bnkit.Fit(net, df, learn.MAP{Pseudocount: 1, Constraints: statements}, nil))
	var once sync.Once
	must[dataframe.DataFrame](t)(bnkit.Intervals(m, "grass", &bnkit.IntervalSettings{Draws: 20000,
		Src: rand.NewPCG(1, 0), Progress: func(int, int) {
			once.Do(func() {
				fmt.Println("under way")
				io.Copy(io.Discard, os.Stdin) // until the signal was sent
			})
		}}))
	fmt.Println("ended by itself")
}
