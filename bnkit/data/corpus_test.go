package data_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// A dialect is how a program writes a table, by its documentation.
type dialect struct {
	tool    string // as docs/formats.md lists it
	how     string // the call or the menu
	comma   string
	decimal string
	end     string // of lines
	quote   string // "needed", "text", "all" or "never"
	escape  string // before a quote inside of quotes; empty is another quote
	missing string
	no, yes string
	rows    string // names of rows: "" none, "unnamed", "short" for a header that leaves them out, "named"
	ones    bool   // whole numbers are written as 1.0 where the column has a gap, as pandas does
	mark    string // before the text
	encode  func(string) string
	after   string                 // at the end of each line, also of the header
	opts    func(*data.CSVOptions) // what a user has to say, nil for nothing
}

func utf16le(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func windows1252(s string) string { // ü and é are as in ISO 8859-1
	var b []byte
	for _, r := range s {
		b = append(b, byte(r))
	}
	return string(b)
}

func ansi(o *data.CSVOptions) { o.Encoding = "windows-1252" }

// Sources: the references of pandas.DataFrame.to_csv, R's write.table (?write.table), readr and data.table (?fwrite),
// polars.DataFrame.write_csv, DuckDB's COPY, Spark's "CSV Files" (data source options), IBM's SAVE TRANSLATE, Stata's
// export delimited, SAS's PROC EXPORT, psql's --csv and \copy, MySQL's --batch and INTO OUTFILE, SQLite's .mode,
// Microsoft's "File formats that are supported in Excel", LibreOffice's export filter options.
var dialects = []dialect{
	{tool: "pandas", how: "to_csv(path)", comma: ",", decimal: ".", end: "\n", quote: "needed", no: "False",
		yes:  "True",
		rows: "unnamed", ones: true},
	{tool: "pandas", how: "to_csv(path, index=False)", comma: ",", decimal: ".", end: "\n", quote: "needed",
		no:  "False",
		yes: "True", ones: true},
	{tool: "pandas", how: "na_rep='NaN', QUOTE_NONNUMERIC", comma: ",", decimal: ".", end: "\n", quote: "text",
		missing: "NaN", no: "False", yes: "True", rows: "unnamed", ones: true},
	{tool: "pandas", how: "sep=';', decimal=','", comma: ";", decimal: ",", end: "\n", quote: "needed", no: "False",
		yes: "True", rows: "unnamed", ones: true},
	{tool: "pandas", how: "sep='\\t', lineterminator='\\r\\n'", comma: "\t", decimal: ".", end: "\r\n", quote: "needed",
		no: "False", yes: "True", ones: true},
	{tool: "pandas", how: "encoding='utf-8-sig', QUOTE_ALL", comma: ",", decimal: ".", end: "\n", quote: "all",
		no: "False", yes: "True", mark: "\ufeff"},
	{tool: "pandas", how: "encoding='utf-16'", comma: ",", decimal: ".", end: "\n", quote: "needed", no: "False",
		yes: "True", rows: "unnamed", mark: "\ufeff", encode: utf16le},
	{tool: "R", how: "write.csv(x)", comma: ",", decimal: ".", end: "\n", quote: "text", missing: "NA", no: "FALSE",
		yes: "TRUE", rows: "unnamed"},
	{tool: "R", how: "write.csv(x, row.names = FALSE)", comma: ",", decimal: ".", end: "\n", quote: "text",
		missing: "NA", no: "FALSE", yes: "TRUE"},
	{tool: "R", how: "write.csv(x, fileEncoding = \"latin1\")", comma: ",", decimal: ".", end: "\n", quote: "text",
		missing: "NA", no: "FALSE", yes: "TRUE", rows: "unnamed", encode: windows1252, opts: ansi},
	{tool: "R", how: "write.csv2(x)", comma: ";", decimal: ",", end: "\n", quote: "text", missing: "NA", no: "FALSE",
		yes: "TRUE", rows: "unnamed"},
	{tool: "R", how: "write.csv2(x, row.names = FALSE, na = \"\")", comma: ";", decimal: ",", end: "\n", quote: "text",
		no: "FALSE", yes: "TRUE"},
	{tool: "R", how: "write.table(x, qmethod = \"double\")", comma: " ", decimal: ".", end: "\n", quote: "text",
		missing: "NA", no: "FALSE", yes: "TRUE", rows: "short"},
	{tool: "R", how: "write.table(x)", comma: " ", decimal: ".", end: "\n", quote: "text", escape: `\`,
		missing: "NA", no: "FALSE", yes: "TRUE", rows: "short"},
	{tool: "R", how: "write.table(x, sep = \"\\t\", qmethod = \"double\")", comma: "\t", decimal: ".", end: "\n",
		quote: "text", missing: "NA", no: "FALSE", yes: "TRUE", rows: "short"},
	{tool: "R", how: "write.table(sep = \",\", eol = \"\\r\", col.names = NA)", comma: ",", decimal: ".", end: "\r",
		quote: "text", missing: "NA", no: "FALSE", yes: "TRUE", rows: "unnamed"},
	{tool: "R", how: "write.table(sep = \"\\t\", quote = FALSE, row.names = FALSE)", comma: "\t", decimal: ".",
		end:   "\n",
		quote: "never", missing: "NA", no: "FALSE", yes: "TRUE"},
	{tool: "R", how: "readr::write_csv(x)", comma: ",", decimal: ".", end: "\n", quote: "needed", missing: "NA",
		no: "FALSE", yes: "TRUE"},
	{tool: "R", how: "readr::write_csv2(x)", comma: ";", decimal: ",", end: "\n", quote: "needed", missing: "NA",
		no: "FALSE", yes: "TRUE"},
	{tool: "R", how: "readr::write_excel_csv(x)", comma: ",", decimal: ".", end: "\n", quote: "needed", missing: "NA",
		no: "FALSE", yes: "TRUE", mark: "\ufeff"},
	{tool: "R", how: "data.table::fwrite(x)", comma: ",", decimal: ".", end: "\n", quote: "needed", no: "FALSE",
		yes: "TRUE"},
	{tool: "R", how: "data.table::fwrite(x, sep = \"|\")", comma: "|", decimal: ".", end: "\n", quote: "needed",
		no: "FALSE", yes: "TRUE"},
	{tool: "Excel", how: "CSV UTF-8", comma: ",", decimal: ".", end: "\r\n", quote: "needed", no: "FALSE", yes: "TRUE",
		mark: "\ufeff"},
	{tool: "Excel", how: "CSV UTF-8, decimal comma", comma: ";", decimal: ",", end: "\r\n", quote: "needed",
		no:  "FALSE",
		yes: "TRUE", mark: "\ufeff"},
	{tool: "Excel", how: "CSV", comma: ",", decimal: ".", end: "\r\n", quote: "needed", no: "FALSE", yes: "TRUE",
		encode: windows1252, opts: ansi},
	{tool: "Excel", how: "CSV, decimal comma, German", comma: ";", decimal: ",", end: "\r\n", quote: "needed",
		no: "FALSCH", yes: "WAHR", encode: windows1252, opts: ansi},
	{tool: "Excel", how: "CSV, empty columns at the end", comma: ",", decimal: ".", end: "\r\n", quote: "needed",
		no: "FALSE", yes: "TRUE", mark: "\ufeff", after: ",,"},
	{tool: "Excel", how: "Unicode Text", comma: "\t", decimal: ".", end: "\r\n", quote: "needed", no: "FALSE",
		yes: "TRUE", mark: "\ufeff", encode: utf16le},
	{tool: "Excel", how: "Unicode Text, decimal comma", comma: "\t", decimal: ",", end: "\r\n", quote: "needed",
		no: "FALSE", yes: "TRUE", mark: "\ufeff", encode: utf16le},
	{tool: "Excel", how: "CSV (Macintosh)", comma: ",", decimal: ".", end: "\r", quote: "needed", no: "FALSE",
		yes: "TRUE", encode: windows1252, opts: ansi},
	{tool: "Excel", how: "#N/A in cells", comma: ",", decimal: ".", end: "\r\n", quote: "needed", missing: "#N/A",
		no: "FALSE", yes: "TRUE", mark: "\ufeff"},
	{tool: "LibreOffice", how: "Text CSV", comma: ",", decimal: ".", end: "\n", quote: "needed", no: "FALSE",
		yes: "TRUE"},
	{tool: "LibreOffice", how: "quote all text cells, semicolon, decimal comma", comma: ";", decimal: ",", end: "\n",
		quote: "text", no: "FALSE", yes: "TRUE"},
	{tool: "LibreOffice", how: "tab, UTF-16", comma: "\t", decimal: ".", end: "\n", quote: "needed", no: "FALSE",
		yes: "TRUE", mark: "\ufeff", encode: utf16le},
	{tool: "polars", how: "write_csv(path)", comma: ",", decimal: ".", end: "\n", quote: "needed", no: "false",
		yes: "true"},
	{tool: "polars", how: "separator=';', decimal_comma=True, include_bom=True", comma: ";", decimal: ",", end: "\n",
		quote: "needed", no: "false", yes: "true", mark: "\ufeff"},
	{tool: "polars", how: "null_value='null', quote_style='non_numeric'", comma: ",", decimal: ".", end: "\n",
		quote: "text", missing: "null", no: "false", yes: "true"},
	{tool: "DuckDB", how: "COPY … TO (HEADER)", comma: ",", decimal: ".", end: "\n", quote: "needed", no: "false",
		yes: "true"},
	{tool: "DuckDB", how: "DELIMITER '|', NULLSTR 'NULL'", comma: "|", decimal: ".", end: "\n", quote: "needed",
		missing: "NULL", no: "false", yes: "true"},
	{tool: "DuckDB", how: "FORCE_QUOTE *", comma: ",", decimal: ".", end: "\n", quote: "all", no: "false", yes: "true"},
	{tool: "Spark", how: "header, escape '\"'", comma: ",", decimal: ".", end: "\n", quote: "needed", no: "false",
		yes: "true"},
	{tool: "Spark", how: "header", comma: ",", decimal: ".", end: "\n", quote: "needed", escape: `\`, no: "false",
		yes: "true"},
	{tool: "Spark", how: "sep '\\t', nullValue 'NULL', escape '\"'", comma: "\t", decimal: ".", end: "\n",
		quote: "needed", missing: "NULL", no: "false", yes: "true"},
	{tool: "SPSS", how: "SAVE TRANSLATE /TYPE=CSV /FIELDNAMES", comma: ",", decimal: ".", end: "\r\n", quote: "needed",
		missing: " ", no: "0", yes: "1", mark: "\ufeff"},
	{tool: "SPSS", how: "DECIMAL=COMMA", comma: ";", decimal: ",", end: "\r\n", quote: "needed", missing: " ", no: "0",
		yes: "1", mark: "\ufeff"},
	{tool: "SPSS", how: "#NULL! of an export by way of Excel", comma: ",", decimal: ".", end: "\r\n", quote: "needed",
		missing: "#NULL!", no: "0", yes: "1"},
	{tool: "Stata", how: "export delimited", comma: ",", decimal: ".", end: "\n", quote: "needed", no: "0", yes: "1"},
	{tool: "Stata", how: "outsheet, comma", comma: ",", decimal: ".", end: "\n", quote: "text", missing: ".", no: "0",
		yes: "1"},
	{tool: "SAS", how: "PROC EXPORT DBMS=CSV", comma: ",", decimal: ".", end: "\r\n", quote: "needed", missing: " ",
		no: "0", yes: "1"},
	{tool: "SAS", how: "PROC EXPORT DBMS=DLM, DELIMITER=';', MISSING='.'", comma: ";", decimal: ".", end: "\n",
		quote: "needed", missing: ".", no: "0", yes: "1"},
	{tool: "PostgreSQL", how: "psql --csv, \\copy … CSV HEADER", comma: ",", decimal: ".", end: "\n", quote: "needed",
		no: "f", yes: "t"},
	{tool: "PostgreSQL", how: "COPY … TEXT, HEADER", comma: "\t", decimal: ".", end: "\n", quote: "never",
		missing: `\N`, no: "f", yes: "t"},
	{tool: "MySQL", how: "mysql --batch", comma: "\t", decimal: ".", end: "\n", quote: "never", missing: "NULL",
		no:  "0",
		yes: "1"},
	{tool: "SQLite", how: ".mode csv, .headers on", comma: ",", decimal: ".", end: "\r\n", quote: "needed", no: "0",
		yes: "1"},
	{tool: "SQLite", how: ".mode list, .headers on", comma: "|", decimal: ".", end: "\n", quote: "never", no: "0",
		yes: "1"},
	{tool: "SQL Server", how: "sqlcmd, Management Studio: results to file", comma: ",", decimal: ".", end: "\r\n",
		quote: "needed", missing: "NULL", no: "0", yes: "1", mark: "\ufeff"},
}

// A field is a column of a table with the columns that it is to be read as.
type field struct {
	name  string
	cells []any // string, float64, int, bool; nil is missing
}

// tables are what each program writes.
var tables = []struct {
	name   string
	fields []field
}{
	{"clinic", []field{
		{"ward", []any{"south", "north", nil, "south", "east"}},
		{"dose", []any{0.5, nil, 2.25, 10.0, 0.125}},
		{"visits", []any{1, 3, 2, 1, 3}},
		{"ill", []any{true, false, false, true, true}},
	}},
	{"letters", []field{
		{"größe", []any{"klein", "groß", "mittel größer", nil}},
		{"café", []any{"é", "è", "é", "è"}},
		{"x", []any{-1.5, 2.5e-3, 1e6, nil}},
	}},
	{"signs", []field{
		{"place", []any{"north, upper", "south; lower", "east|west", "a\tb", `"old" town`}},
		{"n", []any{nil, 0, 1, 2, 0}},
		{"y", []any{1.5, 2.5, 3.5, nil, nil}},
	}},
	{"many numbers", []field{
		{"age", func() (cells []any) {
			for i := range 30 {
				cells = append(cells, 20+i)
			}
			return append(cells, nil)
		}()},
		{"score", func() (cells []any) {
			for i := range 30 {
				cells = append(cells, float64(i)/8)
			}
			return append(cells, nil)
		}()},
		{"sex", func() (cells []any) {
			for i := range 31 {
				cells = append(cells, []string{"f", "m"}[i%2])
			}
			return cells
		}()},
	}},
}

// text is a cell as the program writes it, and whether it quotes the cell as text.
func (d *dialect) text(cell any, gap bool) (text string, isText bool) {
	switch cell := cell.(type) {
	case nil:
		return d.missing, false
	case string:
		return cell, true
	case bool:
		return map[bool]string{false: d.no, true: d.yes}[cell], false
	case int:
		if d.ones && gap {
			return strconv.Itoa(cell) + d.decimal + "0", false
		}
		return strconv.Itoa(cell), false
	}
	return strings.ReplaceAll(strconv.FormatFloat(cell.(float64), 'f', -1, 64), ".", d.decimal), false
}

// write is the file.
func (d *dialect) write(fields []field) string {
	quoted := func(text string, isText bool) string {
		need := strings.ContainsAny(text, d.comma+"\"\r\n") || d.quote == "all" && text != "" ||
			d.quote == "text" && isText
		if need && d.quote != "never" {
			return `"` + strings.ReplaceAll(text, `"`, cmp.Or(d.escape, `"`)+`"`) + `"`
		}
		return text
	}
	var b strings.Builder
	var line []string
	if d.rows == "unnamed" {
		line = append(line, quoted("", d.quote == "text" && d.tool == "R"))
	}
	for _, f := range fields {
		line = append(line, quoted(f.name, true))
	}
	b.WriteString(strings.Join(line, d.comma) + d.after + d.end)
	for row := range fields[0].cells {
		line = line[:0]
		if d.rows != "" {
			line = append(line, quoted(strconv.Itoa(row), d.tool == "R"))
		}
		for _, f := range fields {
			line = append(line, quoted(d.text(f.cells[row], slices.Contains(f.cells, nil))))
		}
		b.WriteString(strings.Join(line, d.comma) + d.after + d.end)
	}
	text := d.mark + b.String()
	if d.encode != nil {
		text = d.encode(text)
	}
	return text
}

// meant is the column that the program meant.
func (d *dialect) meant(f field) string {
	var states []string
	part, whole := false, make(map[int]bool)
	for _, cell := range f.cells {
		switch cell := cell.(type) {
		case float64:
			part = true
		case int:
			whole[cell] = true
		}
		if text, _ := d.text(cell, slices.Contains(f.cells, nil)); cell != nil && !slices.Contains(states, text) {
			states = append(states, text)
		}
	}
	if part || len(whole) > 20 {
		var values []float64
		for _, cell := range f.cells {
			switch cell := cell.(type) {
			case nil:
				values = append(values, math.NaN())
			case int:
				values = append(values, float64(cell))
			case float64:
				values = append(values, cell)
			}
		}
		return fmt.Sprint(f.name, " ", values)
	}
	slices.Sort(states) // no state of the tables has two digits
	var cells []bn.State
	for _, cell := range f.cells {
		at := bn.Missing
		if text, _ := d.text(cell, slices.Contains(f.cells, nil)); cell != nil {
			at = bn.State(slices.Index(states, text))
		}
		cells = append(cells, at)
	}
	return fmt.Sprint(f.name, " ", states, cells)
}

// Each program's file is read as the program meant it.
func TestFilesOfTools(t *testing.T) {
	files := 0
	for _, d := range dialects {
		for _, table := range tables {
			if table.name == "signs" && d.quote == "never" || table.name == "letters" && d.how == "CSV (Macintosh)" {
				continue // such a file cannot hold them, or has another encoding
			}
			files++
			text := d.write(table.fields)
			opts := quiet(nil)
			if d.opts != nil {
				d.opts(opts)
			}
			got, err := data.ReadCSV(bytes.NewReader([]byte(text)), opts)
			if err != nil {
				t.Errorf("%s, %s, %s: %v\n%q", d.tool, d.how, table.name, err, text)
				continue
			}
			var want, have []string
			for _, f := range table.fields {
				want = append(want, d.meant(f))
			}
			for _, c := range got.Columns() {
				if c.Var.IsDiscrete() {
					have = append(have, fmt.Sprint(c.Var.Name, " ", c.Var.States, c.States))
				} else {
					have = append(have, fmt.Sprint(c.Var.Name, " ", c.Values))
				}
			}
			if !slices.Equal(have, want) {
				t.Errorf("%s, %s, %s:\n%q\n got %s\nwant %s", d.tool, d.how, table.name, text, have, want)
			}
		}
	}
	if files < 100 {
		t.Errorf("%d files", files)
	}
	t.Log(files, "files")
}

// docs/formats.md names each program and way that was tried.
func TestFilesOfToolsInDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dialects {
		row := "\n| " + d.tool + " | "
		at := strings.Index(string(page), row)
		if at < 0 {
			t.Errorf("docs/formats.md has no row of %s", d.tool)
			continue
		}
		line, _, _ := strings.Cut(string(page[at+1:]), "\n")
		if !strings.Contains(strings.ReplaceAll(line, `\|`, "|"), "`"+d.how+"`") && !strings.Contains(line, d.how) {
			t.Errorf("the row of %s does not name %s", d.tool, d.how)
		}
	}
}
