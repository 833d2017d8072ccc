package structure_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

// bitsOf is the parents of each variable as bits.
func bitsOf(g *bn.DAG) []int {
	out := make([]int, g.Len())
	for v := range out {
		for _, p := range g.Parents(v) {
			out[v] |= 1 << p
		}
	}
	return out
}

// total is the score of a graph from the table of all families.
func total(scores [][]float64, parents []int) float64 {
	sum := 0.0
	for v, set := range parents {
		sum += scores[v][set]
	}
	return sum
}

// oneStep visits every graph without a cycle that is one arc added, removed or reversed away.
func oneStep(parents []int, allowed func(child, parents int) bool, visit func(parents []int)) {
	try := func(change func(p []int)) {
		p := slices.Clone(parents)
		change(p)
		for v, set := range p {
			if !allowed(v, set) {
				return
			}
		}
		if isAcyclic(p) {
			visit(p)
		}
	}
	for v := range parents {
		for u := range parents {
			if u == v {
				continue
			}
			try(func(p []int) { p[v] ^= 1 << u })
			if parents[v]&(1<<u) != 0 {
				try(func(p []int) { p[v] ^= 1 << u; p[u] |= 1 << v })
			}
		}
	}
}

// Against all graphs on 4 variables: what is found has the score that is said, no neighbour has a
// higher one, and no graph is better than the best; enough climbs from random graphs find that one.
func TestClimbAgainstAllGraphs(t *testing.T) {
	ctx := context.Background()
	anything := func(int, int) bool { return true }
	for seed := range shorter(10) {
		table := randomCases(t, seed, 4, 300)
		for _, score := range []structure.Score{structure.BIC{}, structure.BDeu{EquivalentSampleSize: 5},
			structure.K2{}} {
			scores := tableOfFamilies(t, scorer(t, table, score))
			best := math.Inf(-1)
			if n := everyDAG(4, anything, func(p []int) { best = max(best, total(scores, p)) }); n != 543 {
				t.Fatalf("%d graphs on 4 variables, want 543 (Robinson 1973)", n)
			}
			for _, how := range []structure.HillClimb{{}, {Orders: 1}, {Orders: 1, Tabu: 5},
				{Restarts: 20, Source: rand.NewPCG(seed, 1)}} {
				found, err := structure.Learn(ctx, table, score, how, nil)
				if err != nil {
					t.Fatal(err)
				}
				end := bitsOf(found.DAG)
				numtest.Close(t, found.Score, total(scores, end), 1e-9, 0)
				oneStep(end, anything, func(p []int) {
					if higher := total(scores, p); higher > found.Score+1e-6 {
						t.Errorf("%v ended at %v with %v; a neighbour has %v", how, found.DAG, found.Score, higher)
					}
				})
				if found.Score > best+1e-9 {
					t.Errorf("%v found %v, and the best is %v", how, found.Score, best)
				}
				if how.Restarts > 0 {
					numtest.Close(t, found.Score, best, 1e-6, 0)
				}
			}
		}
	}
}

// Whatever the rules, no graph on the way has a cycle or breaks one, and the end is better than its
// neighbours that the rules allow.
func TestClimbKeepsTheRules(t *testing.T) {
	ctx := context.Background()
	for seed := range shorter(60) {
		random := rand.New(rand.NewPCG(seed, 5))
		n := 3 + random.IntN(4)
		table := randomCases(t, seed, n, 150)
		vars := table.Variables()
		order := random.Perm(n) // required arcs and the start follow it
		rules := &structure.Rules{MaxParents: random.IntN(4)}
		limit := rules.MaxParents
		if limit == 0 {
			limit = n
		}
		start := make([][]int, n)
		required, forbidden := map[[2]int]bool{}, map[[2]int]bool{}
		for i, v := range order {
			for _, u := range order[:i] {
				switch random.IntN(6) {
				case 0:
					if len(start[v]) < limit {
						required[[2]int{u, v}] = true
						rules.Required = append(rules.Required, structure.Arc{From: vars[u].Name, To: vars[v].Name})
						start[v] = append(start[v], u)
					}
				case 1:
					if len(start[v]) < limit {
						start[v] = append(start[v], u)
					}
				case 2:
					forbidden[[2]int{u, v}] = true
					rules.Forbidden = append(rules.Forbidden, structure.Arc{From: vars[u].Name, To: vars[v].Name})
				}
			}
		}
		if random.IntN(2) == 0 { // two tiers along the order
			cut := 1 + random.IntN(n-1)
			var tiers [2][]string
			for i, v := range order {
				if i < cut {
					tiers[0] = append(tiers[0], vars[v].Name)
				} else {
					tiers[1] = append(tiers[1], vars[v].Name)
				}
				for _, u := range order[cut:] {
					if i < cut {
						forbidden[[2]int{u, v}] = true
					}
				}
			}
			rules.Tiers = tiers[:]
		}
		if random.IntN(2) == 0 {
			names := make([]string, n)
			for v := range names {
				names[v] = vars[v].Name
			}
			g, err := bn.NewDAG(names, start)
			if err != nil {
				t.Fatal(err)
			}
			rules.Start = g
		}
		allowed := func(child, parents int) bool {
			count := 0
			for u := range n {
				has := parents&(1<<u) != 0
				if has {
					count++
				}
				if has && forbidden[[2]int{u, child}] || !has && required[[2]int{u, child}] {
					return false
				}
			}
			return count <= limit
		}
		for _, score := range []structure.Score{structure.BDeu{}, structure.LogLikelihood{}} {
			scores := tableOfFamilies(t, scorer(t, table, score))
			for _, how := range []structure.HillClimb{{},
				{Orders: 3, Tabu: 10, Restarts: 3, Source: rand.NewPCG(seed, 2)}} {
				found, err := structure.Learn(ctx, table, score, how, &structure.Settings{Rules: rules})
				if err != nil {
					t.Fatal(err)
				}
				end := bitsOf(found.DAG)
				for v, set := range end {
					if !allowed(v, set) {
						t.Fatalf("seed %d: %v breaks the rules %+v", seed, found.DAG, rules)
					}
				}
				numtest.Close(t, found.Score, total(scores, end), 1e-9, 0)
				oneStep(end, allowed, func(p []int) {
					if higher := total(scores, p); higher > found.Score+1e-6 {
						t.Errorf("seed %d: %v ended with %v; a neighbour has %v", seed, how, found.Score, higher)
					}
				})
			}
		}
	}
}

// shorter is n, or a quarter of it under -short.
func shorter(n uint64) uint64 {
	if !numtest.Full() {
		return n / 4
	}
	return n
}

// Of tied moves the order of the columns decides, and not how the numbers round: the same arcs come
// out when states are renamed, and an order of the columns beforehand gives the arcs it should.
func TestTiesGoByOrder(t *testing.T) {
	table := parsed(t, "b,a\n"+repeat("0,0\n", 40)+repeat("1,1\n", 40)+repeat("0,1\n", 7))
	for _, names := range [][]string{{"b", "a"}, {"a", "b"}} {
		kept, err := table.Keep(names...)
		if err != nil {
			t.Fatal(err)
		}
		found, err := structure.Learn(context.Background(), kept, structure.BDeu{EquivalentSampleSize: 1},
			structure.HillClimb{Orders: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := found.Arcs(); len(got) != 1 || got[0].From != names[0] {
			t.Errorf("columns %v give %v", names, got)
		}
	}
}

func repeat(s string, n int) string {
	out := ""
	for range n {
		out += s
	}
	return out
}

// The same graph comes out for any number of workers, and for the same source of random numbers.
func TestClimbIsReproducible(t *testing.T) {
	table := randomCases(t, 21, 8, 400)
	for _, score := range []structure.Score{structure.BDeu{EquivalentSampleSize: 4}, structure.AIC{}} {
		var first *structure.Result
		for _, workers := range []int{1, 2, 5, 0} {
			how := structure.HillClimb{Restarts: 4, Tabu: 3, Source: rand.NewPCG(7, 7)}
			found, err := structure.Learn(context.Background(), table, score, how,
				&structure.Settings{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = found
			}
			if found.String() != first.String() || found.Score != first.Score {
				t.Errorf("%d workers found\n%v\nand one found\n%v", workers, found, first)
			}
		}
	}
}

func TestHillClimbRefuses(t *testing.T) {
	table := randomCases(t, 1, 3, 20)
	for _, how := range []structure.HillClimb{{Orders: -1}, {Restarts: -2}, {Tabu: -1}, {MaxMoves: -1}, {Worse: 3},
		{Restarts: 1}} {
		_, err := structure.Learn(context.Background(), table, structure.BIC{}, how, nil)
		if err == nil {
			t.Errorf("%+v is accepted", how)
		}
		if how.Restarts == 1 && !errors.Is(err, bn.ErrNoSource) {
			t.Errorf("%v is not ErrNoSource", err)
		}
	}
}

// A done context ends a climb with its error and the best graph so far.
func TestClimbIsInterrupted(t *testing.T) {
	table := randomCases(t, 2, 8, 500)
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	found, err := structure.Learn(ctx, table, structure.BIC{}, structure.HillClimb{Orders: 1},
		&structure.Settings{Progress: func(p structure.Progress) {
			if calls++; calls == 3 {
				cancel()
			}
		}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the error is %v", err)
	}
	if found == nil || found.DAG.Arcs() == 0 || found.DAG.Arcs() > 3 {
		t.Errorf("the best so far is %v", found)
	}
	if _, err := structure.Learn(ctx, table, structure.BIC{}, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with a done context: %v", err)
	}
}

// Progress grows from 0 to 1 and so does the score.
func TestClimbTellsProgress(t *testing.T) {
	var last structure.Progress
	last.Score = math.Inf(-1)
	_, err := structure.Learn(context.Background(), randomCases(t, 2, 8, 500), structure.BIC{}, nil,
		&structure.Settings{Progress: func(p structure.Progress) {
			if p.Done < last.Done || p.Done > 1 || p.Score < last.Score {
				t.Errorf("%+v after %+v", p, last)
			}
			last = p
		}})
	if err != nil {
		t.Fatal(err)
	}
	if last.Done != 1 {
		t.Errorf("it ends at %v", last.Done)
	}
}

// counting is a source that is not a table and counts what it is asked.
type counting struct {
	*data.Table
	calls, families int
}

func (c *counting) CountFamilies(ctx context.Context, families []data.Family,
	opts *data.CountOptions) ([]data.FamilyCounts, error) {
	c.calls++
	c.families += len(families)
	return c.Table.CountFamilies(ctx, families, opts)
}

// A database is asked for the start and its neighbours in two calls, and then at most once for each
// move, never for each family, and for eight climbs as often as for the longest; the graph is that of
// the table.
func TestClimbAsksInBatches(t *testing.T) {
	for _, score := range []structure.Score{structure.BIC{}, structure.BDeu{EquivalentSampleSize: 2}} {
		one := 0
		for _, how := range []structure.HillClimb{{Orders: 1}, {}, {Orders: 20}, {Tabu: 5, Orders: 3}} {
			table := randomCases(t, 9, 9, 800)
			src := &counting{Table: table}
			found, err := structure.Learn(context.Background(), src, score, how, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v: %d calls, %d families, %d moves", how, src.calls, src.families, found.Moves)
			if how.Orders == 1 {
				one = src.calls
			}
			if how.Orders == 1 && one > 2+found.Moves || src.calls > one+6 { // climbs differ by a few moves
				t.Errorf("%d calls for %d moves; one climb makes %d", src.calls, found.Moves, one)
			}
			if pairs := 9*8/2 + 9; src.families < pairs {
				t.Errorf("%d families, fewer than pairs", src.families)
			}
			memory, err := structure.Learn(context.Background(), table, score, how, nil)
			if err != nil {
				t.Fatal(err)
			}
			if found.String() != memory.String() {
				t.Errorf("%v\nand from a table\n%v", found, memory)
			}
		}
	}
}

// fewArcs is a prior of the whole graph that does not decompose.
type fewArcs struct{ alpha float64 }

func (fewArcs) Violations(_ string, parents []string) float64 { return float64(len(parents)) }
func (f fewArcs) LogPrior(arcs float64) float64               { return -40 * math.Log1p(f.alpha*arcs) }
func (f fewArcs) String() string                              { return fmt.Sprint("few arcs, ", f.alpha) }

// noA is a prior of families: A is an unlikely parent.
type noA struct{}

func (noA) LogPrior(child string, parents []string) float64 {
	if slices.Contains(parents, "A") {
		return -1000
	}
	return 0
}
func (noA) String() string { return "A is no parent" }

// With a prior of families and one of the graph the score is the sum, and the end is better than
// its neighbours.
func TestClimbWithPriors(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(5) {
		table := randomCases(t, seed, 4, 300)
		plain := tableOfFamilies(t, scorer(t, table, structure.BIC{}))
		prior := fewArcs{1}
		value := func(p []int) float64 {
			arcs, sum := 0, total(plain, p)
			for _, set := range p {
				for u := range 4 {
					arcs += set >> u & 1
				}
				if set&1 != 0 {
					sum -= 1000
				}
			}
			return sum + prior.LogPrior(float64(arcs))
		}
		found, err := structure.Learn(ctx, table, structure.BIC{}, nil,
			&structure.Settings{Prior: noA{}, GraphPrior: prior})
		if err != nil {
			t.Fatal(err)
		}
		end := bitsOf(found.DAG)
		numtest.Close(t, found.Score, value(end), 1e-9, 0)
		oneStep(end, func(int, int) bool { return true }, func(p []int) {
			if value(p) > found.Score+1e-6 {
				t.Errorf("ended with %v; a neighbour has %v", found.Score, value(p))
			}
		})
	}
}

// What the user should know is said: constant columns, and a table of one column or no rows is
// no reason to fail.
func TestClimbOnPoorData(t *testing.T) {
	ctx := context.Background()
	found, err := structure.Learn(ctx, parsed(t, "x,y,z\n0,a,1\n1,a,1\n0,a,0\n"), structure.BDeu{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Notes) == 0 || !slices.ContainsFunc(found.Notes, func(s string) bool {
		return s == `column "y" has one value only: it is scored like any other and tells nothing of them`
	}) {
		t.Errorf("the notes are %q", found.Notes)
	}
	for _, csv := range []string{"x\n0\n1\n", "x,y\n0,1\n"} {
		for _, score := range []structure.Score{structure.BIC{}, structure.BDeu{}, structure.K2{}} {
			table := parsed(t, csv)
			for _, rows := range []int{table.Rows(), 0} {
				found, err := structure.Learn(ctx, table.Head(rows), score,
					structure.HillClimb{Restarts: 1, Source: rand.NewPCG(1, 1)}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if found.DAG.Arcs() != 0 || math.IsNaN(found.Score) {
					t.Errorf("%q: %v", csv, found)
				}
			}
		}
	}
}
