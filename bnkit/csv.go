package bnkit

import (
	"fmt"
	"io"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/data"
	"bnlab/internal/atomicfile"
)

// ReadCSV reads a CSV file into a frame: columns of states as text, columns of
// numbers as floats, missing cells as NaN. See [data.ReadCSV] for how a column is
// taken and for the errors, which name file, line, column and value. A frame has no
// place for weights, so opts.Weight is refused; weighted cases go through
// [data.ReadCSVFile] and learn.Fit.
func ReadCSV(path string, opts *data.CSVOptions) (dataframe.DataFrame, error) {
	if opts != nil && opts.Weight != "" {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: reading %s: a frame has no place for the weights in column %q; read them with data.ReadCSVFile and fit with learn.Fit", path, opts.Weight)
	}
	t, err := data.ReadCSVFile(path, opts)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	return Frame(t), nil
}

// WriteCSV writes a frame to a CSV file, numbers with the fewest digits that read
// back the same, missing cells empty. A failure leaves the file as it was.
func WriteCSV(path string, df dataframe.DataFrame) error {
	records, err := records(df, df.Names())
	if err != nil {
		return err
	}
	err = atomicfile.Write(path, func(w io.Writer) error { return writeRecords(w, records) })
	if err != nil {
		return fmt.Errorf("bnkit: %w", err)
	}
	return nil
}
