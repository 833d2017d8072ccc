package data

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/charset"
	"bnlab/internal/say"
)

// recode returns a reader of the input, of which b was read from r, as UTF-8 with line feeds, nil if it is that
// already.
func (p *csvParser) recode(b []byte, r io.Reader) (io.Reader, error) {
	if err := p.isOther(b); err != nil {
		return nil, err
	}
	encoding, mark := charset.Mark(b)
	if p.opts.Encoding != "" && mark == 0 {
		var err error
		if encoding, err = charset.Parse(p.opts.Encoding); err != nil {
			return nil, say.Errorf("data: %s%w", p.prefix(), err)
		}
	}
	if mark == 0 && encoding == charset.UTF8 && len(b) >= 2 && (b[0] == 0) != (b[1] == 0) {
		return nil, say.Errorf("data: %sthe text looks like UTF-16 without a byte order mark: %w; save it as UTF-8, "+
			"or set CSVOptions.Encoding to \"utf-16le\"", p.prefix(), ErrEncoding)
	}
	cr := encoding == charset.UTF8 && charset.EndsInCR(b)
	if encoding == charset.UTF8 && !cr {
		return nil, nil
	}
	all := io.MultiReader(bytes.NewReader(bytes.Clone(b[mark:])), r)
	if encoding == charset.UTF8 {
		return charset.NewReader(all, encoding, true), nil
	}
	text := charset.NewReader(all, encoding, false)
	start := make([]byte, 1<<16)
	n, err := io.ReadFull(text, start)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, p.readError(err)
	}
	all = io.MultiReader(bytes.NewReader(start[:n]), text)
	if charset.EndsInCR(start[:n]) {
		all = charset.NewReader(all, charset.UTF8, true)
	}
	return all, nil
}

// guessComma sets the separator that cuts a header in one piece most often.
func (p *csvParser) guessComma(header string) {
	most := 0
	for _, c := range []byte(";\t|") {
		if n := strings.Count(header, string(rune(c))); n > most {
			p.comma, most = c, n
		}
	}
}

// separateBySpace reports whether the header is names in quotes with spaces or other separators between them, which
// is then the separator.
func (p *csvParser) separateBySpace(b []byte) bool {
	for _, c := range []byte(" ;\t|") {
		r := csv.NewReader(bytes.NewReader(b))
		r.Comma = rune(c)
		if names, err := r.Read(); err == nil && len(names) > 1 && b[0] == '"' {
			p.comma = c
			return true
		}
	}
	return false
}

// guessDecimal finds whether the decimal point is a comma: where cells are separated by something else, a cell
// is a number with a comma that does not separate thousands, and none is a number with a point.
func (p *csvParser) guessDecimal(b []byte) {
	if p.opts.Decimal != 0 || p.comma == ',' {
		return
	}
	found := false
	var dotted []byte // a number with a point that may separate thousands
	for len(b) > 0 {
		at := bytes.IndexAny(b, "\n"+string(rune(p.comma)))
		if at < 0 {
			at = len(b) - 1
		}
		cell := bytes.Trim(b[:at+1], "\" \r\n"+string(rune(p.comma)))
		b = b[at+1:]
		if bytes.IndexByte(cell, '.') >= 0 {
			if _, ok := parseNumber(cell); ok && !thousands(cell, '.') {
				return
			} else if ok && dotted == nil {
				dotted = cell
			}
		} else if bytes.IndexByte(cell, ',') >= 0 && !found {
			_, ok := parseDecimal(cell)
			found = ok && !thousands(cell, ',')
		}
	}
	if !found && dotted != nil {
		p.note("cells are separated by %q, and numbers such as %s are read as decimals; if the point separates "+
			"thousands, take it out", p.comma, dotted)
	}
	if p.decimal = found; found {
		p.note("cells are separated by %q and decimals by ','; CSVOptions.Decimal says it otherwise", p.comma)
	}
}

// thousands reports whether a number with a comma, or a point, may be a whole one: 1,000 but not 0,125 and 1,25.
func thousands(cell []byte, comma byte) bool {
	cell = bytes.TrimLeft(cell, "+-")
	at := bytes.IndexByte(cell, comma)
	return at >= 1 && at <= 3 && cell[0] != '0' && len(cell) == at+4
}

// checkNames refuses a header that is a case: of its names at least half are numbers, and these do not ascend as
// years and positions do. The options may name one of them.
func (p *csvParser) checkNames(names []string) error {
	var numbers []float64
	filled, whole := 0, true
	for _, name := range names {
		text := strings.TrimSpace(name)
		if text == "" {
			continue
		}
		filled++
		x, ok := p.parse([]byte(text))
		if !ok {
			continue
		}
		if p.named(name) {
			return nil
		}
		numbers = append(numbers, x)
		whole = whole && x == float64(int64(x))
	}
	if len(numbers) == 0 || 2*len(numbers) < filled {
		return nil
	}
	ascending := true
	for i := range numbers[1:] {
		ascending = ascending && numbers[i] < numbers[i+1]
	}
	if !ascending || !whole && len(numbers) < 5 {
		return say.Errorf("data: %sthe names of the columns are numbers (%s), as if the first line were a case; give "+
			"names in CSVOptions.Names, or name one of these in CSVOptions.Columns if it is a header", p.prefix(),
			say.List(names[:min(len(names), 10)]))
	}
	if p.opts.Columns == nil {
		p.note("the names of the columns are numbers (%s); if the first line is a case give names in CSVOptions.Names",
			say.List(names[:min(len(names), 10)]))
	}
	return nil
}

// withRowNames adds a column without a name where the rows have one cell more than the header has names: the first, as
// R writes names of rows, or the last, where it is empty, as after a separator at the end of each row.
func (p *csvParser) withRowNames(names []string, b []byte, eof bool) []string {
	rows, first := 0, true
	for rows < 5 && len(b) > 0 {
		cells, n, err := p.record(b)
		if err != nil || n == len(b) && !eof {
			break
		}
		b = b[n:]
		if len(cells) == 1 && cells[0] == "" {
			continue
		}
		if len(cells) != len(names)+1 {
			return names
		}
		first = first && cells[len(cells)-1] != ""
		rows++
	}
	switch {
	case rows < 2:
		return names
	case first:
		return append([]string{""}, names...)
	}
	return append(slices.Clone(names), "")
}

// checkDrop refuses to drop what is not there, or is to be read.
func (p *csvParser) checkDrop(names []string) error {
	for _, name := range p.opts.Drop {
		switch {
		case !slices.ContainsFunc(names, func(n string) bool { return n == name || string(p.trim([]byte(n))) == name }):
			return say.Errorf("data: %s%w: no column %q (there are: %s), but CSVOptions.Drop names it", p.prefix(),
				bn.ErrUnknownVariable, name, say.List(names))
		case slices.Contains(p.opts.Columns, name):
			return say.Errorf("data: %s%w: column %q is in CSVOptions.Columns and in CSVOptions.Drop", p.prefix(),
				bn.ErrDuplicate, name)
		}
	}
	return nil
}
