package structure_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// greatestGain scores every graph that differs from g in one arc, as a scorer of its own does, and returns the
// greatest gain among them.
func greatestGain(t *testing.T, table *data.Table, score structure.Score, g *bn.DAG) (gain float64, change string) {
	t.Helper()
	s, err := structure.NewScorer(table, score, nil)
	if err != nil {
		t.Fatal(err)
	}
	arcs := make(map[[2]int]bool)
	parents := make([][]int, g.Len())
	names := make([]string, g.Len())
	for v := range parents {
		names[v] = g.Name(v)
		parents[v] = g.Parents(v)
		for _, u := range parents[v] {
			arcs[[2]int{u, v}] = true
		}
	}
	family := func(v, more, less int) float64 {
		var ps []int
		for _, u := range parents[v] {
			if u != less {
				ps = append(ps, u)
			}
		}
		if more >= 0 {
			ps = append(ps, more)
		}
		f, err := s.Family(t.Context(), v, ps)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	acyclic := func(change func(ps [][]int)) bool {
		next := make([][]int, len(parents))
		for v, ps := range parents {
			next[v] = append(next[v], ps...)
		}
		change(next)
		_, err := bn.NewDAG(names, next)
		return err == nil
	}
	without := func(ps []int, u int) []int {
		var out []int
		for _, p := range ps {
			if p != u {
				out = append(out, p)
			}
		}
		return out
	}
	gain = -1e300
	try := func(by float64, what string, u, v int) {
		if by > gain {
			gain, change = by, fmt.Sprintf("%s %s → %s", what, g.Name(u), g.Name(v))
		}
	}
	for v := range parents {
		now := family(v, -1, -1)
		for u := range parents {
			switch {
			case u == v:
			case arcs[[2]int{u, v}]:
				loss := family(v, -1, u) - now
				try(loss, "remove", u, v)
				if acyclic(func(ps [][]int) { ps[v] = without(ps[v], u); ps[u] = append(ps[u], v) }) {
					try(loss+family(u, v, -1)-family(u, -1, -1), "reverse", u, v)
				}
			case !arcs[[2]int{v, u}] && acyclic(func(ps [][]int) { ps[v] = append(ps[v], u) }):
				try(family(v, u, -1)-now, "add", u, v)
			}
		}
	}
	return gain, change
}

// TestSampledClimbIsOptimal: whatever the sample, no change of one arc raises the score on all rows, nor does the
// result depend on the workers.
func TestSampledClimbIsOptimal(t *testing.T) {
	for _, test := range []struct {
		file   string
		rows   int
		sample int
	}{{"", 40_000, 200}, {"asia.bif", 200_000, 500}, {"insurance.bif", 100_000, 2000}, {"alarm.bif", 100_000, 3000}} {
		t.Run(test.file, func(t *testing.T) { climbsFromSample(t, test.file, test.rows, test.sample) })
	}
}

func climbsFromSample(t *testing.T, file string, rows, sample int) {
	var table *data.Table
	scores := []structure.Score{structure.BIC{}}
	if file == "" {
		table = made(t, 20, rows)
	} else {
		table = sampled(t, file, rows)
	}
	if len(table.Columns()) < 21 {
		scores = append(scores, structure.BDeu{EquivalentSampleSize: 10})
	}
	for _, score := range scores {
		climb := func(workers int) *structure.Result {
			r, err := structure.Learn(t.Context(), table, score, structure.HillClimb{Sample: sample, Orders: 2,
				Source: rand.NewPCG(3, 0)}, &structure.Settings{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		one, two := climb(1), climb(2)
		if one.String() != two.String() {
			t.Errorf("one worker finds\n%vtwo\n%v", one, two)
		}
		if gain, change := greatestGain(t, table, score, one.DAG); gain > 1e-6 {
			t.Errorf("under %v: %s gains %g", score, change, gain)
		}
		s, err := structure.NewScorer(table, score, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want, _, err := s.Score(t.Context(), one.DAG); err != nil || want != one.Score {
			t.Errorf("score %v, %v; want %v", one.Score, err, want)
		}
		t.Log(score, one.Moves, one.Score, one.Notes)
	}
}

// TestSampledClimbMemory: of more rows than are counted at a time a climb allocates little beside them.
func TestSampledClimbMemory(t *testing.T) {
	const rows = 1_100_000
	table := sampled(t, "alarm.bif", rows)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := structure.Learn(t.Context(), table, structure.BIC{}, structure.HillClimb{Orders: 1, Sample: 20_000},
		&structure.Settings{Workers: 2})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if made := after.TotalAlloc - before.TotalAlloc; made > 40e6 {
		t.Errorf("%d bytes were allocated for %d rows", made, rows)
	}
}

// TestSampleOfAll: a sample of all rows is the climb on them.
func TestSampleOfAll(t *testing.T) {
	table := made(t, 8, 2000)
	want, err := structure.Learn(t.Context(), table, structure.BIC{}, structure.HillClimb{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{2000, 5000} {
		got, err := structure.Learn(t.Context(), table, structure.BIC{}, structure.HillClimb{Sample: n}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got.Search = want.Search
		if got.String() != want.String() {
			t.Errorf("a sample of %d finds\n%vwant\n%v", n, got, want)
		}
	}
}

// TestSampleRefused: bad numbers, and cases that rows are not drawn from.
func TestSampleRefused(t *testing.T) {
	table := made(t, 8, 2000)
	for _, test := range []struct {
		src  data.Source
		how  structure.HillClimb
		want string
	}{
		{table, structure.HillClimb{Sample: -1}, "HillClimb.Sample is -1"},
		{struct{ data.Source }{table}, structure.HillClimb{Sample: 10}, "leave Sample out"},
	} {
		if _, err := structure.Learn(t.Context(), test.src, structure.BIC{}, test.how, nil); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}

// TestSampleInterrupted: the graph of the sample is the best so far.
func TestSampleInterrupted(t *testing.T) {
	table := made(t, 8, 2000)
	ctx, stop := context.WithCancel(t.Context())
	set := &structure.Settings{Workers: 1, Progress: func(p structure.Progress) {
		if strings.Contains(p.What, "all rows") {
			stop()
		}
	}}
	r, err := structure.Learn(ctx, table, structure.BIC{}, structure.HillClimb{Sample: 500, Orders: 1}, set)
	if !errors.Is(err, context.Canceled) || r == nil || !r.Interrupted || r.DAG.Arcs() == 0 ||
		!strings.Contains(r.String(), "the graph is of a sample of 500 of 2000 cases") {
		t.Errorf("%v, %v", r, err)
	}
}
