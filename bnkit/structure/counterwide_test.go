package structure

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
)

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
		if got.Rows != total || num.Sum(got.N) != total {
			t.Errorf("%s: %v rows with counts that sum to %v, want %v", name, got.Rows, num.Sum(got.N), total)
		}
		for cell, w := range want {
			if got.N[cell] != w {
				t.Errorf("%s: count %d is %v, want %v", name, cell, got.N[cell], w)
			}
		}
	}
}
