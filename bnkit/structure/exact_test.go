package structure_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// everyDAG calls visit with the parents, as bits, of every graph without a cycle over n variables that
// the rules allow, and returns how many there are.
func everyDAG(n int, allowed func(child, parents int) bool, visit func(parents []int)) int {
	count := 0
	parents := make([]int, n)
	var choose func(v int)
	choose = func(v int) {
		if v == n {
			if isAcyclic(parents) {
				count++
				visit(parents)
			}
			return
		}
		for set := range 1 << n {
			if set&(1<<v) == 0 && allowed(v, set) {
				parents[v] = set
				choose(v + 1)
			}
		}
	}
	choose(0)
	return count
}

// isAcyclic takes away variables without parents until none is left.
func isAcyclic(parents []int) bool {
	left := 1<<len(parents) - 1
	for left != 0 {
		before := left
		for v, set := range parents {
			if left&(1<<v) != 0 && set&left == 0 {
				left &^= 1 << v
			}
		}
		if left == before {
			return false
		}
	}
	return true
}

// tableOfFamilies scores every family, by child and the bits of its parents.
func tableOfFamilies(t testing.TB, s *structure.Scorer) [][]float64 {
	t.Helper()
	n := len(s.Variables())
	scores := make([][]float64, n)
	for v := range n {
		scores[v] = make([]float64, 1<<n)
		for set := range 1 << n {
			if set&(1<<v) != 0 {
				continue
			}
			var err error
			if scores[v][set], err = s.Family(context.Background(), v, listOf(set)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return scores
}

func listOf(set int) []int {
	out := []int{}
	for v := range 30 {
		if set&(1<<v) != 0 {
			out = append(out, v)
		}
	}
	return out
}

func TestExactEqualsEnumeration(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		n, seeds, graphs int // numbers of graphs: Robinson 1977
	}{{1, 1, 1}, {2, 1, 3}, {3, 2, 25}, {4, 4, 543}, {5, 1, 29281}} {
		for seed := range uint64(c.seeds) {
			table := randomCases(t, seed+20, c.n, 150)
			for _, score := range []structure.Score{structure.BIC{}, structure.BDeu{EquivalentSampleSize: 40},
				structure.K2{}} {
				families := tableOfFamilies(t, scorer(t, table, score))
				best := math.Inf(-1)
				count := everyDAG(c.n, func(int, int) bool { return true }, func(parents []int) {
					total := 0.0
					for v, set := range parents {
						total += families[v][set]
					}
					best = max(best, total)
				})
				if count != c.graphs {
					t.Fatalf("%d graphs over %d variables, want %d", count, c.n, c.graphs)
				}
				got, err := structure.Learn(ctx, table, score, structure.Exact{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if math.Abs(got.Score-best) > 1e-9*math.Abs(best) {
					t.Errorf("%d variables, seed %d, %v: %v scores %.9f, the best of all graphs %.9f", c.n, seed, score,
						got.DAG, got.Score, best)
				}
				climbed, err := structure.Learn(ctx, table, score, structure.HillClimb{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if climbed.Score > got.Score+1e-9*math.Abs(best) {
					t.Errorf("a climb ended at %.9f, above the best of all graphs %.9f", climbed.Score, got.Score)
				}
			}
		}
	}
}

// Rules leave fewer graphs; the best of these is found.
func TestExactUnderRules(t *testing.T) {
	table := randomCases(t, 31, 4, 200)
	bit := map[string]int{"A": 0, "B": 1, "C": 2, "D": 3}
	for name, rules := range map[string]structure.Rules{
		"required":  {Required: []structure.Arc{{From: "D", To: "A"}, {From: "C", To: "A"}}},
		"forbidden": {Forbidden: []structure.Arc{{From: "A", To: "B"}, {From: "B", To: "A"}, {From: "C", To: "D"}}},
		"limit":     {MaxParents: 1},
		"tiers":     {Tiers: [][]string{{"D"}, {"B", "A"}}},
		"together": {Required: []structure.Arc{{From: "B", To: "C"}}, Forbidden: []structure.Arc{{From: "A", To: "C"}},
			MaxParents: 2},
	} {
		allowed := func(child, parents int) bool {
			for _, a := range rules.Required {
				if bit[a.To] == child && parents&(1<<bit[a.From]) == 0 {
					return false
				}
			}
			for _, a := range rules.Forbidden {
				if bit[a.To] == child && parents&(1<<bit[a.From]) != 0 {
					return false
				}
			}
			if rules.Tiers != nil && child == bit["D"] && parents&(1<<bit["A"]|1<<bit["B"]) != 0 {
				return false
			}
			return rules.MaxParents == 0 || len(listOf(parents)) <= rules.MaxParents
		}
		for _, score := range []structure.Score{structure.BIC{}, structure.BDeu{EquivalentSampleSize: 100}} {
			families := tableOfFamilies(t, scorer(t, table, score))
			best := math.Inf(-1)
			everyDAG(4, allowed, func(parents []int) {
				total := 0.0
				for v, set := range parents {
					total += families[v][set]
				}
				best = max(best, total)
			})
			for _, how := range []structure.Search{structure.Exact{}, structure.Annealing{Seed: 2,
				Moves: 4000}} {
				got, err := structure.Learn(context.Background(), table, score, how, &structure.Settings{Rules: &rules})
				if err != nil {
					t.Fatal(err)
				}
				if math.Abs(got.Score-best) > 1e-9*math.Abs(best) {
					t.Errorf("%s, %v, %v: %v scores %.9f, best %.9f", name, score, how, got.DAG, got.Score, best)
				}
				for v := range 4 {
					set := 0
					for _, p := range got.DAG.Parents(v) {
						set |= 1 << p
					}
					if !allowed(v, set) {
						t.Errorf("%s, %v: %v breaks the rules", name, how, got.DAG)
					}
				}
			}
		}
	}
}

type noPrior struct{}

func (noPrior) Violations(string, []string) float64 { return 0 }
func (noPrior) LogPrior(float64) float64            { return 0 }
func (noPrior) String() string                      { return "none" }

func TestExactRefuses(t *testing.T) {
	ctx := context.Background()
	wide := randomCases(t, 1, 5, 20)
	_, err := structure.Learn(ctx, wide, structure.BIC{}, structure.Exact{MaxVariables: 4}, nil)
	if err == nil || !strings.Contains(err.Error(), "5 variables") || !strings.Contains(err.Error(), "9·2^5 bytes") ||
		!strings.Contains(err.Error(), "at most 4") {
		t.Errorf("too many variables: %v", err)
	}
	_, err = structure.Learn(ctx, wide, structure.BDe{}, structure.Exact{MaxSets: 10}, nil)
	if err == nil || !strings.Contains(err.Error(), "more than 10 sets") {
		t.Errorf("too many sets: %v", err)
	}
	if err != nil && strings.Contains(err.Error(), "\n") {
		t.Errorf("more than the first error: %v", err)
	}
	if _, err = structure.Learn(ctx, wide, structure.BIC{}, structure.Exact{},
		&structure.Settings{GraphPrior: noPrior{}}); err == nil {
		t.Error("a prior of the whole graph was taken")
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for _, how := range []structure.Search{structure.Exact{}, structure.Annealing{Seed: 1,
		Starts: 3}} {
		if _, err := structure.Learn(cancelled, wide, structure.BIC{}, how, nil); !errors.Is(err, context.Canceled) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("cancelled: %v", err)
		}
	}
}

func TestAnnealing(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(3) {
		table := randomCases(t, seed+40, 5, 150)
		for _, score := range []structure.Score{structure.BIC{}, structure.BDeu{EquivalentSampleSize: 40}} {
			best, err := structure.Learn(ctx, table, score, structure.Exact{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var first *structure.Result
			for _, workers := range []int{1, 3} {
				got, err := structure.Learn(ctx, table, score, structure.Annealing{Seed: 1,
					Starts: 3, Moves: 4000}, &structure.Settings{Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				if math.Abs(got.Score-best.Score) > 1e-9*math.Abs(best.Score) {
					t.Errorf("seed %d, %v: annealing ends at %.6f, the best is %.6f", seed, score, got.Score,
						best.Score)
				}
				if first == nil {
					first = got
				} else if first.DAG.String() != got.DAG.String() || first.Moves != got.Moves {
					t.Errorf("%v with one worker, %v with three", first.DAG, got.DAG)
				}
			}
		}
	}
}

func TestAnnealingBadInput(t *testing.T) {
	table := randomCases(t, 1, 3, 20)
	for _, how := range []structure.Annealing{{Moves: -1}, {Starts: -1},
		{Cooling: structure.Cooling{First: math.Inf(1)}}} {
		how.Seed = 1
		if _, err := structure.Learn(context.Background(), table, structure.BIC{}, how, nil); err == nil {
			t.Errorf("%+v: no error", how)
		}
	}
	one, err := data.New(table.Columns()[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, err := structure.Learn(context.Background(), one, structure.BIC{},
		structure.Annealing{Seed: 1}, nil); err != nil || got.DAG.Arcs() != 0 {
		t.Errorf("one variable: %v, %v", got, err)
	}
}

// countArcs is a prior of the whole graph that is no sum over families: it allows up to two arcs.
type countArcs struct{}

func (countArcs) Violations(_ string, parents []string) float64 { return float64(len(parents)) }
func (countArcs) String() string                                { return "few arcs" }
func (countArcs) LogPrior(arcs float64) float64 {
	if arcs > 2 {
		return -1e6 * (arcs - 2)
	}
	return 0
}

func TestAnnealingGraphPrior(t *testing.T) {
	table := randomCases(t, 44, 4, 400)
	families := tableOfFamilies(t, scorer(t, table, structure.BIC{}))
	best := math.Inf(-1)
	everyDAG(4, func(int, int) bool { return true }, func(parents []int) {
		total, arcs := 0.0, 0
		for v, set := range parents {
			total += families[v][set]
			arcs += len(listOf(set))
		}
		best = max(best, total+countArcs{}.LogPrior(float64(arcs)))
	})
	got, err := structure.Learn(context.Background(), table, structure.BIC{},
		structure.Annealing{Seed: 1, Moves: 10000, Cooling: structure.Cooling{First: 100}},
		&structure.Settings{GraphPrior: countArcs{}})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.Score-best) > 1e-8 || got.DAG.Arcs() > 2 {
		t.Errorf("%v scores %.6f, best %.6f", got.DAG, got.Score, best)
	}
	if !slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, "few arcs") }) {
		t.Errorf("notes %q do not name the prior", got.Notes)
	}
}

// An exact search that is interrupted while it scores families, or while it goes through the sets of variables,
// returns a graph within the rules, with its score and how far it came. The more it knows the better the graph.
func TestExactIsInterrupted(t *testing.T) {
	table := randomCases(t, 3, 8, 300)
	arc := structure.Arc{From: "H", To: "A"}
	rules := &structure.Rules{Required: []structure.Arc{arc}, MaxParents: 2}
	best, err := structure.Learn(t.Context(), table, structure.BIC{}, structure.Exact{},
		&structure.Settings{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	for after := 1; after <= 8; after++ {
		ctx, cancel := context.WithCancel(t.Context())
		var last structure.Progress
		calls := 0
		found, err := structure.Learn(ctx, table, structure.BIC{}, structure.Exact{},
			&structure.Settings{Rules: rules, Workers: 1, Progress: func(p structure.Progress) {
				if calls++; calls == after {
					cancel()
				}
				last = p
			}})
		if after == 8 { // nothing is left to interrupt
			if err != nil || found.Interrupted || found.Score != best.Score || last.Done != 1 {
				t.Errorf("the whole search: %v, %+v, error %v", found, last, err)
			}
			break
		}
		if !errors.Is(err, context.Canceled) || found == nil || !found.Interrupted || !last.Interrupted ||
			last.Done != float64(after)/16 {
			t.Fatalf("after %d families: %v, %+v, error %v", after, found, last, err)
		}
		if !slices.Contains(found.Arcs(), arc) || found.Score > best.Score+1e-9 {
			t.Errorf("after %d families: %v; the best is %v", after, found, best)
		}
		want := fmt.Sprintf("interrupted at %.0f %%", 100*float64(after)/16)
		if !strings.Contains(found.String(), want) {
			t.Errorf("after %d families it prints %v, without %q", after, found, want)
		}
		if after == 7 && found.DAG.Arcs() < 5 {
			t.Errorf("seven variables know their families, and the graph is %v", found.DAG)
		}
	}
	wide := randomCases(t, 4, 18, 60)
	ctx, cancel := context.WithCancel(t.Context())
	one := &structure.Settings{Rules: &structure.Rules{MaxParents: 1}}
	best, err = structure.Learn(t.Context(), wide, structure.BIC{}, structure.Exact{}, one)
	if err != nil {
		t.Fatal(err)
	}
	one.Progress = func(p structure.Progress) {
		if p.What == "sets of variables" {
			cancel()
		}
	}
	found, err := structure.Learn(ctx, wide, structure.BIC{}, structure.Exact{}, one)
	if !errors.Is(err, context.Canceled) || found == nil || !strings.Contains(found.String(), "interrupted at 62 %") {
		t.Fatalf("among the sets: %v, error %v", found, err)
	}
	climb, err := structure.Learn(t.Context(), wide, structure.BIC{}, structure.HillClimb{Orders: 1},
		&structure.Settings{Rules: one.Rules})
	if err != nil {
		t.Fatal(err)
	}
	if found.Score < climb.Score-1e-9 || found.Score > best.Score+1e-9 {
		t.Errorf("score %v, exact %v, by climbing %v", found.Score, best.Score, climb.Score)
	}
}
