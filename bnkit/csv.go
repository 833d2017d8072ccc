package bnkit

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/data"
	"bnlab/internal/atomicfile"
)

// ReadCSV reads a CSV file into a frame: columns of states as text, numeric columns as floats,
// missing cells as NaN. See [data.ReadCSV] for how column types are inferred and for the errors,
// which name file, line, column and value. A frame cannot hold weights, so opts.Weight is an error;
// use [data.ReadCSVFile] and learn.Fit for weighted cases.
func ReadCSV(path string, opts *data.CSVOptions) (dataframe.DataFrame, error) {
	if opts != nil && opts.Weight != "" {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: reading %s: a frame has no place for the weights in column "+
			"%q; read them with data.ReadCSVFile and fit with learn.Fit", path, opts.Weight)
	}
	t, err := data.ReadCSVFile(path, opts)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	return Frame(t), nil
}

// WriteCSV writes a frame to a CSV file, numbers with the fewest digits that read back exactly,
// missing cells empty. [ReadCSV] returns the same cases; text that means a missing value, such as
// NA and ?, stays missing. It returns an error for text that is not UTF-8 or contains a carriage
// return, which reading would change. If writing fails the file is unchanged.
func WriteCSV(path string, df dataframe.DataFrame) error {
	f := openFrame(df)
	if f.err != nil {
		return f.err
	}
	records := make([][]string, df.Nrow()+1)
	for row := range records {
		records[row] = make([]string, len(f.names))
	}
	for i, name := range f.names {
		texts, err := f.texts(name)
		if err != nil {
			return err
		}
		records[0][i] = trimName(name)
		for row, text := range texts {
			records[row+1][i] = text
		}
	}
	if err := readable(records); err != nil {
		return err
	}
	err := atomicfile.Write(path, func(w io.Writer) error { return writeRecords(w, records) })
	if err != nil {
		return fmt.Errorf("bnkit: %w", err)
	}
	return nil
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

// readable refuses texts that would not be read back as they are. The first record are the names.
func readable(records [][]string) error {
	names := records[0]
	if len(names) == 1 && strings.ContainsAny(names[0], ";\t") {
		return fmt.Errorf("bnkit: the name %q of the only column would be read as several; rename it", names[0])
	}
	for row, record := range records {
		for i, text := range record {
			if utf8.ValidString(text) && !strings.Contains(text, "\r") {
				continue
			}
			what := fmt.Sprintf("row %d, column %q", row, names[i])
			if row == 0 {
				what = fmt.Sprintf("the name of column %d", i+1)
			}
			if !utf8.ValidString(text) {
				return fmt.Errorf("bnkit: %s: %q is %w; correct the text", what, text, data.ErrEncoding)
			}
			return fmt.Errorf("bnkit: %s: %q holds a carriage return, which reading changes; take it out", what, text)
		}
	}
	return nil
}
