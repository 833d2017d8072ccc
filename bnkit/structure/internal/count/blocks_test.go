package count

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// TestBlocks: counts in blocks of the rows are those in all rows at once, with missing cells and wide columns, and
// for large families, too.
func TestBlocks(t *testing.T) {
	const rows = 2*blockRows + 1000
	rng := rand.New(rand.NewPCG(1, 2))
	var vars []bn.Variable
	var cols []data.Column
	for v, card := range []int{2, 3, 4, 40, 100} {
		var states []string
		for s := range card {
			states = append(states, fmt.Sprint(s))
		}
		c := data.Column{Var: bn.Discrete(fmt.Sprint("V", v), states...), States: make([]bn.State, rows)}
		for row := range c.States {
			c.States[row] = bn.State(rng.IntN(card))
			if v == 1 && rng.IntN(10) == 0 {
				c.States[row] = bn.Missing
			}
		}
		vars, cols = append(vars, c.Var), append(cols, c)
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	families := []Family{{0, nil, -1}, {3, nil, -1}, {0, []int{1}, 0}, {0, []int{2}, 0}, {0, []int{3}, 0},
		{2, []int{0, 1}, 1}, {2, []int{0, 3}, 1}, {1, []int{3, 4}, 1}, {4, []int{0, 2, 3}, 0},
		{4, []int{0, 1, 2, 3}, 2}}
	counted := func(workers int) map[int][]float64 {
		out := make(map[int][]float64)
		var mutex sync.Mutex
		err := NewTable(table, vars, workers).Count(context.Background(), families, workers,
			func(i int, n []float64, r float64) {
				mutex.Lock()
				defer mutex.Unlock()
				out[i] = append(slices.Clone(n), r)
			})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := counted(1)
	defer func(rows, sums int) { manyRows, blockSums = rows, sums }(manyRows, blockSums)
	manyRows, blockSums = 1000, 1000
	for _, workers := range []int{1, 3} {
		for i, got := range counted(workers) {
			if !slices.Equal(got, want[i]) {
				t.Errorf("family %d, %d workers: counts differ", i, workers)
			}
		}
	}
}
