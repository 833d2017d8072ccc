package data_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// numbers is a column of n different numbers from 0 on, one a line.
func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, i)
	}
	return b.String()
}

// quiet returns the options without notes.
func quiet(opts *data.CSVOptions) *data.CSVOptions {
	own := data.CSVOptions{}
	if opts != nil {
		own = *opts
	}
	own.Note = func(string) {}
	return &own
}

func TestReadCSV(t *testing.T) {
	for _, test := range []struct {
		name, text string
		opts       *data.CSVOptions
		want       string // variables, states, values and weights
	}{
		{"plain", "a,b\nyes,1\nno,0\nyes,1\n", nil, "a {no, yes} [1 0 1]; b {0, 1} [1 0 1]"},
		{"no line end", "a,b\nyes,1\nno,0", nil, "a {no, yes} [1 0]; b {0, 1} [1 0]"},
		{"BOM, CRLF, empty lines", "\xef\xbb\xbfa,b\r\n\r\nx,1.5\r\n\r\ny,2\r\n", nil, "a {x, y} [0 1]; b [1.5 2]"},
		{"missing", "a,b,c\n?,NA,1.5\nx,,NaN\n,1,.\n", nil,
			"a {x} [65535 0 65535]; b {1} [65535 65535 0]; c [1.5 NaN NaN]"},
		{"own missing", "a,b,c\n-9,x,?\n2.5,-9,\n", &data.CSVOptions{Missing: []string{"-9"}},
			"a [NaN 2.5]; b {x} [0 65535]; c {?} [0 65535]"},
		{"own missing, many numbers", "a\n" + numbers(21) + "9\n", &data.CSVOptions{Missing: []string{"9"},
			Continuous: []string{"a"}}, "a [0 1 2 3 4 5 6 7 8 NaN 10 11 12 13 14 15 16 17 18 19 20 NaN]"},
		{"natural order", "a\n10\n9\nq\nb10\nb9\n>5\n<5\n", nil, "a {<5, 9, 10, b9, b10, q, >5} [2 1 5 4 3 6 0]"},
		{"long states", "a\nESOPHAGEAL\nNORMAL\nESOPHAGEA\nESOPHAGEAM\n", nil,
			"a {ESOPHAGEA, ESOPHAGEAL, ESOPHAGEAM, NORMAL} [1 3 0 2]"},
		{"20 numbers", "a\n" + numbers(20), &data.CSVOptions{Columns: []string{"a"}}, "a {0, 1, 2, 3, 4, 5, 6, 7, 8, " +
			"9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19} [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19]"},
		{"21 numbers", "a\n" + numbers(21), nil, "a [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20]"},
		{"parts and a word", "a\n0.5\nx\n", nil, "a {0.5, x} [0 1]"},
		{"whole floats", "a\n0.0\n1.0\n", nil, "a {0.0, 1.0} [0 1]"},
		{"no states from numbers", "a\n1\n2\n", &data.CSVOptions{MaxNumericStates: -1}, "a [1 2]"},
		{"number formats", "a\n-1.5\n+2e3\n.5\n3.\n1E-2\n", nil, "a [-1.5 2000 0.5 3 0.01]"},
		{"all missing", "a,b\nx,\ny,\n", nil, "a {x, y} [0 1]; b [NaN NaN]"},
		{"spaces", " a , b\n x , 1.5 \nx,\t2\n  , NA \n", nil, "a {x} [0 0 65535]; b [1.5 2 NaN]"},
		{"kept spaces", " a\n x\nx\n", &data.CSVOptions{KeepSpace: true}, " a { x, x} [0 1]"},
		{"declared", "a,b,c\nhi,1,1\nlo,2,NA\n",
			&data.CSVOptions{States: map[string][]string{"a": {"lo", "mid", "hi"}, "c": {"NA", "1"}},
				Continuous: []string{"b"}}, "a {lo, mid, hi} [2 0]; b [1 2]; c {NA, 1} [1 0]"},
		{"declared numbers", "a,b\n1.0,0\n0,2\n01,1\n", &data.CSVOptions{States: map[string][]string{"a": {"0", "1"},
			"b": {"0.0", "1.0", "2.0"}}}, "a {0, 1} [1 0 1]; b {0.0, 1.0, 2.0} [0 2 1]"},
		{"discrete numbers", "a\n0.5\n0.25\n", &data.CSVOptions{Discrete: []string{"a"}}, "a {0.25, 0.5} [1 0]"},
		{"names", "x,1.5\ny,2\n", &data.CSVOptions{Names: []string{"p", "q"}}, "p {x, y} [0 1]; q [1.5 2]"},
		{"columns", "a,,c,a\n1.5,zz,x,4\n2,\"z\nz\",y,4\n", &data.CSVOptions{Columns: []string{"c"}}, "c {x, y} [0 1]"},
		{"weights", "a,w\nx,2\ny,0.5\n", &data.CSVOptions{Weight: "w"}, "a {x, y} [0 1]; weights [2 0.5]"},
		{"weights with columns", "a,b,w\nx,1,2\ny,1,0.5\n", &data.CSVOptions{Weight: "w", Columns: []string{"a"}},
			"a {x, y} [0 1]; weights [2 0.5]"},
		{"semicolons", "a;b\n1,5;x\n2,5;y\n", &data.CSVOptions{Comma: ';'}, "a [1.5 2.5]; b {x, y} [0 1]"},
		{"semicolons, commas in states", "a;b\n1,5;x\n2,5;y\n", &data.CSVOptions{Discrete: []string{"a"}},
			"a {1,5, 2,5} [0 1]; b {x, y} [0 1]"},
		{"semicolons, points", "a;b\n1.5;2\n2.5;3\n", nil, "a [1.5 2.5]; b {2, 3} [0 1]"},
		{"tabs", "a\tb\nx\t1,5\ny\t-0,125\n", nil, "a {x, y} [0 1]; b [1.5 -0.125]"},
		{"bars", "a|b\nx|1\ny|2\n", nil, "a {x, y} [0 1]; b {1, 2} [0 1]"},
		{"decimal commas in quotes", "a,b\n\"1,5\",x\n\"2\",y\n", &data.CSVOptions{Decimal: ','},
			"a [1.5 2]; b {x, y} [0 1]"},
		{"spaces between quotes", "\"a\" \"b\"\n\"1\" \"x\" 1.5\n\"2\" \"y\" 2\n", nil, "a {x, y} [0 1]; b [1.5 2]"},
		{"a name less", "a,b\np,x,1\nq,y,2\n", nil, "a {x, y} [0 1]; b {1, 2} [0 1]"},
		{"a separator after each row", "a,b\nx,1,\ny,2,\n", nil, "a {x, y} [0 1]; b {1, 2} [0 1]"},
		{"no name", ",b,\n1,2,\n2,3,\n,4,\n", nil, "b {2, 3, 4} [0 1 2]"},
		{"drop", "a,b,c\n1,2,3\n", &data.CSVOptions{Drop: []string{"a", "c"}}, "b {2} [0]"},
		{"drop what has no name", ",b\n1,2\n1,3\n", &data.CSVOptions{Drop: []string{""}}, "b {2, 3} [0 1]"},
		{"CR", "a,b\rx,1\r\"y\rz\",2\r", nil, "a {x, y\nz} [0 1]; b {1, 2} [0 1]"},
		{"UTF-16", "\xff\xfea\x00\n\x00\xe9\x00\n\x00", nil, "a {é} [0]"},
		{"UTF-16, CR", "\xfe\xff\x00a\x00\r\x00\xe9\x00\r", nil, "a {é} [0]"},
		{"Windows-1252", "a\nS\xe3o\n\x80\n", &data.CSVOptions{Encoding: "windows-1252"}, "a {São, €} [0 1]"},
		{"missing as in pandas", "a,b\n1.5,#N/A\n#NA,-nan\n2.5,1.#IND\n\\N,x\n", nil,
			"a [1.5 NaN 2.5 NaN]; b {x} [65535 65535 65535 0]"},
		{"few decimals among words", "a\n1.5\nlow\nhigh\n", nil, "a {1.5, high, low} [0 2 1]"},
		{"whole numbers and a word", "a\n1\n2\n3\nunknown\n", nil, "a {1, 2, 3, unknown} [0 1 2 3]"},
		{"years as names", "1990,1991\n1.5,2.5\n", nil, "1990 [1.5]; 1991 [2.5]"},
		{"numbers as names that the options name", "5.1,x\n1.5,y\n", &data.CSVOptions{Columns: []string{"5.1", "x"}},
			"5.1 [1.5]; x {y} [0]"},
		{"quotes", "\"a\",\"b,c\"\n\"x\ny\",1.5\n\"\"\"q\"\"\",\"2\"\n\"\",3\n", nil,
			"a {\"q\", x\ny} [1 0 65535]; b,c [1.5 2 3]"},
		{"header over lines", "\"a\n1\",b\nx,y\n", nil, "a\n1 {x} [0]; b {y} [0]"},
		{"quote in the middle", "a,b\nx,1.5\ny,2.5\nx,\"3.5\"\nz,4\n", nil, "a {x, y, z} [0 1 0 2]; b [1.5 2.5 3.5 4]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := data.ReadCSV(strings.NewReader(test.text), quiet(test.opts))
			if err != nil {
				t.Fatal(err)
			}
			var parts []string
			for _, c := range got.Columns() {
				if c.Var.IsDiscrete() {
					parts = append(parts, fmt.Sprint(c.Var, " ", c.States))
				} else {
					parts = append(parts, fmt.Sprint(c.Var.Name, " ", c.Values))
				}
			}
			if got.Weights() != nil {
				parts = append(parts, fmt.Sprint("weights ", got.Weights()))
			}
			if s := strings.Join(parts, "; "); s != test.want {
				t.Errorf("ReadCSV(%q)\n got %s\nwant %s", test.text, s, test.want)
			}
		})
	}
}

func TestReadCSVErrors(t *testing.T) {
	var many strings.Builder
	many.WriteString("a\n")
	for i := range 70_000 {
		fmt.Fprintf(&many, "id%d\n", i)
	}
	for _, test := range []struct {
		name, text string
		opts       *data.CSVOptions
		is         error
		want       string
	}{
		{"empty", "", nil, data.ErrNoRows, "data: the input is empty: no rows"},
		{"empty lines", "\n\r\n\n", nil, data.ErrNoRows, "data: the input is empty: no rows"},
		{"only a BOM", "\xef\xbb\xbf", nil, data.ErrNoRows, "the input is empty"},
		{"only a header", "a,b\n\n", nil, data.ErrNoRows, "data: only a header: no rows"},
		{"UTF-16 without a mark", "a\x00\n\x00", nil, data.ErrEncoding, `set CSVOptions.Encoding to "utf-16le"`},
		{"unknown encoding", "a\n1\n", &data.CSVOptions{Encoding: "ebcdic"}, nil, `the encoding "ebcdic" is not read`},
		{"tabs, quoted", "\"a\tb\"\n1\t2\n", nil, nil, `separated by '\t'`},
		{"too few", "a,b\n1,2\n\n1\n", nil, data.ErrRagged,
			"data: line 4, row 2: wrong number of cells in the row: 1, there are 2 columns"},
		{"too many", "a,b\n1,2,3\n", nil, data.ErrRagged,
			"line 2, row 1: wrong number of cells in the row: 3, there are 2 columns"},
		{"too few after a quote", "a,b\n\"1\n\",2\n1\n", nil, data.ErrRagged,
			"line 4, row 2: wrong number of cells in the row: 1"},
		{"names of another number", "1,2\n", &data.CSVOptions{Names: []string{"a"}}, data.ErrRagged, "line 1, row 1"},
		{"no names", "1,2\n", &data.CSVOptions{Names: []string{}}, nil, "CSVOptions.Names is empty"},
		{"column without a name", ",b\n1,2\n3,4\n1,5\n", nil, nil, "column 1 of 2 has no name in the header, and " +
			"rows 1 and 3 have the same cell in it"},
		{"names that are cells", "5.1,3.5,setosa\n4.9,3.0,setosa\n", nil, nil,
			"the names of the columns are numbers (5.1, 3.5, setosa), as if the first line were a case; give names " +
				"in CSVOptions.Names"},
		{"names that are cells twice", "1,1,0\n1,0,0\n", nil, nil, "as if the first line were a case"},
		{"drop what is not there", "a\n1\n", &data.CSVOptions{Drop: []string{"b"}}, bn.ErrUnknownVariable,
			"CSVOptions.Drop names it"},
		{"drop and take", "a,b\n1,2\n", &data.CSVOptions{Drop: []string{"a"}, Columns: []string{"a"}}, bn.ErrDuplicate,
			`column "a" is in CSVOptions.Columns and in CSVOptions.Drop`},
		{"drop and declare", "a,b\n1,2\n", &data.CSVOptions{Drop: []string{"a"}, Discrete: []string{"a"}},
			bn.ErrUnknownVariable, `column "a" is in CSVOptions.Discrete and in CSVOptions.Drop`},
		{"decimal point", "a\n1\n", &data.CSVOptions{Decimal: 'x'}, nil, "'x' cannot be the decimal point"},
		{"few numbers and a word", "a\n1.5\nx\n2.5\n", nil, data.ErrNumber, `line 3, row 2, column "a", value "x": ` +
			`not a finite number, and 2 of 3 cells are; name the value in CSVOptions.Missing, or the column in ` +
			`CSVOptions.Discrete`},
		{"few numbers and text", "a\n1.5\nx\n2.5\ny\n3.5\n", nil, data.ErrNumber,
			"name the column in CSVOptions.Discrete if it holds text, or the value in CSVOptions.Missing"},
		{"many numbers and text", "a\n" + strings.ReplaceAll(numbers(30), "\n", "\nA/5 21\n"), nil, data.ErrNumber,
			"name the column in CSVOptions.Discrete if it holds text"},
		{"infinite among decimals", "a\n1.5\ninf\n2.5\n", nil, data.ErrNumber,
			`value "inf": not a finite number, and 3 of 3 cells are; name the value in CSVOptions.Missing`},
		{"decimal commas", "a,b\n\"1,5\",x\n\"2,5\",y\n", nil, data.ErrNumber, `row 1, column "a", value "1,5"`},
		{"decimal commas, the remedy", "a,b\n\"1,5\",x\n", nil, data.ErrNumber,
			"if the comma is the decimal point set CSVOptions.Decimal to ','"},
		{"thousands", "a,b\n\"1,000\",x\n900,y\n", nil, data.ErrNumber, `value "1,000"`},
		{"money", "a\n$5.00\n$6.50\n", nil, data.ErrNumber, `value "$5.00": not a finite number, and 2 of 2 cells are; ` +
			"take out what is not part of the number, or name the column in CSVOptions.Discrete"},
		{"percent", "a\n5 %\n10 %\n", nil, data.ErrNumber, `row 1, column "a", value "5 %"`},
		{"an error of a spreadsheet", "a\nx\n#DIV/0!\n", nil, data.ErrNumber, `row 2, column "a", value "#DIV/0!"`},
		{"a point among decimal commas", "a;b\n1,5;x\n1.234,5;y\n2,5;z\n", nil, data.ErrNumber, `value "1.234,5"`},
		{"same name", "a,b,a\n1,2,3\n", nil, bn.ErrDuplicate, `columns 1 and 3 are both "a"`},
		{"name not UTF-8", "a\xff,b\n1,2\n", nil, data.ErrEncoding, `the name "a\xff" of column 1`},
		{"state not UTF-8", "a,b\n1,S\xe3o\n", nil, data.ErrEncoding,
			`line 2, row 1, column "b", value "S\xe3o": not UTF-8 text`},
		{"number not UTF-8", "a\n1\n\xe3\n", &data.CSVOptions{Continuous: []string{"a"}}, data.ErrEncoding,
			`line 3, row 2, column "a"`},
		{"state list misses a value", "a,b\n1,x\n2,z\n", &data.CSVOptions{States: map[string][]string{"b": {"x", "y"}}},
			bn.ErrUnknownState, `line 3, row 2, column "b", value "z": unknown state (states: x, y)`},
		{"empty state list", "a\n1\n", &data.CSVOptions{States: map[string][]string{"a": nil}}, nil,
			`variable "a" has no states`},
		{"no number", "a\n1\nx\n", &data.CSVOptions{Continuous: []string{"a"}}, data.ErrNumber,
			`line 3, row 2, column "a", value "x": not a finite number`},
		{"infinite", "a\n1\nInf\n", &data.CSVOptions{Continuous: []string{"a"}}, data.ErrNumber, `value "Inf"`},
		{"too large", "a\n1e999\n", &data.CSVOptions{Continuous: []string{"a"}}, data.ErrNumber, `value "1e999"`},
		{"word after numbers", "a\n" + numbers(30) + "unknown\n", nil, data.ErrNumber,
			`line 32, row 31, column "a", value "unknown": not a finite number, but the column has more than 20 different numbers; name the value in CSVOptions.Missing`},
		{"word before numbers", "a\nunknown\n" + numbers(30), nil, data.ErrNumber,
			`line 2, row 1, column "a", value "unknown": not a finite number, but the column has more than 20`},
		{"identifiers", many.String(), nil, nil,
			`line 65537, row 65536, column "a", value "id65535": more than 65535 different values`},
		{"unknown column of states", "a\n1\n", &data.CSVOptions{States: map[string][]string{"b": {"x"}}},
			bn.ErrUnknownVariable, `no column "b" (there are: a), but CSVOptions.States names it`},
		{"unknown continuous", "a\n1\n", &data.CSVOptions{Continuous: []string{"b"}}, bn.ErrUnknownVariable,
			"CSVOptions.Continuous"},
		{"unknown discrete", "a\n1\n", &data.CSVOptions{Discrete: []string{"b"}}, bn.ErrUnknownVariable,
			"CSVOptions.Discrete"},
		{"unknown column to read", "a\n1\n", &data.CSVOptions{Columns: []string{"b"}}, bn.ErrUnknownVariable,
			"CSVOptions.Columns"},
		{"unknown weight", "a\n1\n", &data.CSVOptions{Weight: "b"}, bn.ErrUnknownVariable, "CSVOptions.Weight"},
		{"not to be read", "a,b\n1,2\n", &data.CSVOptions{Columns: []string{"a"}, Discrete: []string{"b"}},
			bn.ErrUnknownVariable, `column "b" is in CSVOptions.Discrete, but not in CSVOptions.Columns`},
		{"two rules", "a\n1\n", &data.CSVOptions{Discrete: []string{"a"}, Continuous: []string{"a"}}, bn.ErrDuplicate,
			`column "a" stands in CSVOptions.Continuous and in another list`},
		{"only weights", "a\n1\n", &data.CSVOptions{Weight: "a"}, nil, "no column besides the weights"},
		{"negative weight", "a,w\nx,1\nx,-1\n", &data.CSVOptions{Weight: "w"}, data.ErrWeight,
			`line 3, row 2, column "w", value "-1"`},
		{"missing weight", "a,w\nx,\n", &data.CSVOptions{Weight: "w"}, data.ErrWeight,
			`line 2, row 1, column "w", value ""`},
		{"weights too large together", "a,w\nx,1e308\ny,1e308\n", &data.CSVOptions{Weight: "w"}, data.ErrWeight,
			`data: column "w", value "a sum of +Inf": no weight (weights are finite, not below 0 and sum to at most 1e150`},
		{"open quote", "a,b\nx,y\n\"x,y\n", nil, nil, `line 3, row 2: extraneous or missing " in quoted-field`},
		{"bare quote", "a,b\nx,y\nx\"y,z\n", nil, nil,
			`line 3, row 2: bare " in non-quoted-field (byte 2 of the line)`},
		{"open quote in the header", "\"a,b\nx,y\n", nil, nil, `line 2: extraneous or missing " in quoted-field`},
		{"separator", "a\n1\n", &data.CSVOptions{Comma: '"'}, nil, `'"' cannot separate cells`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := data.ReadCSV(strings.NewReader(test.text), quiet(test.opts))
			if err == nil || !strings.Contains(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("ReadCSV = %v\nwant %q that wraps %v", err, test.want, test.is)
			}
		})
	}
}

func TestCSVFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.csv")
	table := must(t, discrete("x", 0, 2, m), continuous("y", 0.1, math.NaN(), -3e20))
	if err := table.WriteCSVFile(path); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(path)
	if string(text) != "x,y\na,0.1\nc,\n,-3e+20\n" {
		t.Errorf("the file holds %q", text)
	}
	back, err := data.ReadCSVFile(path, &data.CSVOptions{States: data.StatesOf(table.Variables()...)})
	if err != nil || back.Hash() != table.Hash() {
		t.Errorf("read back %v, %v", back, err)
	}

	_, err = data.ReadCSVFile(path, &data.CSVOptions{States: map[string][]string{"x": {"a"}}})
	var e *data.ValueError
	if !errors.As(err, &e) || e.File != path || e.Line != 3 || e.Row != 2 || e.Name != "x" || e.Value != "c" {
		t.Errorf("ReadCSVFile = %#v", err)
	}
	if _, err := data.ReadCSVFile(path+"x", nil); !errors.Is(err, os.ErrNotExist) ||
		!strings.Contains(err.Error(), "cases.csvx") {
		t.Errorf("ReadCSVFile = %v", err)
	}

	dir := filepath.Dir(path)
	if _, err := data.ReadCSVFile(dir, nil); err == nil || strings.Count(err.Error(), dir) != 1 {
		t.Errorf("ReadCSVFile of a directory = %v", err)
	}

	// A failing write leaves what was there and nothing beside it.
	bad, _ := must(t, discrete("weight", 0)).WithWeights([]float64{1})
	if err := bad.WriteCSVFile(path); !errors.Is(err, bn.ErrDuplicate) {
		t.Errorf("WriteCSVFile = %v", err)
	}
	after, _ := os.ReadFile(path)
	files, _ := os.ReadDir(filepath.Dir(path))
	if !bytes.Equal(text, after) || len(files) != 1 {
		t.Errorf("after a failing write there are %v, the file holds %q", files, after)
	}
	if err := table.WriteCSVFile(filepath.Join(path, "below", "a.csv")); err == nil {
		t.Error("WriteCSVFile below a file succeeds")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

type broken struct{ io.Reader }

func (b broken) Read(p []byte) (int, error) {
	if n, err := b.Reader.Read(p); err == nil {
		return n, nil
	}
	return 0, errors.New("connection lost")
}

func TestCSVInputAndOutputFail(t *testing.T) {
	if err := must(t, discrete("x", 0)).WriteCSV(full{}); err == nil ||
		!strings.Contains(err.Error(), "write CSV: disk full") {
		t.Errorf("WriteCSV = %v", err)
	}
	for _, text := range []string{"", "a\n1\n", "a\n\"1\"\n"} {
		if _, err := data.ReadCSV(broken{strings.NewReader(text)}, nil); err == nil ||
			!strings.Contains(err.Error(), "connection lost") {
			t.Errorf("ReadCSV of %q = %v", text, err)
		}
	}
}

func TestWriteCSV(t *testing.T) {
	odd := data.Column{Var: bn.Discrete("a, \"b\"\nc", " x", "y,z", "\"", "\ufeff"), States: []bn.State{0, 1, 2, 3, m}}
	table, _ := must(t, odd, continuous("y", 1, 2, 3, 4, 5)).WithWeights([]float64{1, 0.5, 2, 1, 0})
	var b bytes.Buffer
	if err := table.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	want := "\"a, \"\"b\"\"\nc\",y,weight\n\" x\",1,1\n\"y,z\",2,0.5\n\"\"\"\",3,2\n\"\ufeff\",4,1\n,5,0\n"
	if b.String() != want {
		t.Errorf("WriteCSV = %q, want %q", b.String(), want)
	}
	back, err := data.ReadCSV(bytes.NewReader(b.Bytes()), &data.CSVOptions{States: data.StatesOf(table.Variables()...),
		Continuous: []string{"y"}, Weight: "weight", KeepSpace: true})
	if err != nil || back.Hash() != table.Hash() {
		t.Errorf("read back %v, %v", back, err)
	}
	for _, test := range []struct {
		name  string
		table *data.Table
		want  string
	}{
		{"NA", must(t, data.Column{Var: bn.Discrete("x", "NA"), States: []bn.State{0, m}}),
			`the state "NA" of column "x" would be read as a missing cell; rename it`},
		{"spaces", must(t, data.Column{Var: bn.Discrete("x", "a", " null "), States: []bn.State{0, 0}}),
			`the state " null " of column "x"`},
		{"semicolon", must(t, data.Column{Var: bn.Discrete("x;y", "a"), States: []bn.State{0}}),
			`the name "x;y" of the only column`},
		{"zero", must(t, data.Column{Var: bn.Discrete("\x00x", "a", "b"), States: []bn.State{0}}), "a zero byte"},
		{"return", must(t, data.Column{Var: bn.Discrete("x", "a\rb"), States: []bn.State{0}}), "carriage return"},
		{"encoding", must(t, data.Column{Var: bn.Continuous("\xff"), Values: []float64{0}}), "not UTF-8"},
	} {
		if err := test.table.WriteCSV(io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: WriteCSV = %v, want %q", test.name, err, test.want)
		}
	}
	b.Reset()
	if err := must(t, discrete("x", 0, m)).WriteCSV(&b); err != nil || b.String() != "x\na\nNA\n" {
		t.Errorf("WriteCSV of one column = %q, %v", b.String(), err)
	}
}

// A file of many buffers: every place of a cell and a line in the buffer occurs,
// rows grow beyond the first guess, and quotes begin late.
func TestReadLargeCSV(t *testing.T) {
	net := alarmNet(t)
	table, err := data.Sample(net, 12_345, rand.NewPCG(5, 0))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := table.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	opts := &data.CSVOptions{States: data.StatesOf(net.Variables()...)}
	path := filepath.Join(t.TempDir(), "alarm.csv")
	text := b.String()
	half := strings.Index(text[len(text)/2:], "TRUE") + len(text)/2
	for name, text := range map[string]string{
		"plain":        text,
		"CRLF":         strings.ReplaceAll(text, "\n", "\r\n"),
		"late quote":   text[:half] + `"TRUE"` + text[half+4:],
		"short header": strings.TrimSuffix(text, "\n"),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := data.ReadCSVFile(path, opts)
		if err != nil || got.Hash() != table.Hash() {
			t.Errorf("%s: read back another table, error %v", name, err)
		}
		if got, err = data.ReadCSV(strings.NewReader(text), opts); err != nil || got.Hash() != table.Hash() {
			t.Errorf("%s: read back another table, error %v", name, err)
		}
	}
	odd, err := data.ReadCSV(strings.NewReader("a;b,c\n1,2\n"), nil)
	if err != nil || odd.Columns()[0].Var.Name != "a;b" {
		t.Errorf("a semicolon in one of two names: %v", err)
	}
	long := strings.Repeat("x", 1<<20)
	row, err := data.ReadCSV(strings.NewReader("a,b\n1,"+long+"y\n"), nil)
	if err != nil || len(row.Columns()[1].Var.States[0]) != 1<<20+1 {
		t.Errorf("a line longer than the buffer: %v", err)
	}
	got, err := data.ReadCSV(strings.NewReader("a,"+long+"\n1,"+long+"y\n"), nil)
	if err != nil || len(got.Columns()[1].Var.Name) != 1<<20 || len(got.Columns()[1].Var.States[0]) != 1<<20+1 {
		t.Errorf("lines longer than the buffer: %v", err)
	}
}

// TestStatesWithSpace: states that differ in the white space around them are told apart where they
// are declared, quoted or not; any other cell loses its white space.
// The lists of hidden variables are left aside.
func TestStatesOfHidden(t *testing.T) {
	states := map[string][]string{"a": {"y", "x"}, "h": {"0", "1"}}
	got, err := data.ReadCSV(strings.NewReader("a\nx\n"), &data.CSVOptions{States: states, Hidden: []string{"h"}})
	if err != nil || len(got.Variables()) != 1 || !slices.Equal(got.Variables()[0].States, states["a"]) {
		t.Errorf("%v, error %v", got, err)
	}
	if _, err := data.ReadCSV(strings.NewReader("a\nx\n"), &data.CSVOptions{States: states}); err == nil ||
		!strings.Contains(err.Error(), "in CSVOptions.Hidden too") {
		t.Errorf("not named as hidden: %v", err)
	}
	if _, err := data.ReadCSV(strings.NewReader("a,h\nx,0\n"), &data.CSVOptions{States: states,
		Hidden: []string{"h"}}); err == nil || !strings.Contains(err.Error(), `column "h" is there`) {
		t.Errorf("hidden and there: %v", err)
	}
}

func TestStatesWithSpace(t *testing.T) {
	for _, c := range []struct {
		states []string
		want   []bn.State
	}{
		{[]string{"a", "a ", " b"}, []bn.State{0, 1, 0, 2, m, m, 1}},
		{[]string{"a", "b", "NA "}, []bn.State{0, 0, 0, 1, 2, m, 0}},
	} {
		got, err := data.ReadCSV(strings.NewReader("x,y\na,1\na ,1\n a,1\n b,1\nNA ,1\nNA,1\n\"a \",1\n"),
			&data.CSVOptions{States: map[string][]string{"x": c.states}})
		if err != nil {
			t.Fatal(err)
		}
		if x := got.Columns()[0]; !slices.Equal(x.States, c.want) {
			t.Errorf("%q: %v, want %v", c.states, x.States, c.want)
		}
	}
}
