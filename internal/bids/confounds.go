package bids

import (
	"os"
	"slices"

	"bnlab/internal/say"
)

// ReadConfounds reads columns of a table with a row for each image, such as movements of the
// head in the confounds.tsv of fMRIPrep. It returns rows × columns values, row by row, and how many of
// them the file does not know ("n/a", as differences at the first image), which are 0.
//
// A [FileError] wraps ErrColumn (with the columns there are), ErrNumber, ErrFormat or ErrLimit.
func ReadConfounds(path string, columns []string) (values []float64, unknown int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, say.Errorf("bids: %w", err)
	}
	defer f.Close()
	t := &table{path: path}
	at := make([]int, len(columns))
	header := func(cells []string) error {
		for i, c := range columns {
			if at[i] = slices.Index(cells, c); at[i] < 0 {
				return t.wrong(c, ErrColumn, "rename or name others of: %s", say.List(cells))
			}
		}
		return nil
	}
	row := func(cells []string) error {
		for i, c := range columns {
			if cells[at[i]] == "n/a" {
				unknown++
				values = append(values, 0)
				continue
			}
			x, ok := finite(cells[at[i]])
			if !ok {
				return t.wrong(c, ErrNumber, "%q; give a number or n/a", cells[at[i]])
			}
			values = append(values, x)
		}
		return nil
	}
	if err := t.read(f, header, row); err != nil {
		return nil, 0, err
	}
	return values, unknown, nil
}
