package posterior_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/posterior"
	"bnlab/internal/numtest"
)

// Rules leave out graphs, and families with a score of −∞ too.
func TestRulesLeaveOutGraphs(t *testing.T) {
	scores := random(5, 6, 7)
	scores[3][1<<4|1<<1] = math.Inf(-1)
	rules := &structure.Rules{
		Required:  []structure.Arc{{From: "V00", To: "V02"}},
		Forbidden: []structure.Arc{{From: "V03", To: "V01"}},
		Tiers:     [][]string{{"V01"}, {"V04"}}, MaxParents: 3,
	}
	allowed := func(parents []int) bool {
		if parents[2]&1 == 0 || parents[1]>>3&1 == 1 || parents[1]>>4&1 == 1 {
			return false
		}
		return !slices.Contains(parents, 1<<5-1) && !slices.ContainsFunc(parents, func(p int) bool {
			return p&(p-1)&((p&(p-1))-1)&(((p&(p-1))&((p&(p-1))-1))-1) != 0 // four members
		})
	}
	for _, byOrders := range []bool{false, true} {
		want := enumerate(scores, byOrders, allowed)
		got := learn(t, scores, posterior.Exact{OrderPrior: byOrders}, &structure.Settings{Rules: rules})
		numtest.Close(t, got.LogSum, want.logSum, 1e-9, 0)
		compare(t, "arc", got.Arc, want.arcs)
		compare(t, "path", got.Path, want.paths)
		compare(t, "blanket", got.Blanket, want.blankets)
		drawn(t, got, want)
	}
}

// With scores that only ask for the number of parents, all variables are alike.
func TestSymmetricScores(t *testing.T) {
	const n = 9
	scores := make(given, n)
	for v := range scores {
		scores[v] = make([]float64, 1<<n)
		for set := range scores[v] {
			scores[v][set] = []float64{0, -2, -3, -7, -11, -12, -12, -12, -12, -12}[len(bitsOf(set))]
		}
	}
	for _, how := range []posterior.Exact{{Draws: 10}, {Draws: 10, OrderPrior: true}} {
		got := learn(t, scores, how, nil)
		for what, of := range map[string]func(u, v int) (float64, float64){"arc": got.Arc, "path": got.Path,
			"blanket": got.Blanket} {
			first, _ := of(0, 1)
			for u := range n {
				for v := range n {
					if p, _ := of(u, v); u != v && !numtest.Close(t, p, first, 1e-10, 0) {
						t.Errorf("%s %d, %d", what, u, v)
					}
				}
			}
		}
	}
}

func bitsOf(set int) []int {
	var out []int
	for i := range 32 {
		if set>>i&1 == 1 {
			out = append(out, i)
		}
	}
	return out
}

// The same draws and digits come from any number of workers and from the same seed.
func TestWorkersChangeNothing(t *testing.T) {
	scores := random(9, 20, 3)
	for _, how := range []posterior.Method{posterior.Exact{Seed: 5, Draws: 50},
		posterior.Exact{Seed: 5, Draws: 50, OrderPrior: true},
		posterior.Partitions{Seed: 5, Draws: 50, Steps: 1000}} {
		a := learn(t, scores, how, &structure.Settings{Workers: 1})
		b := learn(t, scores, how, &structure.Settings{Workers: 3})
		if a.LogSum != b.LogSum && !math.IsNaN(a.LogSum) {
			t.Errorf("%v: log sums %v and %v", how, a.LogSum, b.LogSum)
		}
		for u := range scores {
			for v := range scores {
				for _, of := range [][2]func(u, v int) (float64, float64){{a.Arc, b.Arc}, {a.Path, b.Path},
					{a.Blanket, b.Blanket}} {
					p, e := of[0](u, v)
					q, f := of[1](u, v)
					if p != q || e != f {
						t.Errorf("%v: %v ± %v and %v ± %v from %d to %d", how, p, e, q, f, u, v)
					}
				}
			}
		}
		for i := range a.Draws {
			if a.Draws[i].String() != b.Draws[i].String() {
				t.Errorf("%v: draw %d is %v and %v", how, i, a.Draws[i], b.Draws[i])
			}
		}
	}
}

type noGraph struct{}

func (noGraph) Violations(string, []string) float64 { return 1 }
func (noGraph) LogPrior(v float64) float64          { return -v }
func (noGraph) String() string                      { return "a prior" }

func TestBadInput(t *testing.T) {
	never := random(3, 1, 1)
	for set := range never[1] {
		never[1][set] = math.Inf(-1)
	}
	cycle := random(2, 1, 1)
	cycle[0][0], cycle[1][0] = math.Inf(-1), math.Inf(-1)
	nan := random(3, 1, 1)
	nan[2][3] = math.NaN()
	wide := make(given, 40)
	for _, c := range []struct {
		what string
		s    structure.Families
		how  posterior.Method
		set  *structure.Settings
		want []string
	}{
		{"too many", make(given, 21), nil, nil, []string{"at most 20 variables", "21", "Partitions", "MaxVariables"}},
		{"too many for orders", make(given, 21), posterior.Exact{OrderPrior: true}, nil, []string{"at most 20", "21"}},
		{"no families", (*structure.Scorer)(nil), nil, nil, []string{"NewScorer"}},
		{"nothing", given{}, nil, nil, []string{"no variables"}},
		{"negative", random(2, 1, 1), posterior.Exact{Draws: -1}, nil, []string{"Draws -1"}},
		{"no parents", never, nil, nil, []string{`"V01"`, "above −∞"}},
		{"no graph", cycle, nil, nil, []string{"no graph", "−∞"}},
		{"no number", nan, nil, nil, []string{`"V02"`, "NaN"}},
		{"graph prior", random(2, 1, 1), posterior.Exact{}, &structure.Settings{GraphPrior: noGraph{}},
			[]string{"FamilyPrior"}},
		{"many families", wide, posterior.Exact{MaxVariables: 24}, nil, []string{"at most 24", "40"}},
	} {
		_, err := posterior.Learn(context.Background(), c.s, c.how, c.set)
		if err == nil {
			t.Errorf("%s: no error", c.what)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", c.what, err, want)
			}
		}
	}
	_, err := posterior.Learn(context.Background(), random(2, 1, 1), nil, &structure.Settings{Rules: &structure.Rules{
		Required: []structure.Arc{{From: "V00", To: "V01"}, {From: "V01", To: "V00"}}}})
	var rule *structure.RuleError
	if !errors.As(err, &rule) {
		t.Errorf("contradictory rules: %v", err)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := posterior.Learn(done, random(4, 1, 1), nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a done context: %v", err)
	}
}
