package parquet_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
)

func ExampleWrite() {
	t, err := data.ReadCSV(strings.NewReader("size,price\nlarge,1.5\nsmall,\n"), &data.CSVOptions{
		States: map[string][]string{"size": {"small", "large"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "orders.parquet")
	if err := parquet.Write(path, t); err != nil {
		log.Fatal(err)
	}
	again, err := parquet.Read(path, &parquet.Options{Drop: []string{"price"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Variables()[0], again.Rows(), "rows")
	// Output: size {small, large} 2 rows
}

// More rows than memory holds are sampled and written in pieces.
func ExampleCreate() {
	net, err := bn.New("[rain][wet|rain]", bn.Discrete("rain", "no", "yes"), bn.Discrete("wet", "no", "yes"))
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "rain.parquet")
	w, err := parquet.Create(path, net.Variables(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Discard() // does nothing after Close
	src := rand.NewPCG(1, 0)
	for range 10 {
		piece, err := data.Sample(net, 1000, src)
		if err != nil {
			log.Fatal(err)
		}
		if err := w.Write(piece); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	t, err := parquet.Read(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Rows(), "rows")
	// Output: 10000 rows
}

// long has states, numbers and gaps in an irregular order.
func long(t testing.TB, rows int) *data.Table {
	t.Helper()
	a := data.Column{Var: bn.Discrete("a.b", "x", "y", "NA", "never"), States: make([]bn.State, rows)}
	whole := data.Column{Var: bn.Discrete("whole", "no", "yes"), States: make([]bn.State, rows)}
	x := data.Column{Var: bn.Continuous("x"), Values: make([]float64, rows)}
	for row := range rows {
		a.States[row] = bn.State(row * row % 7 % 3)
		whole.States[row] = bn.State(row / 3 % 2)
		x.Values[row] = float64(row) / 3
		if row%5 == 2 {
			a.States[row] = bn.Missing
		}
		if row%4 == 1 {
			x.Values[row] = math.NaN()
		}
	}
	table, err := data.New(a, whole, x)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Pieces of any sizes give the rows in their order, whatever the groups.
func TestWriter(t *testing.T) {
	for _, c := range []struct{ groupRows, rows int }{{0, 10_000}, {1, 30}, {7, 300}, {4096, 10_000}, {10_000, 10_000},
		{20_000, 10_000}} {
		groupRows, want := c.groupRows, long(t, c.rows)
		path := filepath.Join(t.TempDir(), "pieces.parquet")
		w, err := parquet.Create(path, want.Variables(), &parquet.WriterOptions{GroupRows: groupRows})
		if err != nil {
			t.Fatal(err)
		}
		for from, size := 0, 0; from < want.Rows(); from, size = from+size, 2*size+1 {
			rows := make([]int, min(size, want.Rows()-from))
			for i := range rows {
				rows[i] = from + i
			}
			if err := w.Write(want.Select(rows)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the file is there before it is closed: %v", err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := parquet.Read(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Hash() != want.Hash() {
			t.Errorf("groups of %d: read\n%v\nwant\n%v", groupRows, got, want)
		}
		if err := w.Write(want); err == nil || !strings.Contains(err.Error(), "closed") {
			t.Errorf("writing after Close: %v", err)
		}
	}
}

// Columns are found by name, states by theirs, and weights have a column of their own.
func TestWriterByNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names.parquet")
	vars := []bn.Variable{bn.Continuous("x"), bn.Discrete("a", "low", "high")}
	w, err := parquet.Create(path, vars, &parquet.WriterOptions{Weight: "w"})
	if err != nil {
		t.Fatal(err)
	}
	first, err := data.ReadCSV(strings.NewReader("more,a,x\n1,high,0.5\n2,low,1.5\n"),
		&data.CSVOptions{States: map[string][]string{"a": {"high", "low"}}})
	if err != nil {
		t.Fatal(err)
	}
	second, err := first.WithWeights([]float64{2, 0.25})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(first), w.Write(second), w.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := parquet.Read(path, &parquet.Options{Weight: "w"})
	if err != nil {
		t.Fatal(err)
	}
	want, err := data.ReadCSV(strings.NewReader("x,a,w\n0.5,high,1\n1.5,low,1\n0.5,high,2\n1.5,low,0.25\n"),
		&data.CSVOptions{Weight: "w", States: map[string][]string{"a": {"low", "high"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash() != want.Hash() {
		t.Errorf("read\n%v\nwant\n%v", got, want)
	}
}

// What goes wrong leaves the place of the file as it was, and nothing beside it.
func TestWriterErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "old.parquet")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	table := long(t, 100)
	weighted, err := table.WithWeights(make([]float64, 100))
	if err != nil {
		t.Fatal(err)
	}
	create := func(vars ...bn.Variable) *parquet.Writer {
		w, err := parquet.Create(path, vars, nil)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	for _, c := range []struct {
		name  string
		table *data.Table
		vars  []bn.Variable
		is    error
		want  string
	}{
		{"weights", weighted, table.Variables(), nil, "WriterOptions.Weight"},
		{"unknown column", table, []bn.Variable{bn.Continuous("z")}, bn.ErrUnknownVariable, `"z"`},
		{"states for numbers", table, []bn.Variable{bn.Continuous("whole")}, nil, "numbers"},
		{"numbers for states", table, []bn.Variable{bn.Discrete("x", "a")}, bn.ErrNotDiscrete, `"x"`},
		{"unknown state", table, []bn.Variable{bn.Discrete("whole", "no")}, bn.ErrUnknownState, `"whole"`},
		{"no table", nil, table.Variables(), nil, "no table"},
	} {
		w := create(c.vars...)
		if err := w.Write(c.table); err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil &&
			!errors.Is(err, c.is) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
		w.Discard()
		if err := w.Close(); err == nil {
			t.Errorf("%s: closed after Discard", c.name)
		}
	}
	for _, c := range []struct {
		name, path string
		vars       []bn.Variable
		want       string
	}{
		{"no variables", path, nil, "no variables"},
		{"one twice", path, []bn.Variable{bn.Continuous("x"), bn.Discrete("x", "a")}, `two columns are named "x"`},
		{"not valid", path, []bn.Variable{bn.Discrete("x", "a", "a")}, `"x"`},
		{"not UTF-8", path, []bn.Variable{bn.Discrete("x", "\xff")}, "UTF-8"},
		{"no folder", filepath.Join(dir, "no", "a"), table.Variables(), "no file can be made"},
		{"a folder", dir, table.Variables(), "not a regular file"},
	} {
		if _, err := parquet.Create(c.path, c.vars, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("create, %s: error %v, want %q", c.name, err, c.want)
		}
	}
	if err := parquet.Write(path, nil); err == nil {
		t.Error("no table was written")
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "old" {
		t.Errorf("the old file is %q (%v)", b, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("files left over: %v (%v)", files, err)
	}
}
