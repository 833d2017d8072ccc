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
			for _, base := range [][]int{{2, 0}, {0, 1, 3}, {1, 0, 5}, {7, 3, 4, 5}} { // too few for lanes
				families = append(families, With(nil, base[0], base[1:], 10), With(nil, base[0], base[1:], 11))
			}
			sameByLanes(t, table, vars, families)
		})
	}
}

// TestLanesAreNotTooFull: of a wide member the split lists all rows, so that its cells have any size: here up to
// 270,000 rows, of which 135,000 have the state that has a lane of 16 bits.
func TestLanesAreNotTooFull(t *testing.T) {
	const rows = 300_000
	rng := rand.New(rand.NewPCG(1, 1))
	var vars []bn.Variable
	var cols []data.Column
	for v := range 12 {
		card := 2
		if v == 0 {
			card = 40
		}
		c := data.Column{Var: bn.Discrete(fmt.Sprint("V", v)), States: make([]bn.State, rows)}
		for s := range card {
			c.Var.States = append(c.Var.States, fmt.Sprint(s))
		}
		for row := range c.States {
			if v > 0 || rng.IntN(10) == 0 {
				c.States[row] = bn.State(rng.IntN(card))
			}
		}
		vars, cols = append(vars, c.Var), append(cols, c)
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	var families []Family
	for _, base := range [][]int{{0}, {0, 1}, {2, 0}} {
		for u := 3; u < len(vars); u++ {
			families = append(families, With(nil, base[0], base[1:], u))
		}
	}
	sameByLanes(t, table, vars, families)
}

// TestFullLane: a count of 65,535 is the last that a lane of 16 bits holds. Of 2²⁰ rows, the most that lanes count, as
// many are in the first cell, one more in the second, and all of these have the state with the lane.
func TestFullLane(t *testing.T) {
	rows := manyRows
	vars := []bn.Variable{bn.Discrete("wide")}
	for s := range wide + 1 {
		vars[0].States = append(vars[0].States, fmt.Sprint(s))
	}
	cols := []data.Column{{Var: vars[0], States: make([]bn.State, rows)}}
	binary := make([]bn.State, rows)
	for row := range rows {
		switch {
		case row < 65_535:
			binary[row] = 1
		case row < 65_535+65_536:
			binary[row], cols[0].States[row] = 1, 1
		default:
			cols[0].States[row] = 2
		}
	}
	var families []Family
	for u := 1; u <= 2*laneFamilies; u++ {
		vars = append(vars, bn.Discrete(fmt.Sprint("V", u), "no", "yes"))
		cols = append(cols, data.Column{Var: vars[u], States: binary})
		families = append(families, With(nil, 0, nil, u))
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, 2*(wide+1))
	want[2], want[wide+1], want[wide+2] = float64(rows-65_535-65_536), 65_535, 65_536
	counter := NewTable(table, vars, 1)
	err = counter.Count(context.Background(), families, 1, func(i int, n []float64, _ float64) {
		if !slices.Equal(n, want) {
			t.Errorf("%v: %v, want %v", families[i], n, want)
		}
	})
	if err != nil || counter.(*tableCounter).columns.lanes.made == nil {
		t.Error("no lanes were made", err)
	}
}

// sameByLanes compares the counts of families with those found row by row.
func sameByLanes(t *testing.T, table *data.Table, vars []bn.Variable, families []Family) {
	t.Helper()
	for _, workers := range []int{1, 2} {
		counter := NewTable(table, vars, workers)
		var mutex sync.Mutex
		err := counter.Count(context.Background(), families, workers, func(i int, n []float64, rows float64) {
			want, wantRows := rowByRow(table.Columns(), families[i])
			mutex.Lock()
			defer mutex.Unlock()
			if !slices.Equal(n, want) || rows != wantRows {
				t.Errorf("%d workers: %v: counts %v of %g rows, want %v of %g", workers, families[i], n, rows, want,
					wantRows)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if counter.(*tableCounter).columns.lanes.made == nil {
			t.Error("no lanes were made")
		}
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
