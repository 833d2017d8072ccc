//go:build cgo

package duckdb

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
)

// pieces cuts a table into files, by a function that writes one.
func pieces(t testing.TB, dir, ending string, table *data.Table, write func(path string, t *data.Table) error) {
	t.Helper()
	for i, name := range []string{"a", "b", "c"} {
		var rows []int
		for row := i; row < table.Rows(); row += 3 {
			rows = append(rows, row)
		}
		if err := write(filepath.Join(dir, name+ending), table.Select(rows)); err != nil {
			t.Fatal(err)
		}
	}
}

func writeCSV(path string, t *data.Table) error { return t.WriteCSVFile(path) }

// TestSeveralFiles opens a table in three files, as a folder and as a pattern, in both formats, and
// compares counts with those of the whole table. Side files in the folder do not count.
func TestSeveralFiles(t *testing.T) {
	net := garden(t)
	table := gaps(t, must(data.Sample(net, 999, rand.NewPCG(1, 0)))(t))
	opts := &data.CountOptions{SkipMissing: true}
	want := must(table.CountFamilies(t.Context(), families(net), opts))(t)
	for ending, write := range map[string]func(string, *data.Table) error{".parquet": parquet.Write, ".csv": writeCSV} {
		dir := t.TempDir()
		pieces(t, dir, ending, table, write)
		for _, side := range []string{".a" + ending + ".part", "_SUCCESS", "README"} {
			if err := os.WriteFile(filepath.Join(dir, side), []byte("?"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, path := range []string{dir, filepath.Join(dir, "[a-c]*"+ending)} {
			o := &Options{}
			if ending == ".csv" {
				o.Cases.States = data.StatesOf(net.Variables()...)
			}
			cases := open(t, path, o)
			if len(cases.Files) != 3 || cases.TotalWeight() != 999 {
				t.Errorf("%s: %v rows in %v", path, cases.TotalWeight(), cases.Files)
			}
			got := must(cases.CountFamilies(t.Context(), families(net), opts))(t)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: counts\n%v, want\n%v", path, got, want)
			}
		}
	}
}

// TestCSVLikeMemory finds the states of a CSV file as reading it into memory does.
func TestCSVLikeMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.csv")
	text := "answer,grade, when ,flag,big\n" +
		"yes, 10,2024-01-02,TRUE,1\n" +
		"no ,9,2024-01-03,FALSE,2\n" +
		"\" maybe\",NA,,TRUE,3\n" +
		"NA,2,2024-01-02,FALSE,NA\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	table := must(data.ReadCSVFile(path, nil))(t)
	cases := open(t, path, nil)
	var want, got []string
	for i, v := range table.Variables() {
		w := cases.Variables()[i]
		want, got = append(want, fmt.Sprint(v, v.Sorted)), append(got, fmt.Sprint(w, w.Sorted))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("variables %q, want %q", got, want)
	}
}

// TestPaths opens files whose names are SQL, or patterns.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	one := must(data.Sample(garden(t), 10, rand.NewPCG(1, 0)))(t)
	other := must(data.Sample(garden(t), 7, rand.NewPCG(1, 0)))(t)
	for _, name := range []string{
		"it's.parquet", "x') ; DROP VIEW cases; --.parquet", "a[1].parquet", "*.parquet", "who?.parquet",
		`back\slash.parquet`,
		"Grüße 日本.parquet", "two\nlines.parquet", "k=v.parquet", `"quoted".parquet`, "$1.parquet", "http:.parquet",
	} {
		path := filepath.Join(dir, name)
		if err := parquet.Write(path, one); err != nil {
			t.Fatal(err)
		}
		decoy := filepath.Join(dir, "a1.parquet")
		if err := parquet.Write(decoy, other); err != nil {
			t.Fatal(err)
		}
		cases, err := Open(t.Context(), path, nil)
		if err != nil {
			t.Errorf("%q: %v", name, err)
		} else {
			if cases.Rows() != 10 || len(cases.Files) != 1 {
				t.Errorf("%q: %d rows in %q", name, cases.Rows(), cases.Files)
			}
			cases.Close()
		}
		os.Remove(path)
	}
}

// TestBadFiles asks for what is wrong with files, by a sentinel and by words.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	table := func(name string, vars ...bn.Variable) string {
		cols := make([]data.Column, len(vars))
		for i, v := range vars {
			cols[i].Var = v
			if v.IsDiscrete() {
				cols[i].States = []bn.State{0, 1}
			} else {
				cols[i].Values = []float64{1, 2}
			}
		}
		path := file(name, "")
		if err := parquet.Write(path, must(data.New(cols...))(t)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	yes := func(name string) bn.Variable { return bn.Discrete(name, "no", "yes") }
	table("names/1.parquet", yes("a"), yes("b"))
	table("names/2.parquet", yes("A"), yes("b"))
	table("types/1.parquet", yes("a"))
	table("types/2.parquet", bn.Continuous("a"))
	table("mixed/1.parquet", yes("a"))
	file("mixed/2.parquet", "a\nyes\n")
	file("csv/1.csv", "a,b\nyes,no\n")
	file("csv/2.csv", "a,c\nyes,no\n")
	whole, err := os.ReadFile(table("whole.parquet", yes("a"), yes("b")))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		want       error
		words      string
	}{
		{"no file", filepath.Join(dir, "none.parquet"), errNoFiles, "none.parquet"},
		{"a pattern without files", filepath.Join(dir, "*.orc"), errNoFiles, "*.orc"},
		{"a pattern that is not well-formed", filepath.Join(dir, "[a"), filepath.ErrBadPattern, "[a"},
		{"an address", "https://example.org/a.parquet", errNoFiles, "example.org"},
		{"an empty name", "", errNoFiles, ""},
		{"a folder without files", file("empty/README", "")[:len(dir)+6], errNoFiles, "no Parquet and no CSV"},
		{"a CSV called Parquet", file("liar.parquet", "a,b\nyes,no\n"), errFormat, "PAR1"},
		{"an empty Parquet", file("empty.parquet", ""), errFormat, "empty.parquet"},
		{"half a Parquet", file("half.parquet", string(whole[:len(whole)/2])), errFormat, "half.parquet"},
		{"a broken footer", file("footer.parquet", "PAR1\xff\xff\xff\xff\xff\x7fPAR1"), errFormat, "footer.parquet"},
		{"a backslash in a pattern", file(`both\*.parquet`, ""), nil, "another name"},
		{"another kind", file("model.bif", "network x {}"), errFormat, "model.bif"},
		{"Parquet and CSV", filepath.Join(dir, "mixed"), errFormat, "2.parquet"},
		{"another name in another file", filepath.Join(dir, "names"), errColumns, `"A" in`},
		{"another type", filepath.Join(dir, "types"), errColumns, "VARCHAR"},
		{"other columns of CSV", filepath.Join(dir, "csv"), nil, "different columns"},
		{"names that differ in case", table("case.parquet", yes("a"), yes("A")), bn.ErrDuplicate, "capital"},
	} {
		cases, err := Open(context.Background(), c.path, nil)
		if err := cases.Close(); err != nil { // of nil cases, as a deferred Close does
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %v with %q", c.name, err, c.want, c.words)
		}
	}
}

// TestLateText has a text far behind numbers: the types of a CSV file are those of all its rows.
// Side files of a folder are left out.
func TestLateText(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.csv": "x\n" + strings.Repeat("1\n", 50_000) + "late\n",
		"_b.csv": "other\n", ".c.csv": "other\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cases := open(t, dir, nil)
	if got := cases.Variables()[0].States; len(got) != 2 || cases.Rows() != 50_001 {
		t.Errorf("states %q of %d rows, want 1 and late of 50001", got, cases.Rows())
	}
}

// TestBadHeaders: a column keeps the name that it has in the file, or is refused.
func TestBadHeaders(t *testing.T) {
	for _, c := range []struct {
		header string
		want   error
		words  string
	}{
		{"x,NA", nil, ""},
		{"x,x", bn.ErrDuplicate, `"x"`},
		{"b,x,X", bn.ErrDuplicate, `"X"`},
		{"x,", nil, "column 2 of 2 has no name"},
		{"Select,a b", nil, ""},
		{`"two ""words""", spaced `, nil, ""},
	} {
		path := filepath.Join(t.TempDir(), "x.csv")
		rows := strings.Repeat("\n1"+strings.Repeat(",no", strings.Count(c.header, ",")), 3)
		if err := os.WriteFile(path, []byte(c.header+rows+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		cases, err := Open(t.Context(), path, nil)
		if c.words != "" {
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%s: %v, want %v with %q", c.header, err, c.want, c.words)
			}
		} else if err != nil {
			t.Errorf("%s: %v", c.header, err)
		} else {
			want := must(data.ReadCSVFile(path, nil))(t)
			if got := cases.Variables(); !reflect.DeepEqual(got, want.Variables()) {
				t.Errorf("%s: %v, want %v", c.header, got, want.Variables())
			}
		}
		if err := cases.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestBadOptions asks for what is wrong with options.
func TestBadOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := parquet.Write(path, must(data.Sample(garden(t), 10, rand.NewPCG(1, 0)))(t)); err != nil {
		t.Fatal(err)
	}
	for words, set := range map[string]func(o *Options){
		"MemoryMB":  func(o *Options) { o.MemoryMB = -1 },
		"Threads":   func(o *Options) { o.Threads = -1 },
		"Table":     func(o *Options) { o.Cases.Query = "SELECT 1" },
		"temporary": func(o *Options) { o.Temporary = filepath.Join(path, "below a file") },
		"nothing":   func(o *Options) { o.Cases.Columns = []string{"nothing"} },
	} {
		o := &Options{}
		set(o)
		cases, err := Open(t.Context(), path, o)
		if err == nil {
			cases.Close()
		}
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", words, err)
		}
	}
}

// TestStates: lists of states in the files hold where all files agree, and what the options say
// goes first.
func TestStates(t *testing.T) {
	dir := t.TempDir()
	for i, states := range [][]string{{"low", "mid", "high"}, {"low", "high", "mid"}} {
		table := must(data.New(
			data.Column{Var: bn.Discrete("same", "z", "y", "never"), States: []bn.State{0, 1}},
			data.Column{Var: bn.Discrete("level", states...), States: []bn.State{0, 1}},
		))(t)
		if err := parquet.Write(filepath.Join(dir, string(rune('a'+i))+".parquet"), table); err != nil {
			t.Fatal(err)
		}
	}
	cases := open(t, dir, nil)
	want := []bn.Variable{bn.Discrete("same", "z", "y", "never"), bn.Discrete("level", "high", "low", "mid")}
	want[1].Sorted = true // two files, two orders
	if !reflect.DeepEqual(cases.Variables(), want) {
		t.Errorf("variables %v, want %v", cases.Variables(), want)
	}
	o := &Options{}
	o.Cases.States = map[string][]string{"LEVEL": {"high", "mid", "low"}}
	o.Cases.Names = map[string]string{"level": "LEVEL"}
	o.Cases.Columns = []string{"level"}
	cases = open(t, dir, o)
	if want := []bn.Variable{bn.Discrete("LEVEL", "high", "mid", "low")}; !reflect.DeepEqual(cases.Variables(), want) {
		t.Errorf("variables %v, want %v", cases.Variables(), want)
	}
}

// TestInterrupted ends with the context's error.
func TestInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := parquet.Write(path, must(data.Sample(garden(t), 10, rand.NewPCG(1, 0)))(t)); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Open(ctx, path, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
