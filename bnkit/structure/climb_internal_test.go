package structure

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/internal/ancestors"
	"bnlab/internal/num"
	"bnlab/internal/numtest"
)

// drawnCases are rows of n variables of 3 states, each like the one before more often than not.
func drawnCases(t testing.TB, n, rows int) *data.Table {
	t.Helper()
	random := rand.New(rand.NewPCG(2, 2))
	cols := make([]data.Column, n)
	for v := range cols {
		cols[v] = data.Column{Var: bn.Discrete(string(rune('A'+v)), "0", "1", "2"), States: make([]bn.State, rows)}
		for row := range rows {
			cols[v].States[row] = bn.State(random.IntN(3))
			if v > 0 && random.IntN(4) > 0 {
				cols[v].States[row] = cols[v-1].States[row]
			}
		}
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// On a walk with a tabu list, with random moves in between, no graph of the list is visited again, and
// what is kept of the graph — its ancestors, hash, family scores and gains — is what the graph
// itself gives.
func TestClimbKeepsWhatHolds(t *testing.T) {
	ctx := context.Background()
	s, err := NewScorer(drawnCases(t, 6, 200), BIC{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	limits, err := (&Rules{MaxParents: 3}).Bind(s.vars)
	if err != nil {
		t.Fatal(err)
	}
	p := &task{Scorer: s, Limits: limits, Workers: 1, Progress: func(Progress) {}}
	const length = 7
	c := newClimb(p, HillClimb{Tabu: length}, variableOrder(6, 0))
	c.random = rand.New(rand.NewPCG(1, 1))
	if err := c.begin(ctx, 1); err != nil {
		t.Fatal(err)
	}
	var visited [][][]int
	for step := range 60 {
		if step%20 == 19 {
			if err := c.restart(ctx, 1, 3); err != nil {
				t.Fatal(err)
			}
			visited, c.tabu = nil, newTabuList(length)
		}
		visited = append(visited, slices.Clone(c.parents))
		m, ok := c.choose(true)
		if !ok {
			t.Fatal("no move")
		}
		for v := range c.n { // by looking at all moves
			for u := range c.n {
				if n := c.change(u, v); u != v && n.gain > m.gain+c.tolerance && c.legal(n, true) {
					t.Fatalf("step %d: %+v was chosen and %+v gains more", step, m, n)
				}
			}
		}
		c.tabu.add(c.hash)
		if err := c.make(ctx, 1, m); err != nil {
			t.Fatal(err)
		}
		for _, before := range visited[max(0, len(visited)-length):] {
			if slices.EqualFunc(before, c.parents, slices.Equal) {
				t.Fatalf("step %d: %v is visited again", step, c.parents)
			}
		}
		if _, err := bn.NewDAG(names(s.vars, all(c.n)), c.parents); err != nil {
			t.Fatal(err)
		}
		above, hash := ancestors.New(c.n), uint64(0)
		above.Rebuild(c.parents)
		for v, ps := range c.parents {
			for _, u := range ps {
				hash ^= arcHash(u, v)
			}
		}
		if !above.Equal(c.above) || hash != c.hash {
			t.Fatalf("step %d: ancestors or hash are not those of the graph", step)
		}
		scores, err := s.graph(ctx, c.parents)
		if err != nil {
			t.Fatal(err)
		}
		for v, want := range scores {
			numtest.Close(t, c.family[v], want, 1e-9, 0)
			for u := range c.n {
				if math.IsInf(c.gain[v*c.n+u], -1) {
					continue
				}
				neighbour, err := s.Family(ctx, v, toggled(v, c.parents[v], u).Parents)
				if err != nil {
					t.Fatal(err)
				}
				numtest.Close(t, c.gain[v*c.n+u], neighbour-want, 1e-9, 0)
			}
		}
	}
}

// Of an exclusive or no arc alone tells anything, so that a plain climb stays where it is; with a tabu
// list it goes down one arc and finds the second.
func TestTabuListLeavesALocalMaximum(t *testing.T) {
	ctx := context.Background()
	table := binary(t, "a,b,c\n"+strings.Repeat("0,0,0\n0,1,1\n1,0,1\n1,1,0\n", 50))
	plain, err := Learn(ctx, table, BIC{}, HillClimb{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if plain.DAG.Arcs() != 0 {
		t.Errorf("a plain climb found %v", plain.DAG)
	}
	tabu, err := Learn(ctx, table, BIC{}, HillClimb{Tabu: 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// c given a and b is certain: 200 ln 2 better than without arcs, for 3 parameters more.
	numtest.Close(t, tabu.Score-plain.Score, 200*math.Log(2)-3*0.5*math.Log(200), 1e-9, 0)
}

func TestProgressNeverFalls(t *testing.T) {
	var got []float64
	f := oneAtATime(func(p Progress) { got = append(got, p.Done) })
	for _, done := range []float64{0.1, 0.5, 0.3, 0.6, math.Nextafter(1, 2)} {
		f(Progress{Done: done})
	}
	if !slices.Equal(got, []float64{0.1, 0.5, 0.5, 0.6, 1}) {
		t.Errorf("it went %v", got)
	}
}

// Orders are permutations, the first that of the columns, and come with their reverse.
func TestVariableOrder(t *testing.T) {
	for _, n := range []int{1, 2, 5, 37} {
		for k := range 12 {
			at := variableOrder(n, k)
			if sorted := slices.Sorted(slices.Values(at)); !slices.Equal(sorted, all(n)) {
				t.Errorf("order %d of %d: %v", k, n, at)
			}
			if k == 0 && !slices.Equal(at, all(n)) {
				t.Errorf("the first order is %v", at)
			}
			if k%2 == 1 {
				for v, place := range variableOrder(n, k-1) {
					if at[v] != n-1-place {
						t.Errorf("order %d is not the reverse of the one before", k)
					}
				}
			}
		}
	}
	// Fractional parts of 0, φ, 2φ, 3φ, 4φ: 0, 0.618, 0.236, 0.854, 0.472.
	if got := variableOrder(5, 2); !slices.Equal(got, []int{0, 3, 1, 4, 2}) {
		t.Errorf("the third order is %v", got)
	}
}

// A tabu climb gives up after exactly Worse moves without a new best graph.
func TestTabuGivesUp(t *testing.T) {
	ctx := context.Background()
	s, err := NewScorer(drawnCases(t, 6, 100), BIC{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	limits, err := (*Rules)(nil).Bind(s.vars)
	if err != nil {
		t.Fatal(err)
	}
	p := &task{Scorer: s, Limits: limits, Workers: 1, Progress: func(Progress) {}}
	for worse := 1; worse < 5; worse++ {
		h := HillClimb{Tabu: 20, Worse: worse}
		c := newClimb(p, h, variableOrder(6, 0))
		if err := c.begin(ctx, 1); err != nil {
			t.Fatal(err)
		}
		moves, err := c.up(ctx, h, 1, newMeter(p, 1), 0)
		if err != nil || c.best.moves == 0 || moves-c.best.moves != worse {
			t.Errorf("%d moves after the best graph, at move %d: want %d (%v)", moves-c.best.moves, c.best.moves, worse,
				err)
		}
	}
}

// not is a family prior under which a variable is no parent.
type not struct{ parent string }

func (n not) LogPrior(_ string, parents []string) float64 {
	if slices.Contains(parents, n.parent) {
		return math.Inf(-1)
	}
	return 0
}
func (not) String() string { return "one is no parent" }

// Random moves to a family that a prior makes impossible are taken back, and what is kept of the graph
// stays a number.
func TestRestartsPassByImpossibleFamilies(t *testing.T) {
	ctx := context.Background()
	s, err := NewScorer(drawnCases(t, 6, 100), BIC{}, &ScorerOptions{Prior: not{"B"}})
	if err != nil {
		t.Fatal(err)
	}
	limits, err := (*Rules)(nil).Bind(s.vars)
	if err != nil {
		t.Fatal(err)
	}
	p := &task{Scorer: s, Limits: limits, Workers: 1, Progress: func(Progress) {}}
	c := newClimb(p, HillClimb{}, variableOrder(6, 0))
	c.random = rand.New(rand.NewPCG(1, 1))
	if err := c.begin(ctx, 1); err != nil {
		t.Fatal(err)
	}
	moved := 0
	for range 50 {
		hash := c.hash
		if err := c.restart(ctx, 1, 3); err != nil {
			t.Fatal(err)
		}
		if c.hash != hash {
			moved++
		}
		want, err := s.graph(ctx, c.parents)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(c.family, want) || math.IsInf(num.Sum(want), -1) {
			t.Fatalf("families score %v, kept as %v", want, c.family)
		}
	}
	if moved == 0 || moved == 50 {
		t.Errorf("%d of 50 restarts moved; the test needs some that did and some that were taken back", moved)
	}
}
