package scale

import (
	"path/filepath"
	"strings"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
)

// TestLearned: learners are given the table that was read, in which they count without asking it, and what
// a database has opened as it is.
func TestLearned(t *testing.T) {
	table, err := data.ReadCSV(strings.NewReader("a,b\nx,y\ny,x\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "few.parquet")
	if err := parquet.Write(path, table); err != nil {
		t.Fatal(err)
	}
	file := File{Path: path, Rows: table.Rows(), Net: standInNetwork(t)}
	for _, c := range []struct {
		engine Engine
		table  bool
	}{{Memory{}, true}, {database{}, false}} {
		cases, err := c.engine.Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		if _, is := learned(cases).(*data.Table); is != c.table {
			t.Errorf("%s: learners are given %T", c.engine, learned(cases))
		}
		if err := cases.Close(); err != nil {
			t.Error(err)
		}
	}
}
