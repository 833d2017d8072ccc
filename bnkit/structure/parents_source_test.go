package structure_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// elsewhere is a source that is no table in memory: it counts and lists distinct rows, and says how
// often it was asked.
type elsewhere struct {
	data.Source
	asked *int
}

func (e elsewhere) CountFamilies(ctx context.Context, families []data.Family,
	opts *data.CountOptions) ([]data.FamilyCounts, error) {
	*e.asked++
	return e.Source.CountFamilies(ctx, families, opts)
}

// Searches find the same in a database as in memory, and all sets take a statement for each number of
// parents.
func TestSearchesElsewhere(t *testing.T) {
	ctx := context.Background()
	table := randomCases(t, 12, 6, 200)
	asked := 0
	far := elsewhere{table, &asked}
	for _, score := range []structure.Score{structure.BIC{}, structure.BDeu{EquivalentSampleSize: 10}} {
		for _, how := range []structure.ParentSearch{structure.Exhaustive{}, structure.GreedyParents{},
			structure.AnnealParents{Seed: 1, Moves: 50}} {
			near, err := how.Parents(ctx, scorer(t, table, score), 0, others(6, 0), 0)
			if err != nil {
				t.Fatal(err)
			}
			asked = 0
			got, err := how.Parents(ctx, scorer(t, far, score), 0, others(6, 0), 0)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Set, near.Set) || got.Scored != near.Scored {
				t.Errorf("%v, %v: %v elsewhere, %v in memory", score, how, got, near)
			}
			if _, ok := how.(structure.Exhaustive); ok && asked > 6 {
				t.Errorf("%v: %d statements for sets of up to 5 parents", score, asked)
			}
		}
		for _, how := range []structure.Search{structure.Exact{}, structure.Annealing{Seed: 1,
			Moves: 200}} {
			near, err := structure.Learn(ctx, table, score, how, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := structure.Learn(ctx, far, score, how, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.DAG.String() != near.DAG.String() {
				t.Errorf("%v, %v: %v elsewhere, %v in memory", score, how, got.DAG, near.DAG)
			}
		}
	}
	boot := structure.Bootstrap{Replicates: 10, Seed: 3}
	near, err := structure.ArcStrengths(ctx, table, structure.BIC{}, structure.HillClimb{}, boot, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := structure.ArcStrengths(ctx, far, structure.BIC{}, structure.HillClimb{}, boot, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != near.String() {
		t.Errorf("elsewhere\n%sin memory\n%s", got, near)
	}
}

// A missing cell in a database is refused with the words that help here.
func TestMissingElsewhere(t *testing.T) {
	table, err := data.New(
		data.Column{Var: bn.Discrete("a", "no", "yes"), States: []bn.State{0, 1, 1, 0}},
		data.Column{Var: bn.Discrete("b", "no", "yes"), States: []bn.State{0, 1, bn.Missing, 0}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = structure.Learn(t.Context(), elsewhere{table, new(int)}, structure.BIC{}, structure.HillClimb{}, nil)
	if !errors.Is(err, data.ErrMissing) || !strings.Contains(err.Error(), "structure.CompleteCases") {
		t.Errorf("got %v", err)
	}
}
