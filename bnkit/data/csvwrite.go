package data

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// WriteCSV writes a header and the rows, with state names, numbers in their
// shortest form that reads back the same, and nothing for a missing cell (NA in a
// table of one column, because an empty line is no row). Weights become a last
// column named weight. What is written is read back the same with the columns'
// states, names of continuous columns and KeepSpace given as options. Names and states are changed on the way by
// what else is given, such as [ForSpreadsheet].
//
// It returns an error, before it writes anything, for what would not read back the
// same: a state that is a sign for a missing value ([DefaultMissing]; quotes do not
// tell them apart, because many programs quote all cells), a name that is not UTF-8
// or holds a carriage return or a zero byte, which CSV does not keep, the name of an only column
// that another separator would cut, and a column named weight beside weights.
func (t *Table) WriteCSV(w io.Writer, change ...func(text string) string) error {
	gap := ""
	if len(t.cols) == 1 && t.weights == nil {
		gap = "NA"
	}
	texts, err := t.csvTexts(change)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	for i, c := range t.cols {
		if i > 0 {
			line = append(line, ',')
		}
		line = appendCell(line, changed(c.Var.Name, change))
	}
	if t.weights != nil {
		line = append(line, ",weight"...)
	}
	b.Write(append(line, '\n'))
	for row := range t.rows {
		line = line[:0]
		for i, c := range t.cols {
			if i > 0 {
				line = append(line, ',')
			}
			switch {
			case c.IsMissing(row):
				line = append(line, gap...)
			case texts[i] != nil:
				line = append(line, texts[i][c.States[row]]...)
			default:
				line = strconv.AppendFloat(line, c.Values[row], 'g', -1, 64)
			}
		}
		if t.weights != nil {
			line = append(line, ',')
			line = strconv.AppendFloat(line, t.weights[row], 'g', -1, 64)
		}
		if _, err := b.Write(append(line, '\n')); err != nil {
			return say.Errorf("data: write CSV: %w", err)
		}
	}
	if err := b.Flush(); err != nil {
		return say.Errorf("data: write CSV: %w", err)
	}
	return nil
}

// csvTexts returns the states of each column as cells, nil for a continuous one.
func (t *Table) csvTexts(change []func(string) string) ([][]string, error) {
	texts := make([][]string, len(t.cols))
	if len(t.cols) == 1 && t.weights == nil && strings.ContainsAny(t.cols[0].Var.Name, ";\t|") {
		return nil, say.Errorf("data: write CSV: the name %q of the only column would be read as several; rename it",
			t.cols[0].Var.Name)
	}
	signs := append(DefaultMissing(), "")
	for i, c := range t.cols {
		if c.Var.Name == "weight" && t.weights != nil {
			return nil, fmt.Errorf("data: write CSV: %w: the table has weights and a column named weight",
				bn.ErrDuplicate)
		}
		if err := writable(c.Var.Name); err != nil {
			return nil, say.Errorf("data: write CSV: the name of column %d: %w", i+1, err)
		}
		if !c.Var.IsDiscrete() {
			continue
		}
		texts[i] = []string{}
		for _, s := range c.Var.States {
			if err := writable(s); err != nil {
				return nil, say.Errorf("data: write CSV: a state of column %q: %w", c.Var.Name, err)
			}
			if slices.Contains(signs, strings.TrimSpace(s)) {
				return nil, say.Errorf("data: write CSV: the state %q of column %q would be read as a missing cell; "+
					"rename it",
					s, c.Var.Name)
			}
			texts[i] = append(texts[i], string(appendCell(nil, changed(s, change))))
		}
	}
	return texts, nil
}

func changed(text string, change []func(string) string) string {
	for _, f := range change {
		text = f(text)
	}
	return text
}

func writable(s string) error {
	if !utf8.ValidString(s) {
		return say.Errorf("%q is %w; rename it", s, ErrEncoding)
	}
	if strings.Contains(s, "\r") {
		return say.Errorf("%q holds a carriage return, which reading changes; rename it", s)
	}
	if strings.Contains(s, "\x00") {
		return say.Errorf("%q holds a zero byte, by which the text looks like UTF-16; rename it", s)
	}
	return nil
}

// appendCell adds a cell, in quotes where it needs them.
func appendCell(line []byte, s string) []byte {
	first, _ := utf8.DecodeRuneInString(s)
	if !strings.ContainsAny(s, ",\"\n") && !unicode.IsSpace(first) && !strings.HasPrefix(s, "\ufeff") {
		return append(line, s...)
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(s, `"`, `""`)...)
	return append(line, '"')
}

// WriteCSVFile writes the table to a file; see [Table.WriteCSV]. An error leaves the
// file as it was.
func (t *Table) WriteCSVFile(path string, change ...func(text string) string) error {
	err := atomicfile.Write(path, func(w io.Writer) error { return t.WriteCSV(w, change...) })
	if err != nil {
		return say.Errorf("data: %w", err)
	}
	return nil
}
