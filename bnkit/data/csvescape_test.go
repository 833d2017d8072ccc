package data_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"bnlab/bnkit/data"
)

// TestBackslashQuotes reads quotes that are escaped by a backslash: what R's write.table and Spark write by default.
// Where a file can be read as RFC 4180 has it, it is.
func TestBackslashQuotes(t *testing.T) {
	const note = `have a backslash before them`
	tests := []struct {
		name, text string
		want       string // the cells of column a by row
		noted      bool
	}{
		{"R", `"a" "b"` + "\n" + `"1" "say \"hi\"" 1` + "\n" + `"2" "plain" 2` + "\n" + `"3" "5\"" 3` + "\n",
			`say "hi"|plain|5"`, true},
		{"Spark", "a,b\n" + `"say \"hi\", twice",1` + "\n" + `plain,2` + "\n", `say "hi", twice|plain`, true},
		{"inches first", "a,b\n" + `"5\"",1` + "\n" + `"6\"",2` + "\n", `5"|6"`, true},
		{"a backslash at the end", "a,b\n" + `"c:\\",1` + "\n" + `"\"x\"",2` + "\n", `c:\|"x"`, true},
		{"backslash and quote", "a,b\n" + `"1\\\"2",1` + "\n", `1\"2`, true},
		{"other backslashes", "a,b\n" + `"\d\\w \"x\"",1` + "\n", `\d\\w "x"`, true},
		{"line feeds in quotes", "a,b\n\"x\n\\\"y\\\"\nz\",1\n", "x\n\"y\"\nz", true},
		{"paths as they stand", "a,b\n" + `"c:\",1` + "\n" + `"d:\",2` + "\n", `c:\|d:\`, false},
		{"doubled", "a,b\n" + `"say ""hi""",1` + "\n" + `"\""",2` + "\n", `say "hi"|\"`, false},
		{"doubled after a backslash", "a,b\n" + `"x\""y""",1` + "\n", `x\"y"`, false},
		{"late", "a,b\n" + strings.Repeat("\"plain\",1\n", 20_000) + `"\"x\"",2` + "\n", `"x"`, true},
		{"in a long cell", "a,b\n\"" + strings.Repeat("long\n", 50_000) + `\"x\"",2` + "\n", `"x"`, true},
	}
	for _, test := range tests {
		for _, slowly := range []bool{false, true} {
			var notes []string
			opts := &data.CSVOptions{Discrete: []string{"a"}, Note: func(s string) { notes = append(notes, s) }}
			var r = fmt.Sprintf("%s, slowly %v", test.name, slowly)
			in := iotest.DataErrReader(strings.NewReader(test.text))
			if slowly {
				in = iotest.OneByteReader(strings.NewReader(test.text))
			}
			table, err := data.ReadCSV(in, opts)
			if err != nil {
				t.Errorf("%s: %v", r, err)
				continue
			}
			c, err := table.Column("a")
			if err != nil {
				t.Fatal(err)
			}
			var cells []string
			for row := range table.Rows() {
				cells = append(cells, c.Text(row))
			}
			if got := strings.Join(cells, "|"); !strings.HasSuffix(got, test.want) {
				t.Errorf("%s: got %.200q, want %q", r, got, test.want)
			}
			if got := strings.Contains(strings.Join(notes, "\n"), note); got != test.noted {
				t.Errorf("%s: notes %q", r, notes)
			}
		}
	}
	_, err := data.ReadCSV(strings.NewReader("a,b\n"+`"x\"y",1`+"\n"+`"x"y",1`+"\n"), nil)
	if err == nil || !strings.Contains(err.Error(), `line 2, row 1: extraneous or missing " in quoted-field`) {
		t.Errorf("neither way: error %v", err)
	}
}
