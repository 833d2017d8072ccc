package data_test

import (
	"fmt"
	"strings"
	"testing"

	"bnlab/bnkit/data"
)

// TestTopOfFile reads what tools write above the header, and refuses what would be misread.
func TestTopOfFile(t *testing.T) {
	for _, test := range []struct {
		name, text, want string // the variables, or a part of the error
		note             string
	}{
		{"Excel's separator", "sep=;\r\na;b\r\n1,5;x\r\n2,5;y\r\n", "[a (continuous) b {x, y}]", "decimals"},
		{"Excel's separator, quoted", "\"sep=|\"\r\na|b\r\nu|x\r\nv|y\r\n", "[a {u, v} b {x, y}]", ""},
		{"Excel's separator, a comma", "\ufeffsep=,\r\na,b\r\nu,x\r\nv,y\r\n", "[a {u, v} b {x, y}]", ""},
		{"comments", "# made by\n# me, on monday\n\na,b\nu,x\n", "[a {u} b {x}]", "line 2 begins with '#'"},
		{"a percent sign", "% made\na;b\nu;x\n", "[a {u} b {x}]", "line 1 begins with '%'"},
		{"comments and a header with a sign", "# made\n#a,b\nu,x\n", "[#a {u} b {x}]", "line 1"},
		{"a header with a sign", "#a,b\nu,x\n", "[#a {u} b {x}]", ""},
		{"a header with a sign and quotes", "#0,\"c,1\"\nu,x\n", "[#0 {u} c,1 {x}]", ""},
		{"one column with a sign", "#a\nu\nv\n", "[#a {u, v}]", ""},
		{"two byte order marks", "\ufeff\ufeffa,b\nu,x\n", "[a {u} b {x}]", ""},
		{"names by pandas", ",Unnamed: 0,a\n0,0,x\n1,1,y\n", "[a {x, y}]", "column 2 of 3 has no name"},
		{"a title", "Report of 2020,,\n,,\na,b,c\nx,1,u\n", "if it stands in another line remove those above", ""},
		{"the header again", "a,b\nu,x\nv,y\na,b\n", "row 3: the row is the header once more; leave it out", ""},
		{"the header again, numbers", "a,b\nu,1.5\na,b\nv,2.5\n",
			`row 2, column "b", value "b": the row is the header`, ""},
		{"a case like the header", "0,1\n0,1\n1,0\n", "[0 {0, 1} 1 {0, 1}]", "are numbers"},
		{"a first line of words", "yes,30-39,ge40\nno,40-49,ge40\nyes,30-39,ge40\n",
			"give names in CSVOptions.Names if the first line is a case", ""},
		{"a header of two lines", ",a,b\n,x,y\n0,1,2\n1,3,4\n", "as if the header took several lines", ""},
		{"points between thousands", "a;b\n1.234;x\n2.345;y\n", "[a (continuous) b {x, y}]",
			"if the point separates thousands, take it out"},
		{"decimals", "a;b\n1.234;x\n2.5;y\n", "[a (continuous) b {x, y}]", ""},
		{"spaces", "a b\n1 x 1.5\n2 y NA\n", "set CSVOptions.Comma to ' '", ""},
		{"a first line of numbers", "1,2,3\n4,5,6\n", "[1 {4} 2 {5} 3 {6}]", "if the first line is a case"},
		{"xlsx", "PK\x03\x04\x14\x00", "this is no CSV but a workbook", ""},
		{"gzip", "\x1f\x8b\x08\x00", "unpack it", ""},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", "save it as UTF-8", ""},
	} {
		var notes []string
		table, err := data.ReadCSV(strings.NewReader(test.text), &data.CSVOptions{Note: func(s string) {
			notes = append(notes, s)
		}})
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(table.Variables())
		}
		if !strings.Contains(got, test.want) || !strings.Contains(strings.Join(notes, " "), test.note) ||
			test.note == "" && len(notes) > 0 && err == nil {
			t.Errorf("%s: %s, notes %q; want %s and %q", test.name, got, notes, test.want, test.note)
		}
	}
}
