//go:build cgo

package duckdb

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"bnlab/bnkit/data"
)

// TestTotalWeight: weights that overflow when they are summed are refused with the name of
// their column, as in memory.
func TestTotalWeight(t *testing.T) {
	for text, want := range map[string]error{
		"x,w\na,1e308\nb,1e308\n":             data.ErrWeight,
		"x,w\na,1e300\nb,0.5\n":               data.ErrWeight,
		"x,w\na,7e149\nb,0.5\na,1\nb,2e149\n": nil,
	} {
		path := filepath.Join(t.TempDir(), "w.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, inMemory := data.ReadCSVFile(path, &data.CSVOptions{Weight: "w"})
		opts := &Options{}
		opts.Cases.Weight = "w"
		cases, err := Open(t.Context(), path, opts)
		if !errors.Is(inMemory, want) || !errors.Is(err, want) {
			t.Errorf("%q: %v, in memory %v, want %v", text, err, inMemory, want)
		}
		var cell *data.ValueError
		if want != nil && (!errors.As(err, &cell) || cell.Name != "w") {
			t.Errorf("%q: %v does not name the column", text, err)
		}
		if err := cases.Close(); err != nil {
			t.Error(err)
		}
	}
}
