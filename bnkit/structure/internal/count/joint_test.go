package count

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// TestJoints: counts of families that are margins of joint counts are those found row by row, with missing cells, for
// any number of workers, and where more cells occur than a table may hold.
func TestJoints(t *testing.T) {
	defer func(rows, cells int) { manyRows, mostCells = rows, cells }(manyRows, mostCells)
	manyRows = 1000
	const rows, columns = 2*jointRows + 1000, 15
	vars, table := chain(t, rows, columns)
	var families []Family
	for v := range columns {
		families = append(families, Family{Child: v, Add: -1})
		for u := range columns {
			if p := (v + 5) % columns; u != v {
				families = append(families, With(nil, v, nil, u))
				if p != u {
					families = append(families, With(nil, v, []int{p}, u))
				}
			}
		}
	}
	for _, test := range []struct{ workers, cells int }{{1, mostCells}, {3, mostCells}, {2, 1 << 11}} {
		mostCells = test.cells
		c := NewTable(table, vars, test.workers).(*tableCounter)
		joints, left := c.columns.sampled().cover(families, upTo(len(families)), coverCells)
		if len(joints) == 0 || len(joints) > len(families)/10 || len(left) > 0 {
			t.Errorf("%d families are margins of %d joints, but %d", len(families), len(joints), len(left))
		}
		for again := range 2 { // when the states of variables are known
			var mutex sync.Mutex
			counted := 0
			err := c.Count(context.Background(), families, test.workers, func(i int, n []float64, rows float64) {
				want, wantRows := rowByRow(table.Columns(), families[i])
				mutex.Lock()
				defer mutex.Unlock()
				counted++
				if !slices.Equal(n, want) || rows != wantRows {
					t.Errorf("%v, %v: counts %v of %g rows, want %v of %g", test, families[i], n, rows, want, wantRows)
				}
			})
			if err != nil || counted != len(families) {
				t.Errorf("%v, time %d: %d of %d families were counted: %v", test, again, counted, len(families), err)
			}
		}
	}
}

// chain draws rows in which each column is nearly always what the one before it is; column 3 has missing cells.
func chain(t *testing.T, rows, columns int) ([]bn.Variable, *data.Table) {
	rng := rand.New(rand.NewPCG(3, 4))
	var vars []bn.Variable
	cols := make([]data.Column, columns)
	for v := range cols {
		c := &cols[v]
		c.Var, c.States = bn.Discrete(fmt.Sprint("V", v), "a", "b", "c"), make([]bn.State, rows)
		for row := range c.States {
			if v > 0 && rng.IntN(12) > 0 {
				c.States[row] = cols[v-1].States[row]
			} else {
				c.States[row] = bn.State(rng.IntN(3))
			}
		}
		vars = append(vars, c.Var)
	}
	for row := range rows {
		if rng.IntN(50) == 0 {
			cols[3].States[row] = bn.Missing
		}
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return vars, table
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// TestCellTable: a table counts what a map counts, however it grows, and says when it may not.
func TestCellTable(t *testing.T) {
	defer func(cells int) { mostCells = cells }(mostCells)
	mostCells = 1 << 14
	rng := rand.New(rand.NewPCG(5, 6))
	for _, cells := range []int{1, 5000, 16_000, 20_000} {
		var tables [2]cellTable
		want := make(map[uint64]uint32)
		for i := range tables {
			tables[i].reset()
			for range 10 * cells {
				key := rng.Uint64N(uint64(cells)) << 20
				if tables[i].full {
					break
				}
				tables[i].add(key, 1)
				want[key]++
			}
		}
		tables[0].join(&tables[1])
		if full := cells > mostCells; tables[0].full != full {
			t.Errorf("%d cells: full is %v", cells, tables[0].full)
		} else if full {
			continue
		}
		for _, p := range tables[0].parts {
			for _, x := range p.slots {
				if x.key > 0 && want[x.key-1] != x.n {
					t.Fatalf("cell %d: %d times, want %d", x.key-1, x.n, want[x.key-1])
				}
			}
		}
		if tables[0].used != len(want) {
			t.Errorf("%d cells, want %d", tables[0].used, len(want))
		}
	}
}

// TestCellTableMemory: a table makes no more slots than four for a cell, and what one gives back is another's.
func TestCellTableMemory(t *testing.T) {
	const cells = 100_000
	fill := func(table *cellTable) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		table.reset()
		for key := range uint64(cells) {
			table.add(key*key, 1)
		}
		runtime.ReadMemStats(&after)
		if table.used != cells {
			t.Errorf("%d cells, want %d", table.used, cells)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	first := cellTable{spare: newSpareSlots()}
	second := cellTable{spare: first.spare}
	const slot = 16
	if made := fill(&first); made > 4*slot*cells {
		t.Errorf("%d bytes were allocated for %d cells", made, cells)
	}
	first.release()
	if made := fill(&second); made > slot*cells/10 {
		t.Errorf("%d bytes were allocated where slots are spare", made)
	}
}
