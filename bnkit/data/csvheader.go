package data

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// header reads the names of the columns from the start of b and returns how many
// bytes it used, or that it needs more of the input.
func (p *csvParser) header(b []byte, eof bool) (used int, more bool, err error) {
	for bytes.HasPrefix(b[used:], []byte("\xef\xbb\xbf")) {
		used += 3
	}
	if p.opts.Names != nil {
		p.guessDecimal(b[used:])
		return used, false, p.setColumns(p.opts.Names)
	}
	used += p.above(b[used:])
	rest := b[used:]
	if bytes.IndexByte(rest, '\n') < 0 && !eof {
		return 0, true, nil
	}
	if len(bytes.TrimRight(rest, "\r")) == 0 {
		return 0, false, say.Errorf("data: %sthe input is empty: %w", p.prefix(), ErrNoRows)
	}
	names, n, err := p.record(rest)
	if !eof && (errors.Is(err, csv.ErrQuote) || err == nil && n == len(rest)) {
		return 0, true, nil
	}
	if err != nil && p.opts.Comma == 0 && p.separateBySpace(rest) {
		names, n, err = p.record(rest)
	}
	if err != nil {
		return 0, false, p.csvError(err, p.line-1)
	}
	if len(names) == 1 && p.opts.Comma == 0 && !p.named(names[0]) {
		if p.guessComma(names[0]); p.comma != ',' {
			one := names
			if names, n, err = p.record(rest); err != nil {
				return 0, false, p.csvError(err, p.line-1)
			}
			if len(names) == 1 { // it is in quotes
				p.comma = ','
				return 0, false, p.headerColumns(one)
			}
		}
	}
	p.line += max(1, bytes.Count(rest[:n], []byte("\n")))
	if err := p.checkNames(names); err != nil {
		return 0, false, err
	}
	used += n
	rest = rest[n:]
	if len(names) == 1 {
		if err := p.separatedBySpace(names[0], rest); err != nil {
			return 0, false, err
		}
	}
	p.guessDecimal(rest)
	if areEscaped(rest, p.comma, eof) {
		rest = unescaped(bytes.Clone(rest))
	}
	return used, false, p.setColumns(p.withRowNames(names, rest, eof))
}

// record reads the first record of b and returns how many bytes it takes.
func (p *csvParser) record(b []byte) (cells []string, n int, err error) {
	end := bytes.IndexByte(b, '\n')
	if end < 0 {
		end = len(b) - 1
	}
	line := b[:end+1]
	if bytes.IndexByte(line, '"') < 0 {
		text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		return strings.Split(text, string(rune(p.comma))), len(line), nil
	}
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma = rune(p.comma)
	cells, err = r.Read()
	return cells, int(r.InputOffset()), err
}

// headerColumns refuses a single name that a separator would cut, unless the options name the
// column as it is.
func (p *csvParser) headerColumns(names []string) error {
	if p.comma == ',' && len(names) == 1 && !p.named(names[0]) {
		for _, other := range ";\t|" {
			if strings.ContainsRune(names[0], other) {
				return say.Errorf("data: %sthe header has one column, %q; if the cells are separated by %q, set "+
					"CSVOptions.Comma to it", p.prefix(), say.Short(names[0]), other)
			}
		}
	}
	return p.setColumns(names)
}

// named reports whether the options name a column.
func (p *csvParser) named(name string) bool {
	name = string(p.trim([]byte(name)))
	_, states := p.opts.States[name]
	return states || slices.Contains(slices.Concat(p.opts.Columns, p.opts.Discrete, p.opts.Continuous), name)
}

// setColumns makes the columns from the names and the options.
func (p *csvParser) setColumns(names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("data: CSVOptions.Names is empty")
	}
	if len(names) > p.opts.MaxColumns {
		return say.Errorf("data: %sthere are %d columns, more than %d; if this is no mistake raise "+
			"CSVOptions.MaxColumns",
			p.prefix(), len(names), p.opts.MaxColumns)
	}
	names = slices.Clone(names)
	at := make(map[string]int, len(names))
	var wanted map[string]bool
	if p.opts.Columns != nil {
		wanted = make(map[string]bool)
		for _, name := range append([]string{p.opts.Weight}, p.opts.Columns...) {
			wanted[name] = true
		}
		delete(wanted, "")
	}
	if err := p.checkDrop(names); err != nil {
		return err
	}
	p.cols = make([]csvColumn, len(names))
	for i, name := range names {
		if !p.opts.KeepSpace {
			name = strings.TrimSpace(name)
			names[i] = name
		}
		p.cols[i].name = name
		if wanted != nil && !wanted[name] || slices.Contains(p.opts.Drop, name) {
			p.cols[i].kind = csvSkip
			continue
		}
		if name == "" || unnamedByPandas.MatchString(name) && !p.named(name) {
			p.cols[i].kind = csvUnnamed
			continue
		}
		if !utf8.ValidString(name) {
			return say.Errorf("data: %sthe name %q of column %d is %w", p.prefix(), name, i+1, errText)
		}
		if first, ok := at[name]; ok {
			return say.Errorf("data: %s%w: columns %d and %d are both %q", p.prefix(), bn.ErrDuplicate, first+1, i+1,
				name)
		}
		at[name] = i
		p.cols[i].init()
	}
	find := func(name, option string) (*csvColumn, error) {
		if i, ok := at[name]; ok {
			return &p.cols[i], nil
		}
		if slices.Contains(p.opts.Drop, name) {
			return nil, say.Errorf("data: %s%w: column %q is in CSVOptions.%s and in CSVOptions.Drop", p.prefix(),
				bn.ErrUnknownVariable, name, option)
		}
		if slices.Contains(names, name) {
			return nil, say.Errorf("data: %s%w: column %q is in CSVOptions.%s, but not in CSVOptions.Columns",
				p.prefix(), bn.ErrUnknownVariable, name, option)
		}
		hidden := ""
		if option == "States" {
			hidden = "; name it in CSVOptions.Hidden too if it is hidden"
		}
		return nil, say.Errorf("data: %s%w: no column %q (there are: %s), but CSVOptions.%s names it%s", p.prefix(),
			bn.ErrUnknownVariable, name, say.List(names), option, hidden)
	}
	return p.declare(find)
}

// declare applies the options that name columns.
func (p *csvParser) declare(find func(name, option string) (*csvColumn, error)) error {
	for _, name := range p.opts.Columns {
		if _, err := find(name, "Columns"); err != nil {
			return err
		}
	}
	set := func(name, option string, rule csvRule) (*csvColumn, error) {
		c, err := find(name, option)
		if err != nil {
			return nil, err
		}
		if c.rule != csvGuess && c.rule != rule {
			return nil, say.Errorf("data: %s%w: column %q stands in CSVOptions.%s and in another list", p.prefix(),
				bn.ErrDuplicate, name, option)
		}
		c.rule = rule
		return c, nil
	}
	for _, name := range p.opts.Hidden {
		if _, err := find(name, "Hidden"); err == nil {
			return say.Errorf("data: %scolumn %q is there, but CSVOptions.Hidden names it; leave it out of Hidden",
				p.prefix(), name)
		}
	}
	for _, name := range sortedKeys(p.opts.States) {
		if slices.Contains(p.opts.Hidden, name) {
			continue
		}
		c, err := set(name, "States", csvDeclared)
		if err != nil {
			return err
		}
		v := bn.Variable{Name: name, States: p.opts.States[name]}
		if v.States == nil {
			v.States = []string{}
		}
		if err := v.Validate(); err != nil {
			return say.Errorf("data: CSVOptions.States: %w", err)
		}
		for _, text := range v.States {
			c.addText(text)
		}
	}
	for _, name := range p.opts.Discrete {
		if _, err := set(name, "Discrete", csvDiscrete); err != nil {
			return err
		}
	}
	for _, name := range p.opts.Continuous {
		c, err := set(name, "Continuous", csvContinuous)
		if err != nil {
			return err
		}
		c.kind = csvNumber
	}
	if p.opts.Weight != "" {
		c, err := set(p.opts.Weight, "Weight", csvWeight)
		if err != nil {
			return err
		}
		c.kind = csvNumber
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
