package structure_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

// A drawn table has columns that lean on the one before, of the given cardinalities.
type drawn struct {
	cards   []int
	rows    int
	skew    float64 // 0 for states that are equally likely
	missing float64 // fraction of cells
	weights bool
}

func (d drawn) table(tb testing.TB, seed uint64) *data.Table {
	tb.Helper()
	random := rand.New(rand.NewPCG(seed, 99))
	cols := make([]data.Column, len(d.cards))
	for v, card := range d.cards {
		states := make([]string, card)
		for s := range states {
			states[s] = fmt.Sprint("s", s)
		}
		cols[v] = data.Column{Var: bn.Discrete(fmt.Sprint("V", v), states...), States: make([]bn.State, d.rows)}
		for row := range d.rows {
			s := random.IntN(card)
			if random.Float64() < d.skew {
				s = 0
			}
			if v > 0 && random.IntN(3) > 0 && cols[v-1].States[row] != bn.Missing {
				s = int(cols[v-1].States[row]) % card
			}
			cols[v].States[row] = bn.State(s)
			if random.Float64() < d.missing {
				cols[v].States[row] = bn.Missing
			}
		}
	}
	t, err := data.New(cols...)
	if err != nil {
		tb.Fatal(err)
	}
	if d.weights {
		w := make([]float64, d.rows)
		for i := range w {
			w[i] = 0.1 + random.Float64()
		}
		if t, err = t.WithWeights(w); err != nil {
			tb.Fatal(err)
		}
	}
	return t
}

// Counts in memory are those of package data, whatever the shape of the table and the families
// that are asked for together.
func TestCountsAreThoseOfPackageData(t *testing.T) {
	ctx := context.Background()
	for i, d := range []drawn{
		{cards: []int{2, 3, 2, 4, 3}, rows: 0},
		{cards: []int{2, 3, 2, 4, 3}, rows: 1},
		{cards: []int{2, 3, 2, 4, 3}, rows: 63},
		{cards: []int{2, 3, 2, 4, 3}, rows: 5000},
		{cards: []int{2, 3, 2, 4, 3}, rows: 5000, skew: 0.95},
		{cards: []int{1, 3, 2, 1, 3}, rows: 700, skew: 0.5},
		{cards: []int{2, 40, 3, 33, 32}, rows: 3000, skew: 0.3},
		{cards: []int{70, 40}, rows: 900},
		{cards: []int{2, 3, 2, 4, 3}, rows: 2000, missing: 0.1},
		{cards: []int{2, 40, 3, 31, 32}, rows: 2000, missing: 0.1, skew: 0.9},
		{cards: []int{2, 3, 2, 4, 3}, rows: 2000, weights: true},
		{cards: []int{2, 40, 2, 4, 3}, rows: 500, weights: true, missing: 0.2},
	} {
		t.Run(fmt.Sprintf("%d %v rows=%d", i, d.cards, d.rows), func(t *testing.T) {
			table := d.table(t, uint64(i))
			s, err := structure.NewScorer(table, structure.BIC{},
				&structure.ScorerOptions{Missing: structure.CompleteCases})
			if err != nil {
				t.Fatal(err)
			}
			n := len(d.cards)
			for child := range n {
				for _, parents := range subsetsBySize(slices.DeleteFunc(all(n), func(v int) bool { return v == child }),
					3) {
					got, err := s.Counts(ctx, child, parents)
					if err != nil {
						t.Fatal(err)
					}
					f := data.Family{Child: table.Variables()[child].Name}
					for _, p := range parents {
						f.Parents = append(f.Parents, table.Variables()[p].Name)
					}
					want, err := table.CountFamilies(t.Context(), []data.Family{f},
						&data.CountOptions{SkipMissing: true})
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got.N, want[0].N) {
						t.Fatalf("%v: counts %v, want %v", f, got.N, want[0].N)
					}
					numtest.Close(t, got.Rows, table.TotalWeight()-want[0].Skipped, 1e-9, 1e-12)
				}
			}
		})
	}
}

// Scores asked for together, one by one, again, by another scorer that shares the counts, and by
// one, two or three goroutines are the same numbers.
func TestCachedScoresAreFresh(t *testing.T) {
	ctx := context.Background()
	for _, d := range []drawn{
		{cards: []int{2, 3, 2, 4, 3, 40}, rows: 3000, skew: 0.5},
		{cards: []int{2, 3, 2, 4, 3}, rows: 3000, missing: 0.05},
		{cards: []int{2, 3, 2, 4, 3}, rows: 3000, weights: true},
	} {
		table := d.table(t, 5)
		score := structure.BDeu{EquivalentSampleSize: 3}
		sets := subsetsBySize(all(len(d.cards))[1:], 3)
		rand.New(rand.NewPCG(3, 3)).Shuffle(len(sets), func(i, j int) { sets[i], sets[j] = sets[j], sets[i] })
		var first []float64
		for workers := 1; workers <= 3; workers++ {
			s, err := structure.NewScorer(table, score, &structure.ScorerOptions{Missing: structure.NodeAverage,
				Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			together, err := s.Families(ctx, 0, sets)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = together
			}
			again, err := s.Families(ctx, 0, sets)
			if err != nil {
				t.Fatal(err)
			}
			other, err := s.With(structure.AIC{})
			if err != nil {
				t.Fatal(err)
			}
			back, err := other.With(score)
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := structure.NewScorer(table, score, &structure.ScorerOptions{Missing: structure.NodeAverage,
				Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for i, set := range sets {
				shared, err := back.Family(ctx, 0, set)
				if err != nil {
					t.Fatal(err)
				}
				slices.Reverse(set)
				alone, err := fresh.Family(ctx, 0, set)
				if err != nil {
					t.Fatal(err)
				}
				for _, got := range []float64{together[i], again[i], shared, alone} {
					if got != first[i] {
						t.Fatalf("%v: %v, %v, %v and %v, want %v", set, together[i], again[i], shared, alone, first[i])
					}
				}
				slices.Reverse(set)
			}
		}
	}
}

func TestScorerRefuses(t *testing.T) {
	ctx := context.Background()
	table := drawn{cards: []int{2, 3}, rows: 10}.table(t, 1)
	s, err := structure.NewScorer(table, structure.BIC{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		child   int
		parents []int
	}{{-1, nil}, {2, nil}, {0, []int{2}}, {0, []int{-1}}, {0, []int{0}}, {0, []int{1, 1}}} {
		if _, err := s.Family(ctx, f.child, f.parents); err == nil {
			t.Errorf("family %v has a score", f)
		} else {
			t.Log(err)
		}
	}
	continuous, err := data.New(data.Column{Var: bn.Continuous("weight"), Values: []float64{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func() (*structure.Scorer, error){
		"no source": func() (*structure.Scorer, error) { return structure.NewScorer(nil, structure.BIC{}, nil) },
		"no score":  func() (*structure.Scorer, error) { return structure.NewScorer(table, nil, nil) },
		"continuous": func() (*structure.Scorer, error) {
			return structure.NewScorer(continuous, structure.BIC{},
				nil)
		},
		"negative size": func() (*structure.Scorer, error) {
			return structure.NewScorer(table, structure.BDeu{EquivalentSampleSize: -1}, nil)
		},
		"missing": func() (*structure.Scorer, error) {
			return structure.NewScorer(drawn{cards: []int{2, 3}, rows: 10, missing: 0.5}.table(t, 1), structure.BIC{},
				nil)
		},
		"wide": func() (*structure.Scorer, error) {
			s, err := structure.NewScorer(drawn{cards: []int{5000, 5000}, rows: 10}.table(t, 1), structure.BIC{}, nil)
			if err == nil {
				_, err = s.Family(ctx, 0, []int{1})
			}
			return nil, err
		},
	} {
		if _, err := make(); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			t.Log(err)
		}
	}
}

func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
