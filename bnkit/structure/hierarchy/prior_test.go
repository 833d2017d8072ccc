package hierarchy_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
	"bnlab/internal/numtest"
)

func TestPriorLogPrior(t *testing.T) {
	for _, test := range []struct{ alpha, v, want float64 }{
		{0, 5, 0}, {2, 0, 0}, {2, 3, -math.Log(7)}, {1, 1, -math.Log(2)}, {math.Inf(1), 0, 0},
		{math.Inf(1), 1, math.Inf(-1)},
	} {
		numtest.Close(t, hierarchy.Prior{Alpha: test.alpha}.LogPrior(test.v), test.want, 1e-15, 1e-15)
	}
}

// α = 0 is the flat search, α = ∞ the assumption's own.
func TestPriorEnds(t *testing.T) {
	for seed := range seeds(8) {
		w := newWorld(t, seed, 4)
		flat := make(hierarchy.Links, w.h.Len())
		for j := range flat {
			flat[j] = w.best(j, all(w.h.Len()), func([]int) bool { return true })
		}
		for _, test := range []struct {
			rule hierarchy.Rule
			hard hierarchy.Search
		}{
			{nil, hierarchy.ParentWise{Obedient: true}},
			{hierarchy.ParentWise{Parents: 1}, hierarchy.ParentWise{Parents: 1, Obedient: true}},
			{hierarchy.FamilyWise{}, hierarchy.FamilyWise{}},
			{hierarchy.FamilyWise{Relaxed: true}, hierarchy.FamilyWise{Relaxed: true}},
		} {
			w.same("α = 0", w.learn(hierarchy.Prior{Rule: test.rule}, nil).Links, flat)
			hard := w.learn(test.hard, nil)
			got := w.learn(hierarchy.Prior{Rule: test.rule, Alpha: math.Inf(1)}, nil)
			for j := range hard.Links {
				if !slices.Equal(got.Links[j], hard.Links[j]) {
					t.Errorf("α = ∞, %v: %v, want %v", test.rule, got.Links, hard.Links)
				}
			}
			if got.Violations != 0 || got.Score != hard.Score {
				t.Errorf("α = ∞, %v: score %v with %d violations, want %v", test.rule, got.Score, got.Violations,
					hard.Score)
			}
		}
	}
}

// With a large α no link breaks the assumption, and under the parent-wise one, which each family
// breaks by itself, the result is the best legal set of each child. The search by levels looks at
// fewer sets, so it may end lower, and does; families in which it found the best legal set are the same.
func TestPriorLargeAlpha(t *testing.T) {
	same, families := 0, 0
	for seed := range seeds(8) {
		w := newWorld(t, seed, 4)
		want := make(hierarchy.Links, w.h.Len())
		for j := range want {
			want[j] = w.best(j, all(w.h.Len()), func(set []int) bool {
				for _, i := range set {
					above := w.h.Above(i)
					if len(above) > 0 && !slices.ContainsFunc(above,
						func(a int) bool { return slices.Contains(set, a) }) {
						return false
					}
				}
				return true
			})
		}
		// log(1 + 1e300) = 690.8 is more than 150 rows of two states can tell.
		got := w.learn(hierarchy.Prior{Alpha: 1e300}, nil)
		w.same("α = 1e300", got.Links, want)
		hard := w.learn(hierarchy.ParentWise{Obedient: true}, nil)
		if got.Violations != 0 || got.Score < hard.Score-1e-9 {
			t.Errorf("score %v with %d violations, the search by levels found %v", got.Score, got.Violations,
				hard.Score)
		}
		for j := range want {
			if math.Abs(w.score(j, hard.Links[j])-w.score(j, want[j])) < 1e-9 {
				same++
			}
			families++
		}
		for _, rule := range []hierarchy.Search{hierarchy.FamilyWise{}, hierarchy.FamilyWise{Relaxed: true}} {
			got, hard := w.learn(hierarchy.Prior{Rule: rule.(hierarchy.Rule), Alpha: 1e300}, nil),
				w.learn(rule, nil)
			if got.Violations != 0 || got.Score < hard.Score-1e-9 {
				t.Errorf("%v: score %v with %d violations, the search by levels found %v", rule, got.Score,
					got.Violations, hard.Score)
			}
		}
	}
	t.Logf("the search by levels found the best legal parents of %d variables of %d", same, families)
}

// At any α the result is no lower than flat and hard results, and no change of one family
// improves it; all 512 structures of three variables bound it from above.
func TestPriorAllStructures(t *testing.T) {
	h, err := hierarchy.New([]string{"a", "b"}, hierarchy.Composite{Name: "c", Of: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	highest := 0
	for seed := range uint64(10) {
		s, err := structure.NewScorer(randomPairs(t, rand.New(rand.NewPCG(seed, 3)), h.Names(), 60), bdeu, nil)
		if err != nil {
			t.Fatal(err)
		}
		w := world{t, h, s, make(map[string]float64)}
		for _, rule := range []hierarchy.Rule{hierarchy.ParentWise{}, hierarchy.FamilyWise{},
			hierarchy.FamilyWise{Relaxed: true, SameLevel: true}} {
			prior := hierarchy.Prior{Rule: rule, Alpha: 2}
			score := func(links hierarchy.Links) float64 {
				total := prior.LogPrior(float64(h.Violations(rule, links)))
				for j := range links {
					total += w.score(j, links[j])
				}
				return total
			}
			got := w.learn(prior, nil)
			numtest.Close(t, got.Score, score(got.Links), 0, 1e-12)
			high := math.Inf(-1)
			for mask := range 1 << 9 {
				links := make(hierarchy.Links, 3)
				changed := 0
				for j := range links {
					for i := range links {
						if mask>>(3*j+i)&1 == 1 {
							links[j] = append(links[j], i)
						}
					}
					if !slices.Equal(links[j], got.Links[j]) {
						changed++
					}
				}
				x := score(links)
				high = max(high, x)
				if changed == 1 && x > got.Score+1e-7 {
					t.Errorf("seed %d, %v: %v scores %v, one family from %v, %v", seed, rule, links, x, got.Links,
						got.Score)
				}
			}
			if got.Score > high+1e-9 {
				t.Errorf("score %v above the highest, %v", got.Score, high)
			}
			if got.Score > high-1e-9 {
				highest++
			}
			for _, how := range []hierarchy.Search{hierarchy.Prior{Rule: rule},
				hierarchy.Prior{Rule: rule, Alpha: math.Inf(1)}} {
				if x := score(w.learn(how, nil).Links); x > got.Score+1e-7 {
					t.Errorf("%v scores %v, the climb %v", how, x, got.Score)
				}
			}
		}
	}
	t.Logf("the highest of all structures was found in %d of 30", highest)
}

func TestPriorGraph(t *testing.T) {
	h := figure1(t)
	prior := hierarchy.Prior{Alpha: 4}
	term, err := prior.Graph(h)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		child   string
		parents []string
		want    float64
	}{
		{"X9", []string{"X7"}, 1}, {"X9", []string{"X7", "X3"}, 1}, {"X9", []string{"X1", "X3", "X7"}, 0},
		{"X9[1]", []string{"X6[0]", "X7[0]", "X1[0]"}, 2}, {"X9", []string{"else"}, 0}, {"else", []string{"X7"}, 0},
	} {
		if got := term.Violations(test.child, test.parents); got != test.want {
			t.Errorf("%s given %v breaks %v, want %v", test.child, test.parents, got, test.want)
		}
	}
	for name, p := range map[string]hierarchy.Prior{"family-wise": {Rule: hierarchy.FamilyWise{}},
		"α": {Alpha: math.NaN()}} {
		if _, err := p.Graph(h); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// A hill climb of a static network under a large α obeys.
	rng := rand.New(rand.NewPCG(2, 2))
	small := smallTrellis(t)
	table := staticCases(t, rng, small.Names(), 300)
	obey, err := hierarchy.Prior{Alpha: 1e300}.Graph(small)
	if err != nil {
		t.Fatal(err)
	}
	free, err := structure.Learn(context.Background(), table, bdeu, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	bound, err := structure.Learn(context.Background(), table, bdeu, nil, &structure.Settings{GraphPrior: obey})
	if err != nil {
		t.Fatal(err)
	}
	count := func(g *bn.DAG) int {
		links, err := small.Links(g)
		if err != nil {
			t.Fatal(err)
		}
		return small.Violations(hierarchy.ParentWise{}, links)
	}
	if count(bound.DAG) != 0 || count(free.DAG) == 0 {
		t.Errorf("%d violations under the prior, %d without", count(bound.DAG), count(free.DAG))
	}
}

// staticCases makes cases in which each variable is most often the one before it.
func staticCases(t testing.TB, rng *rand.Rand, names []string, rows int) *data.Table {
	t.Helper()
	cols := make([]data.Column, len(names))
	for v, name := range names {
		cols[v] = data.Column{Var: bn.Discrete(name, "low", "high"), States: make([]bn.State, rows)}
		for row := range rows {
			cols[v].States[row] = bn.State(rng.IntN(2))
			if v > 0 && rng.IntN(4) > 0 {
				cols[v].States[row] = cols[v-1].States[row]
			}
		}
	}
	return columns(t, cols...)
}

func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
