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

// TestLanes: the counts of all families that add a parent to others are those found row by row, whatever the rows, the
// states (wide columns have no lanes), the skew (cells counted by lanes, by sets and by what the others leave), the
// missing cells and the number of workers.
func TestLanes(t *testing.T) {
	for i, test := range []struct {
		rows, columns, card int
		skew                int // one cell in so many is not of the first state
		missing             int // columns with missing cells
	}{
		{1, 20, 4, 1, 0}, {63, 20, 4, 1, 0}, {64, 12, 33, 1, 0}, {700, 60, 5, 1, 3}, {700, 60, 5, 40, 0},
		{6000, 20, 3, 2, 2}, {6000, 20, 9, 1, 0}, {6000, 30, 32, 3, 1}, {300_000, 12, 2, 1, 0},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			var vars []bn.Variable
			var cols []data.Column
			for v := range test.columns {
				c := data.Column{Var: bn.Discrete(fmt.Sprint("V", v)), States: make([]bn.State, test.rows)}
				card := 1 + rng.IntN(test.card)
				if v < 2 {
					card = test.card
				}
				for s := range card {
					c.Var.States = append(c.Var.States, fmt.Sprint(s))
				}
				for row := range c.States {
					if rng.IntN(test.skew) == 0 {
						c.States[row] = bn.State(rng.IntN(card))
					}
					if v >= test.columns-test.missing && rng.IntN(9) == 0 {
						c.States[row] = bn.Missing
					}
				}
				vars, cols = append(vars, c.Var), append(cols, c)
			}
			table, err := data.New(cols...)
			if err != nil {
				t.Fatal(err)
			}
			var families []Family
			for _, base := range [][]int{{0}, {5, 2}, {3, 1, 7}, {4, 6, 8, 9}} { // a child and its parents
				for u := range test.columns {
					if !slices.Contains(base, u) {
						families = append(families, With(nil, base[0], base[1:], u))
					}
				}
			}
			for _, workers := range []int{1, 2} {
				counter := NewTable(table, vars, workers)
				var mutex sync.Mutex
				err = counter.Count(context.Background(), families, workers, func(i int, n []float64, rows float64) {
					want, wantRows := rowByRow(cols, families[i])
					mutex.Lock()
					defer mutex.Unlock()
					if !slices.Equal(n, want) || rows != wantRows {
						t.Errorf("%d workers: %v: counts %v of %g rows, want %v of %g", workers, families[i], n, rows,
							want, wantRows)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				if made := counter.(*tableCounter).columns.lanes.made; made == nil {
					t.Error("no lanes were made")
				}
			}
		})
	}
}

// rowByRow counts a family, of the rows in which no member is missing.
func rowByRow(cols []data.Column, f Family) (n []float64, rows float64) {
	members := append(slices.Clone(f.Parents), f.Child)
	size := 1
	for _, v := range members {
		size *= cols[v].Var.Cardinality()
	}
	n = make([]float64, size)
row:
	for row := range cols[0].States {
		cell := 0
		for _, v := range members {
			s := cols[v].States[row]
			if s == bn.Missing {
				continue row
			}
			cell = cell*cols[v].Var.Cardinality() + int(s)
		}
		n[cell]++
		rows++
	}
	return n, rows
}
