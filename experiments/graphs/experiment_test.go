package graphs

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// tiny is the whole experiment at a size for tests.
func tiny() Config {
	c := ConfigFor(run.Quick)
	c.Networks, c.Sizes, c.Test = []string{"child"}, []int{30, 60}, 50
	c.MissingCases, c.HiddenSizes, c.PriorDraws, c.InterventionCases = 60, []int{100}, 4, 60
	c.KnownShares, c.KnownCases, c.NamedSizes = []float64{0.2}, 40, []int{60}
	return c
}

func TestSameBytes(t *testing.T) {
	runtest.WithoutData(t)
	dir, _ := runtest.Once(t, runtest.With(Experiment{}, tiny(), reproduce))
	runtest.Files(t, dir, "graphs-simulated.png", "graphs-missing.svg", "graphs-hidden.png",
		"graphs-arcs.svg", "graphs-interventions.csv", "graphs-worth.svg", "graphs-simulated-causes-tables.png",
		"graphs-known.svg", "graphs-named.png")
	runtest.Tables(t, dir, map[string]runtest.Table{
		"graphs-errors.csv": {Header: "network,examples,learner,skeleton_errors,skeleton_p05,skeleton_p95," +
			"arrowhead_errors,arrowhead_p05,arrowhead_p95,log_score_nats,log_score_p05,log_score_p95,draws",
			Rows: 1 + 2*9 + 2*9},
		"graphs-worth.csv": {Header: "network,examples,learner,measure,value,none,equivalent_cases,equivalent_p05," +
			"equivalent_p95,reached", Rows: 1 + 2*3*4 + 2*3*5},
		"graphs-known.csv": {Header: "share_missing,learner,skeleton_errors,skeleton_p05,skeleton_p95," +
			"arrowhead_errors,arrowhead_p05,arrowhead_p95,log_score_nats,log_score_p05,log_score_p95,draws", Rows: 5},
		"graphs-named.csv": {Header: "examples,learner,skeleton_errors,skeleton_p05,skeleton_p95," +
			"arrowhead_errors,arrowhead_p05,arrowhead_p95,log_score_nats,log_score_p05,log_score_p95,draws," +
			"share_in_place,low,high", Rows: 4},
		"graphs-missing.csv": {Header: "share_missing,learner,skeleton_errors,skeleton_p05,skeleton_p95," +
			"arrowhead_errors,arrowhead_p05,arrowhead_p95,log_score_nats,log_score_p05,log_score_p95,draws",
			Rows: 2 * 4},
		"graphs-hidden.csv": {Header: "examples,share_proposed,share_with_the_three_effects,low,high,draws", Rows: 1},
	})
}

func TestRefuses(t *testing.T) {
	runtest.WithoutData(t)
	runtest.Refuses(t, Compute, tiny())
}

// TestSimulated: arcs of simulated networks are within groups and between linked ones, each has the sign that the
// table was drawn with, tiers do not forbid an arc, and what is made false is a quarter.
func TestSimulated(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		net, err := drawNetwork(rng)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newStudy(net, 1, rng, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatal(err)
		}
		g := net.DAG()
		tier := tierOf(g)
		for v := range g.Len() {
			for _, u := range g.Parents(v) {
				if a, b := u/members, v/members; a != b && !slices.Contains(linked, [2]int{a, b}) {
					t.Errorf("seed %d: an arc from group %d to %d", seed, a, b)
				}
				if tier[u] > tier[v] {
					t.Errorf("seed %d: tiers %d → %d", seed, tier[u], tier[v])
				}
			}
		}
		trueSigns, wrongSigns := s.said[signs].statements, s.said[falseSigns].statements
		if len(trueSigns) != g.Arcs() {
			t.Errorf("seed %d: %d signs of %d arcs", seed, len(trueSigns), g.Arcs())
		}
		turned := 0
		for i := range trueSigns {
			if trueSigns[i].(constraint.Influence).Sign != wrongSigns[i].(constraint.Influence).Sign {
				turned++
			}
		}
		if want := (g.Arcs() + 3) / 4; turned != want {
			t.Errorf("seed %d: %d signs are reversed, want %d", seed, turned, want)
		}
		moved := 0
		for i, other := range misplace(tier, rng) {
			if other != tier[i] {
				moved++
			}
		}
		if moved != 4 {
			t.Errorf("seed %d: %d variables of 16 are misplaced, want 4", seed, moved)
		}
	}
}

// TestErrors by hand: the truth is a → c ← b, c → d, all directed in its class.
func TestErrors(t *testing.T) {
	truth := dag(t, "[a][b][c|a:b][d|c]")
	for found, want := range map[string]Errors{
		"[a][b][c|a:b][d|c]":   {},
		"[a][c|a][b|c][d|c]":   {Arrowheads: 3},              // no v-structure, so all is open
		"[a][b][c|a:b][d]":     {Skeleton: 1},                // c, d
		"[a][b|a][c|a:b][d|c]": {Skeleton: 1, Arrowheads: 3}, // a, b joined, and all is open
	} {
		got, err := errorsOf(truth, dag(t, found))
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", found, got, err, want)
		}
	}
	// Against the truth itself what a class leaves open is wrong.
	chain := dag(t, "[a][b|a]")
	got, err := openErrors(chain, chain, chain.CPDAG())
	if err != nil || got.Arrowheads != 1 || got.Skeleton != 0 {
		t.Errorf("an open arc: %+v, %v", got, err)
	}
}

// TestEquivalent by hand: on a line over the logarithm of the number of cases.
func TestEquivalent(t *testing.T) {
	sizes, curve := []int{100, 400, 1600}, []float64{8, 4, 2}
	for e, want := range map[float64]float64{6: 200, 4: 400, 3: 800} {
		if n, found := equivalent(sizes, curve, e); !found || math.Abs(n-want) > 1e-9 {
			t.Errorf("%g errors: %v, %v, want %v", e, n, found, want)
		}
	}
	if n, found := equivalent(sizes, curve, 1); found || n != 1600 {
		t.Errorf("beyond the sizes: %v, %v", n, found)
	}
	if y := between(200, 100, 400, 8, 4); math.Abs(y-6) > 1e-12 {
		t.Errorf("at 200 there are %v errors, want 6", y)
	}
}

// TestPrice by hand: none has 8 errors with 100 cases, 4 with 400 and 2 with 1,600.
func TestPrice(t *testing.T) {
	of := func(values ...float64) (list [][]Errors) {
		for _, x := range values {
			list = append(list, []Errors{{Skeleton: x, HeldOut: -x}, {Skeleton: x, HeldOut: -x}})
		}
		return list
	}
	w := &Worth{Of: map[string][][]Errors{none: of(8, 4, 2), tiers: of(6, 3, 1)}}
	w.Of[tiers][0][1] = Errors{Skeleton: 4, HeldOut: -4} // so the mean is 5
	for _, measure := range []string{skeleton, held} {
		p := w.price([]int{100, 400, 1600}, tiers, measure, 0)
		if want := 100 * math.Pow(4, 0.75); math.Abs(p.Cases-want) > 1e-9 || !p.Reached ||
			math.Abs(p.Low-200) > 1e-9 || math.Abs(p.High-400) > 1e-9 {
			t.Errorf("%s: %+v, want %v from 200 to 400", measure, p, want)
		}
	}
}

// TestGaps: cells that are taken, and modes in their place.
func TestGaps(t *testing.T) {
	full, err := data.New(data.Column{Var: bn.Discrete("a", "0", "1"), States: []bn.State{1, 1, 0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	gappy, err := without(full, []float64{0.5, 0.5, 0.1, 0.5}, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	filled, err := modes(gappy)
	if err != nil {
		t.Fatal(err)
	}
	if got := gappy.Columns()[0].States; !slices.Equal(got, []bn.State{1, 1, bn.Missing, 0}) {
		t.Errorf("with a missing cell: %v", got)
	}
	if got := filled.Columns()[0].States; !slices.Equal(got, []bn.State{1, 1, 1, 0}) {
		t.Errorf("filled: %v", got)
	}
	if full.Columns()[0].States[2] != 0 {
		t.Error("the table itself has changed")
	}
}

// TestPrior: graphs are drawn uniformly, so an arc is in as large a share of them as of all 29,281 graphs.
func TestPrior(t *testing.T) {
	const n = 2000
	arcs := [2]int{}
	for k := range uint64(n) {
		net, err := drawPrior(rand.NewPCG(1, k))
		if err != nil {
			t.Fatal(err)
		}
		for i, pair := range [][2]string{{"X1", "X5"}, {"X5", "X1"}} {
			if hasArc(net.DAG(), pair[0], pair[1]) {
				arcs[i]++
			}
		}
	}
	want := arcShare(t)
	for _, got := range arcs {
		if d := float64(got)/n - want; math.Abs(d) > 4*math.Sqrt(want*(1-want)/n) {
			t.Errorf("an arc is in %d of %d graphs, want a share of %.4f", got, n, want)
		}
	}
}

// arcShare enumerates the graphs of 5 variables: the share that have a certain arc.
func arcShare(t *testing.T) float64 {
	t.Helper()
	all, with := 0, 0
	names := []string{"a", "b", "c", "d", "e"}
	for code := range 59049 { // 3^10
		parents := make([][]int, 5)
		rest := code
		for v := range 5 {
			for u := range v {
				switch rest % 3 {
				case 1:
					parents[v] = append(parents[v], u)
				case 2:
					parents[u] = append(parents[u], v)
				}
				rest /= 3
			}
		}
		if _, err := bn.NewDAG(names, parents); err != nil {
			continue
		}
		all++
		if slices.Contains(parents[4], 0) {
			with++
		}
	}
	if all != 29281 {
		t.Fatalf("%d graphs, want 29,281", all)
	}
	return float64(with) / float64(all)
}

func TestBinned(t *testing.T) {
	b := binned([]Opinion{{0, false}, {0.05, true}, {0.95, true}, {1, true}, {1, false}})
	if b[0].N != 2 || math.Abs(b[0].Mean-0.025) > 1e-15 || b[0].Share != 0.5 || b[9].N != 3 ||
		math.Abs(b[9].Share-2.0/3) > 1e-15 || b[5].N != 0 {
		t.Errorf("%+v", b)
	}
}

func dag(t *testing.T, model string) *bn.DAG {
	t.Helper()
	g, err := bn.ParseDAG(model)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
