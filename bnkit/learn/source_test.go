package learn_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// A counter is a source that is not a table, and notes what it is asked for.
type counter struct {
	data.Source
	counts, rows int
	names        []string
}

func (c *counter) CountFamilies(ctx context.Context, f []data.Family, opts *data.CountOptions) ([]data.FamilyCounts,
	error) {
	c.counts++
	return c.Source.CountFamilies(ctx, f, opts)
}

func (c *counter) DistinctRows(ctx context.Context, names ...string) (*data.Table, error) {
	c.rows++
	c.names = names
	return c.Source.DistinctRows(ctx, names...)
}

// shuffled is asia sampled, with the states of each column and the columns in another order, a
// state more in one of them that no row has, and a column of no variable.
func shuffled(t *testing.T) (*bn.Network, *data.Table, *data.Table) {
	t.Helper()
	net, err := bif.ReadFile("../../testdata/networks/asia.bif")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := data.Sample(net, 2000, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	cols := cases.Columns()
	slices.Reverse(cols)
	for i := range cols {
		cols[i].States = slices.Clone(cols[i].States)
		for row, s := range cols[i].States {
			cols[i].States[row] = 1 - s
		}
		states := slices.Clone(cols[i].Var.States)
		slices.Reverse(states)
		if cols[i].Var.Name == "smoke" {
			states = append(states, "unknown")
		}
		cols[i].Var = bn.Discrete(cols[i].Var.Name, states...)
	}
	more, err := data.New(append(cols, data.Column{Var: bn.Discrete("ward", "one"),
		States: make([]bn.State, cases.Rows())})...)
	if err != nil {
		t.Fatal(err)
	}
	return net, cases, more
}

func TestFitSourceAsksForCounts(t *testing.T) {
	net, cases, more := shuffled(t)
	src := &counter{Source: more}
	got, err := learn.Fit(context.Background(), net, src, learn.MAP{Pseudocount: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := learn.Fit(t.Context(), net, cases, learn.MAP{Pseudocount: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Counts, want.Counts) || got.Cases != want.Cases {
		t.Errorf("the counts are not those of Fit")
	}
	numtest.Close(t, got.LogLikelihood, want.LogLikelihood, 0, 1e-14)
	if src.counts != 1 || src.rows != 0 {
		t.Errorf("asked %d times for counts and %d times for rows, want once and never", src.counts, src.rows)
	}
}

func TestFitSourceAsksForRowsOfVariables(t *testing.T) {
	net, cases, more := shuffled(t)
	src := &counter{Source: more}
	set := &learn.Settings{MaxIterations: 10, Tolerance: 1e-300}
	got, err := learn.Fit(context.Background(), net, src, learn.EM{}, set)
	if err != nil {
		t.Fatal(err)
	}
	want, err := learn.Fit(t.Context(), net, cases, learn.EM{}, set)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, got.LogLikelihood, want.LogLikelihood, 0, 1e-12)
	if src.counts != 0 || src.rows != 1 || len(src.names) != 8 || slices.Contains(src.names, "ward") {
		t.Errorf("asked %d times for counts and %d times for rows of %v", src.counts, src.rows, src.names)
	}
}

func TestFitSourceErrors(t *testing.T) {
	net, _, more := shuffled(t)
	ctx := context.Background()
	fit := func(src data.Source, m learn.Method) error {
		_, err := learn.Fit(ctx, net, &counter{Source: src}, m, nil)
		return err
	}
	without, err := more.Keep("asia", "tub", "ward")
	if err != nil {
		t.Fatal(err)
	}
	if err := fit(without, learn.ML{}); !errors.Is(err, bn.ErrUnknownVariable) ||
		!strings.Contains(err.Error(), "learn.EM") {
		t.Errorf("a variable without a column: %v", err)
	}
	ward, err := more.Keep("ward")
	if err != nil {
		t.Fatal(err)
	}
	if err := fit(ward, learn.EM{}); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("no column of a variable: %v", err)
	}
	none, err := more.WithWeights(make([]float64, more.Rows()))
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []data.Source{none, more.Head(0)} {
		if err := fit(src, learn.ML{}); !errors.Is(err, learn.ErrNoCases) {
			t.Errorf("no cases: %v", err)
		}
	}
	for _, src := range []data.Source{nil, (*data.Table)(nil)} {
		if _, err := learn.Fit(ctx, net, src, learn.ML{}, nil); err == nil ||
			!strings.Contains(err.Error(), "no table") {
			t.Errorf("no cases, %T: %v", src, err)
		}
	}
	if err := fit(more, nil); err == nil || !strings.Contains(err.Error(), "no method") {
		t.Errorf("no method: %v", err)
	}
	cols := more.Columns()
	for i := range cols {
		if cols[i].Var.Name == "smoke" {
			cols[i].States = slices.Clone(cols[i].States)
			cols[i].States[5] = 2
		}
	}
	odd, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	var cell *data.ValueError
	if err := fit(odd, learn.ML{}); !errors.Is(err, bn.ErrUnknownState) || !errors.As(err, &cell) ||
		cell.Name != "smoke" || cell.Value != "unknown" {
		t.Errorf("a state that the network does not have: %v", err)
	}
	cols[0].States = slices.Clone(cols[0].States)
	cols[0].States[3] = bn.Missing
	cols[slices.IndexFunc(cols, func(c data.Column) bool { return c.Var.Name == "smoke" })].States[5] = 0
	holed, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	if err := fit(holed, learn.ML{}); !errors.Is(err, data.ErrMissing) ||
		!strings.Contains(err.Error(), "SkipMissing in Settings") {
		t.Errorf("a missing cell: %v", err)
	}
	counts, err := learn.CountSource(ctx, net, holed, &data.CountOptions{SkipMissing: true})
	if v, _ := net.Index(cols[0].Var.Name); err != nil || counts.Skipped[v] != 1 {
		t.Errorf("%v, %v; want one row skipped for %s", counts, err, cols[0].Var.Name)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	for _, src := range []data.Source{more, &counter{Source: more}} {
		if _, err := learn.Fit(done, net, src, learn.ML{}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%T, a done context: %v", src, err)
		}
	}
}

// A done context ends an iteration on the rows of a source.
func TestFitSourceIsInterrupted(t *testing.T) {
	net, _, more := shuffled(t)
	part, err := more.Keep("asia", "smoke", "tub", "lung", "bronc", "xray", "dysp")
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []data.Source{part, &counter{Source: part}} {
		ctx, cancel := context.WithCancel(t.Context())
		set := &learn.Settings{Starts: 1, Seed: 1, Tolerance: 1e-300, Progress: func(p learn.Progress) {
			if p.Step.Iteration == 3 {
				cancel()
			}
		}}
		r, err := learn.Fit(ctx, net, src, learn.EM{}, set)
		if err != nil || r.Status != learn.Interrupted || len(r.Trace) != 4 {
			t.Errorf("%T: %v, %v", src, r, err)
		}
	}
}
