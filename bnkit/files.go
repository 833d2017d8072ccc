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

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format"
	"bnlab/bnkit/format/arff"
	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// ReadNetwork reads a network from a file of another tool, by its extension: BIF (.bif), XMLBIF
// (.xml; also Tetrad's and UnBBayes'), Hugin (.net), GeNIe (.xdsl, .dsl), Netica (.dne), DSC (.dsc) or UAI (.uai).
//
//	net, lost, err := bnkit.ReadNetwork("asia.xdsl")
//
// What stood in the file and is not in the network comes back as sentences, so print them.
// Labels, positions and noisy-MAX nodes as such are kept by [format.Read]. An error in the file names
// its line and column. Options raise the limits of a file that is large, or stands for large tables:
//
//	net, lost, err := bnkit.ReadNetwork("large.xdsl", format.Reader{MaxCells: 1 << 26})
func ReadNetwork(path string, options ...format.Reader) (net *bn.Network, lost []string, err error) {
	var r format.Reader
	for _, o := range options {
		r.MaxBytes, r.MaxCells = max(r.MaxBytes, o.MaxBytes), max(r.MaxCells, o.MaxCells)
	}
	f, err := r.Read(path)
	if err != nil {
		return nil, nil, say.Errorf("bnkit: %w", err)
	}
	return f.Network, f.Lost, nil
}

// WriteNetwork writes a network, or that of a model, to a file for another tool, by its extension; see
// [ReadNetwork]. What the format has no place for comes back as sentences, such as names that
// are written as identifiers; a network that it cannot hold at all is an error. The file is
// afterwards either complete or as it was before.
func WriteNetwork(path string, m bn.Model) (lost []string, err error) {
	var f format.File
	if m != nil {
		f.Network = m.Network()
	}
	lost, err = format.Write(path, &f)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	var read []string
	for _, v := range f.Network.Variables() {
		if v.Encoding != nil {
			read = append(read, v.Name)
		}
	}
	if read != nil {
		lost = append(lost, "How columns of data become states is left out, of "+strings.Join(read,
			", ")+"; Save keeps it.")
	}
	return lost, nil
}

// ReadARFF reads a Weka ARFF file into a frame: nominal and string attributes as text, numeric ones
// as floats, missing values as NaN. It also returns the declared variables, because a frame does
// not keep the order of states; pass data.StatesOf of them to [Table]. See [arff.Read] for the
// errors. A file with weights is an error, because a frame cannot hold them.
func ReadARFF(path string, opts *arff.Options) (dataframe.DataFrame, []bn.Variable, error) {
	t, err := arff.Read(path, opts)
	if err == nil && t.Weights() != nil {
		err = say.Errorf("reading %s: a frame has no place for the weights of the rows; read them with arff.Read "+
			"and fit with learn.Fit", path)
	}
	if err != nil {
		return dataframe.DataFrame{}, nil, say.Errorf("bnkit: %w", err)
	}
	return Frame(t), t.Variables(), nil
}

// WriteARFF writes a frame to a Weka ARFF file. Columns are interpreted as by [Table]; states,
// which may be nil, declares the states of columns in their order, which the file keeps. If writing
// fails the file is unchanged.
func WriteARFF(path string, df dataframe.DataFrame, states map[string][]string) error {
	t, err := Table(df, states)
	if err != nil {
		return err
	}
	if err := arff.Write(path, t); err != nil {
		return say.Errorf("bnkit: %w", err)
	}
	return nil
}

// ReadCSV reads a CSV file into a frame: columns of states as text, numeric columns as floats,
// missing cells as NaN. See [data.ReadCSV] for how column types are inferred and for the errors,
// which name file, line, column and value. A frame cannot hold weights, so opts.Weight is an error: read the
// column as any other, and name it in Settings.Weight.
func ReadCSV(path string, opts *data.CSVOptions) (dataframe.DataFrame, error) {
	if opts != nil && opts.Weight != "" {
		return dataframe.DataFrame{}, say.Errorf("bnkit: reading %s: a frame has no place for the weights in column "+
			"%q; read it as a column and name it in bnkit.Settings.Weight", path, opts.Weight)
	}
	t, err := data.ReadCSVFile(path, opts)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	return Frame(t), nil
}

// WriteCSV writes a frame to a CSV file, numbers with the fewest digits that read back exactly,
// missing cells empty. [ReadCSV] returns the same cases; text that means a missing value, such as
// NA and ?, stays missing. It returns an error for text that is not UTF-8 or contains a carriage
// return or a zero byte, which reading would change. If writing fails the file is unchanged.
//
// Names and cells are changed on the way by what else is given. For a file that somebody opens in a spreadsheet, which
// computes what begins with =, +, - or @, that is [data.ForSpreadsheet]:
//
//	err := bnkit.WriteCSV("cases.csv", df, data.ForSpreadsheet)
func WriteCSV(path string, df dataframe.DataFrame, change ...func(text string) string) error {
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
	for _, record := range records {
		for i := range record {
			for _, f := range change {
				record[i] = f(record[i])
			}
		}
	}
	err := atomicfile.Write(path, func(w io.Writer) error { return writeRecords(w, records) })
	if err != nil {
		return say.Errorf("bnkit: %w", err)
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
	if len(names) == 1 && strings.ContainsAny(names[0], ";\t|") {
		return say.Errorf("bnkit: the name %q of the only column would be read as several; rename it", names[0])
	}
	for row, record := range records {
		for i, text := range record {
			if utf8.ValidString(text) && !strings.ContainsAny(text, "\r\x00") {
				continue
			}
			what := fmt.Sprintf("row %d, column %q", row, names[i])
			if row == 0 {
				what = fmt.Sprintf("the name of column %d", i+1)
			}
			if !utf8.ValidString(text) {
				return say.Errorf("bnkit: %s: %q is %w; correct the text", what, text, data.ErrEncoding)
			}
			return say.Errorf("bnkit: %s: %q holds a carriage return or a zero byte, which reading changes; take it "+
				"out", what, text)
		}
	}
	return nil
}
