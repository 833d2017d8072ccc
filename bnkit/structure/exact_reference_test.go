package structure_test

import (
	"context"
	"testing"

	"bnlab/bnkit/structure"
)

// Where a climb's end is published, the best graph of all scores at least as much. On learning.test the
// climb finds a best graph.
func TestExactOnReferenceData(t *testing.T) {
	for _, c := range []struct {
		file      string
		published float64 // BIC where bnlearn's hc ends
		isBest    bool
	}{
		{"bnlearn_learning.test.csv.gz", -24006.73423250, true},
		{"bnlearn_asia.csv.gz", -11107.29330939, false},
	} {
		t.Run(c.file, func(t *testing.T) {
			table := reference(t, c.file)
			best, err := structure.Learn(context.Background(), table, structure.BIC{}, structure.Exact{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if best.Score < c.published-1e-6 || c.isBest && best.Score > c.published+1e-6 {
				t.Errorf("the best graph %v scores %.8f; published %.8f", best.DAG, best.Score, c.published)
			}
			t.Logf("%v %.8f", best.DAG, best.Score)
			annealed, err := structure.Learn(context.Background(), table, structure.BIC{},
				structure.Annealing{Seed: 1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if annealed.Score > best.Score+1e-6 {
				t.Errorf("annealing found %v with %.8f, above the best of all, %.8f", annealed.DAG, annealed.Score,
					best.Score)
			}
			t.Logf("annealing: %v %.8f", annealed.DAG, annealed.Score)
		})
	}
}
