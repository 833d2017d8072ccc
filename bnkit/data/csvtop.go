package data

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// otherFiles are what files begin with that are no CSV.
var otherFiles = []struct{ start, what string }{
	{"PK\x03\x04", "a workbook or another archive (.xlsx, .ods, .zip); save the sheet as CSV"},
	{"\xd0\xcf\x11\xe0", "a workbook (.xls); save the sheet as CSV"},
	{"\x1f\x8b", "compressed by gzip; unpack it"},
	{"PAR1", "Parquet; read it by parquet.Read"},
	{"<!DOCTYPE", "a page of the web"}, {"<html", "a page of the web"},
	{"\xff\xfe\x00\x00", "UTF-32; save it as UTF-8"}, {"\x00\x00\xfe\xff", "UTF-32; save it as UTF-8"},
}

// isOther returns an error for a file that begins as no CSV does.
func (p *csvParser) isOther(b []byte) error {
	for _, other := range otherFiles {
		if bytes.HasPrefix(b, []byte(other.start)) {
			return say.Errorf("data: %sthis is no CSV but %s", p.prefix(), other.what)
		}
	}
	return nil
}

// above returns the length of what stands above the header: empty lines, the separator as Excel has it (sep=;), and
// comments. A line that begins with # is the header where the one after it has as many cells, unless a blank follows
// and the line before is a comment.
func (p *csvParser) above(b []byte) int {
	used, comments := 0, 0
	skip := func() {
		used += bytes.IndexByte(b[used:], '\n') + 1
		p.line++
	}
	for used < len(b) {
		line, rest, more := bytes.Cut(b[used:], []byte{'\n'})
		line = bytes.TrimSuffix(line, []byte{'\r'})
		sep, found := bytes.CutPrefix(bytes.Trim(line, `"`), []byte("sep="))
		switch {
		case !more:
			return used
		case len(line) == 0:
			skip()
		case found && len(sep) == 1 && used == 0 && (p.opts.Comma == 0 || p.opts.Comma == sep[0]):
			p.comma = sep[0]
			skip()
		case (line[0] == '#' || line[0] == '%') && !p.named(string(line)) &&
			(comments > 0 && len(line) > 1 && line[1] == ' ' || p.isComment(line, rest)):
			comments++
			p.note("line %d begins with %q and is left out", p.line, line[0])
			skip()
		default:
			return used
		}
	}
	return used
}

// isComment reports whether a line has another number of cells than the next one that does not begin so.
func (p *csvParser) isComment(line, rest []byte) bool {
	cells := func(b []byte, comma byte) int {
		r := csv.NewReader(bytes.NewReader(b))
		r.Comma = rune(comma)
		record, err := r.Read()
		if err != nil {
			return 0
		}
		return len(record)
	}
	sign := line[0]
	for next := rest; len(next) > 0; _, next, _ = bytes.Cut(next, []byte{'\n'}) {
		if next[0] == sign || next[0] == '\r' || next[0] == '\n' {
			continue
		}
		for _, c := range []byte{p.comma, ';', '\t', '|'} {
			if n := cells(next, c); n > 1 {
				return bytes.IndexByte(line, '"') < 0 && cells(line, c) != n
			}
		}
		return false
	}
	return false
}

// separatedBySpace returns an error for a single column whose name and cells are as many words each, as if spaces
// separated them.
func (p *csvParser) separatedBySpace(name string, b []byte) error {
	words := len(bytes.Fields([]byte(name)))
	if words < 2 || p.opts.Comma != 0 || p.named(name) {
		return nil
	}
	rows := 0
	for rows < 5 && len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte{'\n'})
		b = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if n := len(bytes.Fields(line)); n != words && n != words+1 {
			return nil
		}
		rows++
	}
	if rows < 2 {
		return nil
	}
	return say.Errorf("data: %sthe header has one column, %q, and each row as many words; if the cells are separated "+
		"by single spaces set CSVOptions.Comma to ' ', else save them with commas, or name the column in "+
		"CSVOptions.Columns", p.prefix(), say.Short(name))
}

// unnamedByPandas is a name that pandas gives to a column that has none.
var unnamedByPandas = regexp.MustCompile(`^Unnamed: \d+(_level_\d+)?$`)

// checkUnnamed refuses a header with two or more columns without a name, and with cells, after the first with one: it
// may be a title above the header.
func (p *csvParser) checkUnnamed() error {
	named, last, count := false, 0, 0
	for i := range p.cols {
		c := &p.cols[i]
		filled := false
		for _, h := range c.hashes[:min(len(c.hashes), p.row)] {
			filled = filled || h != 0
		}
		switch {
		case c.kind != csvUnnamed:
			named = true
		case named && filled:
			last = i
			count++
		}
	}
	if count < 2 {
		return nil
	}
	return say.Errorf("data: %sthe header has no name for %d of %d columns, such as the last, %d; if it stands in "+
		"another line remove those above, or leave the columns out by \"\" in CSVOptions.Drop", p.prefix(), count,
		len(p.cols), last+1)
}

// headerAgain returns an error for a row that is the header once more, as in files that were joined.
func (p *csvParser) headerAgain(cols []Column) error {
	if len(cols) < 2 {
		return nil
	}
	names := make([]bn.State, len(cols))
	for i, c := range cols {
		at := slices.Index(c.Var.States, c.Var.Name)
		if _, isNumber := p.parse([]byte(c.Var.Name)); at < 0 || isNumber {
			return nil // columns 0 and 1 may hold a case of 0 and 1
		}
		names[i] = bn.State(at)
	}
rows:
	for row := range p.row {
		for i, c := range cols {
			if c.States[row] != names[i] {
				continue rows
			}
		}
		return &ValueError{File: p.file, Row: p.before + row + 1, Err: errHeaderAgain}
	}
	return nil
}
