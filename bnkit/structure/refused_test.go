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
)

// constantPrior is a prior of graphs that gives the same number to all.
type constantPrior struct{ log float64 }

func (constantPrior) Violations(string, []string) float64 { return 0 }
func (p constantPrior) LogPrior(float64) float64          { return p.log }
func (constantPrior) String() string                      { return "the same for all" }

// not is a family prior under which a variable is no parent.
type not struct{ parent string }

func (n not) LogPrior(_ string, parents []string) float64 {
	if slices.Contains(parents, n.parent) {
		return math.Inf(-1)
	}
	return 0
}
func (not) String() string { return "one is no parent" }

// What no search can do is refused, and no number that is none is handed out.
func TestRefused(t *testing.T) {
	ctx := context.Background()
	table := drawnCases(t, 3, 50)
	var noTable *data.Table
	var noScorer *Scorer
	s, err := NewScorer(table, BIC{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	learn := func(src data.Source, score Score, how Search, set *Settings) func() error {
		return func() error { _, err := Learn(ctx, src, score, how, set); return err }
	}
	parents := func(how ParentSearch, s Families) func() error {
		return func() error { _, err := how.Parents(ctx, s, 0, []int{1, 2}, 0); return err }
	}
	two := binary(t, "a[0],a[1]\nx,y\ny,x\nx,x\n")
	start, err := bn.NewDAG([]string{"a[0]", "a[1]"}, [][]int{nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		do         func() error
	}{
		{"a nil table", "source of cases is nil", learn(noTable, BIC{}, nil, nil)},
		{"a nil table of the other class", "Other is nil", learn(table, ACL{Other: noTable}, nil, nil)},
		{"a nil table of replicates", "no cases", func() error {
			_, err := ArcStrengths(ctx, noTable, BIC{}, HillClimb{}, Bootstrap{Source: Seeded(1)}, nil)
			return err
		}},
		{"a nil table of classes", "source of cases is nil", func() error {
			_, err := ConditionalLogLikelihood(ctx, noTable, start, "a[0]", 1)
			return err
		}},
		{"a nil graph", "graph is nil", func() error { _, err := ScoreGraph(ctx, s, nil); return err }},
		{"a nil scorer of a graph", "scorer is nil", func() error { _, err := ScoreGraph(ctx, nil, start); return err }},
		{"nil families", "NewScorer", parents(GreedyParents{}, nil)},
		{"a nil scorer", "NewScorer", parents(Exhaustive{}, noScorer)},
		{"a prior that is no number", "score is NaN", learn(table, BIC{}, nil, &Settings{GraphPrior: constantPrior{math.NaN()}})},
		{"an endless prior", "score is +Inf", learn(table, BIC{}, Annealing{Source: Seeded(1)}, &Settings{GraphPrior: constantPrior{math.Inf(1)}})},
		{"a prior of parents that is no number", "is NaN", func() error {
			_, err := LearnDynamic(ctx, two, BIC{}, nil, &Settings{GraphPrior: constantPrior{math.NaN()}})
			return err
		}},
		{"a start of parents", "Rules.Start", func() error {
			_, err := LearnDynamic(ctx, two, BIC{}, nil, &Settings{Rules: &Rules{Start: start}})
			return err
		}},
		{"cells of annealing", "MaxCells", learn(table, BIC{}, Annealing{Source: Seeded(1), MaxCells: -1}, nil)},
		{"cells of annealed parents", "MaxCells", parents(AnnealParents{Source: Seeded(1), MaxCells: -1}, s)},
		{"variables of exact search", "MaxVariables", learn(table, BIC{}, Exact{MaxVariables: -1}, nil)},
		{"sets of exact search", "MaxSets", learn(table, BIC{}, Exact{MaxSets: -1}, nil)},
		{"sets of parents", "MaxSets", parents(Exhaustive{MaxSets: -1}, s)},
	} {
		if err := c.do(); err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %q", c.name, err, c.text)
		}
	}
	if names := (*Hierarchy)(nil).Names(); names != nil {
		t.Errorf("a nil hierarchy has the names %v", names)
	}
}

// Results say what became of the cases, dynamic ones too.
func TestNotesOfTheCases(t *testing.T) {
	ctx := context.Background()
	pairs := binary(t, "a[0],b[0],a[1],b[1]\nx,u,y,u\ny,u,,u\nx,u,x,u\ny,u,x,u\n")
	empty, err := data.New(data.Column{Var: bn.Discrete("v", "0", "1")})
	if err != nil {
		t.Fatal(err)
	}
	set := &Settings{Missing: CompleteCases}
	h, err := NewHierarchy([]string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	dynamic, err := LearnDynamic(ctx, pairs, BIC{}, nil, set)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := LearnHierarchical(ctx, pairs, h, BIC{}, nil, set)
	if err != nil {
		t.Fatal(err)
	}
	static, err := Learn(ctx, empty, BIC{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewScorer(pairs, BIC{}, &ScorerOptions{Missing: CompleteCases})
	if err != nil {
		t.Fatal(err)
	}
	g, err := bn.NewDAG([]string{"b[1]", "a[1]", "a[0]", "b[0]"}, [][]int{nil, {0}, nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	given, err := ScoreGraph(ctx, s, g)
	if err != nil {
		t.Fatal(err)
	}
	const constant, left = `note: column "b[1]" has one value only`, `1 for "a[1]"`
	for name, got := range map[string]string{"dynamic": dynamic.String(), "hierarchical": tree.String(), "given": given.String()} {
		if !strings.Contains(got, constant) || !strings.Contains(got, left) {
			t.Errorf("%s: nothing is said of a constant column or of a row left out:\n%s", name, got)
		}
	}
	if !strings.Contains(static.String(), `column "v" has no value in any case`) {
		t.Errorf("no cases:\n%s", static)
	}
}

// Families with so many states, those of missing cells included, that they are counted row by row, are
// counted as the others are.
func TestCountsOfWideFamilies(t *testing.T) {
	const n, single, rows = 40, 30, 60 // 2^30·3^10 joint states with those of missing cells, 2^10 without
	random := rand.New(rand.NewPCG(1, 2))
	cols := make([]data.Column, n)
	weights := make([]float64, rows)
	for v := range cols {
		states := []string{"0", "1"}
		if v < single {
			states = states[:1]
		}
		cols[v] = data.Column{Var: bn.Discrete(string(rune('A'+v)), states...), States: make([]bn.State, rows)}
		for row := range rows {
			cols[v].States[row] = bn.State(random.IntN(len(states)))
			weights[row] = 0.25 * float64(row)
		}
		cols[v].States[v] = bn.Missing
	}
	plain, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	weighted, err := plain.WithWeights(weights)
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]*data.Table{"plain": plain, "weighted": weighted} {
		s, err := NewScorer(table, BIC{}, &ScorerOptions{Missing: CompleteCases})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Counts(context.Background(), n-3, slices.DeleteFunc(all(n), func(v int) bool { return v == n-3 }))
		if err != nil {
			t.Fatal(err)
		}
		want, total := make(map[int]float64), 0.0
		for row := n; row < rows; row++ { // the rows before lack a cell
			cell := 0
			for _, v := range append(slices.DeleteFunc(all(n), func(v int) bool { return v == n-3 }), n-3) {
				cell = cell*cols[v].Var.Cardinality() + int(cols[v].States[row])
			}
			weight := 1.0
			if table.Weights() != nil {
				weight = weights[row]
			}
			want[cell] += weight
			total += weight
		}
		if got.Rows != total || sum(got.N) != total {
			t.Errorf("%s: %v rows with counts that sum to %v, want %v", name, got.Rows, sum(got.N), total)
		}
		for cell, w := range want {
			if got.N[cell] != w {
				t.Errorf("%s: count %d is %v, want %v", name, cell, got.N[cell], w)
			}
		}
	}
}

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
	p := &Problem{Scorer: s, Limits: limits, Workers: 1, Progress: func(Progress) {}}
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
		if !slices.Equal(c.family, want) || math.IsInf(sum(want), -1) {
			t.Fatalf("families score %v, kept as %v", want, c.family)
		}
	}
	if moved == 0 || moved == 50 {
		t.Errorf("%d of 50 restarts moved; the test needs some that did and some that were taken back", moved)
	}
}
