package bnkit

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// ErrEmptyFrame is wrapped where a frame has no rows or no columns.
var ErrEmptyFrame = errors.New("the frame is empty")

// Table turns a frame into a table of cases by the rules of [data.ParseCSV]: text is
// discrete, numbers are continuous unless they are few and whole, and a column that
// states names is discrete with these states in this order. Empty cells, NaN and NA
// are missing. Errors name the row, the column and the value: a state that is not in
// its list, two columns of one name, a frame that is empty or carries an error.
func Table(df dataframe.DataFrame, states map[string][]string) (*data.Table, error) {
	return table(df, df.Names(), &data.CSVOptions{States: states})
}

// table takes the named columns. The frame goes through CSV in memory, so that there is
// one set of rules for files and frames.
func table(df dataframe.DataFrame, names []string, opts *data.CSVOptions) (*data.Table, error) {
	records, err := records(df, names)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := writeRecords(&b, records); err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	t, err := data.ParseCSV(b.Bytes(), opts)
	if err != nil {
		var where *data.ValueError
		if errors.As(err, &where) {
			where.Line = 0 // the text has no lines for the user
		}
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return t, nil
}

// records returns the named columns as text below their names.
func records(df dataframe.DataFrame, names []string) ([][]string, error) {
	if err := df.Error(); err != nil {
		return nil, fmt.Errorf("bnkit: the frame carries an error: %w", err)
	}
	if df.Nrow() == 0 || df.Ncol() == 0 {
		return nil, fmt.Errorf("bnkit: %w: %d rows, %d columns", ErrEmptyFrame, df.Nrow(), df.Ncol())
	}
	records := make([][]string, df.Nrow()+1)
	for i := range records {
		records[i] = make([]string, len(names))
	}
	for i, name := range names {
		col := df.Col(name)
		if col.Err != nil {
			return nil, fmt.Errorf("bnkit: %w: no column %q in the frame (columns: %s)", bn.ErrUnknownVariable, name, strings.Join(df.Names(), ", "))
		}
		records[0][i] = name
		for row := range df.Nrow() {
			records[row+1][i] = text(col.Elem(row))
		}
	}
	return records, nil
}

// writeRecords writes CSV. A row of one empty cell is quoted, since an empty line would
// be no row.
func writeRecords(w io.Writer, records [][]string) error {
	out := bufio.NewWriter(w)
	c := csv.NewWriter(out)
	for _, record := range records {
		if len(record) == 1 && record[0] == "" {
			c.Flush()
			out.WriteString("\"\"\n")
			continue
		}
		if err := c.Write(record); err != nil {
			return err
		}
	}
	c.Flush()
	return errors.Join(c.Error(), out.Flush())
}

// text prints a cell: a number as short as it can be, so that 3.0 is the state "3",
// nothing when missing.
func text(e series.Element) string {
	switch {
	case e.IsNA():
		return ""
	case e.Type() == series.Float:
		return strconv.FormatFloat(e.Float(), 'g', -1, 64)
	}
	return e.String()
}

// Frame turns a table of cases into a frame: discrete columns become text,
// continuous ones numbers. Missing cells are NaN.
func Frame(t *data.Table) dataframe.DataFrame {
	var cols []series.Series
	for _, c := range t.Columns() {
		if !c.Var.IsDiscrete() {
			cols = append(cols, series.New(c.Values, series.Float, c.Var.Name))
			continue
		}
		text := make([]string, t.Rows())
		for row := range text {
			if text[row] = "NaN"; !c.IsMissing(row) {
				text[row] = c.Text(row)
			}
		}
		cols = append(cols, series.New(text, series.String, c.Var.Name))
	}
	return dataframe.New(cols...)
}
