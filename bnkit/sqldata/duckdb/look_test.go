//go:build cgo

package duckdb

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
)

// TestPreviewAgain: the same seed draws the same rows, another one others, and what they tell of the cells that occur
// changes no count.
func TestPreviewAgain(t *testing.T) {
	net := garden(t)
	table := must(data.Sample(net, 40_000, rand.NewPCG(1, 0)))(t)
	path := filepath.Join(t.TempDir(), "cases.parquet")
	if err := parquet.Write(path, table); err != nil {
		t.Fatal(err)
	}
	draw := func(seed uint64) string {
		cases := must(Open(t.Context(), path, nil))(t)
		defer cases.Close()
		rows := must(cases.Preview(t.Context(), 6000, seed))(t)
		got := must(cases.CountFamilies(t.Context(), families(net), nil))(t)
		want := must(table.CountFamilies(t.Context(), families(net), nil))(t)
		for i := range want {
			if diff := cmp.Diff(want[i].N, got[i].N); diff != "" {
				t.Errorf("family %d: %s", i, diff)
			}
		}
		return rows.Hash()
	}
	first := draw(1)
	if draw(1) != first {
		t.Error("the same seed draws other rows")
	}
	if draw(2) == first {
		t.Error("another seed draws the same rows")
	}
}
