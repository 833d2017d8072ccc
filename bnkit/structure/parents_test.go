package structure_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// randomCases draws rows from a random network over n variables of two to four states, each with up
// to two parents among the earlier ones.
func randomCases(t testing.TB, seed uint64, n, rows int) *data.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 99))
	vars := make([]bn.Variable, n)
	names := make([]string, n)
	parents := make([][]int, n)
	for v := range vars {
		names[v] = string(rune('A' + v))
		vars[v] = bn.Discrete(names[v], []string{"a", "b", "c", "d"}[:2+rng.IntN(3)]...)
		for p := range v {
			if len(parents[v]) < 2 && rng.IntN(2) == 0 {
				parents[v] = append(parents[v], p)
			}
		}
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	for v := range n {
		cpt := net.CPT(v)
		for config := range cpt.Configs().Len() {
			total := 0.0
			for state := range cpt.Row(config) {
				cpt.Row(config)[state] = rng.ExpFloat64()
				total += cpt.Row(config)[state]
			}
			for state := range cpt.Row(config) {
				cpt.Row(config)[state] /= total
			}
		}
	}
	table, err := data.Sample(net, rows, rand.NewPCG(seed, 1))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func scorer(t testing.TB, src data.Source, score structure.Score) *structure.Scorer {
	t.Helper()
	s, err := structure.NewScorer(src, score, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// others are all numbers below n but one.
func others(n, but int) []int {
	var out []int
	for v := range n {
		if v != but {
			out = append(out, v)
		}
	}
	return out
}

// subsetsBySize lists all sets of at most limit members, smaller first, then lexicographically.
func subsetsBySize(of []int, limit int) [][]int {
	var sets [][]int
	for mask := range 1 << len(of) {
		set := []int{}
		for i, x := range of {
			if mask&(1<<i) != 0 {
				set = append(set, x)
			}
		}
		if len(set) <= limit {
			sets = append(sets, set)
		}
	}
	slices.SortFunc(sets, func(a, b []int) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return slices.Compare(a, b)
	})
	return sets
}

// bruteForce scores every set one by one; of scores that agree to 1e-9 the first set counts.
func bruteForce(t testing.TB, s *structure.Scorer, child int, candidates []int, limit int) structure.Parents {
	t.Helper()
	best := structure.Parents{Score: math.Inf(-1)}
	for _, set := range subsetsBySize(candidates, limit) {
		score, err := s.Family(context.Background(), child, set)
		if err != nil {
			t.Fatal(err)
		}
		best.Scored++
		if score > best.Score+1e-9 {
			best.Set, best.Score = set, score
		}
	}
	return best
}

// weighted gives rows weights, some of them fractions.
func weighted(t testing.TB, table *data.Table, seed uint64) *data.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	w := make([]float64, table.Rows())
	for i := range w {
		w[i] = 3 * rng.Float64()
	}
	out, err := table.WithWeights(w)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var boundedScores = []structure.Score{
	structure.LogLikelihood{}, structure.BIC{}, structure.AIC{}, structure.K2{},
	structure.BDeu{EquivalentSampleSize: 0.1}, structure.BDeu{EquivalentSampleSize: 10},
	structure.BDeu{EquivalentSampleSize: 500},
}

func TestExhaustiveEqualsBruteForce(t *testing.T) {
	scores := append([]structure.Score{structure.BDe{EquivalentSampleSize: 5}}, boundedScores...)
	left := 0
	for seed := range uint64(6) {
		table := randomCases(t, seed, 6, []int{12, 60, 400}[seed%3])
		if seed >= 3 {
			table = weighted(t, table, seed)
		}
		for _, score := range scores {
			s := scorer(t, table, score)
			for child := range 6 {
				for _, limit := range []int{0, 2} {
					candidates := others(6, child)
					want := bruteForce(t, s, child, candidates, map[int]int{0: 5, 2: 2}[limit])
					slices.Reverse(candidates) // their order does not matter
					for _, how := range []structure.Exhaustive{{}, {DisablePruning: true}} {
						got, err := how.Parents(context.Background(), s, child, candidates, limit)
						if err != nil {
							t.Fatal(err)
						}
						if !slices.Equal(got.Set, want.Set) || math.Abs(got.Score-want.Score) > 1e-9 {
							t.Errorf("seed %d, %v, child %d, limit %d, %v: %v %.9f, want %v %.9f", seed, score, child,
								limit, how, got.Set, got.Score, want.Set, want.Score)
						}
						if how.DisablePruning && got.Scored != want.Scored {
							t.Errorf("%v tried %d sets, want %d", how, got.Scored, want.Scored)
						}
						left += want.Scored - got.Scored
					}
				}
			}
		}
	}
	if left == 0 {
		t.Error("no set was ever left out")
	}
}

// A bound of a set holds for the set and for every one that contains it.
func TestBounds(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(4) {
		table := randomCases(t, seed, 5, 20+60*int(seed))
		if seed%2 == 1 {
			table = weighted(t, table, seed)
		}
		for _, score := range boundedScores {
			s := scorer(t, table, score)
			for _, set := range subsetsBySize(others(5, 0), 4) {
				c, err := s.Counts(ctx, 0, set)
				if err != nil {
					t.Fatal(err)
				}
				high := score.(structure.Bounded).Bound(c)
				c.N = nil
				bySize := score.(structure.Bounded).Bound(c)
				for _, more := range subsetsBySize(others(5, 0), 4) {
					if !containsAll(more, set) {
						continue
					}
					got, err := s.Family(ctx, 0, more)
					if err != nil {
						t.Fatal(err)
					}
					if got > high+1e-9 || got > bySize+1e-9 {
						t.Errorf("seed %d, %v: family %v has %.6f, above the bound of %v, %.6f by counts and %.6f by "+
							"size", seed, score, more, got, set, high, bySize)
					}
				}
			}
		}
	}
}

func containsAll(set, of []int) bool {
	for _, x := range of {
		if !slices.Contains(set, x) {
			return false
		}
	}
	return true
}

// Two columns with the same content tie; the first stands, and none is added to the other.
func TestExhaustiveTies(t *testing.T) {
	table := randomCases(t, 7, 2, 100)
	cols := table.Columns()
	twin := cols[0]
	twin.Var.Name = "twin"
	table, err := data.New(cols[0], cols[1], twin)
	if err != nil {
		t.Fatal(err)
	}
	for _, score := range []structure.Score{structure.LogLikelihood{}, structure.BDeu{EquivalentSampleSize: 1}} {
		got, err := structure.Exhaustive{}.Parents(context.Background(), scorer(t, table, score), 1, []int{2, 0}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Set, []int{0}) {
			t.Errorf("%v: parents %v, want [0]", score, got.Set)
		}
	}
}

// rounded are families whose scores differ by rounding only once they have a parent.
type rounded struct{ *structure.Scorer }

func (rounded) Families(_ context.Context, _ int, sets [][]int) ([]float64, error) {
	scores := make([]float64, len(sets))
	for i, set := range sets {
		scores[i] = -1000
		for _, p := range set {
			scores[i] = -999 + 1e-12*float64(p) + 1e-12*float64(len(set))
		}
	}
	return scores, nil
}

// Scores that rounding alone tells apart are equal: the first of the smallest sets is found. Families
// of somebody else's have no bounds, though a Scorer is inside.
func TestTiesUpToRounding(t *testing.T) {
	s := rounded{scorer(t, randomCases(t, 1, 5, 20), structure.BIC{})}
	for _, how := range []structure.ParentSearch{structure.Exhaustive{}, structure.GreedyParents{}} {
		got, err := how.Parents(context.Background(), s, 4, []int{3, 2, 1}, 0)
		if err != nil || !slices.Equal(got.Set, []int{1}) {
			t.Errorf("%v: %v, %v; want parents [1]", how, got, err)
		}
	}
}

// barred are families of which those with variable 0 have the score −∞.
type barred struct{ *structure.Scorer }

func (b barred) Families(ctx context.Context, child int, sets [][]int) ([]float64, error) {
	scores, err := b.Scorer.Families(ctx, child, sets)
	for i, set := range sets {
		if slices.Contains(set, 0) {
			scores[i] = math.Inf(-1)
		}
	}
	return scores, err
}

// A score of −∞ keeps a family out, and nothing else.
func TestParentsImpossibleFamilies(t *testing.T) {
	s := barred{scorer(t, randomCases(t, 3, 5, 300), structure.AIC{})}
	for _, limit := range []int{0, 1} {
		for _, how := range []structure.ParentSearch{structure.Exhaustive{}, structure.GreedyParents{},
			structure.AnnealParents{Seed: 1}} {
			got, err := how.Parents(context.Background(), s, 4, []int{0, 1, 2, 3}, limit)
			want := bruteForce(t, s.Scorer, 4, []int{1, 2, 3}, max(3-2*limit, limit))
			if err != nil || math.Abs(got.Score-want.Score) > 1e-9 || slices.Contains(got.Set, 0) {
				t.Errorf("%v: %v, %v; want %v", how, got, err, want)
			}
		}
	}
	if _, err := (structure.Exhaustive{}).Parents(context.Background(), impossible(s), 4, []int{0}, 0); err == nil {
		t.Error("all families are impossible: no error")
	}
}

type impossible struct{ *structure.Scorer }

func (impossible) Families(_ context.Context, _ int, sets [][]int) ([]float64, error) {
	scores := make([]float64, len(sets))
	for i := range scores {
		scores[i] = math.Inf(-1)
	}
	return scores, nil
}

func TestExhaustiveTooMany(t *testing.T) {
	s := scorer(t, randomCases(t, 1, 6, 20), structure.BIC{})
	_, err := structure.Exhaustive{MaxSets: 31}.Parents(context.Background(), s, 0, others(6, 0), 0)
	if err == nil || !strings.Contains(err.Error(), "5 candidate parents, which make 32 sets") ||
		!strings.Contains(err.Error(), "up to 31") {
		t.Errorf("error %v; want the count and the limit", err)
	}
	// 1 + 5 + 10
	if _, err := (structure.Exhaustive{MaxSets: 16}).Parents(context.Background(), s, 0, others(6, 0), 2); err != nil {
		t.Error(err)
	}
}

func TestParentsBadInput(t *testing.T) {
	s := scorer(t, randomCases(t, 1, 3, 20), structure.BIC{})
	for _, how := range []structure.ParentSearch{structure.Exhaustive{}, structure.GreedyParents{},
		structure.AnnealParents{Seed: 1}, structure.ByCandidates{}} {
		for name, in := range map[string]struct {
			child      int
			candidates []int
			limit      int
		}{
			"no such child": {3, []int{1}, 0}, "no such candidate": {0, []int{1, 7}, 0}, "itself": {0, []int{0, 1}, 0},
			"twice": {0, []int{1, 1}, 0}, "negative limit": {0, []int{1}, -1}, "negative candidate": {0, []int{-1}, 0},
		} {
			if _, err := how.Parents(context.Background(), s, in.child, in.candidates, in.limit); err == nil {
				t.Errorf("%v, %s: no error", how, name)
			}
		}
		if got, err := how.Parents(context.Background(), s, 0, nil, 0); err != nil || len(got.Set) != 0 ||
			got.Set == nil {
			t.Errorf("%v without candidates: %v, %v", how, got, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := how.Parents(ctx, s, 0, []int{1, 2}, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, cancelled: %v", how, err)
		}
	}
}

func TestGreedyParents(t *testing.T) {
	ctx := context.Background()
	removed := false
	for seed := range uint64(12) {
		s := scorer(t, randomCases(t, seed, 7, 300), structure.BDeu{EquivalentSampleSize: 20})
		for child := range 7 {
			got, err := structure.GreedyParents{}.Parents(ctx, s, child, others(7, child), 4)
			if err != nil {
				t.Fatal(err)
			}
			best := bruteForce(t, s, child, others(7, child), 4)
			if got.Score > best.Score+1e-9 {
				t.Errorf("greedy found %v, above the best %v", got, best)
			}
			removed = removed || !slices.Equal(got.Set, best.Set)
			for _, u := range others(7, child) { // no neighbour is higher
				at := slices.Index(got.Set, u)
				next := slices.Clone(got.Set)
				if at >= 0 {
					next = slices.Delete(next, at, at+1)
				} else if next = append(next, u); len(next) > 4 {
					continue
				}
				score, err := s.Family(ctx, child, next)
				if err != nil {
					t.Fatal(err)
				}
				if score > got.Score+1e-9 {
					t.Errorf("seed %d, child %d: %v scores %.6f, its neighbour %v %.6f", seed, child, got.Set,
						got.Score, next, score)
				}
			}
		}
	}
	if !removed {
		t.Log("greedy was always best")
	}
}

// X is A exclusive-or B, up to noise: no single parent helps, so that a greedy climb stays where it
// is, and annealing and all sets find both.
func TestAnnealParentsExclusiveOr(t *testing.T) {
	net, err := bn.New("[A][B][C][D][E][X|A:B]", bn.Discrete("A", "0", "1"), bn.Discrete("B", "0", "1"),
		bn.Discrete("C", "0", "1"), bn.Discrete("D", "0", "1"), bn.Discrete("E", "0", "1"), bn.Discrete("X", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := net.SetTable("X", "A B | 0 1\n0 0 | 0.9 0.1\n0 1 | 0.1 0.9\n1 0 | 0.1 0.9\n1 1 | 0.9 0.1"); err != nil {
		t.Fatal(err)
	}
	table, err := data.Sample(net, 400, rand.NewPCG(3, 0))
	if err != nil {
		t.Fatal(err)
	}
	s := scorer(t, table, structure.BIC{})
	for _, how := range []structure.ParentSearch{
		structure.Exhaustive{}, structure.AnnealParents{Seed: 1, Moves: 2000},
	} {
		got, err := how.Parents(context.Background(), s, 5, []int{0, 1, 2, 3, 4}, 0)
		if err != nil || !slices.Equal(got.Set, []int{0, 1}) {
			t.Errorf("%v: %v, %v; want parents [0 1]", how, got, err)
		}
	}
}

func TestAnnealParentsReachesOptimum(t *testing.T) {
	ctx := context.Background()
	how := structure.AnnealParents{Seed: 4, Moves: 5000}
	for seed := range uint64(4) {
		for _, score := range []structure.Score{structure.BIC{}, structure.BDeu{EquivalentSampleSize: 50}} {
			s := scorer(t, randomCases(t, seed, 6, 150), score)
			for child := range 6 {
				got, err := how.Parents(ctx, s, child, others(6, child), 3)
				if err != nil {
					t.Fatal(err)
				}
				want := bruteForce(t, s, child, others(6, child), 3)
				if math.Abs(got.Score-want.Score) > 1e-9 || len(got.Set) > 3 || !slices.IsSorted(got.Set) {
					t.Errorf("seed %d, %v, child %d: %v %.6f, best %v %.6f", seed, score, child, got.Set, got.Score,
						want.Set, want.Score)
				}
			}
		}
	}
}

// However few moves there are, no neighbour of the end is better.
func TestAnnealParentsEndsAtTop(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(5) {
		s := scorer(t, randomCases(t, seed, 6, 300), structure.BIC{})
		for child := range 6 {
			got, err := structure.AnnealParents{Seed: seed, Moves: 1}.Parents(ctx, s, child,
				others(6, child), 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, set := range subsetsBySize(others(6, child), 5) {
				if len(set) == len(got.Set)+1 && containsAll(set, got.Set) || len(set) == len(got.Set)-1 &&
					containsAll(got.Set, set) {
					if score, err := s.Family(ctx, child, set); err != nil || score > got.Score+1e-9 {
						t.Errorf("seed %d, child %d: ended at %v %.6f, but %v has %.6f (%v)", seed, child, got.Set,
							got.Score, set, score, err)
					}
				}
			}
		}
	}
}

func TestAnnealParentsIsDeterministic(t *testing.T) {
	table := randomCases(t, 5, 8, 100)
	how := structure.AnnealParents{Seed: 9, Moves: 60}
	run := func(children []int) map[int]structure.Parents {
		s := scorer(t, table, structure.BDeu{EquivalentSampleSize: 100})
		out := make(map[int]structure.Parents)
		for _, child := range children {
			p, err := how.Parents(context.Background(), s, child, others(8, child), 0)
			if err != nil {
				t.Fatal(err)
			}
			out[child] = p
		}
		return out
	}
	a, b := run([]int{0, 1, 2, 3}), run([]int{3, 1, 0, 2})
	for child := range a {
		if !slices.Equal(a[child].Set, b[child].Set) || a[child].Score != b[child].Score ||
			a[child].Scored != b[child].Scored {
			t.Errorf("child %d: %v first and %v in another order", child, a[child], b[child])
		}
	}
	for _, bad := range []structure.AnnealParents{
		{Seed: 1, Moves: -1},
		{Seed: 1, Cooling: structure.Cooling{First: math.NaN()}},
		{Seed: 1, Cooling: structure.Cooling{First: 1, Last: 2}},
		{Seed: 1, Cooling: structure.Cooling{Last: -1}},
	} {
		if _, err := bad.Parents(context.Background(), scorer(t, table, structure.BIC{}), 0, []int{1}, 0); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}

func TestByCandidates(t *testing.T) {
	for _, c := range []struct {
		by         structure.ByCandidates
		candidates int
		want       structure.ParentSearch
	}{
		{structure.ByCandidates{}, 19, structure.Exhaustive{}},
		{structure.ByCandidates{}, 20, structure.AnnealParents{}},
		{structure.ByCandidates{}, 39, structure.AnnealParents{}},
		{structure.ByCandidates{}, 40, structure.GreedyParents{}},
		{structure.ByCandidates{ExhaustiveBelow: 3, AnnealBelow: 5}, 3, structure.AnnealParents{}},
		{structure.ByCandidates{ExhaustiveBelow: 3, AnnealBelow: 5}, 5, structure.GreedyParents{}},
	} {
		if got := c.by.Choose(c.candidates); got.String() != c.want.String() {
			t.Errorf("%v chooses %v for %d candidates, want %v", c.by, got, c.candidates, c.want)
		}
	}
	s := scorer(t, randomCases(t, 2, 6, 400), structure.LogLikelihood{})
	got, err := structure.ByCandidates{MaxParents: 2}.Parents(context.Background(), s, 5, others(6, 5), 4)
	if err != nil || len(got.Set) != 2 || got.By != "exhaustive" {
		t.Errorf("at most 2 parents: %v, %v", got, err)
	}
}
