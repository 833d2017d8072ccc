package count

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// Rows that are repeated give the same counts as rows that are weighed: those of half the weights, which are
// no whole numbers, are half as large, exactly.
func TestRepeatedRowsCountAsWeightedOnes(t *testing.T) {
	const rows = 300
	random := rand.New(rand.NewPCG(1, 2))
	var cols []data.Column
	for v, states := range [][]string{{"a", "b"}, {"a", "b", "c"}, {"a", "b", "c", "d"}} {
		c := data.Column{Var: bn.Discrete(string(rune('A'+v)), states...)}
		for range rows {
			s := uint16(random.IntN(len(states)))
			if v == 1 && random.IntN(10) == 0 {
				s = bn.Missing
			}
			c.States = append(c.States, s)
		}
		cols = append(cols, c)
	}
	plain, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	whole, half := make([]float64, rows), make([]float64, rows)
	sum := 0.0
	for row := range whole {
		whole[row] = float64(2*random.IntN(3) + row%2) // an odd one, for half the rows
		half[row] = whole[row] / 2
		sum += whole[row]
	}
	families := []Family{{0, nil, -1}, {1, nil, -1}, {0, []int{1}, 0}, {0, []int{2}, 0}, {2, []int{0, 1}, 0},
		{1, []int{0, 2}, 1}}
	count := func(weights []float64, want int) (all [][]float64) {
		t.Helper()
		table, err := plain.WithWeights(weights)
		if err != nil {
			t.Fatal(err)
		}
		if got := Repeated(table); got != want {
			t.Fatalf("counted as %d rows, want %d", got, want)
		}
		all = make([][]float64, len(families))
		err = NewTable(table, table.Variables(), 1).Count(context.Background(), families, 1,
			func(i int, n []float64, rows float64) { all[i] = append(slices.Clone(n), rows) })
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	got := count(whole, int(sum))
	for i, n := range count(half, -1) {
		for cell, x := range n {
			if got[i][cell] != 2*x {
				t.Errorf("%v: cell %d of %d is %v, want %v", families[i], cell, len(n), got[i][cell], 2*x)
			}
		}
	}
	count(slices.Repeat([]float64{mostRepeated}, rows), mostRepeated*rows)
	count(slices.Repeat([]float64{mostRepeated + 1}, rows), -1)
	count(nil, rows)
}
