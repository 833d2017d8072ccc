//go:build unix

package bnkit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/incomplete"
	"bnlab/bnkit/structure/posterior"
	"bnlab/bnkit/validate"
	"bnlab/internal/numtest"
)

// A watched context is done from a look at it on. It measures the processor time of the process between looks, so
// that a busy machine changes nothing.
type watched struct {
	context.Context
	at   int // the look
	done chan struct{}

	mu      sync.Mutex
	looks   int
	last    time.Duration
	longest time.Duration // between two looks, or the start and the first
	ended   time.Duration // processor time at the end
}

func watch(ctx context.Context, at int) *watched {
	return &watched{Context: ctx, at: at, done: make(chan struct{}), last: processor()}
}

// processor is the time that the process has had of all processors.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (w *watched) look() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.looks++; w.looks > w.at {
		return context.Canceled
	}
	now := processor()
	w.longest, w.last = max(w.longest, now-w.last), now
	if w.looks < w.at {
		return nil
	}
	w.ended = now
	close(w.done)
	return context.Canceled
}

func (w *watched) Err() error { return w.look() }

func (w *watched) Done() <-chan struct{} { w.look(); return w.done }

// binary is a frame of columns with two states, each after the first depending on one or two before.
func binary(rows, columns int) dataframe.DataFrame {
	rng := rand.New(rand.NewPCG(7, 0))
	x := make([][]int, columns)
	var cols []series.Series
	for c := range columns {
		x[c] = make([]int, rows)
		words := make([]string, rows)
		for r := range rows {
			p := 0.4
			if c > 0 {
				p = 0.2 + 0.5*float64(x[(c-1)/2][r])
			}
			if c > 2 {
				p += 0.25 * float64(x[c-2][r])
			}
			if rng.Float64() < p {
				x[c][r] = 1
			}
			words[r] = []string{"no", "yes"}[x[c][r]]
		}
		cols = append(cols, series.New(words, series.String, fmt.Sprintf("X%d", c)))
	}
	return dataframe.New(cols...)
}

// A longVerb takes minutes unless its context is done.
type longVerb struct {
	name string
	run  func(ctx context.Context) error
}

func longVerbs(t *testing.T) []longVerb {
	df, few, wide := binary(500, 12), binary(60, 6), binary(2000, 18)
	net := must[*bn.Network](t)(bnkit.NewNetwork("[X0][X1|X0][X2|X0:X1][X3|X0:X1:X2][X4|X1:X3][X5|X3:X4]", few, nil))
	var order []constraint.Constraint
	for c, parents := range [][]int{1: {0}, 2: {0, 1}, 3: {0, 1, 2}, 4: {1, 3}, 5: {3, 4}} {
		for _, p := range parents {
			order = append(order, constraint.Influence{Parent: fmt.Sprintf("X%d", p), Child: fmt.Sprintf("X%d", c)})
		}
	}
	const many = 1_000_000
	fit := func(net *bn.Network, df dataframe.DataFrame, m learn.Method, set *bnkit.Settings) func(
		ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := bnkit.Fit(ctx, net, df, m, set)
			return err
		}
	}
	model := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, few, learn.MAP{Pseudocount: 1, Constraints: order}, nil))
	free := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, few, learn.MAP{Pseudocount: 1}, nil))
	averaged := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, few, learn.Averaged{Constraints: order[:5]}, nil))
	hidden := must[*bn.Network](t)(bn.New("[H][X0|H][X1|H][X2|H][X3|H][X4|H][X5|H]",
		append([]bn.Variable{bn.Discrete("H", "a", "b", "c")}, net.Variables()...)...))
	climbs := &bnkit.Settings{Hidden: []string{"H"}, Starts: many, MaxIterations: 1000}
	late := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), hidden, few, learn.EM{Constraints: []constraint.Constraint{
		constraint.Influence{Parent: "H", Child: "X0"}, constraint.Influence{Parent: "H", Child: "X1"}}},
		&bnkit.Settings{Hidden: []string{"H"}}))
	draws := func() *bnkit.IntervalSettings {
		return &bnkit.IntervalSettings{Draws: many, Src: rand.NewPCG(1, 0)}
	}
	learners := []validate.Learner{{Name: "free", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}}},
		{Name: "ordered", Candidates: []learn.Method{learn.MAP{Pseudocount: 1, Constraints: order}}}}
	long := &validate.Settings{Repeats: 20_000, Seed: 1}
	search := func(how structure.Search, set *bnkit.SearchSettings) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := bnkit.Search(ctx, df, nil, how, set)
			return err
		}
	}
	umbrella := must[*dbn.Network](t)(umbrellas())
	rain := must[dataframe.DataFrame](t)(bnkit.SampleSeries(umbrella, []int{300, 200}, rand.NewPCG(1, 0)))
	rain = rain.Drop("rain")
	weather := &bnkit.Settings{Hidden: []string{"rain"}, Starts: many, MaxIterations: 1000}
	return []longVerb{
		{"Fit, posterior mean", fit(net, few, learn.PosteriorMean{Constraints: order, Draws: many}, nil)},
		{"Fit, averaged", fit(net, few, learn.Averaged{Constraints: order, Draws: 100 * many}, nil)},
		{"Fit, Gibbs", fit(net, few, learn.Gibbs{Sweeps: many}, nil)},
		{"Fit, EM", fit(hidden, few, learn.EM{}, climbs)},
		{"Fit, APN", fit(hidden, few, learn.APN{}, climbs)},
		{"Intervals", func(ctx context.Context) error {
			_, err := bnkit.Intervals(ctx, model, "X3", draws())
			return err
		}},
		{"Intervals, averaged", func(ctx context.Context) error {
			_, err := bnkit.Intervals(ctx, averaged, "X3", draws())
			return err
		}},
		{"Intervals, missing cells", func(ctx context.Context) error {
			set := draws()
			set.Cases = &few
			_, err := bnkit.Intervals(ctx, late, "X0", set)
			return err
		}},
		{"PosteriorInterval", func(ctx context.Context) error {
			_, err := bnkit.PosteriorInterval(ctx, free, infer.Evidence{"X0": "yes"}, draws())
			return err
		}},
		{"PredictInterval", func(ctx context.Context) error {
			_, err := bnkit.PredictInterval(ctx, free, few, "X5", draws())
			return err
		}},
		{"Effect", func(ctx context.Context) error {
			_, err := bnkit.Effect(ctx, free, "X3", "X5", &bnkit.EffectSettings{Intervals: draws()})
			return err
		}},
		{"Effect under statements", func(ctx context.Context) error {
			_, err := bnkit.Effect(ctx, model, "X3", "X5", &bnkit.EffectSettings{Intervals: draws()})
			return err
		}},
		{"Sensitivity", func(ctx context.Context) error {
			_, err := bnkit.Sensitivity(ctx, model, infer.Evidence{"X0": "yes"}, "X5", "",
				&bnkit.SensitivitySettings{Intervals: draws()})
			return err
		}},
		{"VarianceShares", func(ctx context.Context) error {
			_, err := bnkit.VarianceShares(ctx, free, infer.Evidence{"X0": "yes"}, "X5", "", draws())
			return err
		}},
		{"Audit", func(ctx context.Context) error {
			_, err := bnkit.Audit(ctx, model, &learn.AuditSettings{Simulations: 100_000})
			return err
		}},
		{"Audit, missing cells", func(ctx context.Context) error {
			_, err := bnkit.Audit(ctx, late, &learn.AuditSettings{Simulations: 100_000})
			return err
		}},
		{"Elicit", func(ctx context.Context) error {
			_, err := bnkit.Elicit(ctx, averaged, nil, &learn.ElicitSettings{Draws: 100 * many})
			return err
		}},
		{"Search, climbs", search(structure.HillClimb{Restarts: many, Source: rand.NewPCG(1, 0)}, nil)},
		{"Search, orders", search(structure.HillClimb{Orders: many}, nil)},
		{"Search, annealing", search(structure.Annealing{Starts: 1000, Moves: many}, nil)},
		{"Search, exact", func(ctx context.Context) error {
			_, err := bnkit.Search(ctx, wide, nil, structure.Exact{}, nil)
			return err
		}},
		{"Search, hidden", search(nil, &bnkit.SearchSettings{Incomplete: &incomplete.StructuralEM{
			Hidden: map[string]int{"H": 3}, Starts: 1000}})},
		{"ArcStrengths", func(ctx context.Context) error {
			_, _, err := bnkit.ArcStrengths(ctx, df, nil, nil, &bnkit.SearchSettings{Replicates: 100_000})
			return err
		}},
		{"GraphPosterior, exact", func(ctx context.Context) error {
			_, err := bnkit.GraphPosterior(ctx, wide, nil, posterior.Exact{}, nil)
			return err
		}},
		{"GraphPosterior, chains", func(ctx context.Context) error {
			_, err := bnkit.GraphPosterior(ctx, df, nil, posterior.Partitions{Steps: 100 * many}, nil)
			return err
		}},
		{"CrossValidate", func(ctx context.Context) error {
			_, err := bnkit.CrossValidate(ctx, net, few, "X5", learners, long)
			return err
		}},
		{"EquivalentSampleSize", func(ctx context.Context) error {
			_, err := bnkit.EquivalentSampleSize(ctx, net, few, "X5", learners[0], learners[1], []int{10, 20, 40}, long)
			return err
		}},
		{"FitSeries", func(ctx context.Context) error {
			_, err := bnkit.FitSeries(ctx, umbrella, rain, learn.EM{}, weather)
			return err
		}},
	}
}

// Work whose context is done returns at once, whatever it is doing: the context is done at its k-th look.
func TestCancelled(t *testing.T) {
	most := mostProcessor()
	for _, verb := range longVerbs(t) {
		t.Run(verb.name, func(t *testing.T) {
			for _, at := range []int{1, 2, 10, 100, 3000} {
				runtime.GC() // not that of the verb before
				w := watch(t.Context(), at)
				err := verb.run(w)
				after, longest := processor()-w.ended, w.longest
				t.Logf("done at look %d: %v between looks, %v after, %d looks; %v", at, longest, after, w.looks-at, err)
				if w.looks < at {
					t.Fatalf("it ended after %d looks: the case is too short", w.looks)
				}
				if longest > most || after > most {
					t.Errorf("done at look %d: %v between looks, %v after it was done; at most %v", at, longest, after,
						most)
				}
			}
		})
	}
}

// Of many draws that were made when the context is done some are summed up, and the note says how many.
func TestCancelledAtTheEnd(t *testing.T) {
	most := mostProcessor()
	cancelled := func(name string, draws, rows, kept int, run func(ctx context.Context, set *bnkit.IntervalSettings) (
		dataframe.DataFrame, error)) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var ended time.Duration
		frame, err := run(ctx, &bnkit.IntervalSettings{Draws: draws, Src: rand.NewPCG(1, 0),
			Progress: func(done, total int) {
				if done == draws {
					cancel()
					ended = processor()
				}
			}})
		after := processor() - ended
		if err != nil || frame.Nrow() != rows {
			t.Fatalf("%s: %v, error %v", name, frame, err)
		}
		want := fmt.Sprintf("interrupted: %d of %d draws", kept, draws)
		if note := frame.Col("note").Elem(0).String(); !strings.HasSuffix(note, want) {
			t.Errorf("%s: the note is %q, want %q", name, note, want)
		}
		if t.Logf("%s: %v after", name, after); after > most {
			t.Errorf("%s: %v after it was done; at most %v", name, after, most)
		}
	}
	// Evenly spaced ones, as many of them as make no more than 400,000 numbers of these entries.
	cap := constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.5}
	one := letters(t, learn.MAP{Constraints: []constraint.Constraint{cap}})
	cancelled("Intervals", 200_000, 3, 100_000, func(ctx context.Context, set *bnkit.IntervalSettings) (
		dataframe.DataFrame, error) {
		return bnkit.Intervals(ctx, one, "X", set)
	})
	if !numtest.Full() {
		return
	}
	df := binary(60, 6)
	net := must[*bn.Network](t)(bnkit.NewNetwork("[X0][X1|X0][X2|X1]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.MAP{Pseudocount: 1}, nil))
	cancelled("Effect", 1_000_000, 4, 100_000, func(ctx context.Context, set *bnkit.IntervalSettings) (
		dataframe.DataFrame, error) {
		return bnkit.Effect(ctx, m, "X0", "X2", &bnkit.EffectSettings{Intervals: set})
	})
}

// mostProcessor is 0.3 s of each processor, of all together.
func mostProcessor() time.Duration {
	return time.Duration(max(2, runtime.GOMAXPROCS(0))) * 300 * time.Millisecond
}

// The same by the clock, on a quiet machine.
func TestCancelledInTime(t *testing.T) {
	if !numtest.Full() {
		t.Skip("measures time: with BNLAB_FULL=1")
	}
	for _, verb := range longVerbs(t) {
		t.Run(verb.name, func(t *testing.T) {
			for _, ms := range []int{0, 1, 30, 300} {
				limit := time.Duration(ms) * time.Millisecond
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				begun := time.Now()
				err := verb.run(ctx)
				if took := time.Since(begun) - limit; took > 300*time.Millisecond {
					t.Errorf("done at %v: it returned %v after; %v", limit, took, err)
				}
				cancel()
			}
		})
	}
}
