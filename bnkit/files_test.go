package bnkit_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/arff"
	"bnlab/bnkit/format/parquet"
)

func ExampleReadARFF() {
	dir, err := os.MkdirTemp("", "bnkit")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "orders.arff")
	text := "@relation orders\n@attribute size {small,large}\n@attribute price numeric\n@data\nlarge,12.5\nsmall,?\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
	df, vars, err := bnkit.ReadARFF(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(df.Names(), df.Nrow(), "rows;", vars[0])
	// Output: [size price] 2 rows; size {small, large}
}

// Parquet files are read and written as tables, and a frame is one call away. The verbs of this
// package leave them out because programs with the Parquet library take twice as long to link.
func ExampleFrame_parquet() {
	dir, err := os.MkdirTemp("", "bnkit")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "orders.parquet")
	orders, err := bnkit.Table(dataframe.ReadCSV(strings.NewReader("size,price\nlarge,12.5\nsmall,8.25\n")),
		map[string][]string{"size": {"small", "large"}})
	if err != nil {
		log.Fatal(err)
	}
	if err := parquet.Write(path, orders); err != nil {
		log.Fatal(err)
	}
	back, err := parquet.Read(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	df := bnkit.Frame(back)
	fmt.Println(df.Names(), df.Nrow(), "rows;", back.Variables()[0])
	// Output: [size price] 2 rows; size {small, large}
}

// A frame comes back the same from each format, with the order of the states where one is kept.
func TestFiles(t *testing.T) {
	df := dataframe.ReadCSV(strings.NewReader("size,x\nsmall,1.5\nlarge,-2\nNaN,NaN\nlarge,1e-9\n"))
	states := map[string][]string{"size": {"small", "middle", "large"}}
	want := must[*data.Table](t)(bnkit.Table(df, states))
	dir := t.TempDir()
	for _, c := range []struct {
		name  string
		write func(path string) error
		frame func(path string) (dataframe.DataFrame, error)
		table func(path string) (*data.Table, error)
	}{
		{"parquet", func(path string) error { return parquet.Write(path, want) },
			func(path string) (dataframe.DataFrame, error) {
				table, err := parquet.Read(path, nil)
				return bnkit.Frame(table), err
			},
			func(path string) (*data.Table, error) { return parquet.Read(path, nil) }},
		{"arff", func(path string) error { return bnkit.WriteARFF(path, df, states) },
			func(path string) (dataframe.DataFrame, error) {
				df, vars, err := bnkit.ReadARFF(path, nil)
				if err == nil && !vars[0].Equal(want.Variables()[0]) {
					t.Errorf("ARFF: variables %v, want %v", vars, want.Variables())
				}
				return df, err
			},
			func(path string) (*data.Table, error) { return arff.Read(path, nil) }},
	} {
		path := filepath.Join(dir, c.name)
		if err := c.write(path); err != nil {
			t.Fatal(err)
		}
		if got := must[*data.Table](t)(c.table(path)); got.Hash() != want.Hash() {
			t.Errorf("%s: table\n%v\nwant\n%v", c.name, got, want)
		}
		frame := must[dataframe.DataFrame](t)(c.frame(path))
		if got := must[*data.Table](t)(bnkit.Table(frame, states)); got.Hash() != want.Hash() {
			t.Errorf("%s: frame\n%v\nwant\n%v", c.name, got, want)
		}
	}
}

func TestFilesErrors(t *testing.T) {
	dir := t.TempDir()
	weighted := filepath.Join(dir, "w.arff")
	if err := os.WriteFile(weighted, []byte("@relation r\n@attribute a {x}\n@data\nx,{2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	df := dataframe.ReadCSV(strings.NewReader("a\nx\n"))
	_, _, arffWeights := bnkit.ReadARFF(weighted, nil)
	_, _, noARFF := bnkit.ReadARFF(filepath.Join(dir, "no.arff"), nil)
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"ARFF with weights", arffWeights, "no place for the weights"},
		{"no file", noARFF, "no.arff"},
		{"empty frame, ARFF", bnkit.WriteARFF(filepath.Join(dir, "a"), dataframe.DataFrame{}, nil), "empty"},
		{"no folder", bnkit.WriteARFF(filepath.Join(dir, "no", "a"), df, nil), "no file can be made"},
		{"states of no column", bnkit.WriteARFF(filepath.Join(dir, "a"), df, map[string][]string{"b": {"x"}}), `"b"`},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) || !strings.HasPrefix(c.err.Error(), "bnkit: ") {
			t.Errorf("%s: error %v, want %q", c.name, c.err, c.want)
		}
	}
}

// TestWriteCSVForSpreadsheet: names and cells of a frame that a spreadsheet would compute.
func TestWriteCSVForSpreadsheet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	df := dataframe.New(series.New([]string{"=1+1", "-1.5", "-", "NaN"}, series.String, "+a"),
		series.New([]float64{-2, 3, -4.5, 1}, series.Float, "b"))
	if err := bnkit.WriteCSV(path, df, data.ForSpreadsheet); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if want := "'+a,b\n'=1+1,-2\n-1.5,3\n-,-4.5\n,1\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
