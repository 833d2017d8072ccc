package structure

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
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
		{"a pseudocount beyond sums", "at most 1e+150", learn(table, ACL{Other: table, Pseudocount: 1e308}, nil, nil)},
		{"a nil table of replicates", "no cases", func() error {
			_, err := ArcStrengths(ctx, noTable, BIC{}, HillClimb{}, Bootstrap{Seed: 1}, nil)
			return err
		}},
		{"a nil table of classes", "source of cases is nil", func() error {
			_, err := conditionalLogLikelihood(ctx, noTable, start, "a[0]", 1)
			return err
		}},
		{"a nil graph", "graph is nil", func() error { _, err := s.ScoreGraph(ctx, nil); return err }},
		{"a nil scorer of a graph", "scorer is nil",
			func() error { _, err := (*Scorer)(nil).ScoreGraph(ctx, start); return err }},
		{"nil families", "NewScorer", parents(GreedyParents{}, nil)},
		{"a nil scorer", "NewScorer", parents(Exhaustive{}, noScorer)},
		{"a prior that is no number", "score is NaN",
			learn(table, BIC{}, nil, &Settings{GraphPrior: constantPrior{math.NaN()}})},
		{"an endless prior", "score is +Inf", learn(table, BIC{}, Annealing{Seed: 1},
			&Settings{GraphPrior: constantPrior{math.Inf(1)}})},
		{"a prior of parents that is no number", "is NaN", func() error {
			_, err := LearnDynamic(ctx, two, BIC{}, nil, &Settings{GraphPrior: constantPrior{math.NaN()}})
			return err
		}},
		{"a start of parents", "Rules.Start", func() error {
			_, err := LearnDynamic(ctx, two, BIC{}, nil, &Settings{Rules: &Rules{Start: start}})
			return err
		}},
		{"cells of annealing", "MaxCells", learn(table, BIC{}, Annealing{Seed: 1, MaxCells: -1}, nil)},
		{"cells of annealed parents", "MaxCells", parents(AnnealParents{Seed: 1, MaxCells: -1}, s)},
		{"variables of exact search", "MaxVariables", learn(table, BIC{}, Exact{MaxVariables: -1}, nil)},
		{"sets of exact search", "MaxSets", learn(table, BIC{}, Exact{MaxSets: -1}, nil)},
		{"sets of parents", "MaxSets", parents(Exhaustive{MaxSets: -1}, s)},
	} {
		if err := c.do(); err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %q", c.name, err, c.text)
		}
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
	dynamic, err := LearnDynamic(ctx, pairs, BIC{}, nil, set)
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
	given, err := s.ScoreGraph(ctx, g)
	if err != nil {
		t.Fatal(err)
	}
	const constant, left = `note: column "b[1]" has one value only`, `1 for "a[1]"`
	for name, got := range map[string]string{"dynamic": dynamic.String(), "given": given.String()} {
		if !strings.Contains(got, constant) || !strings.Contains(got, left) {
			t.Errorf("%s: nothing is said of a constant column or of a row left out:\n%s", name, got)
		}
	}
	if !strings.Contains(static.String(), `column "v" has no value in any case`) {
		t.Errorf("no cases:\n%s", static)
	}
}

// Variables of one tier are no candidates of each other: two that agree would be parents of each other.
func TestDynamicTiersAreApart(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("a[0],b[0],a[1],b[1]\n")
	for i := range 40 {
		rows.WriteString([]string{"x,x,x,x\n", "x,y,y,y\n", "y,x,x,x\n", "y,y,y,y\n"}[i/2%4])
		if i%4 == 0 {
			rows.WriteString("x,y,x,x\ny,x,y,y\n")
		}
	}
	pairs := binary(t, rows.String())
	for _, c := range []struct {
		tiers [][]string
		want  int // parents in the same slice
	}{{[][]string{{"a[1]", "b[1]"}}, 0}, {[][]string{{"a[1]"}, {"b[1]"}}, 1}, {nil, 0}} {
		r, err := LearnDynamic(context.Background(), pairs, BIC{}, nil, &Settings{Rules: &Rules{Tiers: c.tiers}})
		if err != nil {
			t.Fatal(err)
		}
		within := 0
		for _, f := range r.Families {
			for _, p := range f.Parents {
				if !strings.HasSuffix(p, "[t-1]") {
					within++
				}
			}
		}
		if within != c.want || r.Network == nil {
			t.Errorf("tiers %v: %v", c.tiers, r)
		}
	}
}

// Required arcs that use up the limit leave no room for better parents.
func TestRequiredArcsFillTheLimit(t *testing.T) {
	ctx := context.Background()
	// each keeps its value
	pairs := binary(t, "a[0],b[0],a[1],b[1]\n"+strings.Repeat("x,x,x,x\nx,y,x,y\ny,x,y,x\ny,y,y,y\n", 10))
	set := &Settings{Rules: &Rules{MaxParents: 1, Required: []Arc{{"b[0]", "a[1]"}}}}
	dynamic, err := LearnDynamic(ctx, pairs, BIC{}, nil, set)
	if err != nil {
		t.Fatal(err)
	}
	if got := dynamic.Model(); got != "[a|b[t-1]][b|b[t-1]]" {
		t.Errorf("dynamic: %s", got)
	}
}

// Parents are looked for beside those required: of the exclusive or of two one alone tells nothing.
func TestRequiredArcsAreScored(t *testing.T) {
	pairs := binary(t, "a[0],b[0],a[1],b[1]\n"+strings.Repeat(
		"x,x,x,x\nx,y,y,x\ny,x,y,y\ny,y,x,y\nx,x,x,y\nx,y,y,y\ny,x,y,x\ny,y,x,x\n", 10))
	for _, c := range []struct {
		required []Arc
		want     string
	}{{nil, "[a][b]"}, {[]Arc{{"b[0]", "a[1]"}}, "[a|a[t-1]:b[t-1]][b]"}} {
		r, err := LearnDynamic(context.Background(), pairs, BIC{}, GreedyParents{},
			&Settings{Rules: &Rules{Required: c.required}})
		if err != nil || r.Model() != c.want {
			t.Errorf("required %v: %v, %v; want %s", c.required, r, err, c.want)
		}
	}
}

// Required arcs that a search between slices cannot have are refused, not left out.
func TestRequiredArcsBetweenSlices(t *testing.T) {
	ctx := context.Background()
	pairs := binary(t, "a[0],b[0],a[1],b[1]\n"+strings.Repeat("x,x,x,x\nx,y,x,y\ny,x,y,x\ny,y,y,y\n", 3))
	for _, arc := range []Arc{{"a[0]", "b[0]"}, {"a[1]", "b[0]"}} {
		set := &Settings{Rules: &Rules{Required: []Arc{arc}}}
		_, dynamic := LearnDynamic(ctx, pairs, BIC{}, nil, set)
		var rule *RuleError
		if !errors.As(dynamic, &rule) || rule.Arc != arc {
			t.Errorf("%v: %v", arc, dynamic)
		}
	}
}

// Arcs found up the tiers close no cycle with those required: w copies u, and w → v → u would be one.
func TestRequiredArcsDownTheTiers(t *testing.T) {
	ctx := context.Background()
	var rows strings.Builder
	rows.WriteString("u[0],v[0],w[0],u[1],v[1],w[1]\n")
	for i := range 64 {
		bit := func(k int) string { return []string{"x", "y"}[i>>k&1] }
		rows.WriteString(strings.Join([]string{bit(0), bit(1), bit(2), bit(3), bit(4), bit(3)}, ",") + "\n")
	}
	pairs := binary(t, rows.String())
	required := []Arc{{"w[1]", "v[1]"}, {"v[1]", "u[1]"}}
	_, err := LearnDynamic(ctx, pairs, BIC{}, nil,
		&Settings{Rules: &Rules{Tiers: [][]string{{"u[1]"}, {"w[1]"}}, Required: required}})
	var rule *RuleError
	if !errors.As(err, &rule) || !strings.Contains(err.Error(), `from "w[1]" in tier 2 to "u[1]" in tier 1`) {
		t.Errorf("down the tiers: %v", err)
	}
	for _, tiers := range [][][]string{nil, {{"w[1]"}, {"u[1]"}}, {{"u[1]", "w[1]"}}} {
		r, err := LearnDynamic(ctx, pairs, BIC{}, nil, &Settings{Rules: &Rules{Tiers: tiers, Required: required}})
		if err != nil || r.Network == nil {
			t.Errorf("tiers %v: %v, %v", tiers, r, err)
		}
	}
}

// rootB is a prior of graphs under which B has no parents.
type rootB struct{}

func (rootB) Violations(child string, parents []string) float64 {
	if child == "B" {
		return float64(len(parents))
	}
	return 0
}

func (rootB) LogPrior(violations float64) float64 {
	if violations > 0 {
		return math.Inf(-1)
	}
	return 0
}

func (rootB) String() string { return "a prior of B as a root" }

// No search starts from a graph or a family of probability 0, where all gains are infinite or no numbers; from
// elsewhere none goes there.
func TestImpossibleStart(t *testing.T) {
	ctx := context.Background()
	table := drawnCases(t, 4, 100)
	source := rand.NewPCG(1, 1)
	for _, how := range []Search{
		HillClimb{}, HillClimb{Tabu: 5}, HillClimb{Orders: 1, Restarts: 20, Source: source},
		Annealing{Seed: 1, Moves: 1000},
	} {
		for name, c := range map[string]struct {
			set  Settings
			text string
		}{
			"graph": {Settings{GraphPrior: rootB{}, Rules: &Rules{Required: []Arc{{"A", "B"}}}},
				"start graph is impossible under a prior of B as a root"},
			"family": {Settings{Prior: not{"A"}, Rules: &Rules{Required: []Arc{{"A", "B"}}}},
				`the family of "B" given "A" in the start graph is impossible`},
		} {
			if r, err := Learn(ctx, table, BIC{}, how, &c.set); err == nil || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v, %s: %v, %v", how, name, r, err)
			}
		}
		r, err := Learn(ctx, table, BIC{}, how, &Settings{GraphPrior: rootB{}})
		if err != nil || math.IsInf(r.Score, 0) || len(r.Families[1].Parents) > 0 || r.DAG.Arcs() == 0 {
			t.Errorf("%v: %v, %v", how, r, err)
		}
	}
}
