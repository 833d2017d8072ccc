package bnkit_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
)

// wide is a frame of 20 columns: texts, whole numbers, numbers and truth values, a tenth of them missing.
func wide(rows int) dataframe.DataFrame {
	rng := rand.New(rand.NewPCG(1, 0))
	words := []string{"low", "middle", "high", "not recorded"}
	cols := make([]series.Series, 20)
	for i := range cols {
		cells := make([]string, rows)
		kind := []series.Type{series.String, series.Int, series.Float, series.Bool}[i%4]
		for row := range cells {
			switch {
			case rng.IntN(10) == 0:
				cells[row] = "NaN"
			case kind == series.String:
				cells[row] = words[rng.IntN(len(words))]
			case kind == series.Int:
				cells[row] = fmt.Sprint(rng.IntN(5 + 1000*(i/8)))
			case kind == series.Float:
				cells[row] = fmt.Sprint(rng.NormFloat64())
			default:
				cells[row] = fmt.Sprint(rng.IntN(2) == 0)
			}
		}
		cols[i] = series.New(cells, kind, fmt.Sprintf("column %d", i))
	}
	return dataframe.New(cols...)
}

func BenchmarkTable(b *testing.B) {
	df := wide(100_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bnkit.Table(df, nil); err != nil {
			b.Fatal(err)
		}
	}
}
