//go:build cgo

package duckdb

import (
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// weigh returns the weight of each different row.
func weigh(t *data.Table) map[string]float64 {
	weights := make(map[string]float64)
	for row := range t.Rows() {
		var key strings.Builder
		for _, c := range t.Columns() {
			fmt.Fprintf(&key, "%d ", c.States[row])
		}
		w := 1.0
		if t.Weights() != nil {
			w = t.Weights()[row]
		}
		weights[key.String()] += w
	}
	return weights
}

// likeMemory compares a file with what reading it into memory makes of it: variables, states,
// missing cells and counts, or the error. It returns that error.
func likeMemory(t *testing.T, path string, csv data.CSVOptions, o Options) error {
	t.Helper()
	text := func() string {
		b, _ := os.ReadFile(path)
		return fmt.Sprintf("%q with %+v", b, csv)
	}
	o.Cases.States, o.Cases.Missing, o.Cases.Weight, o.Cases.Columns = csv.States, csv.Missing, csv.Weight, csv.Columns
	o.Threads = 1
	cases, err := Open(t.Context(), path, &o)
	defer func() { cases.Close() }() // of nil, where it did not open, too
	table, inMemory := data.ReadCSVFile(path, &csv)
	if inMemory != nil {
		if err == nil || err.Error() != "duckdb: "+inMemory.Error() {
			t.Fatalf("%s\n%v\nin memory\n%v", text(), err, inMemory)
		}
		return inMemory
	}
	var numbers, states []string
	for _, v := range table.Variables() {
		if v.IsDiscrete() {
			states = append(states, v.Name)
		} else {
			numbers = append(numbers, v.Name)
		}
	}
	if len(numbers) > 0 {
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("column %q", numbers[0])) {
			t.Fatalf("%s\n%v, want a refusal of the numbers %q", text(), err, numbers)
		}
		if len(states) == 0 {
			return nil
		}
		csv.Columns = states
		return likeMemory(t, path, csv, o)
	}
	if err != nil {
		t.Fatalf("%s\n%v, in memory there is no error", text(), err)
	}
	if diff := cmp.Diff(table.Variables(), cases.Variables()); diff != "" {
		t.Fatalf("%s\nvariables: %s", text(), diff)
	}
	rows := must(cases.DistinctRows(t.Context()))(t)
	if got, want := weigh(rows), weigh(table); cases.Rows() != int64(table.Rows()) || !maps.Equal(got, want) {
		t.Fatalf("%s\n%d rows %v, want %d rows %v", text(), cases.Rows(), got, table.Rows(), want)
	}
	return nil
}

// TestCSVAsInMemory reads files that readers of CSV are known to differ in.
func TestCSVAsInMemory(t *testing.T) {
	thousand := strings.Repeat("yes,1\n", 500)
	for name, c := range map[string]struct {
		text  string
		error error // that both give
	}{
		"row names of R":           {"\"a\",\"b\"\n\"1\",\"x\",\"y\"\n\"2\",\"x\",\"z\"\n", nil},
		"one short row":            {"a,b\n" + thousand + "no\n" + thousand, data.ErrRagged},
		"one long row":             {"a,b\n" + thousand + "no,1,2\n" + thousand, data.ErrRagged},
		"other separators":         {"\"age|sex,band|x\",b\n\"1|2,3|4\",y\n\"1|2,3|5\",y\n", nil},
		"semicolons within":        {"a;b,c\n1;2,3\n2;2,4\n", nil},
		"embedded line ends":       {"a,b\n\"x\ny\",1\n\"x\r\ny\",2\nz,1\n", nil},
		"quotes doubled":           {"a,b\n\"say \"\"no\"\"\",1\nyes,2\n", nil},
		"a quote within":           {"a,b\nx\"y,1\n", nil},
		"a quote that stays open":  {"a,b\n\"x,1\ny,2\n", nil},
		"line ends of Windows":     {"a,b\r\nx,1\r\ny,2\r\n", nil},
		"line ends mixed":          {"a,b\r\nx,1\ny,2\r\nz\r,3\n", nil},
		"carriage returns only":    {"a,b\rx,1\ry,2\r", nil},
		"a byte order mark":        {"\ufeffa,b\nx,1\ny,2\n", nil},
		"UTF-16":                   {"\xff\xfea\x00\n\x00x\x00\n\x00y\x00", nil},
		"Latin 1":                  {"a,b\nS\xe3o,1\n", data.ErrEncoding},
		"signs for missing values": {"a,b\nNA,?\n\"NA\",\"\"\n null ,.\nx,NULL\ny,z\n", nil},
		"a header of signs":        {"NA,null\nx,1\ny,2\n", nil},
		"empty lines":              {"\n\na,b\n\nx,1\n\n\ny,2\n\n", nil},
		"empty lines, one column":  {"a\n\nx\n\n\ny\n\"\"\n\n", nil},
		"space around":             {" a , b \n x ,1\nx, 1 \n\" x \",\t2\n", nil},
		"letters of all kinds":     {"größe,日本\nя,東京\nя,大阪\n", nil},
		"numbers as texts":         {"a,b,c\n01,1e0,x\n1,1,x\n1.0,+1,y\n", nil},
		"numbers in two ways":      {"a,b\n01,x\n1,x\n+1,y\n-0,y\n0,y\n", nil},
		"dates and truth":          {"a,b,c\n2024-01-02,TRUE,12:30\n2024-01-03,false,12:31\n", nil},
		"no line end at the end":   {"a,b\nx,1\ny,2", nil},
		"comments":                 {"a,b\n#x,1\n#y,2\n", nil},
		"backslashes":              {"a,b\n\\N,1\n\\,2\n\"x\\\",3\n", nil},
		"zero bytes":               {"a,b\nx\x00y,1\nx,2\n", nil},
		"infinite numbers":         {"a,b\nInf,1\n-inf,2\n", nil},
		"only a header":            {"a,b\n", data.ErrNoRows},
		"nothing":                  {"", data.ErrNoRows},
		"a name twice":             {"a,a\nx,y\n", bn.ErrDuplicate},
		"a long line":              {"a,b\n" + strings.Repeat("x", 3<<20) + ",1\ny,2\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.csv")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := likeMemory(t, path, data.CSVOptions{}, Options{}); c.error != nil && !errors.Is(err, c.error) {
				t.Errorf("%v, want %v", err, c.error)
			}
		})
	}
}

// TestCSVByChance reads files that are put together by chance.
func TestCSVByChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 0))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	kinds := [][]string{
		{"yes", "no", "\"no\"", " no", "maybe "},
		{"1", "2", "10", "01", "+2", "1e3", "1.0"},
		{"0.5", "1.5", "-2", "3e-2", "NA"},
		{"x", "", "NA", "\"NA\"", "?", " ? ", "null", "\"\""},
		{"\"a,b\"", "\"a\nb\"", "\"a\r\nb\"", "\"say \"\"a\"\"\"", "a|b", "a;b", "a\tb"},
		{"größe", "日本", "é", "e\u0301", "\u00a0x", "\ufeffx", "#x", "\\N", "'x'", "`x`", "$1"},
		{"2024-01-02", "12:30", "TRUE", "false", "Inf", "NaN", "0x10", "1_000", "\"1,5\""},
	}
	files := 200 // package data compares its scanner on many more
	if testing.Short() {
		files = 40
	}
	dir := t.TempDir()
	refused := 0
	for i := range files {
		var b strings.Builder
		end := pick("\n", "\n", "\r\n")
		if rng.IntN(8) == 0 {
			b.WriteString("\ufeff")
		}
		columns := 1 + rng.IntN(4)
		of := make([][]string, columns)
		for c := range columns {
			if of[c] = kinds[rng.IntN(len(kinds))]; c > 0 {
				b.WriteString(",")
			}
			b.WriteString(pick(fmt.Sprint("c", c), fmt.Sprintf("\"c,%d|x\"", c), fmt.Sprintf(" c%d ", c),
				fmt.Sprintf("c;%d", c), "NA"[:1+rng.IntN(2)]+fmt.Sprint(c)))
		}
		b.WriteString(end)
		for range rng.IntN(20) {
			cells := make([]string, columns)
			for c := range cells {
				if cells[c] = pick(of[c]...); rng.IntN(40) == 0 {
					cells[c] = pick(kinds[rng.IntN(len(kinds))]...)
				}
			}
			switch rng.IntN(250) {
			case 0:
				cells = cells[1:]
			case 1:
				cells = append(cells, "more")
			case 2:
				cells[0] += "\""
			case 3:
				b.WriteString(end)
			case 4:
				cells[0] += "\r"
			}
			b.WriteString(strings.Join(cells, ",") + end)
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.csv", i))
		if err := os.WriteFile(path, []byte(strings.TrimSuffix(b.String(), pick(end, "none"))), 0o600); err != nil {
			t.Fatal(err)
		}
		var csv data.CSVOptions
		if rng.IntN(4) == 0 {
			csv.Missing = []string{"no", "1", "x"}
		}
		if rng.IntN(15) == 0 {
			csv.States = map[string][]string{"c0": {"no", "yes", " no", "maybe", "1", "2", "10", "NA"}}
		}
		if likeMemory(t, path, csv, Options{}) != nil {
			refused++
		}
	}
	if refused == 0 || refused > files/2 {
		t.Errorf("%d of %d files are refused; files should be of all kinds", refused, files)
	}
}

// TestCSVOptions: weights, columns, separators and compressed files are read as in memory, and
// several files as one.
func TestCSVOptions(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rows := ",x,w,y\n1,a,0.5,01\n2,b,2,1\n3,a,1,1.0\n"
	likeMemory(t, file("w.csv", rows), data.CSVOptions{Columns: []string{"x", "y"}, Weight: "w"}, Options{})
	likeMemory(t, file("v.csv", strings.Replace(rows, "0.5", "-1", 1)), data.CSVOptions{Columns: []string{"x", "y"},
		Weight: "w"}, Options{})
	likeMemory(t, file("c.csv", "a;b\n1;x,y\n2;z\n"), data.CSVOptions{Comma: ';'}, Options{Comma: ';'})
	likeMemory(t, file("t.tsv", "a\tb\n1\tx,y\n2\tz\n"), data.CSVOptions{Comma: '\t'}, Options{})
	likeMemory(t, file("many.csv", "a,b\n1,2\n"), data.CSVOptions{MaxColumns: 1}, Options{MaxColumns: 1})

	var ids strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&ids, "id%d,x\n", i)
	}
	cases, err := Open(t.Context(), file("ids.csv", "a,b\n"+ids.String()), nil)
	if !errors.Is(err, bn.ErrTooLarge) || !strings.Contains(err.Error(), `column "a"`) {
		t.Errorf("1001 states: %v", err)
	}
	cases.Close()

	packed, err := os.Create(filepath.Join(dir, "p.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	g := gzip.NewWriter(packed)
	g.Write([]byte("a,b\nx,1\ny,2\n"))
	g.Close()
	packed.Close()
	e := must(zstd.NewWriter(nil))(t)
	file("q.csv.zst", string(e.EncodeAll([]byte("b,a\n2,z\nword,x\n"), nil)))
	text := func(name string, states ...string) bn.Variable {
		v := bn.Discrete(name, states...)
		v.Sorted = true // nobody declared an order
		return v
	}
	for pattern, want := range map[string][]bn.Variable{
		"p.csv.gz":  {text("a", "x", "y"), bn.Discrete("b", "1", "2")},
		"q.csv.zst": {text("b", "2", "word"), text("a", "x", "z")},
	} {
		if got := open(t, filepath.Join(dir, pattern), nil).Variables(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", pattern, got, want)
		}
	}
	both := open(t, filepath.Join(dir, "[pq].csv.*"), nil)
	want := map[string]bn.Variable{"a": text("a", "x", "y", "z"), "b": text("b", "1", "2", "word")}
	for _, v := range both.Variables() {
		if !reflect.DeepEqual(v, want[v.Name]) {
			t.Errorf("%v, want %v", v, want[v.Name])
		}
	}
	if both.Rows() != 4 {
		t.Errorf("%d rows, want 4", both.Rows())
	}
}
