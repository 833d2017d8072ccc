package data_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"bnlab/bnkit/data"
)

func TestDistinctByHand(t *testing.T) {
	table := must(t, discrete("x", 1, 0, 1, m, 1, m), continuous("y", 2, 0, 2, math.NaN(), 3, math.NaN()))
	got := table.Distinct()
	want := "4 rows, 2 columns\nx  y  (weight)\nb  2  2\na  0  1\n?  ?  2\nb  3  1\n"
	if got.String() != want {
		t.Errorf("Distinct = %s, want %s", got, want)
	}
	if empty := table.Head(0).Distinct(); empty.Rows() != 0 || empty.TotalWeight() != 0 {
		t.Errorf("Distinct of nothing = %v", empty)
	}
}

// Distinct rows are different, stand in the order of first appearance, carry the
// weight of the rows like them, and have the same counts.
func TestDistinctLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, 200)
		d := table.Distinct()
		key := func(t *data.Table, row int) string {
			var s string
			for _, c := range t.Columns() {
				s += c.Text(row) + ","
			}
			return s
		}
		weight := map[string]float64{}
		var order []string
		for row := range table.Rows() {
			k := key(table, row)
			if _, ok := weight[k]; !ok {
				order = append(order, k)
			}
			w := 1.0
			if table.Weights() != nil {
				w = table.Weights()[row]
			}
			weight[k] += w
		}
		if d.Rows() != len(order) {
			t.Fatalf("%d distinct rows, want %d", d.Rows(), len(order))
		}
		for row, k := range order {
			if key(d, row) != k || d.Weights()[row] != weight[k] {
				t.Fatalf("row %d is %s of weight %v, want %s of %v", row, key(d, row), d.Weights()[row], k, weight[k])
			}
		}
	})
}

func BenchmarkDistinct(b *testing.B) {
	all, err := data.Sample(alarmNet(b), 1_000_000, rand.NewPCG(1, 0))
	if err != nil {
		b.Fatal(err)
	}
	few, err := all.Keep("HYP", "LVF", "HIST", "ERLO", "ERCA", "ANES", "APL", "KINK", "PMB", "DISC", "FIO2")
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range []*data.Table{few, all} {
		b.Run(fmt.Sprintf("rows=%d/columns=%d", t.Rows(), len(t.Columns())), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				t.Distinct()
			}
		})
	}
}
